import { limits } from '../config/limits.ts';
import { wallTimeIn, weekdayOf, type YearlyRule, type YearlyTime } from './tz-posix.ts';
import { startOfYear, type OffsetChange } from './tz-rules.ts';

const dayS = 86_400;
const years = Array.from({ length: 10 }, (_, index) => limits.tzTablesYearMax - 9 + index);

/**
 * Finds the yearly rule behind the last ten years of a table that ends with 2037, so that the years after it can be
 * computed: packed tables list changes only. Returns null where these years follow no such rule, as those of a zone whose
 * clocks change with Ramadan.
 */
export function findYearlyRule(initial: number, changes: readonly OffsetChange[]): YearlyRule | null {
  const [from, to] = [startOfYear(years[0]!), startOfYear(limits.tzTablesYearMax + 1)];
  const before = changes.findLast(({ at }) => at < from)?.offset ?? initial;
  const last = changes.filter(({ at }) => at >= from && at < to);
  if (last.length === 0) return { standard: before, summer: null };
  if (last.length !== 2 * years.length) return null;
  const [starts, ends] = [last.filter((_, index) => index % 2 === 0), last.filter((_, index) => index % 2 === 1)];
  const offset = last[0]!.offset;
  if (starts.some((each) => each.offset !== offset) || ends.some((each) => each.offset !== before)) return null;
  const start = findYearlyTime(starts.map(({ at }) => at + before));
  const end = findYearlyTime(ends.map(({ at }) => at + offset));
  return start && end ? { standard: before, summer: { offset, start, end } } : null;
}

/**
 * Finds the weekday of a month on which all of these times lie, one in each of the ten years. A time can be counted from
 * another day: the Sunday after the second Saturday is 24:00 on that Saturday.
 */
function findYearlyTime(walls: readonly number[]): YearlyTime | null {
  for (const days of [0, 1, -1, 2, 3, 4, 5, 6]) {
    const firstDay = Math.floor(walls[0]! / dayS) - days;
    const first = {
      kind: 'weekday' as const,
      month: new Date(firstDay * dayS * 1000).getUTCMonth() + 1,
      weekday: weekdayOf(firstDay),
      time: walls[0]! - firstDay * dayS,
    };
    for (let week = 1; week <= 5; week++) {
      const yearly = { ...first, week };
      if (walls.every((wall, index) => wall === wallTimeIn(years[index]!, yearly))) return yearly;
    }
  }
  return null;
}
