import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { ShiftStatus } from '../generated/prisma/enums.ts';
import type { PageWindow } from '../paging/pages.ts';
import { andEqual, readSlices } from './by-parent.ts';
import { rawOf } from './raw.ts';
import { visibleShifts } from './sources.ts';
import type { TenantDb } from './tenant.ts';
import { behindShift, parentConditions, selectShifts, shiftOrder, type ShiftParent } from './work-shifts.ts';

export interface ShiftFilter {
  readonly statuses?: readonly ShiftStatus[];
  readonly userId?: number;
  readonly positionId?: number;
  readonly confirmed?: boolean;
  readonly declined?: boolean;
}

/**
 * Reads the same slice of the shifts of each of many parents. Without statuses in the filter, only active shifts are
 * read; those that were declined are canceled.
 */
export function readShiftSlices(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  window: PageWindow,
) {
  return readSlices<WorkShiftRow>(
    db,
    {
      parent,
      order: shiftOrder,
      rows: Prisma.sql`${selectShifts(db)}
       WHERE ${shiftsLike(filter)} AND ${parentConditions[parent](Prisma.sql`ANY(${ids}::int[])`)}`,
    },
    window,
  );
}

const declinedIs = (declined: boolean) =>
  declined ? Prisma.sql`AND s.declined_at IS NOT NULL` : Prisma.sql`AND s.declined_at IS NULL`;

const shiftsLike = ({ declined, statuses, userId, positionId, confirmed }: ShiftFilter): Prisma.Sql => Prisma.sql`
  s.status = ANY(${[...(statuses ?? [declined ? 'canceled' : 'active'])]}::"ShiftStatus"[])
  ${declined === undefined ? Prisma.empty : declinedIs(declined)}
  ${andEqual(Prisma.sql`s.user_id`, userId)} ${andEqual(Prisma.sql`s.position_id`, positionId)}
  ${andEqual(Prisma.sql`s.confirmed`, confirmed)}`;

/**
 * Reads at most so many shifts of each parent after a position, parent by parent. Names are joined only to the shifts
 * that are shown, and each range of the index is read no further than needed.
 */
export function readShiftsFrom(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  { limit, after }: PageWindow,
): Promise<WorkShiftRow[]> {
  const ranges = (after ? behindShift(after) : [Prisma.sql`TRUE`]).map(
    (range) => Prisma.sql`(
                  SELECT s.id, s.starts_at FROM ${visibleShifts(db)}
                   WHERE ${shiftsLike(filter)} AND ${parentConditions[parent](Prisma.sql`asked.id`)} AND ${range}
                   ORDER BY s.starts_at, s.id
                   LIMIT ${limit})`,
  );
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.id IN (
           SELECT page.id
             FROM unnest(${ids}::int[]) AS asked (id)
            CROSS JOIN LATERAL (
                  SELECT id FROM (${Prisma.join(ranges, ' UNION ALL ')}) AS found
                   ORDER BY starts_at, id
                   LIMIT ${limit}) AS page)
     ORDER BY ${Prisma.raw(`"${parent}"`)}, ${shiftOrder}`);
}

/** Counts the shifts of each parent. A parent without any has no row. */
export async function countShifts(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT asked.id, count(*)::int AS total
      FROM unnest(${ids}::int[]) AS asked (id)
      JOIN (${visibleShifts(db)}) ON ${parentConditions[parent](Prisma.sql`asked.id`)}
     WHERE ${shiftsLike(filter)}
     GROUP BY asked.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

export interface OwnShiftFilter {
  /** Statuses of the shifts; by default, active shifts only. */
  readonly statuses?: readonly ShiftStatus[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** While a shift's start is to be determined, the start of its event counts. */
const start = Prisma.sql`coalesce(s.starts_at, e.starts_at)`;

const matching = ({ statuses = ['active'], from, to }: OwnShiftFilter) => Prisma.sql`
  s.status = ANY(${[...statuses]}::"ShiftStatus"[])
  ${from ? Prisma.sql`AND ${start} >= ${from.toISOString()}::timestamptz` : Prisma.empty}
  ${to ? Prisma.sql`AND ${start} < ${to.toISOString()}::timestamptz` : Prisma.empty}`;

/** Reads one page of the shifts that the caller may see, by start. */
export function readOwnShiftPage(
  db: TenantDb,
  filter: OwnShiftFilter,
  { limit, offset = 0 }: PageWindow,
): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)} WHERE ${matching(filter)} ORDER BY ${start}, s.id LIMIT ${limit} OFFSET ${offset}`);
}

export async function countOwnShifts(db: TenantDb, filter: OwnShiftFilter): Promise<number> {
  const [row] = await rawOf(db).$queryRaw<{ total: number }[]>(Prisma.sql`
    SELECT count(*)::int AS total
      FROM ${visibleShifts(db)}
     WHERE ${matching(filter)}`);
  return row?.total ?? 0;
}
