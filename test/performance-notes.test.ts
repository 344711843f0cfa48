import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/* Tricks in the code link to sections of the performance notes, and every trick there has a place in the code. */

const root = fileURLToPath(new URL('..', import.meta.url));
const notes = readFileSync(join(root, 'src/guide/performance.md'), 'utf8');

/** Sections that describe no trick. */
const general = ['how-the-time-is-spent', 'what-did-not-help'];

const sections = [...notes.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-'),
);

function readCode(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|prisma)$/.test(path) && !path.startsWith('generated'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'));
}

test('the code links to sections that exist, and to each of them', () => {
  const code = [...readCode('src'), ...readCode('prisma')].join('\n');
  const linked = [...code.matchAll(/performance\.md#([\w-]+)/g)].map(([, section = '']) => section);
  const tricks = sections.filter((section) => !general.includes(section));
  expect([...new Set(linked)].sort()).toEqual(tricks.sort());
});

test('every trick says what it is, where it is, what was measured and when it may go', () => {
  const parts = notes.split(/^## /m).slice(1);
  for (const part of parts.filter((_, index) => !general.includes(sections[index] ?? '')))
    for (const label of ['**What**', '**Where**', '**Measured**', '**May go**']) expect(part).toContain(label);
});

test('links within the notes lead to their sections', () => {
  for (const [, target = ''] of notes.matchAll(/\]\(#([\w-]+)\)/g)) expect(sections).toContain(target);
});
