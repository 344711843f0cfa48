import { Prisma } from '../generated/prisma/client.ts';
import { matchReport, selectGroups, groupOf, type GroupName, type Grouping, type ReportFilter } from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** Staffing of one or more call times, in people. */
export interface CoverageCounts {
  readonly needed: number;
  /** Active shifts on the call times. A shift without a call time is not counted. */
  readonly assigned: number;
  readonly confirmed: number;
  /** Sum of the people missing on each call time. Too many people on one do not make up for another. */
  readonly open: number;
}

/**
 * One row for each call time `c` of visible events `e`, and one for an event without any, with the people needed and
 * assigned. Active shifts count whether or not the caller may see them.
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

export function readCoverageOfEvents(db: TenantDb, eventIds: readonly number[]): Promise<CoverageById[]> {
  return byId(db, Prisma.sql`e.id`, eventIds);
}

export function readCoverageOfCallTimes(db: TenantDb, callTimeIds: readonly number[]): Promise<CoverageById[]> {
  return byId(db, Prisma.sql`c.id`, callTimeIds);
}

/** Reads the total and its groups in one statement. */
export function readCoverageReport(
  db: TenantDb,
  filter: ReportFilter,
  groupBy: Grouping,
  groupsMax: number,
): Promise<(GroupName & CoverageCounts)[]> {
  const { positionId } = filter;
  const conditions = [
    matchReport(db, filter),
    ...(groupBy === 'position' ? [Prisma.sql`c.id IS NOT NULL`] : []),
    ...(positionId === undefined ? [] : [Prisma.sql`c.position_id = ${positionId}`]),
  ];
  const rows = places(db, groupOf[groupBy], Prisma.join(conditions, ' AND '));
  return rawOf(db).$queryRaw<(GroupName & CoverageCounts)[]>(selectGroups(rows, sums, groupsMax));
}
