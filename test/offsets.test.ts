import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/* All conversion goes through time/offsets.ts. */

/** Means to ask somebody else for an offset, and the files that may use them. */
const elsewhere: [what: string, pattern: RegExp, allowed: string[]][] = [
  ['Temporal', /temporal-polyfill|\bTemporal\b/, ['time/tz-data.ts']],
  ['Intl', /\bDateTimeFormat\b/, ['time/tz-runtime.ts']],
  [
    'local times of the process',
    /\.(getTimezoneOffset|toLocale(Date|Time)String|[gs]et(Hours|Date|Day|Month|FullYear))\(/,
    [],
  ],
  ['PostgreSQL', /AT TIME ZONE(?! 'UTC')|\btimezone\(|\bpg_timezone/i, []],
  ['the package of time zone data', /'moment/, ['time/tz-data.ts']],
  ['the rules of a zone', /\/tz-(rules|runtime)\.ts'/, []],
];

const folder = new URL('../src/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  // Pages show moments by the rules of the browser, and by the service's offset where these differ: board/zones.ts.
  (path) => /\.(ts|tsx)$/.test(path) && !/^(generated|pages)\//.test(path),
);

test.each(elsewhere)('no file asks %s for an offset', (what, pattern, allowed) => {
  const isAllowed = (path: string) =>
    allowed.includes(path) || (what === 'the rules of a zone' && /^time\/(tz-\w+|offsets)\.ts$/.test(path));
  const withoutComments = (path: string) =>
    readFileSync(new URL(path, folder), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  expect(files.filter((path) => !isAllowed(path) && pattern.test(withoutComments(path)))).toEqual([]);
});
