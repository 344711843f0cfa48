import { limits } from '../config/limits.ts';
import { swapOptionFields, type SwapOptionRow } from '../fields/swaps.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { columnsOf } from './fields.ts';
import { worksIn } from './offers.ts';
import { hasFolded } from './searched-text.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/*
 * The ways in which a shift can be given away: to a colleague who can work in its position, or for a shift of theirs. Pages count
 * colleagues, and only the shifts of those on a page are looked at.
 */

const columns = columnsOf(swapOptionFields, 'u', {
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  workShiftUuid: 's.uuid',
  eventTitle: 'e.title',
  position: 'p.title',
  startTime: 's.start_local',
  endTime: 's.end_local',
  timezone: 'e.timezone',
});

interface SwapOptionFilter {
  readonly shift: WorkShiftRow;
  readonly search?: string | undefined;
  readonly now: Date;
}

const at = (instant: Date | null) => Prisma.sql`${instant?.toISOString() ?? null}::timestamptz`;

/** Active shifts `b` of a person that share some time with a span. */
const booked = (db: TenantDb, by: Prisma.Sql, from: Prisma.Sql, to: Prisma.Sql) => Prisma.sql`
  ${rowsOfBusiness(db, 'work_shifts', 'b')}
   WHERE b.user_id = ${by} AND b.status = 'active' AND b.starts_at < ${to} AND b.ends_at > ${from}`;

/**
 * Shifts `t` of the colleague `u` to come that the person of the shift could work in its place: in a position of theirs, at another
 * call time, and at no time at which either would work twice.
 */
const shiftsOf = (db: TenantDb, { shift: { id, userId, callTimeId }, now }: SwapOptionFilter) => Prisma.sql`
  ${rowsOfBusiness(db, 'work_shifts', 't')} JOIN ${rowsOfBusiness(db, 'events', 'y')} ON y.id = t.event_id
   WHERE t.user_id = u.id AND t.status = 'active' AND y.status = 'active' AND t.starts_at > ${at(now)}
     AND t.starts_at < ${at(new Date(now.getTime() + limits.spanDaysMax * 86_400_000))}
     AND ${worksIn(db, userId, Prisma.sql`t.position_id`)} AND coalesce(t.call_time_id <> ${callTimeId}::int, TRUE)
     AND taken.ids <@ ARRAY[t.id]
     AND NOT EXISTS (SELECT 1 FROM ${booked(db, Prisma.sql`${userId}`, Prisma.sql`t.starts_at`, Prisma.sql`t.ends_at`)} AND b.id <> ${id})`;

/** Colleagues `u` who can work in the position of the shift, each with the shifts that they have at its time: `taken`. */
function colleagues(db: TenantDb, { shift, search }: SwapOptionFilter): Prisma.Sql {
  const { userId, positionId, startsAt, endsAt } = shift;
  const had = Prisma.sql`
    SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'h')} WHERE h.user_id = u.id AND h.status <> 'deleted'`;
  return Prisma.sql`${rowsOfBusiness(db, 'users', 'u')}
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(b.id), '{}') AS ids FROM ${booked(db, Prisma.sql`u.id`, at(startsAt), at(endsAt))}) AS taken
   WHERE u.role = 'staff' AND u.deleted_at IS NULL AND u.id <> ${userId}
     AND ${search === undefined ? Prisma.sql`TRUE` : hasFolded('u.name', search)}
     AND (EXISTS (${had} AND h.position_id = ${positionId}) OR NOT EXISTS (${had}))`;
}

/** Colleagues with a way at least. Whoever works at the time of the shift can only swap the one that they have then. */
const withWay = (db: TenantDb, filter: SwapOptionFilter) => Prisma.sql`
  ${colleagues(db, filter)} AND (taken.ids = '{}' OR cardinality(taken.ids) = 1
    AND EXISTS (SELECT 1 FROM ${shiftsOf(db, filter)} AND t.id = taken.ids[1]))`;

/** Reads the ids of one page of the colleagues to whom, or with whom, a shift can be given away, by name. */
export async function readSwapColleagues(
  db: TenantDb,
  filter: SwapOptionFilter,
  { limit, offset = 0 }: PageWindow,
): Promise<{ id: number }[]> {
  return rawOf(db).$queryRaw<{ id: number }[]>(
    plannedForItsValues(Prisma.sql`
    SELECT u.id FROM ${withWay(db, filter)} ORDER BY u.name, u.id LIMIT ${limit} OFFSET ${offset}`),
  );
}

export function countSwapColleagues(db: TenantDb, filter: SwapOptionFilter): Promise<number> {
  return readTotal(db, plannedForItsValues(Prisma.sql`SELECT count(*)::int AS total FROM ${withWay(db, filter)}`));
}

/** Reads the ways with these colleagues: by name, the handover, and the next of their shifts. */
export function readSwapOptions(
  db: TenantDb,
  filter: SwapOptionFilter,
  colleagueIds: readonly number[],
): Promise<SwapOptionRow[]> {
  return rawOf(db).$queryRaw<SwapOptionRow[]>(
    plannedForItsValues(Prisma.sql`
    SELECT ${columns(db)} FROM (
      SELECT u.id AS user_id, unnest(array_cat(CASE WHEN taken.ids = '{}' THEN ARRAY[NULL::int] END, ARRAY(
          SELECT t.id FROM ${shiftsOf(db, filter)} ORDER BY t.starts_at, t.id LIMIT ${limits.swapShiftsMax}))) AS id
        FROM ${colleagues(db, filter)} AND u.id = ANY(${colleagueIds}::int[])) AS ways
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = ways.user_id
      LEFT JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.id = ways.id
      LEFT JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
      LEFT JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
     ORDER BY u.name, u.id, s.starts_at NULLS FIRST, s.id`),
  );
}

/** Whether a shift can be handed over to a colleague, or swapped for a shift of theirs. */
export async function isSwapOption(
  db: TenantDb,
  filter: SwapOptionFilter,
  { userId, shiftId }: { readonly userId: number; readonly shiftId: number | null },
): Promise<boolean> {
  const way =
    shiftId === null
      ? Prisma.sql`taken.ids = '{}'`
      : Prisma.sql`EXISTS (SELECT 1 FROM ${shiftsOf(db, filter)} AND t.id = ${shiftId})`;
  const [row] = await rawOf(db).$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT TRUE AS found FROM ${colleagues(db, filter)} AND u.id = ${userId} AND ${way}`);
  return row !== undefined;
}
