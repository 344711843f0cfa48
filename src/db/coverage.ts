import { coverageCounts, type CoverageCounts } from '../fields/coverage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import {
  matchReport,
  selectGroups,
  sumsOf,
  groupColumns,
  joinVenues,
  type Grouped,
  type GroupName,
  type ReportFilter,
} from './reports.ts';
import { rowsOfBusiness, visibleCallTimes, visibleEvents } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** One row for each visible event `e`, from the counters of events: src/guide/performance.md#counted-staffing */
const staffing = (db: TenantDb, columns: Prisma.Sql, condition: Prisma.Sql, joins: Prisma.Sql) => Prisma.sql`
  SELECT ${columns}, t.needed, t.assigned, t.confirmed, t.needed - t.filled AS open, t.present
    FROM ${visibleEvents(db)}
    LEFT JOIN ${rowsOfBusiness(db, 'event_staffing', 't')} ON t.event_id = e.id
    ${joins}
   WHERE ${condition}`;

/** One row for each visible event `e` and position `p` of its call times. */
const staffingByPosition: typeof staffing = (db, columns, condition, joins) => Prisma.sql`
  SELECT ${columns}, t.needed, t.assigned, t.confirmed, t.needed - t.filled AS open, t.present
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'position_staffing', 't')} ON t.event_id = e.id
    ${joins}
   WHERE ${condition} AND t.needed > 0`;

const sums = sumsOf(coverageCounts);

type CoverageById = CoverageCounts & { readonly id: number };

/** Reads the coverage of many events in one statement. An event without call times needs nobody. */
export function readCoverageOfEvents(db: TenantDb, eventIds: readonly number[]): Promise<CoverageById[]> {
  return rawOf(db).$queryRaw<CoverageById[]>(Prisma.sql`
    SELECT id, coalesce(needed, 0) AS needed, coalesce(assigned, 0) AS assigned, coalesce(confirmed, 0) AS confirmed,
           coalesce(open, 0) AS open, coalesce(present, 0) AS present
      FROM (${staffing(db, Prisma.sql`e.id`, Prisma.sql`e.id = ANY(${eventIds}::int[])`, Prisma.empty)}) AS staffing`);
}

/** Reads the coverage of many call times in one statement. Active shifts count whether or not the caller may see them. */
export function readCoverageOfCallTimes(db: TenantDb, callTimeIds: readonly number[]): Promise<CoverageById[]> {
  return rawOf(db).$queryRaw<CoverageById[]>(Prisma.sql`
    SELECT c.id, c.staff_needed AS needed, found.assigned, found.confirmed, greatest(0, c.staff_needed - found.assigned) AS open, found.present
      FROM ${visibleCallTimes(db)}
     CROSS JOIN LATERAL (
           SELECT count(*)::int AS assigned, (count(*) FILTER (WHERE s.confirmed))::int AS confirmed,
                  count(a.checked_in_at)::int AS present
             FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
             LEFT JOIN ${rowsOfBusiness(db, 'attendance', 'a')} ON a.id = s.id
            WHERE s.call_time_id = c.id AND s.status = 'active') AS found
     WHERE c.id = ANY(${callTimeIds}::int[])`);
}

/**
 * Reads the total and its groups in one statement, from the counters of events or, where positions matter, from those of
 * their positions.
 */
export function readCoverageReport(
  db: TenantDb,
  filter: ReportFilter,
  grouped: Grouped,
): Promise<(GroupName & CoverageCounts)[]> {
  return rawOf(db).$queryRaw<(GroupName & CoverageCounts)[]>(
    selectGroups(db, selectStaffing(db, filter, grouped), sums, grouped),
  );
}

/** The people needed, assigned and there, in rows that carry the names of their groups. */
export function selectStaffing(db: TenantDb, filter: ReportFilter, grouped: Grouped): Prisma.Sql {
  const { positionId } = filter;
  const ofPosition = positionId === undefined ? Prisma.empty : Prisma.sql`AND t.position_id = ${positionId}`;
  const rowsOf = grouped.by.includes('position') || positionId !== undefined ? staffingByPosition : staffing;
  return rowsOf(
    db,
    groupColumns(grouped, { position: Prisma.sql`t.position_id` }),
    Prisma.sql`${matchReport(db, filter)} ${ofPosition}`,
    joinVenues(db, filter, grouped),
  );
}
