import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { instantsOf, nextTransition, offsetAt } from '../src/time/offsets.ts';
import { isOlderThanAYear, useTzData } from '../src/time/tz-data.ts';
import { readTzFile } from '../src/time/tz-file.ts';
import { packedVersion, readPackedRules } from '../src/time/tz-package.ts';
import { parsePosix, yearlyRules } from '../src/time/tz-posix.ts';
import { readSystemRules } from '../src/time/tz-system.ts';
import { resolveWallTime } from '../src/time/wall-clock.ts';
import { tzFile, writeTzFolder, writeZone } from './support/tz-data.ts';

const folders: string[] = [];
const folderOf = (version: string, zones: Record<string, string>): string => {
  const folder = writeTzFolder(version, zones);
  folders.push(folder);
  return folder;
};

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const iso = ({ at, offset }: { at: number; offset: number }) =>
  `${new Date(at * 1000).toISOString().slice(0, 19)} ${offset / 3600}`;

describe('a TZ rule of POSIX', () => {
  test.each<[string, number, number, string[]]>([
    ['EST5EDT,M3.2.0,M11.1.0', 2027, -5, ['2027-03-14T07:00:00 -4', '2027-11-07T06:00:00 -5']],
    ['MST7', 2027, -7, []],
    ['<+0545>-5:45', 2027, 5.75, []],
    ['IST-1GMT0,M10.5.0,M3.5.0/1', 2027, 0, ['2027-03-28T01:00:00 1', '2027-10-31T01:00:00 0']],
    ['AEST-10AEDT,M10.1.0,M4.1.0/3', 2027, 11, ['2027-04-03T16:00:00 10', '2027-10-02T16:00:00 11']],
    ['<+1030>-10:30<+11>-11,M10.1.0,M4.1.0', 2027, 11, ['2027-04-03T15:00:00 10.5', '2027-10-02T15:30:00 11']],
    // Times of day before 0:00 and after 24:00.
    ['<-02>2<-01>,M3.5.0/-1,M10.5.0/0', 2027, -2, ['2027-03-28T01:00:00 -1', '2027-10-31T01:00:00 -2']],
    ['IST-2IDT,M3.4.4/26,M10.5.0', 2027, 2, ['2027-03-26T00:00:00 3', '2027-10-30T23:00:00 2']],
    ['AAA3BBB,J60/0,J300/0', 2028, -3, ['2028-03-01T03:00:00 -2', '2028-10-27T02:00:00 -3']],
    ['AAA3BBB,59/0,300/0', 2028, -3, ['2028-02-29T03:00:00 -2', '2028-10-27T02:00:00 -3']],
    // Summer time that never ends.
    ['AAA5BBB,0/0,J365/25', 2027, -4, []],
  ])('%s', (text, year, initial, changes) => {
    const computed = yearlyRules(parsePosix(text))(year);
    expect([computed.initial / 3600, computed.changes.map(iso)]).toEqual([initial, changes]);
  });

  test.each([
    '',
    'EST',
    'E5',
    'EST5EDT',
    'EST5EDT,M3.2.0',
    'EST5EDT,M13.2.0,M11.1.0',
    'EST5EDT,M3.6.0,M11.1.0',
    'EST5EDT,M3.2.7,M11.1.0',
    'EST5EDT,J0,J365',
    'EST5EDT,0,366',
    'EST5EDT,M3.2.0/168,M11.1.0',
    'EST25',
    'EST5:60',
    ' EST5',
    'EST5\n',
  ])('%j is refused', (text) => {
    expect(() => parsePosix(text)).toThrow(/not a/);
  });
});

/** New York in 2026, and in the years after it by the rule at the end of the file. */
const changes = [
  [Date.UTC(2026, 2, 8, 7) / 1000, -4 * 3600],
  [Date.UTC(2026, 10, 1, 6) / 1000, -5 * 3600],
] as const;
const newYork = { initial: -5 * 3600, changes, footer: 'EST5EDT,M3.2.0,M11.1.0' };

