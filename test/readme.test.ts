import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectShown, readExamples, runExamples, type Example } from './support/examples.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/* Every marked example of the README and the guides, run as it stands against the demo data. */

const documents = {
  README: 'README.md',
  'the guide for integrators': 'src/guide/integrators.md',
  'the guide for dashboard developers': 'src/guide/dashboards.md',
  'the guide for analysts': 'src/guide/analysts.md',
};
type Document = keyof typeof documents;

const examples = Object.fromEntries(
  await Promise.all(Object.entries(documents).map(async ([name, path]) => [name, await readExamples(path)] as const)),
) as Record<Document, Example[]>;

let folder: string;
let service: ServiceProcess;
const printed = {} as Record<Document, string[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-readme-'));
  service = await startProcess({ DATA_DIR: join(folder, 'data') });
  for (const name of Object.keys(documents) as Document[])
    printed[name] = await runExamples(examples[name], service.origin, folder);
});

afterAll(async () => {
  stopAll();
  await rm(folder, { recursive: true, force: true });
});

const answersOf = (name: Document) =>
  printed[name].filter((output) => output.startsWith('{')).map((output) => JSON.parse(output) as object);

describe.each(Object.entries(examples))('%s', (name, list) => {
  const shown = list.flatMap((example, index) => (example.answer ? [{ ...example, index }] : []));

  test('has examples that show what they print', () => {
    expect(shown.length).toBeGreaterThan(0);
  });

  test.each(shown)('prints what it shows: $title', ({ index, answer }) => {
    expectShown(printed[name as Document][index]!, answer!);
  });
});

test('every command of the start page works', async () => {
  const page = await (await fetch(service.origin, { headers: { accept: 'text/html' } })).text();
  const commands = [...page.matchAll(/aria-label="Command"><code>([^]*?)<\/code>/g)].map(([, code = '']) =>
    code.replaceAll(
      /&(quot|lt|gt|#39|amp);/g,
      (_, name: string) => ({ quot: '"', lt: '<', gt: '>', '#39': "'" })[name] ?? '&',
    ),
  );
  expect(commands).toHaveLength(4);
  const script = commands.join('\necho; echo ---\n');
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
  const [demo, kept, list, screen] = stdout.split('---\n').map((printed) => printed.trim());
  expect(JSON.parse(demo!)).toMatchObject({ success: true, data: { access_token: expect.any(String) } });
  expect(kept).toBe('');
  expect(JSON.parse(list!)).toMatchObject({ success: true, data: { per_page: 2 } });
  expect(JSON.parse(screen!)).toMatchObject({ data: { events: { nodes: expect.anything() } } });
  expect(screen).not.toContain('"errors"');
});

test('the README is short', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme.split('\n').length).toBeLessThanOrEqual(250);
});

test('every step of the tour works: list, create, read, change, refusal, GraphQL', () => {
  const [list, created, read, changed, refused, graphql, ...more] = answersOf('README');
  expect(list).toMatchObject({
    success: true,
    data: { per_page: 2, data: [{ call_times: expect.anything() }, { work_shifts: expect.anything() }] },
  });
  expect(created).toMatchObject({ success: true, data: { title: 'Harvest dinner', status: 'active' } });
  expect(read).toMatchObject({ data: { event: { start_time: '2027-10-02 18:00:00', timezone: 'America/Chicago' } } });
  expect(changed).toMatchObject({ data: { dress_code: 'Black tie', status: 'draft', title: 'Harvest dinner' } });
  expect(refused).toMatchObject({ success: false, code: 'VALIDATION_FAILED', errors: { colour: expect.anything() } });
  expect(graphql).toMatchObject({
    data: { viewer: { business: { name: 'Aurora Events' } }, events: { nodes: expect.anything() } },
  });
  expect(graphql).not.toHaveProperty('errors');
  expect(more).toEqual([]);
});

test('a create sent twice with one key creates one event', () => {
  const retried = printed['the guide for integrators'].find((output) => output.startsWith('one event: '))!;
  const uuids = retried.split(/\s*one event: /).slice(1);
  expect(uuids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), uuids[0]]);
});

test('no query of the guides has an error that it does not show', () => {
  for (const name of Object.keys(documents) as Document[])
    for (const [index, output] of printed[name].entries())
      if (!examples[name][index]?.answer?.text.includes('"errors"')) expect(output).not.toContain('"errors":');
});
