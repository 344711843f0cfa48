import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { changedHere } from './change-log.ts';
import { lockRows, rowsOfBusiness } from './sources.ts';
import { isOpenSwap } from './swaps.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/* What is to be settled at events that a transaction has changed. It finds in the change log which rows these were. */

/** The call time of offers that are not over, and what is to be settled there. */
export interface UnsettledPlace {
  readonly eventId: number;
  readonly id: number;
  readonly uuid: string;
  readonly startsAt: Date;
  readonly startTbd: boolean;
  readonly eventStatus: EventStatus;
  /** Whether this transaction has changed what was offered, and whether that is because the event has moved. */
  readonly hasChanged: boolean;
  readonly eventHasMoved: boolean;
  readonly staffNeeded: number;
  /** Active shifts. */
  readonly assigned: number;
  /** People who may take a place that is held for them: the waitlist's turn came to them. */
  readonly held: number;
  /** Whose person has the place by another way, with the shift. */
  readonly placed: { readonly id: number; readonly shiftId: number }[];
  readonly sentIds: number[];
  /** All that something can still come of. */
  readonly openIds: number[];
  /** Whose person does not work here any more. */
  readonly leftIds: number[];
  /** Whose time is over. */
  readonly expiredIds: number[];
  /** Whose shift is no more, or is not theirs or not here any more. */
  readonly endedIds: number[];
  /** The waitlist, in its order. */
  readonly waitlist: { readonly id: number; readonly userId: number }[];
  readonly hasWave: boolean;
}

const offeredColumns = ['start_local', 'starts_at', 'start_tbd', 'end_local', 'ends_at', 'end_tbd', 'position_id'];

/** Reads what is to be settled of the offers of events, or of some of their call times, by event and call time. */
export function readUnsettledPlaces(
  db: TenantDb,
  { eventIds, callTimeIds }: { readonly eventIds: readonly number[]; readonly callTimeIds: readonly number[] | null },
  now: Date,
): Promise<UnsettledPlace[]> {
  const at = Prisma.sql`${now.toISOString()}::timestamptz`;
  const isMeant = (alias: string) => {
    const row = Prisma.raw(alias);
    const only = callTimeIds ? Prisma.sql`AND ${row}.call_time_id = ANY(${callTimeIds}::int[])` : Prisma.empty;
    return Prisma.sql`${row}.event_id = ANY(${eventIds}::int[]) ${only}`;
  };
  return rawOf(db).$queryRaw<UnsettledPlace[]>(Prisma.sql`
    WITH parts AS MATERIALIZED (
      SELECT DISTINCT ON (r.id) r.*, r.state IN ('sent', 'waitlisted', 'requested') AS is_open, r.expires_at <= ${at} AS is_late,
             s.id AS shift_id, u.deleted_at IS NOT NULL OR u.role <> 'staff' AS has_left
        FROM ${rowsOfBusiness(db, 'offer_recipients', 'r')}
        JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = r.user_id
        LEFT JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.event_id = r.event_id AND s.call_time_id = r.call_time_id
             AND s.user_id = r.user_id AND s.status = 'active' AND (r.state <> 'accepted' OR s.id = r.work_shift_id)
       WHERE ${isMeant('r')} AND r.state IN ('sent', 'waitlisted', 'requested', 'accepted', 'filled')
         AND (r.state <> 'filled' OR s.id IS NOT NULL)
       ORDER BY r.id, s.id),
    judged AS MATERIALIZED (
      SELECT q.*, CASE WHEN NOT is_open THEN CASE WHEN state = 'accepted' AND shift_id IS NULL THEN 'ended'
                                                  WHEN state = 'filled' THEN 'placed' END
                       WHEN has_left THEN 'left' WHEN is_late THEN 'late' WHEN shift_id IS NOT NULL THEN 'placed'
                       ELSE state::text END AS what FROM parts q),
    own AS MATERIALIZED (
      SELECT q.call_time_id,
             count(*) FILTER (WHERE q.what = 'sent' AND q.waitlisted_at IS NOT NULL)::int AS held,
             jsonb_agg(jsonb_build_object('id', q.id, 'shiftId', q.shift_id)) FILTER (WHERE q.what = 'placed') AS placed,
             array_agg(q.id) FILTER (WHERE q.what = 'sent') AS sent,
             array_agg(q.id) FILTER (WHERE q.is_open) AS open,
             array_agg(q.id) FILTER (WHERE q.what = 'left') AS left_ids,
             array_agg(q.id) FILTER (WHERE q.what = 'late') AS expired,
             array_agg(q.id) FILTER (WHERE q.what = 'ended') AS ended,
             jsonb_agg(jsonb_build_object('id', q.id, 'userId', q.user_id) ORDER BY q.waitlisted_at, q.id)
               FILTER (WHERE q.what = 'waitlisted') AS waitlist
        FROM judged q GROUP BY q.call_time_id),
    waves AS MATERIALIZED (
      SELECT DISTINCT o.call_time_id FROM ${rowsOfBusiness(db, 'offers', 'o')}
       WHERE ${isMeant('o')} AND o.next_wave_at IS NOT NULL),
    changed AS MATERIALIZED (${changedHere(db, 'call_times', offeredColumns)}),
    moved AS MATERIALIZED (${changedHere(db, 'events', ['start_local', 'end_local', 'timezone'])})
    SELECT c.event_id AS "eventId", c.id, c.uuid, c.starts_at AS "startsAt", c.start_tbd AS "startTbd",
           e.status AS "eventStatus", c.id IN (SELECT row_id FROM changed) AS "hasChanged",
           e.id IN (SELECT row_id FROM moved) AS "eventHasMoved", c.staff_needed AS "staffNeeded",
           (SELECT count(*)::int FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
             WHERE s.call_time_id = c.id AND s.status = 'active') AS assigned,
           coalesce(own.held, 0) AS held, coalesce(own.placed, '[]') AS placed, coalesce(own.sent, '{}') AS "sentIds",
           coalesce(own.open, '{}') AS "openIds",
           coalesce(own.left_ids, '{}') AS "leftIds", coalesce(own.expired, '{}') AS "expiredIds",
           coalesce(own.ended, '{}') AS "endedIds", coalesce(own.waitlist, '[]') AS waitlist,
           waves.call_time_id IS NOT NULL AS "hasWave"
      FROM own FULL JOIN waves USING (call_time_id)
      JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.event_id = ANY(${eventIds}::int[]) AND c.id = call_time_id
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = c.event_id
     ORDER BY c.event_id, c.id`);
}

