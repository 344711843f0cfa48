import { instantsOf, nextTransition, offsetAt, type Transition } from '../../time/offsets.ts';
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
  const [noon = new Date(`${day}T12:00:00Z`)] = instantsOf(`${day} 12:00:00`, zone);
  const distanceMs = ({ at }: Transition) => Math.abs(at.getTime() - noon.getTime());
  const changes = findTransitions(addYears(noon, -1), addYears(noon, 1), zone);
  const [nearest] = changes.sort((a, b) => distanceMs(a) - distanceMs(b));
  if (!nearest) throw new Error(`Clocks in ${zone} never change.`);
  return dayOf(new Date(nearest.at.getTime() + nearest.offsetAfter));
}

const addYears = (date: Date, years: number): Date => new Date(date.getTime() + years * 366 * dayMs);

/** Finds all changes of a zone's offset after one instant and not after another. */
function findTransitions(after: Date, until: Date, zone: string): Transition[] {
  const found: Transition[] = [];
  for (let next = nextTransition(after, until, zone); next; next = nextTransition(next.at, until, zone))
    found.push(next);
  return found;
}

/** A time during which the clocks of a zone, which the two walls name, keep their offset. */
export interface OffsetPeriod {
  readonly zone: string;
  readonly from: string;
  readonly until: string;
  readonly seconds: number;
}

/** Lists the periods of equal offset of a zone between two instants. Walls that happen twice belong to the first. */
export function offsetPeriods(zone: string, after: Date, until: Date): OffsetPeriod[] {
  const changes = findTransitions(after, until, zone);
  const wallAt = (at: Date, offset: number) => formatUtc(new Date(at.getTime() + offset));
  const starts = [{ at: after, offsetBefore: offsetAt(after, zone), offsetAfter: offsetAt(after, zone) }, ...changes];
  return starts.map(({ at, offsetBefore, offsetAfter }, index) => {
    const end = changes[index];
    return {
      zone,
      from: wallAt(at, Math.max(offsetBefore, offsetAfter)),
      until: wallAt(end?.at ?? until, Math.max(end?.offsetBefore ?? 0, end?.offsetAfter ?? 0)),
      seconds: offsetAfter / 1000,
    };
  });
}
