import type { Weekday } from '../application/session.ts';
import { formatIn } from './zones.ts';

/* Days are dates such as `2026-11-26`, without a zone. */

export type View = 'day' | 'week' | 'month' | 'list';

const dayMs = 86_400_000;
export const weekdays: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
];

/** Names a day of the week: the 1st of January 2024 was a Monday. */
export const nameWeekday = (day: Weekday, language: string): string =>
  formatIn('UTC', { weekday: 'long' }, language).format(Date.UTC(2024, 0, 1 + weekdays.indexOf(day)));

export const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);

export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** The same day of another month, or its last day if the month is shorter. */
function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

function startOfWeek(day: string, first: Weekday): string {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -((sinceMonday - weekdays.indexOf(first) + 7) % 7));
}

export interface Days {
  readonly from: string;
  /** The day after the last one. */
  readonly to: string;
}

const startOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** The days of a view. A month has whole weeks. */
export function daysOf(view: View, day: string, first: Weekday): Days {
  if (view === 'day') return { from: day, to: addDays(day, 1) };
  if (view === 'week') return { from: startOfWeek(day, first), to: addDays(startOfWeek(day, first), 7) };
  const month = { from: startOfMonth(day), to: startOfMonth(addMonths(startOfMonth(day), 1)) };
  if (view === 'list') return month;
  return { from: startOfWeek(month.from, first), to: addDays(startOfWeek(addDays(month.to, -1), first), 7) };
}

/** The day that the view before or after shows. */
export function step(view: View, day: string, direction: 1 | -1): string {
  if (view === 'day') return addDays(day, direction);
  if (view === 'week') return addDays(day, 7 * direction);
  return addMonths(day, direction);
}

/** The day to which a key leads from another day; null for other keys. */
export function followKey(key: string, day: string, first: Weekday): string | null {
  const week = startOfWeek(day, first);
  const targets: Record<string, string> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -7),
    ArrowDown: addDays(day, 7),
    Home: week,
    End: addDays(week, 6),
    PageUp: addMonths(day, -1),
    PageDown: addMonths(day, 1),
  };
  return targets[key] ?? null;
}

export const listDays = ({ from, to }: Days): string[] =>
  Array.from({ length: countDays(from, to) }, (_, index) => addDays(from, index));

const styles = {
  weekday: { weekday: 'short' },
  number: { day: 'numeric' },
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  full: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A date in words of a language. */
export const formatDate = (day: string, style: keyof typeof styles, language: string): string =>
  formatIn('UTC', styles[style], language).format(Date.parse(day));

/** `23 – 29 Nov 2026` and alike. */
export const formatDays = ({ from, to }: Days, language: string): string =>
  formatIn('UTC', { day: 'numeric', month: 'short', year: 'numeric' }, language).formatRange(
    Date.parse(from),
    Date.parse(addDays(to, -1)),
  );
