import { limits } from '../config/limits.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** Joins the call times `t` of shifts `s`. */
export const joinCallTimeOfShift = (db: TenantDb) => Prisma.sql`
  LEFT JOIN ${rowsOfBusiness(db, 'call_times', 't')} ON t.event_id = s.event_id AND t.id = s.call_time_id`;

/** A time of a shift `s` at an event `e`, as SQL of a column; what its call time stores stands under an alias. */
const placed = (callTime: string, side: 'start' | 'end', kind: 's_at' | '_local') => {
  const [inner, other] = side === 'start' ? ['least', 'end'] : ['greatest', 'start'];
  return `coalesce(s.${side}${kind}, ${inner}(${callTime}.${side}${kind}, s.${other}${kind}), e.${side}${kind})`;
};

/**
 * When a shift `s` at a call time and an event `e` is, for days, spans and orders. While a time of it is to be determined, its hour
 * is unknown, but its day is that of its call time, or else of the other time of the shift, or else of the event.
 */
export const placeTimes = (callTime: string) => ({
  startsAt: placed(callTime, 'start', 's_at'),
  startLocal: placed(callTime, 'start', '_local'),
  endsAt: placed(callTime, 'end', 's_at'),
  endLocal: placed(callTime, 'end', '_local'),
});

/** The times of shifts `s` at the call times `t` that `joinCallTimeOfShift` joins. */
export const shiftTimes = placeTimes('t');

const { startsAt, startLocal, endsAt } = shiftTimes;

/**
 * When people check in and out by themselves. A start that is to be determined can be at any hour of its day. An end can be as late as
 * that of the event, but no stay is longer than an admin may say.
 */
export const checkInSpan = {
  from: `(${startsAt} - interval '${limits.checkInBeforeMin} minutes'
    - CASE WHEN s.starts_at IS NULL THEN ${startLocal} - date_trunc('day', ${startLocal}) ELSE interval '0' END)`,
  until: `(coalesce(s.ends_at, least(greatest(${endsAt}, e.ends_at), ${startsAt} + interval '${limits.stayHoursMax} hours'))
    + interval '${limits.checkInAfterH} hours')`,
} as const;

/** Reads the starts of shifts, or instants of their days, by id. */
export async function readStarts(db: TenantDb, shiftIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; startsAt: Date }[]>(Prisma.sql`
    SELECT s.id, ${Prisma.raw(startsAt)} AS "startsAt"
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id ${joinCallTimeOfShift(db)}
     WHERE s.id = ANY(${[...shiftIds]}::int[])`);
  return new Map(rows.map((row) => [row.id, row.startsAt]));
}