/** A query of the ids of the events at which a person has an open part in an offer, or in a swap. */
export const eventsOfOpenParts = (db: TenantDb, userId: number) => Prisma.sql`
  SELECT r.event_id FROM ${rowsOfBusiness(db, 'offer_recipients', 'r')}
   WHERE r.user_id = ${userId} AND r.state IN ('sent', 'waitlisted', 'requested')
   UNION ALL
  SELECT w.event_id FROM ${rowsOfBusiness(db, 'shift_swaps', 'w')}
   WHERE (w.from_user_id = ${userId} OR w.to_user_id = ${userId}) AND ${isOpenSwap}`;

/** The columns of a shift of which a change ends swaps. */
const workedColumns = [
  ...['status', 'user_id', 'position_id', 'call_time_id', 'start_local', 'starts_at', 'end_local', 'ends_at'],
];

/**
 * Locks the open swaps of the shifts of events that cannot take place any more as they were asked for, and says why: this transaction has
 * changed one of the shifts, or its event is off, or one of the people works here no more.
 */
export function lockVoidSwaps(tx: TenantDb, eventIds: readonly number[]): Promise<{ id: number; reason: string }[]> {
  const reason = Prisma.sql`coalesce(
    (SELECT 'The person does not work here any more.' FROM ${rowsOfBusiness(tx, 'users', 'u')}
      WHERE u.id IN (w.from_user_id, w.to_user_id) AND (u.deleted_at IS NOT NULL OR u.role <> 'staff') LIMIT 1),
    (SELECT CASE WHEN e.status <> 'active' THEN 'The event is ' || e.status || '.'
                 WHEN s.status <> 'active' THEN 'The work shift is ' || s.status || '.'
                 WHEN s.user_id <> CASE s.id WHEN w.work_shift_id THEN w.from_user_id ELSE w.to_user_id END
                   THEN 'The work shift belongs to somebody else.'
                 ELSE 'The work shift has changed.' END
       FROM ${rowsOfBusiness(tx, 'work_shifts', 's')} JOIN ${rowsOfBusiness(tx, 'events', 'e')} ON e.id = s.event_id
      WHERE s.id IN (w.work_shift_id, w.other_shift_id) AND (e.status <> 'active' OR s.id IN (${changedHere(tx, 'work_shifts', workedColumns)}))
      ORDER BY s.id = w.work_shift_id DESC LIMIT 1))`;
  return rawOf(tx).$queryRaw(
    lockRows(tx, 'shift_swaps', 'w', {
      columns: Prisma.sql`w.id, ${reason} AS reason`,
      where: Prisma.sql`${isOpenSwap} AND ${reason} IS NOT NULL AND (w.event_id = ANY(${eventIds}::int[]) OR w.other_shift_id IN (
        SELECT s.id FROM ${rowsOfBusiness(tx, 'work_shifts', 's')} WHERE s.event_id = ANY(${eventIds}::int[])))`,
      lock: 'for no key update',
    }),
  );
}