describe('a TZif file', () => {
  test.each([2, 3] as const)('of version %s has 64-bit instants and a rule for later years', (version) => {
    const rules = readTzFile(tzFile({ version, ...newYork }));
    expect(rules(2025)).toEqual({ initial: -5 * 3600, changes: [] });
    expect(rules(2026).changes.map(iso)).toEqual(['2026-03-08T07:00:00 -4', '2026-11-01T06:00:00 -5']);
    expect(rules(2999).changes.map(iso)).toEqual(['2999-03-10T07:00:00 -4', '2999-11-03T06:00:00 -5']);
  });

  test('of version 1 goes on with the yearly rule of its last ten years', () => {
    const listed = Array.from({ length: 12 }, (_, index) =>
      yearlyRules(parsePosix('EST5EDT,M3.2.0,M11.1.0'))(2026 + index).changes.map(
        ({ at, offset }) => [at, offset] as const,
      ),
    ).flat();
    const rules = readTzFile(tzFile({ version: 1, initial: -5 * 3600, changes: listed }));
    expect(rules(2037).changes.map(iso)).toEqual(['2037-03-08T07:00:00 -4', '2037-11-01T06:00:00 -5']);
    expect(rules(2038).changes.map(iso)).toEqual(['2038-03-14T07:00:00 -4', '2038-11-07T06:00:00 -5']);
  });

  test('without a rule keeps the last offset', () => {
    const rules = readTzFile(tzFile({ ...newYork, footer: '' }));
    expect(rules(2100)).toEqual({ initial: -5 * 3600, changes: [] });
  });

  const whole = tzFile(newYork);
  const changed = (at: number, byte: number) => {
    const file = Buffer.from(whole);
    file[at] = byte;
    return file;
  };
  test.each<[string, Buffer]>([
    ['that is empty', Buffer.alloc(0)],
    ['that is text', Buffer.from('<html>Not found</html>'.repeat(10))],
    ['of an unknown version', changed(4, 0x39)],
    ['that is cut off', whole.subarray(0, whole.length - 40)],
    ['without its last line', whole.subarray(0, whole.length - 1)],
    ['with senseless counts', changed(32, 0xff)],
    ['with an index of no type', changed(whole.length - 44 + 2, 9)],
    ['with leap seconds', tzFile({ ...newYork, leaps: 1 })],
    ['with a senseless rule', tzFile({ ...newYork, footer: 'EST5EDT' })],
    ['with a senseless offset', tzFile({ initial: 90 * 3600, footer: 'EST5' })],
    ['whose changes are out of order', tzFile({ ...newYork, changes: changes.toReversed() })],
  ])('%s is refused', (_, file) => {
    expect(() => readTzFile(file)).toThrow(/TZif|TZ rule/);
  });

  test('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.length; length++)
      expect(() => readTzFile(whole.subarray(0, length))).toThrow(/TZif|TZ rule/);
  });
});

describe('packed data', () => {
  const zone = 'A/B|X Y|50 40|010|-1 10|';
  const packed = (zones: string[], links: string[] = []) => JSON.stringify({ version: '2026f', zones, links });

  test('have zones under all their names', () => {
    expect(packedVersion(packed([zone]))).toBe('2026f');
    expect([...readPackedRules(packed([zone], ['A/B|C', 'D|A/B'])).keys()]).toEqual(['A/B', 'C', 'D']);
  });

  test.each([
    ['{}'],
    ['not JSON'],
    [packed([])],
    [packed([zone], ['C|D'])],
    [packed(['A/B|X Y|50 40|010|-1|'])],
    [packed(['A/B|X Y|50 40|012|-1 10|'])],
    [packed(['A/B|X Y|50 !|010|-1 10|'])],
    [packed(['A/B|X Y|50 40|010|-1 -10|'])],
    [packed(['A/B'])],
  ])('%s are refused', (text) => {
    expect(() => readPackedRules(text)).toThrow(/./);
  });
});

