import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { instantsOf } from '../src/time/offsets.ts';
import { useTzData } from '../src/time/tz-data.ts';
import { resolveWallTime } from '../src/time/wall-clock.ts';

/* All conversion goes through time/offsets.ts. With the data of the runtime, it answers as Temporal does. */

/** Means to ask somebody else for an offset, and the files that may use them. */
const elsewhere: [what: string, pattern: RegExp, allowed: string[]][] = [
  ['Temporal', /temporal-polyfill|\bTemporal\b/, ['time/zones.ts']],
  ['Intl', /\bDateTimeFormat\b/, ['time/tz-runtime.ts']],
  [
    'local times of the process',
    /\.(getTimezoneOffset|toLocale(Date|Time)String|[gs]et(Hours|Date|Day|Month|FullYear))\(/,
    [],
  ],
  ['PostgreSQL', /AT TIME ZONE(?! 'UTC')|\btimezone\(|\bpg_timezone/i, []],
  ['the rules of a source', /\/tz-(rules|posix|file|yearly|runtime|system|package)\.ts'/, []],
];

const folder = new URL('../src/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  // Pages show moments by the rules of the browser, and by the service's offset where these differ: board/zones.ts.
  (path) => /\.(ts|tsx)$/.test(path) && !/^(generated|pages)\//.test(path),
);

test.each(elsewhere)('no file asks %s for an offset', (what, pattern, allowed) => {
  const isAllowed = (path: string) =>
    allowed.includes(path) || (what === 'the rules of a source' && /^time\/(tz-\w+|offsets)\.ts$/.test(path));
  const withoutComments = (path: string) =>
    readFileSync(new URL(path, folder), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  expect(files.filter((path) => !isAllowed(path) && pattern.test(withoutComments(path)))).toEqual([]);
});

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const minute = fc.integer({ min: Date.UTC(1970, 0, 2) / 60_000, max: Date.UTC(2100, 0, 1) / 60_000 });

test('with the data of the runtime, conversion answers as Temporal does', () => {
  useTzData({ source: 'runtime', directory: '' });
  fc.assert(
    fc.property(zone, minute, (timezone, minutes) => {
      const wall = new Date(minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
      const plain = Temporal.PlainDateTime.from(wall.replace(' ', 'T'));
      const zoned = (['earlier', 'later'] as const).map((disambiguation) =>
        plain.toZonedDateTime(timezone, { disambiguation }),
      );
      const valid = zoned.filter((one) => one.toPlainDateTime().equals(plain)).map((one) => one.epochMilliseconds);
      expect(instantsOf(wall, timezone).map((at) => at.getTime())).toEqual([...new Set(valid)]);
      const [first] = valid;
      if (first !== undefined) expect(resolveWallTime(wall, timezone)).toEqual({ at: new Date(first) });
      else expect(resolveWallTime(wall, timezone)).toHaveProperty('skippedUntil');
    }),
    { numRuns: 300 },
  );
});
