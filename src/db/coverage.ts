import { Prisma } from '../generated/prisma/client.ts';
import { eventsOfReport, grouped, groupOf, type GroupName, type Grouping, type ReportFilter } from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** How far the call times of something are staffed, in people. */
export interface CoverageCounts {
  readonly needed: number;
  /** Active shifts of the call times. A shift without a call time fills none. */
  readonly assigned: number;
  readonly confirmed: number;
  /** Missing over all call times: where one has too many, another does not gain by it. */
  readonly open: number;
}

/**
 * A row for each call time `c` of visible events `e`, and one for an event without any, with what it needs and has. Active
 * shifts count whether or not the caller may see them.
 */
const places = (db: TenantDb, columns: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`
  SELECT ${columns}, coalesce(c.staff_needed, 0) AS needed, filled.assigned, filled.confirmed
    FROM ${visibleEvents(db)}
    LEFT JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.event_id = e.id
    LEFT JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id
    LEFT JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = e.client_id
   CROSS JOIN LATERAL (
         SELECT count(*) AS assigned, count(*) FILTER (WHERE s.confirmed) AS confirmed
           FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
          WHERE s.call_time_id = c.id AND s.status = 'active') AS filled
   WHERE ${condition}`;

const sums = Prisma.sql`
  coalesce(sum(needed), 0)::int AS needed, coalesce(sum(assigned), 0)::int AS assigned,
  coalesce(sum(confirmed), 0)::int AS confirmed, coalesce(sum(greatest(0, needed - assigned)), 0)::int AS open`;

type CoverageById = CoverageCounts & { readonly id: number };

const byId = (db: TenantDb, column: Prisma.Sql, ids: readonly number[]): Promise<CoverageById[]> =>
  rawOf(db).$queryRaw<CoverageById[]>(Prisma.sql`
    SELECT id, ${sums}
      FROM (${places(db, Prisma.sql`${column} AS id`, Prisma.sql`${column} = ANY(${ids}::int[])`)}) AS places
     GROUP BY id`);

/** The coverage of many events in one statement. */
export const readCoverageOfEvents = (db: TenantDb, eventIds: readonly number[]): Promise<CoverageById[]> =>
  byId(db, Prisma.sql`e.id`, eventIds);

/** The coverage of many call times in one statement. */
export const readCoverageOfCallTimes = (db: TenantDb, callTimeIds: readonly number[]): Promise<CoverageById[]> =>
  byId(db, Prisma.sql`c.id`, callTimeIds);

/** The total and its groups in one statement. */
export function readCoverageReport(
  db: TenantDb,
  filter: ReportFilter,
  groupBy: Grouping,
  groupsMax: number,
): Promise<(GroupName & CoverageCounts)[]> {
  const { positionId } = filter;
  const conditions = [
    eventsOfReport(db, filter),
    ...(groupBy === 'position' ? [Prisma.sql`c.id IS NOT NULL`] : []),
    ...(positionId === undefined ? [] : [Prisma.sql`c.position_id = ${positionId}`]),
  ];
  const rows = places(db, groupOf[groupBy], Prisma.join(conditions, ' AND '));
  return rawOf(db).$queryRaw<(GroupName & CoverageCounts)[]>(grouped(rows, sums, groupsMax));
}
