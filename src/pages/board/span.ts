import type { Span } from './address.ts';

/* Spans of whole days, as the clocks of the business show them. */

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

export const spanDays: Readonly<Record<Span, number>> = { today: 1, '3days': 3, week: 7 };

/** Undefined: the zone of this browser. */
let zone: string | undefined;

/** Says by whose clocks days begin. A zone that this browser does not know is left aside. */
export function setZone(name: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    zone = name;
  } catch {
    zone = undefined;
  }
}

export const readZone = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, options]);
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, ...(zone !== undefined && { timeZone: zone }) });
  formats.set(key, format);
  return format;
}

const clock: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

/** What the clocks show, as if they were those of UTC. */
function readClock(ms: number): number {
  const parts = new Map(
    formatOf(clock)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => parts.get(type));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The instant at which a day begins, so many days after a date such as `2026-11-22`. */
export function startOfDay(date: string, daysLater = 0): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const wall = Date.UTC(year, month - 1, day + daysLater);
  const near = wall - (readClock(wall) - wall);
  return wall - (readClock(near) - near);
}

/** From midnight to midnight; a day on which the clocks change has 23 or 25 hours. */
export function resolveSpan(span: Span, day: string | null, nowMs: number): Interval {
  const first = day ?? formatLocalDay(nowMs);
  return { fromMs: startOfDay(first), toMs: startOfDay(first, spanDays[span]) };
}

/** `Wed 25 Nov` */
export const formatShortDay = (ms: number): string =>
  formatOf({ weekday: 'short', day: 'numeric', month: 'short' }).format(ms).replace(',', '');

/** `today`, `on Wed 25 Nov` or `from Wed 25 Nov to Fri 27 Nov`: the days of which a sentence on the board speaks. */
export function describeSpan(span: Span, day: string | null, nowMs: number): string {
  const { fromMs, toMs } = resolveSpan(span, day, nowMs);
  if (span !== 'today') return `from ${formatShortDay(fromMs)} to ${formatShortDay(toMs - 1)}`;
  return fromMs <= nowMs && nowMs < toMs ? 'today' : `on ${formatShortDay(fromMs)}`;
}

/** `2026-11-22` by the clocks of the business. */
export const formatLocalDay = (ms: number): string => new Date(readClock(ms)).toISOString().slice(0, 10);
