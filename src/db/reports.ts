import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { matching } from './events-filter.ts';
import { plannedForItsValues } from './planning.ts';
import type { TenantDb } from './tenant.ts';

/** Filter of a report: events that start in [from, to), or run at some time in it, and meet the other conditions. */
export interface ReportFilter {
  readonly from: Date;
  readonly to: Date;
  /** Whether events count that run in the period, and not only those that start in it. */
  readonly running?: boolean | undefined;
  readonly statuses: readonly EventStatus[];
  readonly clientId?: number | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  /** Position of the call times or shifts that are counted. */
  readonly positionId?: number | undefined;
}

export const groupings = ['day', 'event', 'position', 'client'] as const;
export type Grouping = (typeof groupings)[number];

/**
 * The group that a row of a report is about. All fields are null in the row of the total and in the group of events
 * without a client.
 */
export interface GroupName {
  readonly isTotal: boolean;
  readonly key: string | null;
  readonly label: string | null;
}

/** Condition on the events `e` that a report is about. */
export function matchReport(db: TenantDb, { from, to, running, ...filter }: ReportFilter): Prisma.Sql {
  const { statuses, clientId, city, state } = filter;
  const span = running ? { runsFrom: from, runsTo: to } : { startsFrom: from, startsTo: to };
  return matching(db, { statuses, ...span, clientId, city, state });
}

const unordered = Prisma.sql`NULL::timestamptz AS starts_at, NULL::int AS id`;

/**
 * The group that a row belongs to, from its event `e`, its position `p` and its client `u`. Groups without a start are
 * ordered by their labels.
 */
export const groupOf: Record<Grouping, Prisma.Sql> = {
  day: Prisma.sql`e.start_local::date AS key, e.start_local::date AS label, ${unordered}`,
  event: Prisma.sql`e.uuid AS key, e.title AS label, e.starts_at, e.id`,
  position: Prisma.sql`p.id AS key, p.title AS label, ${unordered}`,
  client: Prisma.sql`u.id AS key, u.name AS label, ${unordered}`,
};

export interface Sums {
  /** Columns of a group, from its rows. */
  readonly ofGroup: Prisma.Sql;
  /** Columns of the answer, from groups: of one, or of all of them for the total. */
  readonly ofGroups: Prisma.Sql;
}

/**
 * Sums up rows that carry the names of their groups: one row for the total, then one for each group, at most
 * `groupsMax`. The total is made of the groups, and names are printed once for each group.
 */
export function selectGroups(rows: Prisma.Sql, sums: Sums, groupsMax: number): Prisma.Sql {
  return plannedForItsValues(Prisma.sql`
  WITH summed AS (SELECT key, label, starts_at, id, ${sums.ofGroup} FROM (${rows}) AS counted GROUP BY key, label, starts_at, id)
  SELECT grouping(key) = 1 AS "isTotal", key::text AS key, label::text AS label, ${sums.ofGroups}
    FROM summed
   GROUP BY GROUPING SETS ((), (key, label, starts_at, id))
   ORDER BY "isTotal" DESC, starts_at, id, label, key
   LIMIT ${groupsMax + 1}`);
}
