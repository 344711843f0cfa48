import type { WorkShift } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder, CursorPosition } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { firstOf, listsOf } from './by-parent.ts';
import { joinFor, selected, type Columns, type ListsOf } from './fields.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach, guarded, shiftsInReach } from './visibility.ts';

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

const columns = (db: TenantDb): Columns<WorkShiftRow> => ({
  id: Prisma.sql`s.id`,
  uuid: Prisma.sql`s.uuid`,
  eventId: Prisma.sql`s.event_id`,
  callTimeId: Prisma.sql`s.call_time_id`,
  positionId: Prisma.sql`s.position_id`,
  position: Prisma.sql`p.title`,
  userId: Prisma.sql`s.user_id`,
  firstName: Prisma.sql`u.first_name`,
  lastName: Prisma.sql`u.last_name`,
  status: Prisma.sql`s.status`,
  confirmed: Prisma.sql`s.confirmed`,
  startTime: Prisma.sql`s.start_local::text`,
  startsAt: Prisma.sql`s.starts_at`,
  endTime: Prisma.sql`s.end_local::text`,
  endsAt: Prisma.sql`s.ends_at`,
  payRate: guarded(db, "a shift's pay", Prisma.sql`s.pay_rate::text`),
  timezone: Prisma.sql`e.timezone`,
  overrideReason: guarded(db, 'override reasons', Prisma.sql`s.override_reason`),
  createdAt: Prisma.sql`s.created_at`,
  modifiedAt: Prisma.sql`s.modified_at`,
  version: Prisma.sql`s.version`,
});

const events = (db: TenantDb) =>
  Prisma.sql`JOIN events e ON e.business_id = ${db.$businessId} AND e.id = s.event_id AND ${eventsInReach(db)}`;
const positions = (db: TenantDb) =>
  Prisma.sql`JOIN positions p ON p.business_id = ${db.$businessId} AND p.id = s.position_id`;
const users = (db: TenantDb) => Prisma.sql`JOIN users u ON u.business_id = ${db.$businessId} AND u.id = s.user_id`;

const all = (db: TenantDb) => Object.keys(columns(db)) as (keyof WorkShiftRow)[];

export const selectShifts = (db: TenantDb) => Prisma.sql`
  SELECT ${selected(columns(db), all(db))} FROM work_shifts s ${events(db)} ${positions(db)} ${users(db)}`;

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

/** By start. The empty text stands for a start that is to be determined. */
export const shiftCursorOrder: CursorOrder<WorkShiftRow> = {
  by: 'start',
  direction: 'asc',
  positionOf: ({ startsAt, id }) => ({ value: startsAt?.toISOString() ?? '', id }),
  isValue: (value) => value === '' || isInstant(value),
};

/** Conditions on the shifts `s` behind a position, one after the other: each of them is one stretch of an index. */
export const behindShift = ({ value, id }: CursorPosition): Prisma.Sql[] =>
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
        rows: (id) => Prisma.sql`${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND ${ofParents[parent](id)}
       AND s.status = 'active'`,
      },
      ids,
      atMostEach,
    ),
  );

/**
 * Reads the active shifts of many events, with the selected fields. Here LATERAL is faster than rows first:
 * src/guide/performance.md#lateral-for-shifts
 */
export const activeShiftsOfEvents = (
  db: TenantDb,
  ids: readonly number[],
  { fields = all(db), atMostEach }: ListsOf<WorkShiftRow>,
): Promise<WorkShiftRow[]> => {
  const isLimited = db.$reach.of !== 'business';
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    SELECT ${selected(columns(db), fields)}
      FROM unnest(${ids}::int[]) AS asked (id)
     CROSS JOIN LATERAL (
           SELECT * FROM work_shifts s
            WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.event_id = asked.id
              AND s.status = 'active'
            ${firstOf(Prisma.sql`s.starts_at NULLS LAST, s.id`, atMostEach)}) AS s
      ${isLimited ? events(db) : joinFor<WorkShiftRow>(fields, ['timezone'], events(db))}
      ${joinFor<WorkShiftRow>(fields, ['position'], positions(db))}
      ${joinFor<WorkShiftRow>(fields, ['firstName', 'lastName'], users(db))}
     ORDER BY s.event_id, s.starts_at NULLS LAST, s.id`);
};

/** A page of one event's active shifts, in the same order. */
export const activeShiftPage = (
  db: TenantDb,
  eventId: number,
  { limit, offset = 0 }: PageWindow,
): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.event_id = ${eventId} AND s.status = 'active'
     ORDER BY s.starts_at NULLS LAST, s.id
     LIMIT ${limit} OFFSET ${offset}`);

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
