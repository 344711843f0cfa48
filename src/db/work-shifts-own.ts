import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { ShiftStatus } from '../generated/prisma/enums.ts';
import { visibleShifts } from './sources.ts';
import type { PageWindow } from '../paging/pages.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { selectShifts } from './work-shifts.ts';

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
