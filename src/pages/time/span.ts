import type { Messages } from '../console/messages/messages.ts';
import { formatDay, readClock, toInstant } from './zones.ts';

/* Spans of whole days, as the clocks of the business show them. */

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Span = 'today' | '3days' | 'week';

export const spanDays: Readonly<Record<Span, number>> = { today: 1, '3days': 3, week: 7 };

/** Undefined: the zone of this browser. */
let zone: string | undefined;

/** Says by whose clocks days begin. A zone that this browser does not know is left aside. */
export function setZone(name: string): void {
  try {
    zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    zone = undefined;
  }
}

export const readZone = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The instant at which a day begins, so many days after a date such as `2026-11-22`. */
export function startOfDay(date: string, daysLater = 0): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return toInstant(Date.UTC(year, month - 1, day + daysLater), readZone());
}

/** From midnight to midnight; a day on which the clocks change has 23 or 25 hours. */
export function resolveSpan(span: Span, day: string | null, nowMs: number): Interval {
  const first = day ?? formatLocalDay(nowMs);
  return { fromMs: startOfDay(first), toMs: startOfDay(first, spanDays[span]) };
}

/** `Wed 25 Nov` */
export const formatShortDay = (ms: number): string => formatDay(ms, readZone());

/** `today`, `on Wed 25 Nov` or `from Wed 25 Nov to Fri 27 Nov`: the days of which a sentence on the board speaks. */
export function describeSpan(span: Span, day: string | null, nowMs: number, { board: texts }: Messages): string {
  const { fromMs, toMs } = resolveSpan(span, day, nowMs);
  if (span !== 'today') return texts.fromDay(formatShortDay(fromMs), formatShortDay(toMs - 1));
  return fromMs <= nowMs && nowMs < toMs ? texts.today : texts.onDay(formatShortDay(fromMs));
}

/** `2026-11-22` by the clocks of the business. */
export const formatLocalDay = (ms: number): string => new Date(readClock(ms, readZone())).toISOString().slice(0, 10);
