/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openConsole } from './support/console.ts';

/* A second language is one more file: here a made-up one, which puts each English text between marks. */

const madeUp = `import { messages as english, type Messages } from './en.ts';

function mark<Value>(value: Value): Value {
  if (typeof value === 'string') return \`«\${value}»\` as Value;
  if (typeof value === 'function') return ((...args: unknown[]) => mark(value(...args))) as Value;
  if (Array.isArray(value)) return value.map(mark) as Value;
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, mark(inner)])) as Value;
}

export const messages: Messages = { ...mark(english), language: 'eo' };
`;

type Manifest = Record<string, { file: string; css?: string[] }>;

const pages = openConsole({ isAlone: true });
const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'callboard-language-'));
let files: Manifest;

beforeAll(() => {
  // The rules of the service by which the pages judge what is imported are in the others.
  for (const room of ['pages', 'generated/pages', 'validation', 'config'])
    cpSync(join(root, 'src', room), join(copy, 'src', room), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  cpSync(join(root, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'src/pages/console/messages/eo.ts'), madeUp);
  const config = join(copy, 'src/pages/vite.config.ts');
  // The playground is large, and has nothing to do with it.
  writeFileSync(config, readFileSync(config, 'utf8').replace("'playground/main.tsx',", ''));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [
    vite,
    'build',
    '--config',
    config,
    '--outDir',
    join(copy, 'out'),
    '--logLevel',
    'error',
  ]);
  files = JSON.parse(readFileSync(join(copy, 'out/manifest.json'), 'utf8')) as Manifest;
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Texts and names of controls on display that have letters. */
const readTexts = () => {
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // The header of the pages of the site is theirs, but for the account.
    const element = node instanceof Text ? node.parentElement : (node as Element);
    if (element?.closest('.cb-header') && !element.closest('#account, #console')) continue;
    if (node instanceof Text) texts.push(node.data);
    // The switch of the colours belongs to the pages of the site.
    else if (node instanceof Element && node.id !== 'theme')
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(node.getAttribute(name) ?? '');
  }
  return texts.filter((text) => /\p{L}/u.test(text));
};

test.each([
  '/app',
  '/app/parts',
  '/app/call-sheet',
  '/app/invitation',
  '/app/answer',
  '/app/forgotten',
  '/app/new-password',
  '/app/unsubscribe',
  '/app/nowhere',
  '/app/attendance',
  '/app/payroll',
  '/app/board',
  '/board',
  '/app (out)',
  '/board (out)',
])('%s has no text beside those of the catalogue', async (path) => {
  const { page, business, admin, client } = await pages.openFresh('/app', {
    locale: 'eo',
    serviceWorkers: 'block',
    expected: /stylesheet/,
  });
  const built = JSON.parse(readFileSync(join(root, 'dist/pages/manifest.json'), 'utf8')) as Manifest;
  await page.route('**/assets/**', async (route) => {
    const name = new URL(route.request().url()).pathname;
    const entry = Object.entries(built).find(([, { file }]) => `/${file}` === name)?.[0];
    const own = entry === undefined ? undefined : files[entry]?.file;
    const file = join(copy, 'out', own ?? name);
    // The page asks for shared scripts in advance, by their names in the other build; styles say nothing.
    await route.fulfill(existsSync(file) ? { path: file } : { contentType: 'text/javascript', body: '' });
  });
  if (path.endsWith('(out)')) await page.evaluate(() => sessionStorage.clear());
  await page.goto(pages.origin + path.replace(' (out)', ''));
  await page.getByRole('heading', { level: 1, name: '«' }).waitFor();
  await page.locator('.app-waiting').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('eo');
  const { logIns } = (await (await fetch(`${pages.origin}/demo.json`)).json()) as {
    logIns: { email: string; business: string }[];
  };
  const demo = logIns.flatMap(({ email, business: name }) => [email, name]);
  const names = [admin, client].map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const data = ['Callboard', business.name, ...names, admin.email, ...demo];
  const texts = await page.evaluate(readTexts);
  expect(texts.length).toBeGreaterThan(10);
  // As Intl writes amounts and spans of days in the made-up language.
  const isFormatted = (text: string) => /^US\$\s[\d.,]+$|^\d{4} M\d\d [\d–]+$/.test(text);
  expect(texts.filter((text) => !text.includes('«') && !data.includes(text) && !isFormatted(text))).toEqual([]);
});
