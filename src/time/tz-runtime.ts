import { startOfYear, type OffsetChange, type ZoneRules } from './tz-rules.ts';

const stepS = 7 * 86_400;

/**
 * Makes the rules of a zone from the runtime's own data, which it shows only as the offset at an instant: each year is
 * searched in steps of a week, and each change in it by halving. Throws a `RangeError` for a name that is no zone.
 */
export function runtimeRules(zone: string): ZoneRules {
  const offsetAt = offsetReader(zone);
  return (year) => {
    const [from, to] = [startOfYear(year), startOfYear(year + 1)];
    // The second before the year, because a change can lie exactly at its beginning.
    const initial = offsetAt(from - 1);
    const changes: OffsetChange[] = [];
    for (let at = from - 1, offset = initial; at < to - 1;) {
      const next = Math.min(at + stepS, to - 1);
      const after = offsetAt(next);
      if (after !== offset) changes.push({ at: findChange(offsetAt, at, next, offset), offset: after });
      [at, offset] = [next, after];
    }
    return { initial, changes };
  };
}

function findChange(offsetAt: (at: number) => number, before: number, after: number, offset: number): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** Reads the offset from the name that the runtime gives to it, such as `GMT-08:00`. */
function offsetReader(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const text = format.format(at * 1000);
    const [, sign, hours, minutes, seconds = '0'] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
    if (sign === undefined) return 0;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) || 0;
  };
}
