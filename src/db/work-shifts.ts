import type { WorkShift } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { listsOf } from './by-parent.ts';
import { isInstant, type Position } from './keyset.ts';
import { eventsInReach, guarded, shiftsInReach } from './reach.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A work shift as it is read, with the names that the contract prints. */
export interface WorkShiftRow extends Omit<WorkShift, 'businessId' | 'startLocal' | 'endLocal' | 'payRate'> {
  position: string;
  firstName: string;
  lastName: string;
  /** Of the event. */
  timezone: string;
  /** Null: to be determined. */
  startTime: WallTime | null;
  endTime: WallTime | null;
  /** USD with two decimals; null: the position's default rate applies, or it is not for the caller. */
  payRate: string | null;
}

export const selectShifts = (db: TenantDb) => Prisma.sql`
  SELECT s.id, s.uuid, s.event_id AS "eventId", s.call_time_id AS "callTimeId", s.position_id AS "positionId",
         p.title AS position, s.user_id AS "userId", u.first_name AS "firstName", u.last_name AS "lastName",
         s.status, s.confirmed,
         s.start_local::text AS "startTime", s.starts_at AS "startsAt",
         s.end_local::text AS "endTime", s.ends_at AS "endsAt",
         ${guarded(db, "a shift's pay", Prisma.sql`s.pay_rate::text`)} AS "payRate", e.timezone,
         ${guarded(db, 'override reasons', Prisma.sql`s.override_reason`)} AS "overrideReason",
         s.created_at AS "createdAt", s.modified_at AS "modifiedAt", s.version
    FROM work_shifts s
    JOIN events e ON e.business_id = s.business_id AND e.id = s.event_id AND ${eventsInReach(db)}
    JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
    JOIN users u ON u.business_id = s.business_id AND u.id = s.user_id`;

/** Those to be determined come last. */
export const shiftOrder = Prisma.sql`"startsAt" NULLS LAST, id`;

/** Whose shifts: an event's, a call time's, or a staff member's. */
export type ShiftParent = 'eventId' | 'callTimeId' | 'userId';

/** Condition on the shifts `s` of events `e`. A person's shifts at deleted events are out of sight with these. */
export const ofParents: Record<ShiftParent, (ids: Prisma.Sql) => Prisma.Sql> = {
  eventId: (ids) => Prisma.sql`s.event_id = ${ids}`,
  callTimeId: (ids) => Prisma.sql`s.call_time_id = ${ids}`,
  userId: (ids) => Prisma.sql`s.user_id = ${ids} AND e.status <> 'deleted'`,
};

/** A shift's place in the order; the empty text stands for a start to be determined. */
export const placeOfShift = ({ startsAt, id }: Pick<WorkShiftRow, 'startsAt' | 'id'>): Position => ({
  value: startsAt?.toISOString() ?? '',
  id,
});

export const isShiftPlace = ({ value }: Position): boolean => value === '' || isInstant(value);

/** Conditions on the shifts `s` that lie behind this place, one after the other: each is one stretch of an index. */
export const behindShift = ({ value, id }: Position): Prisma.Sql[] =>
  value === ''
    ? [Prisma.sql`s.starts_at IS NULL AND s.id > ${id}::int`]
    : [Prisma.sql`(s.starts_at, s.id) > (${value}::timestamptz, ${id}::int)`, Prisma.sql`s.starts_at IS NULL`];

/** The active shifts of many parents in one statement, each parent's in order of start. */
export const activeShiftsOf = (
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  atMostEach?: number,
): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(
    listsOf(
      {
        parent,
        order: shiftOrder,
        rows: Prisma.sql`${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)}
       AND ${ofParents[parent](Prisma.sql`ANY(${ids}::int[])`)} AND s.status = 'active'`,
      },
      atMostEach,
    ),
  );

/** A page of one event's active shifts, in the same order. */
export const activeShiftPage = (
  db: TenantDb,
  eventId: number,
  window: { limit: number; offset: number },
): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.event_id = ${eventId} AND s.status = 'active'
     ORDER BY s.starts_at NULLS LAST, s.id
     LIMIT ${window.limit} OFFSET ${window.offset}`);

/** A shift in the caller's reach, whatever its status. */
export async function shiftByUuid(db: TenantDb, uuid: string): Promise<WorkShiftRow | null> {
  const [row] = await rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.uuid = ${uuid}::uuid`);
  return row ?? null;
}

/** Shifts in the caller's reach, whatever their status, in any order. */
export const shiftsByIds = (db: TenantDb, ids: readonly number[]): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.id = ANY(${ids}::int[])`);
