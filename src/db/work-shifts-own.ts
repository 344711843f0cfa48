import { Prisma } from '../generated/prisma/client.ts';
import type { ShiftStatus } from '../generated/prisma/enums.ts';
import type { PageWindow } from '../paging/pages.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach, shiftsInReach } from './visibility.ts';
import { selectShifts, type WorkShiftRow } from './work-shifts.ts';

export interface OwnShiftFilter {
  /** Without it, active ones. */
  readonly statuses?: readonly ShiftStatus[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** While a shift's start is to be determined, that of its event stands for it. */
const start = Prisma.sql`coalesce(s.starts_at, e.starts_at)`;

const matching = (db: TenantDb, { statuses = ['active'], from, to }: OwnShiftFilter) => Prisma.sql`
  s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.status = ANY(${[...statuses]}::"ShiftStatus"[])
  ${from ? Prisma.sql`AND ${start} >= ${from.toISOString()}::timestamptz` : Prisma.empty}
  ${to ? Prisma.sql`AND ${start} < ${to.toISOString()}::timestamptz` : Prisma.empty}`;

/** A page of the shifts in the caller's reach, by start. */
export const ownShiftPage = (
  db: TenantDb,
  filter: OwnShiftFilter,
  { limit, offset = 0 }: PageWindow,
): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)} WHERE ${matching(db, filter)} ORDER BY ${start}, s.id LIMIT ${limit} OFFSET ${offset}`);

export async function countOwnShifts(db: TenantDb, filter: OwnShiftFilter): Promise<number> {
  const [row] = await rawOf(db).$queryRaw<{ total: number }[]>(Prisma.sql`
    SELECT count(*)::int AS total
      FROM work_shifts s
      JOIN events e ON e.business_id = s.business_id AND e.id = s.event_id AND ${eventsInReach(db)}
     WHERE ${matching(db, filter)}`);
  return row?.total ?? 0;
}
