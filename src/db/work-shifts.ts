import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import { isInstant } from '../time/instants.ts';
import { selectByParent } from './by-parent.ts';
import { columnsOf, joinFor, type ListOptions } from './fields.ts';
import { joinShiftPay, shiftPay } from './pay.ts';
import { joinCallTimeOfShift } from './place-times.ts';
import { rowsOfBusiness, rowsOfVisibleEvents, visibleEvents, visibleShifts, type AskedEvents } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

const columns = columnsOf(workShiftFields, 's', {
  position: 'p.title',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  timezone: 'e.timezone',
  // A version that does not know the column says when a shift was declined.
  canceledAt: 'coalesce(s.canceled_at, s.declined_at)',
  ...shiftPay,
});

const positions = (db: TenantDb) => Prisma.sql`JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id`;
/** Joins the person of a shift. Every caller who sees the shift may see the person's name. */
const users = (db: TenantDb) => Prisma.sql`JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id`;

export function selectShifts(db: TenantDb) {
  return Prisma.sql`
  SELECT ${columns(db)} FROM ${visibleShifts(db)} ${positions(db)} ${users(db)} ${joinCallTimeOfShift(db)} ${joinShiftPay(db)}`;
}

/** Shifts whose start is to be determined come last. */
export const shiftOrder = Prisma.sql`"startsAt" NULLS LAST, id`;

/** The column that names the parent of a list of shifts: an event, a call time or a staff member. */
export type ShiftParent = 'eventId' | 'callTimeId' | 'userId';

/** Conditions on shifts `s` of events `e`, by kind of parent. A person's shifts at deleted events are hidden. */
export const parentConditions: Record<ShiftParent, (ids: Prisma.Sql) => Prisma.Sql> = {
  eventId: (ids) => Prisma.sql`s.event_id = ${ids}`,
  callTimeId: (ids) => Prisma.sql`s.call_time_id = ${ids}`,
  userId: (ids) => Prisma.sql`s.user_id = ${ids} AND e.status <> 'deleted'`,
};

/** The order of shifts by start. In cursors, the empty text stands for a start that is to be determined. */
export const shiftCursorOrder = (direction: 'asc' | 'desc' = 'asc'): CursorOrder<WorkShiftRow> => ({
  by: 'start',
  direction,
  positionOf: ({ startsAt, id }) => ({ value: startsAt?.toISOString() ?? '', id }),
  isValue: (value) => value === '' || isInstant(value),
});

/** Reads the active shifts of many parents in one statement; those of each parent are ordered by start. */
export function readActiveShifts(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  atMostEach?: number,
): Promise<WorkShiftRow[]> {
  const rows = (id: Prisma.Sql) =>
    Prisma.sql`${selectShifts(db)} WHERE ${parentConditions[parent](id)} AND s.status = 'active'`;
  return rawOf(db).$queryRaw<WorkShiftRow[]>(selectByParent({ parent, order: shiftOrder, rows }, ids, atMostEach));
}

/**
 * Builds a statement that reads the active shifts of events; those of each event are ordered by start. The shifts are read
 * before they are joined to anything; here LATERAL is faster than rows first: src/guide/performance.md#lateral-for-shifts
 */
export function selectActiveShiftsOfEvents(
  db: TenantDb,
  events: AskedEvents,
  { atMostEach, shown }: ListOptions = {},
): Prisma.Sql {
  const where = Prisma.sql`AND s.status = 'active'`;
  const order = Prisma.sql`s.starts_at NULLS LAST, s.id`;
  return Prisma.sql`
    SELECT ${columns(db, shown)}
      FROM ${rowsOfVisibleEvents(db, 'work_shifts', 's', events, { order, where, atMostEach })}
      ${joinFor(shown, ['timezone', 'payUnit'], Prisma.sql`JOIN ${visibleEvents(db)} ON e.id = s.event_id`)}
      ${joinFor(shown, ['position', 'payUnit'], positions(db))}
      ${joinFor(shown, ['firstName', 'lastName'], users(db))}
      ${joinFor(shown, ['payRate', 'payUnit'], joinCallTimeOfShift(db))}
      ${joinFor(shown, ['payUnit'], joinShiftPay(db))}
     ORDER BY s.event_id, s.starts_at NULLS LAST, s.id`;
}

/** Reads the active shifts of many events in one statement. Fields that are not shown are missing. */
export function readActiveShiftsOfEvents(
  db: TenantDb,
  eventIds: readonly number[],
  options: ListOptions,
): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(selectActiveShiftsOfEvents(db, eventIds, options));
}

/** Reads a shift that the caller may see, whatever its status. */
export async function readShiftByUuid(db: TenantDb, uuid: string): Promise<WorkShiftRow | null> {
  const [row] = await rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`${selectShifts(db)} WHERE s.uuid = ${uuid}::uuid`);
  return row ?? null;
}

/** Reads shifts that the caller may see by their uuids, whatever their status, in any order. */
export function readShiftsByUuids(db: TenantDb, uuids: readonly string[]): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`${selectShifts(db)} WHERE s.uuid = ANY(${uuids}::uuid[])`);
}

/** Reads shifts that the caller may see, whatever their status, in any order. */
export function readShiftsByIds(db: TenantDb, ids: readonly number[]): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`${selectShifts(db)} WHERE s.id = ANY(${ids}::int[])`);
}
