import { Prisma } from '../generated/prisma/client.ts';
import { eventsOfReport, grouped, groupOf, type GroupName, type Grouping, type ReportFilter } from './reports.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach } from './visibility.ts';

/** How far the call times of something are staffed, in people. */
export interface CoverageCounts {
  readonly needed: number;
  /** Active shifts of the call times. A shift without a call time fills none. */
  readonly assigned: number;
  readonly confirmed: number;
  /** Missing over all call times: where one has too many, another does not gain by it. */
  readonly open: number;
}

/** A row for each call time `c` of the events `e`, and one for an event without any, with what it needs and has. */
const places = (columns: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`
  SELECT ${columns}, coalesce(c.staff_needed, 0) AS needed, filled.assigned, filled.confirmed
    FROM events e
    LEFT JOIN call_times c ON c.business_id = e.business_id AND c.event_id = e.id
    LEFT JOIN positions p ON p.business_id = c.business_id AND p.id = c.position_id
    LEFT JOIN users u ON u.business_id = e.business_id AND u.id = e.client_id
   CROSS JOIN LATERAL (
         SELECT count(*) AS assigned, count(*) FILTER (WHERE s.confirmed) AS confirmed
           FROM work_shifts s
          WHERE s.business_id = c.business_id AND s.call_time_id = c.id AND s.status = 'active') AS filled
   WHERE ${condition}`;

const sums = Prisma.sql`
  coalesce(sum(needed), 0)::int AS needed, coalesce(sum(assigned), 0)::int AS assigned,
  coalesce(sum(confirmed), 0)::int AS confirmed, coalesce(sum(greatest(0, needed - assigned)), 0)::int AS open`;

type CoverageById = CoverageCounts & { readonly id: number };

const byId = (db: TenantDb, column: Prisma.Sql, ids: readonly number[]): Promise<CoverageById[]> =>
  rawOf(db).$queryRaw<CoverageById[]>(Prisma.sql`
    SELECT id, ${sums}
      FROM (${places(
        Prisma.sql`${column} AS id`,
        Prisma.sql`e.business_id = ${db.$businessId} AND ${eventsInReach(db)} AND ${column} = ANY(${ids}::int[])`,
      )}) AS places
     GROUP BY id`);

/** Of many events in one statement. */
export const coverageOfEvents = (db: TenantDb, eventIds: readonly number[]): Promise<CoverageById[]> =>
  byId(db, Prisma.sql`e.id`, eventIds);

/** Of many call times in one statement. */
export const coverageOfCallTimes = (db: TenantDb, callTimeIds: readonly number[]): Promise<CoverageById[]> =>
  byId(db, Prisma.sql`c.id`, callTimeIds);

/** The total and its groups in one statement. */
export function coverageReport(
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
  const rows = places(groupOf[groupBy], Prisma.join(conditions, ' AND '));
  return rawOf(db).$queryRaw<(GroupName & CoverageCounts)[]>(grouped(rows, sums, groupsMax));
}
