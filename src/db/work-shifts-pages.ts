import { Prisma } from '../generated/prisma/client.ts';
import type { ShiftStatus } from '../generated/prisma/enums.ts';
import type { PageWindow } from '../paging/pages.ts';
import { andEqual, slicesOf } from './by-parent.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach, shiftsInReach } from './visibility.ts';
import {
  behindShift,
  ofParents,
  selectShifts,
  shiftOrder,
  type ShiftParent,
  type WorkShiftRow,
} from './work-shifts.ts';

export interface ShiftFilter {
  readonly statuses?: readonly ShiftStatus[];
  readonly userId?: number;
  readonly positionId?: number;
  readonly confirmed?: boolean;
}

/** Without statuses, active ones. */
export const shiftSlices = (
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  window: PageWindow,
) =>
  slicesOf<WorkShiftRow>(
    db,
    {
      parent,
      order: shiftOrder,
      rows: Prisma.sql`${selectShifts(db)}
       WHERE ${shiftsLike(db, filter)} AND ${ofParents[parent](Prisma.sql`ANY(${ids}::int[])`)}`,
    },
    window,
  );

const shiftsLike = (
  db: TenantDb,
  { statuses = ['active'], userId, positionId, confirmed }: ShiftFilter,
): Prisma.Sql => Prisma.sql`
  s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.status = ANY(${[...statuses]}::"ShiftStatus"[])
  ${andEqual(Prisma.sql`s.user_id`, userId)} ${andEqual(Prisma.sql`s.position_id`, positionId)}
  ${andEqual(Prisma.sql`s.confirmed`, confirmed)}`;

const shiftsAndEvents = (db: TenantDb) => Prisma.sql`
  work_shifts s JOIN events e ON e.business_id = s.business_id AND e.id = s.event_id AND ${eventsInReach(db)}`;

/**
 * Of each parent so many from a place on, parent by parent. Names are joined to what is shown, not to what is passed over,
 * and no stretch is read further than it is shown.
 */
export function shiftsFrom(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  { limit, after }: PageWindow,
): Promise<WorkShiftRow[]> {
  const stretches = (after ? behindShift(after) : [Prisma.sql`TRUE`]).map(
    (stretch) => Prisma.sql`(
                  SELECT s.id, s.starts_at FROM ${shiftsAndEvents(db)}
                   WHERE ${shiftsLike(db, filter)} AND ${ofParents[parent](Prisma.sql`asked.id`)} AND ${stretch}
                   ORDER BY s.starts_at, s.id
                   LIMIT ${limit})`,
  );
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.business_id = ${db.$businessId} AND s.id IN (
           SELECT page.id
             FROM unnest(${ids}::int[]) AS asked (id)
            CROSS JOIN LATERAL (
                  SELECT id FROM (${Prisma.join(stretches, ' UNION ALL ')}) AS found
                   ORDER BY starts_at, id
                   LIMIT ${limit}) AS page)
     ORDER BY ${Prisma.raw(`"${parent}"`)}, ${shiftOrder}`);
}

/** How many each parent has; one without any has no row. */
export async function shiftCounts(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT asked.id, count(*)::int AS total
      FROM unnest(${ids}::int[]) AS asked (id)
      JOIN (${shiftsAndEvents(db)}) ON ${ofParents[parent](Prisma.sql`asked.id`)}
     WHERE ${shiftsLike(db, filter)}
     GROUP BY asked.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}