describe('the data of the system', () => {
  test('are refused as a whole if a zone is broken or missing', () => {
    const folder = folderOf('2099a', { 'Test/One': 'AAA5', 'Test/Two': 'BBB6' });
    expect(useTzData({ source: 'auto', directory: folder })).toEqual({
      version: '2099a',
      source: 'system',
      unusable: [],
    });
    writeZone(folder, 'Test/Two', Buffer.from('TZif'));
    const chosen = useTzData({ source: 'auto', directory: folder });
    expect(chosen.source).not.toBe('system');
    expect(chosen.unusable).toEqual(['system 2099a: Test/Two: not a TZif file']);
    rmSync(join(folder, 'Test/Two'));
    expect(useTzData({ source: 'auto', directory: folder }).source).not.toBe('system');
    expect(() => useTzData({ source: 'system', directory: folder })).toThrow(
      /^CALLBOARD_TZ_DATA is system, but these data cannot be used: system 2099a: Test\/Two: ENOENT/,
    );
  });

  test('need no files for links and for names without a region', () => {
    const folder = folderOf('2099a', { 'Test/One': 'AAA5' });
    writeFileSync(
      join(folder, 'tzdata.zi'),
      '# version 2099a\nZ Test/One 5 - A\nZ EST5EDT 5 - A\nL Test/Older Test/Oldest\nL Test/One Test/Older\nL EST5EDT US/Eastern\n',
    );
    expect([...readSystemRules(folder).keys()]).toEqual(['Test/One', 'Test/Older', 'Test/Oldest']);
  });

  test.each([
    ['no version', 'Z Test/One 5 - A\n'],
    ['no zones', '# version 2099a\n'],
    ['a zone outside the folder', '# version 2099a\nZ ../One 5 - A\n'],
  ])('are refused with %s', (_, text) => {
    const folder = folderOf('2099a', { 'Test/One': 'AAA5' });
    writeFileSync(join(folder, 'tzdata.zi'), text);
    expect(() => useTzData({ source: 'system', directory: folder })).toThrow(/cannot be used: system/);
  });

  test('that are not there leave the others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-tz-'));
    folders.push(folder);
    expect(useTzData({ source: 'auto', directory: folder }).unusable).toEqual([
      expect.stringMatching('^system: ENOENT'),
    ]);
  });

  test('older than the others are passed over without being read', () => {
    const folder = folderOf('2001a', { 'Test/One': 'AAA5' });
    writeZone(folder, 'Test/One', Buffer.alloc(0));
    const chosen = useTzData({ source: 'auto', directory: folder });
    expect(chosen.source).not.toBe('system');
    expect(chosen.unusable).toEqual([]);
  });
});

test.each([
  ['2025c', '2026-06-30T23:59:59Z', false],
  ['2025c', '2026-07-01T00:00:00Z', true],
  ['2026f', '2026-11-22T00:00:00Z', false],
])('%s is older than a year at %s: %s', (version, now, expected) => {
  expect(isOlderThanAYear(version, new Date(now))).toBe(expected);
});

describe('conversion', () => {
  test('a zone that the data in force lack has the rules of the newest others', () => {
    useTzData({ source: 'system', directory: folderOf('2099a', { 'America/New_York': 'AAA9' }) });
    expect(offsetAt(new Date('2026-12-05T12:00:00Z'), 'America/New_York')).toBe(-9 * 3_600_000);
    expect(offsetAt(new Date('2026-12-05T12:00:00Z'), 'Asia/Kolkata')).toBe(5.5 * 3_600_000);
    expect(() => offsetAt(new Date(), 'Test/Nowhere')).toThrow(RangeError);
  });

  test('gaps and times that happen twice follow the data in force', () => {
    const zone = 'America/Vancouver';
    useTzData({ source: 'system', directory: folderOf('2099a', { [zone]: 'AAA8BBB,M6.1.0,M8.1.0' }) });
    expect(resolveWallTime('2027-06-06 02:30:00', zone)).toEqual({ skippedUntil: '2027-06-06 03:00:00' });
    const twice = ['2027-08-01T08:30:00.000Z', '2027-08-01T09:30:00.000Z'];
    expect(instantsOf('2027-08-01 01:30:00', zone).map((at) => at.toISOString())).toEqual(twice);
    expect(nextTransition(new Date('2027-01-01'), new Date('2028-01-01'), zone)).toEqual({
      at: new Date('2027-06-06T10:00:00Z'),
      offsetBefore: -8 * 3_600_000,
      offsetAfter: -7 * 3_600_000,
    });

    useTzData({ source: 'system', directory: folderOf('2099b', { [zone]: 'AAA7' }) });
    expect(resolveWallTime('2027-06-06 02:30:00', zone)).toEqual({ at: new Date('2027-06-06T09:30:00Z') });
    expect(instantsOf('2027-08-01 01:30:00', zone)).toHaveLength(1);
    expect(nextTransition(new Date('2027-01-01'), new Date('2030-01-01'), zone)).toBeNull();
  });
});
