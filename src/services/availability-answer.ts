import type { SaidAvailability, WeeklyWindow } from '../fields/availability.ts';
import type { AvailabilityRule, Weekday } from '../generated/prisma/enums.ts';
import { nextTransition, offsetAt } from '../time/offsets.ts';

/** UNKNOWN is never shown as free: the person has not said anything about some part of the time. */
export type AvailabilityAnswer = 'PREFERRED' | 'AVAILABLE' | 'UNAVAILABLE' | 'UNKNOWN';

/** A period of instants, in milliseconds. The end is not part of it. */
type Period = readonly [from: number, to: number];

/** A period in which the clocks of a zone have one offset. */
interface EvenPeriod {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const dayMs = 86_400_000;
const weekdays: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** 1970-01-01 was a Thursday. */
const weekdayOfDay0 = 3;

/** What holds where several statements of one layer are about the same time, first to last. */
const precedence: readonly AvailabilityRule[] = ['unavailable', 'preferred', 'available'];

/**
 * Prepares the question whether people can work from one instant to another; null: the time is to be determined. The returned
 * function answers it for one person after the other.
 *
 * - An exception goes before patterns. In one layer, UNAVAILABLE goes before PREFERRED, and that before AVAILABLE.
 * - A person with windows in which they can work cannot work outside of them, on the dates for which these are valid.
 * - A window is the time during which the clocks of its zone show a time from its start to its end. So it counts both hours where
 *   clocks go back, and is shorter where they skip a part of it.
 */
export function askAvailability(
  span: { readonly startsAt: Date; readonly endsAt: Date } | null,
): (said: SaidAvailability) => AvailabilityAnswer {
  if (span === null) return () => 'UNKNOWN';
  const whole: Period = [span.startsAt.getTime(), span.endsAt.getTime()];
  const evenIn = remember((zone: string) => splitByOffset(whole, zone));
  // Many people may share a window, as one object.
  const windowsOf = remember((each: WeeklyWindow) => windowsIn(each, evenIn(each.timezone)));
  const validityOf = remember((each: WeeklyWindow) => validityIn(each, evenIn(each.timezone)));

  // And many may have said the same, as one object.
  return remember(({ patterns, exceptions }: SaidAvailability): AvailabilityAnswer => {
    /** What no statement so far is about. */
    let open: readonly Period[] = [whole];
    const answers = new Set<AvailabilityRule>();
    const settle = (rule: AvailabilityRule, periods: readonly Period[]) => {
      const rest = periods.reduce<readonly Period[]>(subtract, open);
      if (rest !== open) answers.add(rule);
      open = rest;
    };
    for (const rule of precedence)
      settle(
        rule,
        exceptions.flatMap((each) => (each.rule === rule ? [[each.startsAt.getTime(), each.endsAt.getTime()]] : [])),
      );
    for (const rule of precedence)
      settle(
        rule,
        patterns.flatMap((each) => (each.rule === rule ? windowsOf(each) : [])),
      );
    settle(
      'unavailable',
      patterns.flatMap((each) => (each.rule === 'unavailable' ? [] : validityOf(each))),
    );
    if (answers.has('unavailable')) return 'UNAVAILABLE';
    if (open.length > 0) return 'UNKNOWN';
    return answers.has('available') ? 'AVAILABLE' : 'PREFERRED';
  });
}

/** A function whose results are kept. */
function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}

function splitByOffset([from, to]: Period, zone: string): EvenPeriod[] {
  const periods: EvenPeriod[] = [];
  for (let start = from; start < to;) {
    const end = nextTransition(new Date(start), new Date(to), zone)?.at.getTime() ?? to;
    periods.push({ from: start, to: Math.min(end, to), offset: offsetAt(new Date(start), zone) });
    start = end;
  }
  return periods;
}

/** The times of a weekly window within some periods. */
function windowsIn(pattern: WeeklyWindow, periods: readonly EvenPeriod[]): Period[] {
  const [start, end] = [msOf(pattern.startTime), msOf(pattern.endTime)];
  const length = end - start + (end <= start ? dayMs : 0);
  const [first, last] = datesOf(pattern);
  const weekday = weekdays.indexOf(pattern.weekday);
  const found: Period[] = [];
  for (const { from, to, offset } of periods) {
    // A window of the day before may run over midnight.
    const dayBefore = Math.max(Math.floor((from + offset) / dayMs) - 1, first);
    const untilWeekday = (((weekday - weekdayOfDay0 - dayBefore) % 7) + 7) % 7;
    for (let day = dayBefore + untilWeekday; day <= last && day * dayMs + start - offset < to; day += 7) {
      const begins = day * dayMs + start - offset;
      addWithin(found, begins, begins + length, from, to);
    }
  }
  return found;
}

/** The times on the dates for which a pattern is valid. */
function validityIn(pattern: WeeklyWindow, periods: readonly EvenPeriod[]): Period[] {
  const [first, last] = datesOf(pattern);
  const found: Period[] = [];
  for (const { from, to, offset } of periods)
    addWithin(found, first * dayMs - offset, (last + 1) * dayMs - offset, from, to);
  return found;
}

function addWithin(found: Period[], begins: number, ends: number, from: number, to: number): void {
  const period: Period = [Math.max(begins, from), Math.min(ends, to)];
  if (period[0] < period[1]) found.push(period);
}

/** First and last day for which a pattern is valid, counted from 1970-01-01. */
function datesOf({ validFrom, validUntil }: WeeklyWindow): Period {
  return [validFrom === null ? -Infinity : dayOf(validFrom), validUntil === null ? Infinity : dayOf(validUntil)];
}

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

const msOf = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000;

/** Takes a period out of others. Returns the same list if they share no time. */
function subtract(periods: readonly Period[], [from, to]: Period): readonly Period[] {
  if (!periods.some((each) => each[0] < to && each[1] > from)) return periods;
  return periods.flatMap(([begins, ends]) => {
    const left: Period[] = [
      [begins, Math.min(ends, from)],
      [Math.max(begins, to), ends],
    ];
    return left.filter((each) => each[0] < each[1]);
  });
}
