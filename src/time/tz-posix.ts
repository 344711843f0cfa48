import { startOfYear, withoutRepeats, type OffsetChange, type ZoneRules } from './tz-rules.ts';

/** A day of each year, and the seconds from its midnight, which may lie on a day before or after it. */
export type YearlyTime = { readonly time: number } & (
  | { readonly kind: 'weekday'; readonly month: number; readonly week: number; readonly weekday: number }
  /** Day 1 to 365. February 29 is never counted. */
  | { readonly kind: 'julian'; readonly day: number }
  /** Day 0 to 365. February 29 is counted. */
  | { readonly kind: 'day'; readonly day: number }
);

/** A rule that holds for every year. The times are those of the clocks before they change. */
export interface YearlyRule {
  readonly standard: number;
  readonly summer: { readonly offset: number; readonly start: YearlyTime; readonly end: YearlyTime } | null;
}

const name = String.raw`(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)`;
const time = String.raw`([+-]?)(\d{1,3})(?::(\d\d))?(?::(\d\d))?`;
const date = String.raw`(M\d+\.\d\.\d|J\d+|\d+)(?:/([+-]?[\d:]+))?`;
const shape = new RegExp(`^${name}([+-]?[\\d:]+)(?:${name}([+-]?[\\d:]+)?,${date},${date})?$`);
const timeShape = new RegExp(`^${time}$`);
const hourS = 3600;

/**
 * Parses a TZ text of POSIX such as `EST5EDT,M3.2.0,M11.1.0`, with times of day from -167 to 167 hours as TZif files have
 * them. Throws an error for any other text.
 */
export function parsePosix(text: string): YearlyRule {
  const [matched, standardWest = '', summerWest, startDate, startTime, endDate, endTime] = shape.exec(text) ?? [];
  if (matched === undefined) throw new Error(`not a TZ rule of POSIX: ${text.slice(0, 100)}`);
  const standard = 0 - parseTime(standardWest, 24);
  if (startDate === undefined || endDate === undefined) return { standard, summer: null };
  return {
    standard,
    summer: {
      offset: summerWest === undefined ? standard + hourS : 0 - parseTime(summerWest, 24),
      start: parseYearlyTime(startDate, startTime),
      end: parseYearlyTime(endDate, endTime),
    },
  };
}

/** Parses `[+-]h[h[h]][:mm[:ss]]` to seconds. */
function parseTime(text: string, hoursMax: number): number {
  const [matched, sign, hours = '', minutes = '0', seconds = '0'] = timeShape.exec(text) ?? [];
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)];
  if (matched === undefined || h > hoursMax || m > 59 || s > 59) throw new Error(`not a time of a TZ rule: ${text}`);
  return (sign === '-' ? -1 : 1) * (h * hourS + m * 60 + s);
}

function parseYearlyTime(text: string, timeText = '2'): YearlyTime {
  const seconds = parseTime(timeText, 167);
  if (text.startsWith('M')) {
    const [month = 0, week = 0, weekday = 0] = text.slice(1).split('.').map(Number);
    if (month >= 1 && month <= 12 && week >= 1 && week <= 5 && weekday <= 6)
      return { kind: 'weekday', month, week, weekday, time: seconds };
  } else if (text.startsWith('J')) {
    const day = Number(text.slice(1));
    if (day >= 1 && day <= 365) return { kind: 'julian', day, time: seconds };
  } else if (Number(text) <= 365) return { kind: 'day', day: Number(text), time: seconds };
  throw new Error(`not a date of a TZ rule: ${text}`);
}

/** Makes the rules of a zone that follows one yearly rule. */
export function yearlyRules({ standard, summer }: YearlyRule): ZoneRules {
  if (!summer) return () => ({ initial: standard, changes: [] });
  const { offset, start, end } = summer;
  const changesOf = (year: number): OffsetChange[] => [
    { at: wallTimeIn(year, start) - standard, offset },
    { at: wallTimeIn(year, end) - offset, offset: standard },
  ];
  return (year) => {
    const [from, to] = [startOfYear(year), startOfYear(year + 1)];
    // Summer time that lasts all year ends and starts at the same instant: the start counts, and so stands last.
    const near = [year - 1, year, year + 1]
      .flatMap(changesOf)
      .sort((a, b) => a.at - b.at || Number(a.offset === offset) - Number(b.offset === offset));
    const distinct = near.filter(({ at }, index) => near[index + 1]?.at !== at);
    const initial = distinct.findLast(({ at }) => at < from)?.offset ?? standard;
    const changes = distinct.filter(({ at }) => at >= from && at < to);
    return { initial, changes: withoutRepeats(initial, changes) };
  };
}

const dayS = 86_400;
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Returns the seconds since 1970 that clocks show, as if they were UTC. */
export function wallTimeIn(year: number, yearly: YearlyTime): number {
  return dayIn(year, yearly) * dayS + yearly.time;
}

/** Returns days since 1970-01-01. */
function dayIn(year: number, yearly: YearlyTime): number {
  const first = startOfYear(year) / dayS;
  if (yearly.kind === 'day') return first + yearly.day;
  if (yearly.kind === 'julian') return first + yearly.day - (isLeap(year) && yearly.day >= 60 ? 0 : 1);
  const { month, week, weekday } = yearly;
  const firstOfMonth = Date.UTC(year, month - 1, 1) / 1000 / dayS;
  const lastOfMonth = Date.UTC(year, month, 0) / 1000 / dayS;
  const firstMatch = firstOfMonth + ((weekday - weekdayOf(firstOfMonth) + 7) % 7);
  const match = firstMatch + (week - 1) * 7;
  return match > lastOfMonth ? match - 7 : match;
}

/** Returns the weekday of days since 1970-01-01, a Thursday, from Sunday, 0. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
