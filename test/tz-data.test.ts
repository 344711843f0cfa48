import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { instantsOf, nextTransition, offsetAt } from '../src/time/offsets.ts';
import { findOtherZones, isOlderThanAYear, tzData } from '../src/time/tz-data.ts';
import { runtimeRules } from '../src/time/tz-runtime.ts';
import { resolveWallTime } from '../src/time/wall-clock.ts';
import { loadTzData, restoreTzData, temporalChanges } from './support/tz-data.ts';

/* The time zone data of the package, beside those that Node.js has built in. */

afterEach(restoreTzData);

test.each([
  ['2025c', '2026-06-30T23:59:59Z', false],
  ['2025c', '2026-07-01T00:00:00Z', true],
  ['2026f', '2026-11-22T00:00:00Z', false],
])('%s is older than a year at %s: %s', (version, now, expected) => {
  expect(isOlderThanAYear(version, new Date(now))).toBe(expected);
});

/** Zone, the version that brought its rule, and offsets in hours at noon UTC of two days. */
test.each([
  ['America/Vancouver', '2026b', -7, -7],
  ['America/Edmonton', '2026c', -6, -6],
  ['Africa/Casablanca', '2026c', 1, 0],
  ['America/Yellowknife', '2026d', -6, -6],
  ['America/Winnipeg', '2026e', -5, -5],
  ['America/Havana', '2026f', -4, -4],
])('%s has its rule of %s', (zone, version, summer, winter) => {
  expect(tzData().version >= version).toBe(true);
  const hours = (at: string) => offsetAt(new Date(at), zone) / 3_600_000;
  expect([hours('2026-07-15T12:00:00Z'), hours('2026-12-15T12:00:00Z')]).toEqual([summer, winter]);
});

test('the runtime of the comparison is read as Temporal reads it', () => {
  for (const zone of ['Europe/London', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
    const changes = [2025, 2026, 2027].flatMap((year) => runtimeRules(zone)(year).changes);
    expect(changes.map(({ at, offset }) => [at, offset])).toEqual(temporalChanges(zone, 2025, 2027));
  }
});

describe('zones whose rules are those of Node.js', () => {
  let same: string[];

  beforeAll(async () => {
    const other = new Set(await findOtherZones([2023, 2024, 2025, 2026, 2027, 2028]));
    same = Intl.supportedValuesOf('timeZone').filter((zone) => !other.has(zone));
  });

  test('are nearly all of them', () => {
    expect(same.length).toBeGreaterThan(350);
  });

  test('convert as Temporal does, in all years of the API', () => {
    const minute = fc.integer({ min: Date.UTC(1970, 0, 2) / 60_000, max: Date.UTC(2999, 11, 30) / 60_000 });
    fc.assert(
      fc.property(fc.constantFrom(...same), minute, (timezone, minutes) => {
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

  test('change their clocks at the same times, also after the last year that the package lists', async () => {
    const other = await findOtherZones([2060, 2498, 2499, 2500, 2501, 2899, 2900, 2999]);
    expect(other.filter((zone) => same.includes(zone))).toEqual([]);
  });
});

test('a comparison with Node.js names the zones whose clocks change at other times', async () => {
  const before = await findOtherZones([2027]);
  loadTzData('2097a', { 'Asia/Tokyo': 'Europe/London' });
  expect((await findOtherZones([2027])).sort()).toEqual([...before, 'Asia/Tokyo'].sort());
});

describe('an update of the package', () => {
  test('is in force at once, also for gaps and times that happen twice', () => {
    const zone = 'America/Vancouver';
    loadTzData('2097b', { [zone]: 'Europe/London' });
    expect(tzData()).toEqual({ version: '2097b', source: 'package' });
    expect(resolveWallTime('2027-03-28 01:30:00', zone)).toEqual({ skippedUntil: '2027-03-28 02:00:00' });
    const twice = ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'];
    expect(instantsOf('2027-10-31 01:30:00', zone).map((at) => at.toISOString())).toEqual(twice);
    expect(nextTransition(new Date('2027-01-01'), new Date('2028-01-01'), zone)).toEqual({
      at: new Date('2027-03-28T01:00:00Z'),
      offsetBefore: 0,
      offsetAfter: 3_600_000,
    });

    loadTzData('2097c', { [zone]: 'America/Phoenix' });
    expect(resolveWallTime('2027-03-28 01:30:00', zone)).toEqual({ at: new Date('2027-03-28T08:30:00Z') });
    expect(instantsOf('2027-10-31 01:30:00', zone)).toHaveLength(1);
    expect(nextTransition(new Date('2027-01-01'), new Date('2030-01-01'), zone)).toBeNull();
  });

  test('leaves a name that nobody knows without rules', () => {
    expect(() => offsetAt(new Date(), 'Test/Nowhere')).toThrow(RangeError);
  });
});
