import { limits } from '../config/limits.ts';
import { instantsOf, nextTransition } from './offsets.ts';

/** Wall-clock time as the API writes it: `YYYY-MM-DD HH:MM:SS`, in the time zone of its event. */
export type WallTime = string;

const dayMs = 86_400_000;
const shape = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;

/** Whether the text is a valid date and time: no February 30, no 24:00:00. */
export function isWallTime(text: string): boolean {
  const parts = shape.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < limits.yearMin || year > limits.yearMax || hour > 23 || minute > 59 || second > 59) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Converts to the database client's form of a wall-clock time: a Date whose UTC fields are the local time. */
export const wallToColumn = (wall: WallTime): Date => new Date(`${wall.replace(' ', 'T')}Z`);

/** Formats the UTC fields of a Date as `YYYY-MM-DD HH:MM:SS`. The Date is a wall-clock column or an instant. */
export const formatUtc = (date: Date): string => {
  const iso = date.toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
};

/** Moves what the clocks show, whatever their changes. Out of the years 0 to 9999, the text is no wall-clock time. */
export const moveByMs = (wall: WallTime, ms: number): WallTime =>
  formatUtc(new Date(wallToColumn(wall).getTime() + ms));

/** Moves the date by whole days and keeps the time of day, across clock changes too. */
export const moveByDays = (wall: WallTime, days: number): WallTime => moveByMs(wall, days * dayMs);

export type Resolved = { readonly at: Date } | { readonly skippedUntil: WallTime };

/**
 * Finds the instant at which clocks in the zone show the wall-clock time. A time that occurs twice (clocks go back)
 * means its first occurrence. A time that is skipped (clocks go forward) has no instant; the next valid time is
 * returned instead.
 */
export function resolveWallTime(wall: WallTime, timezone: string): Resolved {
  const [at] = instantsOf(wall, timezone);
  return at ? { at } : { skippedUntil: findGapEnd(wallToColumn(wall), timezone) };
}

/** Finds the first time that clocks show after the gap in which the wall-clock time lies. */
function findGapEnd(wall: Date, timezone: string): WallTime {
  const until = new Date(wall.getTime() + 2 * dayMs);
  let change = nextTransition(new Date(wall.getTime() - 2 * dayMs), until, timezone);
  while (change && change.at.getTime() + change.offsetAfter <= wall.getTime())
    change = nextTransition(change.at, until, timezone);
  if (!change) throw new Error(`Clocks in ${timezone} do not skip ${formatUtc(wall)}.`);
  return formatUtc(new Date(change.at.getTime() + change.offsetAfter));
}
