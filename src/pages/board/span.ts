import type { Span } from './address.ts';

/* Spans of whole days, as this browser's clocks show them. */

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

export const spanDays: Readonly<Record<Span, number>> = { today: 1, '3days': 3, week: 7 };

/** From midnight to midnight; a day on which the clocks change has 23 or 25 hours. */
export function resolveSpan(span: Span, day: string | null, nowMs: number): Interval {
  const [year, month, date] =
    day === null ? splitDate(nowMs) : (day.split('-').map(Number) as [number, number, number]);
  return {
    fromMs: new Date(year, month - 1, date).getTime(),
    toMs: new Date(year, month - 1, date + spanDays[span]).getTime(),
  };
}

function splitDate(ms: number): [number, number, number] {
  const date = new Date(ms);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()];
}

/** `2026-11-22` of this browser's calendar. */
export function formatLocalDay(ms: number): string {
  const [year, month, date] = splitDate(ms);
  return [String(year), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
}
