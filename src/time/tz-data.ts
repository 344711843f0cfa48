import { setImmediate as otherWork } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import moment from 'moment-timezone';
import { Temporal } from 'temporal-polyfill';
import { limits } from '../config/limits.ts';
import { type OffsetChange, startOfYear, type ZoneRules } from './tz-rules.ts';
import { runtimeRules } from './tz-runtime.ts';

/** Last year for which moment-timezone lists the changes of the clocks. */
const lastListedYear = 2499;

/** Which time zone data are in force. */
export interface TzData {
  /** Version of the IANA data, such as `2026f`. */
  readonly version: string;
  readonly source: 'package';
}

/** The data are those of the npm package moment-timezone, which an update keeps current. */
export function tzData(): TzData {
  return { version: moment.tz.dataVersion, source: 'package' };
}

/** Whether data are older than a year. A version names only its year, so its age is counted from the middle of that. */
export function isOlderThanAYear(version: string, now: Date): boolean {
  return now.getTime() >= Date.UTC(Number(version.slice(0, 4)) + 1, 6, 1);
}

/**
 * Returns the rules of a zone. A name that the data lack has those of the runtime, because rows of an earlier version may
 * have it. Throws a `RangeError` for a name that the runtime does not know either.
 */
export function rulesInForce(name: string): ZoneRules {
  const zone = moment.tz.zone(name);
  if (!zone) return runtimeRules(name);
  const offsetOf = (period: number) => 0 - Math.round((zone.offsets[period] ?? NaN) * 60);
  return (year) => {
    // The calendar repeats every 400 years, and so does a rule such as "the last Sunday of March".
    const listed = year - 400 * Math.max(0, Math.ceil((year - lastListedYear) / 400));
    const [from, to, later] = [startOfYear(listed), startOfYear(listed + 1), startOfYear(year) - startOfYear(listed)];
    let initial = offsetOf(0);
    const changes: OffsetChange[] = [];
    for (const [period, until] of zone.untils.entries()) {
      const at = Math.round(until / 1000);
      // The last period has no end.
      if (!(at < to)) break;
      const offset = offsetOf(period + 1);
      if (at < from) initial = offset;
      else if (offset !== (changes.at(-1)?.offset ?? initial)) changes.push({ at: at + later, offset });
    }
    return { initial, changes };
  };
}

/** Finds the zones whose clocks the runtime changes at other times in these years, with half a second of CPU in small parts. */
export async function findOtherZones(years: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    await otherWork();
    const [ours, others] = [rulesInForce(zone), runtimeRules(zone)];
    if (years.some((year) => !isDeepStrictEqual(ours(year), others(year)))) found.push(zone);
  }
  return found;
}

const anyTime = Temporal.PlainDateTime.from('2000-01-01T00:00');
const spellings = new Map<string, string | null>();

/**
 * Returns the zone's name in IANA spelling whatever case it came in, aliases such as Asia/Kolkata included; null if the
 * runtime does not know the zone. An offset such as +05:00 is not a zone.
 */
export function zoneSpelling(name: string): string | null {
  // Longer texts are refused elsewhere, and must not be remembered.
  if (!/^[A-Za-z]/.test(name) || name.length > limits.timezoneChars) return null;
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    try {
      spelling = anyTime.toZonedDateTime(name).timeZoneId;
    } catch {
      spelling = null;
    }
    if (spellings.size < limits.remembered) spellings.set(name, spelling);
  }
  return spelling;
}

export const isZone = (name: string): boolean => zoneSpelling(name) === name;
