import { Temporal } from 'temporal-polyfill';
import { formatUtc, resolveWallTime, wallToColumn } from '../../time/wall-clock.ts';

/** A calendar day, `YYYY-MM-DD`. */
export type Day = string;

/** One time as it is stored twice: as wall-clock time and as instant. */
export interface Moment {
  readonly local: Date;
  readonly at: Date;
}

export const dayMs = 86_400_000;
export const minuteMs = 60_000;

export const dayOf = (date: Date): Day => date.toISOString().slice(0, 10);

export const addDays = (day: Day, days: number): Day => dayOf(new Date(Date.parse(day) + days * dayMs));

/** Day of the week from Monday, 1, to Sunday, 7. */
export const weekday = (day: Day): number => new Date(day).getUTCDay() || 7;

/**
 * Returns the moment so many minutes after midnight of the day; values below 0 or above 1440 reach the neighbouring
 * days. A time that the zone skips becomes the same time an hour later.
 */
export function momentAt(day: Day, minutes: number, zone: string): Moment {
  const wall = formatUtc(new Date(Date.parse(day) + minutes * minuteMs));
  const resolved = resolveWallTime(wall, zone);
  return 'at' in resolved ? { local: wallToColumn(wall), at: resolved.at } : momentAt(day, minutes + 60, zone);
}

/** Adds minutes on the wall clock. */
export const later = (local: Date, minutes: number, zone: string): Moment =>
  momentAt(dayOf(local), (local.getTime() - Date.parse(dayOf(local))) / minuteMs + minutes, zone);

/** Finds the day nearest to the given one on whose morning clocks in the zone change. */
export function nearestClockChange(day: Day, zone: string): Day {
  const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '12:00' });
  const [nearest] = (['previous', 'next'] as const)
    .map((direction) => noon.getTimeZoneTransition(direction))
    .filter((change) => change !== null)
    .sort((a, b) => distanceMs(a, noon) - distanceMs(b, noon));
  if (!nearest) throw new Error(`Clocks in ${zone} never change.`);
  return nearest.toPlainDate().toString();
}

const distanceMs = (a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime) =>
  Math.abs(a.epochMilliseconds - b.epochMilliseconds);
