import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder, CursorPosition } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import { listByParent } from './by-parent.ts';
import { columnsOf, joinFor, type ListsOf, type Selected, type Selection } from './fields.ts';
import { rowsOfBusiness, rowsOfVisibleEvents, visibleEvents, visibleShifts } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

const columns = columnsOf(workShiftFields, 's', {
  position: 'p.title',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  timezone: 'e.timezone',
});

const positions = (db: TenantDb) => Prisma.sql`JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id`;
/** Callers who see a shift see whose it is. */
const users = (db: TenantDb) => Prisma.sql`JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id`;

export const selectShifts = (db: TenantDb) => Prisma.sql`
  SELECT ${columns.list(db)} FROM ${visibleShifts(db)} ${positions(db)} ${users(db)}`;

/** Shifts whose start is to be determined come last. */
export const shiftOrder = Prisma.sql`"startsAt" NULLS LAST, id`;

/** What shifts are listed by: an event, a call time, or a staff member. */
export type ShiftParent = 'eventId' | 'callTimeId' | 'userId';

/** Condition on shifts `s` of events `e`. A person's shifts at deleted events are hidden with their events. */
export const parentConditions: Record<ShiftParent, (ids: Prisma.Sql) => Prisma.Sql> = {
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

/** Conditions on shifts `s` that come after this position, in turn: each is one range of an index. */
export const behindShift = ({ value, id }: CursorPosition): Prisma.Sql[] =>
  value === ''
    ? [Prisma.sql`s.starts_at IS NULL AND s.id > ${id}::int`]
    : [Prisma.sql`(s.starts_at, s.id) > (${value}::timestamptz, ${id}::int)`, Prisma.sql`s.starts_at IS NULL`];

/** The active shifts of many parents in one statement, each parent's in order of start. */
export function readActiveShifts(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  atMostEach?: number,
): Promise<WorkShiftRow[]> {
  const rows = (id: Prisma.Sql) =>
    Prisma.sql`${selectShifts(db)} WHERE ${parentConditions[parent](id)} AND s.status = 'active'`;
  return rawOf(db).$queryRaw<WorkShiftRow[]>(listByParent({ parent, order: shiftOrder, rows }, ids, atMostEach));
}

/**
 * The active shifts of many events, with the selected fields. They are read before they are joined to anything; here LATERAL is
 * faster than rows first: src/guide/performance.md#lateral-for-shifts
 */
export function readActiveShiftsOfEvents<const F extends Selection<WorkShiftRow> | undefined = undefined>(
  db: TenantDb,
  ids: readonly number[],
  { fields, atMostEach }: ListsOf<F> = {},
): Promise<Selected<WorkShiftRow, F>[]> {
  const where = Prisma.sql`AND s.status = 'active'`;
  const order = Prisma.sql`s.starts_at NULLS LAST, s.id`;
  return rawOf(db).$queryRaw<Selected<WorkShiftRow, F>[]>(Prisma.sql`
    SELECT ${columns.list(db, fields)}
      FROM ${rowsOfVisibleEvents(db, 'work_shifts', 's', ids, { order, where, atMostEach })}
      ${joinFor<WorkShiftRow>(fields, ['timezone'], Prisma.sql`JOIN ${visibleEvents(db)} ON e.id = s.event_id`)}
      ${joinFor<WorkShiftRow>(fields, ['position'], positions(db))}
      ${joinFor<WorkShiftRow>(fields, ['firstName', 'lastName'], users(db))}
     ORDER BY s.event_id, s.starts_at NULLS LAST, s.id`);
}

/** A page of one event's active shifts, in the same order. */
export function readActiveShiftPage(
  db: TenantDb,
  eventId: number,
  { limit, offset = 0 }: PageWindow,
): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.event_id = ${eventId} AND s.status = 'active'
     ORDER BY s.starts_at NULLS LAST, s.id
     LIMIT ${limit} OFFSET ${offset}`);
}

/** A shift that the caller may see, whatever its status. */
export async function readShiftByUuid(db: TenantDb, uuid: string): Promise<WorkShiftRow | null> {
  const [row] = await rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`${selectShifts(db)} WHERE s.uuid = ${uuid}::uuid`);
  return row ?? null;
}

/** Shifts that the caller may see, whatever their status, in any order. */
export function readShiftsByIds(db: TenantDb, ids: readonly number[]): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`${selectShifts(db)} WHERE s.id = ANY(${ids}::int[])`);
}
