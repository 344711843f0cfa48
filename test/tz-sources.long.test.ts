import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { nextTransition, offsetAt } from '../src/time/offsets.ts';
import { tzData, useTzData, type TzChoice } from '../src/time/tz-data.ts';
import { packedVersion, readPackedRules, readPackedText } from '../src/time/tz-package.ts';
import { runtimeVersion } from '../src/time/tz-runtime.ts';
import { readSystemRules, systemVersion } from '../src/time/tz-system.ts';
import { temporalChanges } from './support/tz-data.ts';

/* Every zone, from every source of time zone data, as an independent reader of the same data has it. */

const directory = process.env['TEST_TZ_DIR'] ?? '/usr/share/zoneinfo';
const years = [2025, 2026, 2027] as const;

interface MomentZone {
  readonly untils: readonly number[];
  /** Minutes west of UTC. */
  readonly offsets: readonly number[];
}
const { tz } = createRequire(import.meta.url)('moment-timezone') as { tz: { zone(name: string): MomentZone } };

afterAll(() => {
  useTzData({ source: 'auto', directory });
});

type Change = [at: number, offset: number];

/** The changes of a zone as the service has them, in seconds. */
function changesOf(zone: string, fromYear: number, toYear: number): Change[] {
  const until = new Date(Date.UTC(toYear + 1, 0, 1) - 1);
  const found: Change[] = [];
  let at = new Date(Date.UTC(fromYear, 0, 1) - 1000);
  for (let next = nextTransition(at, until, zone); next; next = nextTransition(at, until, zone)) {
    at = next.at;
    found.push([at.getTime() / 1000, next.offsetAfter / 1000]);
  }
  return found;
}

function momentChanges(zone: string, fromYear: number, toYear: number): Change[] {
  const { untils, offsets } = tz.zone(zone);
  const seconds = (index: number) => -Math.round(offsets[index]! * 60) || 0;
  return untils
    .map((until, index): Change => [until / 1000, seconds(index + 1)])
    .filter(([at, offset], index) => {
      const isWithin = at >= Date.UTC(fromYear, 0, 1) / 1000 && at < Date.UTC(toYear + 1, 0, 1) / 1000;
      return isWithin && offset !== seconds(index);
    });
}

/** The changes of all zones of the system as zdump lists them: a line for the second before and one for that after. */
function zdumpChanges(zones: readonly string[], fromYear: number, toYear: number): Map<string, Change[]> {
  const args = ['-v', '-c', `${fromYear},${toYear + 1}`, ...zones.map((zone) => join(directory, zone))];
  const { stdout } = spawnSync('zdump', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  const found = new Map(zones.map((zone): [string, Change[]] => [zone, []]));
  const lines = stdout.split('\n').flatMap((line) => {
    const [, path = '', date = '', year = '', offset = ''] =
      /^(\S+) +\w+ (\w+ +\d+ [\d:]+) (\d+) UTC? = .* gmtoff=(-?\d+)$/.exec(line) ?? [];
    const at = Date.parse(`${date} ${year} UTC`) / 1000;
    return Number(year) >= fromYear && Number(year) <= toYear
      ? [{ zone: path.slice(directory.length + 1), at, offset: Number(offset) }]
      : [];
  });
  for (const [index, { zone, at, offset }] of lines.entries()) {
    const before = lines[index - 1];
    if (before?.zone === zone && before.at === at - 1 && before.offset !== offset) found.get(zone)!.push([at, offset]);
  }
  return found;
}

const versions = { system: versionOr(() => systemVersion(directory)), package: packedVersion(readPackedText()) };
const hasZdump = versions.system !== null && spawnSync('zdump', ['--version']).status === 0;

function versionOr(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const allYears = (zones: Iterable<string>, read: (zone: string) => Change[]) =>
  Object.fromEntries([...zones].map((zone) => [zone, read(zone)]));

describe('each zone changes its offset when an independent reader says so', () => {
  test('data of the runtime, against Temporal', () => {
    useTzData({ source: 'runtime', directory });
    const zones = Intl.supportedValuesOf('timeZone');
    const read = (zone: string) => changesOf(zone, years[0], years[2]);
    expect(allYears(zones, read)).toEqual(allYears(zones, (zone) => temporalChanges(zone, years[0], years[2])));
  });

  test.each([years, [2036, 2037, 2040], [2098, 2099, 2120]])(
    'data of the package, %s to %s to %s, against moment-timezone',
    (from, _, to) => {
      useTzData({ source: 'package', directory });
      const zones = [...readPackedRules(readPackedText()).keys()];
      expect(zones.length).toBeGreaterThan(590);
      expect(allYears(zones, (zone) => changesOf(zone, from, to))).toEqual(
        allYears(zones, (zone) => momentChanges(zone, from, to)),
      );
    },
  );

  test.each([years, [2036, 2037, 2040], [1996, 1998, 2000]])(
    'data of the system, %s to %s to %s, against zdump where both are installed',
    (from, _, to) => {
      if (!hasZdump) return;
      useTzData({ source: 'system', directory });
      const zones = [...readSystemRules(directory).keys()].filter((zone) => zone !== 'Factory');
      expect(zones.length).toBeGreaterThan(400);
      const dumped = zdumpChanges(zones, from, to);
      expect(allYears(zones, (zone) => changesOf(zone, from, to))).toEqual(Object.fromEntries(dumped));
    },
  );

  test('package and system agree where they have one version', () => {
    if (versions.system !== versions.package) return;
    const read = (source: TzChoice['source']) => {
      useTzData({ source, directory });
      return allYears(readPackedRules(readPackedText()).keys(), (zone) => changesOf(zone, 2000, 2060));
    };
    expect(read('package')).toEqual(read('system'));
  });
});

/** Zone, the version that brought its rule, and offsets in hours at noon UTC of two days. */
const changed2026: [string, string, number, number][] = [
  ['America/Vancouver', '2026b', -7, -7],
  ['America/Edmonton', '2026c', -6, -6],
  ['Africa/Casablanca', '2026c', 1, 0],
  ['America/Yellowknife', '2026d', -6, -6],
  ['America/Winnipeg', '2026e', -5, -5],
  ['America/Havana', '2026f', -4, -4],
];

test('the newest data are in force', () => {
  const chosen = useTzData({ source: 'auto', directory });
  const known = [runtimeVersion(), versions.system, versions.package].filter((version) => version !== null);
  expect(chosen.version).toBe(known.sort().at(-1));
  expect(tzData()).toEqual(chosen);
  expect(chosen.version >= '2026f').toBe(true);
});

test.each(changed2026)('%s has its rule of %s', (zone, _, summer, winter) => {
  useTzData({ source: 'auto', directory });
  const hours = (at: string) => offsetAt(new Date(at), zone) / 3_600_000;
  expect([hours('2026-07-15T12:00:00Z'), hours('2026-12-15T12:00:00Z')]).toEqual([summer, winter]);
});
