import { Prisma } from '../generated/prisma/client.ts';
import { matchReport, selectGroups, groupOf, type GroupName, type Grouping, type ReportFilter } from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** Sums of the cost of work, in USD with two decimals. */
export interface LabourCostSums {
  /** Cost of the active shifts whose price is known. */
  readonly planned: string;
  /** Part of `planned` for confirmed shifts. */
  readonly confirmed: string;
  /** Cost of the open places of call times. It is not part of `planned`. */
  readonly open: string;
  /** Active shifts whose price depends on a time that is to be determined. */
  readonly unpricedShifts: number;
  /** Open places whose price depends on a time that is to be determined. */
  readonly unpricedOpen: number;
}

/**
 * Price of one person's work by its pay unit: elapsed hours, to the second; each 24 hours begun; or flat. It is rounded
 * to cents, half up, with integers (`div`), because a numeric division would round once by itself before. It is null
 * while it depends on a time that is to be determined.
 */
const price = (rate: Prisma.Sql, unit: Prisma.Sql, startsAt: Prisma.Sql, endsAt: Prisma.Sql) => {
  const seconds = Prisma.sql`extract(epoch FROM ${endsAt} - ${startsAt})`;
  return Prisma.sql`CASE ${unit}
    WHEN 'hour' THEN div(${rate} * 200 * ${seconds} + 3600, 7200) * 0.01
    WHEN 'day' THEN ${rate} * div(${seconds} + 86399, 86400)
    WHEN 'flat' THEN ${rate} END`;
};

interface Parts {
  /**
   * The columns that name the groups, from `e`, `p`, `u` and the id of the call time, which differs between the two
   * branches of the union.
   */
  readonly columns: (callTimeId: Prisma.Sql) => Prisma.Sql;
  readonly condition: (callTimeId: Prisma.Sql) => Prisma.Sql;
}

/** One row with a price for each active shift, and one for each call time with open places. */
const work = (db: TenantDb, { columns, condition }: Parts) => {
  const [ofShift, ofCallTime] = [Prisma.sql`s.call_time_id`, Prisma.sql`c.id`];
  return Prisma.sql`
  SELECT ${columns(ofShift)}, 1 AS places, FALSE AS is_open, s.confirmed,
         ${price(Prisma.sql`coalesce(s.pay_rate, p.default_pay_rate)`, Prisma.sql`p.pay_unit`, Prisma.sql`s.starts_at`, Prisma.sql`s.ends_at`)} AS price
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.event_id = e.id AND s.status = 'active'
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
    LEFT JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = e.client_id
   WHERE ${condition(ofShift)}
  UNION ALL
  SELECT ${columns(ofCallTime)}, missing.places, TRUE, FALSE,
         ${price(
           Prisma.sql`coalesce(c.pay_rate, p.default_pay_rate)`,
           Prisma.sql`c.pay_unit`,
           Prisma.sql`CASE WHEN NOT c.start_tbd THEN c.starts_at END`,
           Prisma.sql`CASE WHEN NOT c.end_tbd THEN c.ends_at END`,
         )}
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.event_id = e.id
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id
    LEFT JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = e.client_id
   CROSS JOIN LATERAL (
         SELECT c.staff_needed - count(*) AS places
           FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
          WHERE s.call_time_id = c.id AND s.status = 'active') AS missing
   WHERE ${condition(ofCallTime)} AND missing.places > 0`;
};

const total = (which: Prisma.Sql) =>
  Prisma.sql`round(coalesce(sum(places * price) FILTER (WHERE ${which}), 0), 2)::text`;
const unpriced = (which: Prisma.Sql) =>
  Prisma.sql`coalesce(sum(places) FILTER (WHERE ${which} AND price IS NULL), 0)::int`;

const sums = Prisma.sql`
  ${total(Prisma.sql`NOT is_open`)} AS planned, ${total(Prisma.sql`confirmed`)} AS confirmed,
  ${total(Prisma.sql`is_open`)} AS open, ${unpriced(Prisma.sql`NOT is_open`)} AS "unpricedShifts",
  ${unpriced(Prisma.sql`is_open`)} AS "unpricedOpen"`;

type LabourCostById = LabourCostSums & { readonly id: number };

const byId = (db: TenantDb, ids: readonly number[], idOf: Parts['columns']): Promise<LabourCostById[]> => {
  const rows = work(db, {
    columns: (callTimeId) => Prisma.sql`${idOf(callTimeId)} AS id`,
    condition: (callTimeId) => Prisma.sql`${idOf(callTimeId)} = ANY(${ids}::int[])`,
  });
  return rawOf(db).$queryRaw<LabourCostById[]>(Prisma.sql`SELECT id, ${sums} FROM (${rows}) AS work GROUP BY id`);
};

/** Reads the cost of many events in one statement. An event without shifts and open places has no row. */
export function readLabourCostOfEvents(db: TenantDb, eventIds: readonly number[]): Promise<LabourCostById[]> {
  return byId(db, eventIds, () => Prisma.sql`e.id`);
}

/** Reads the cost of many call times in one statement. A call time without shifts and open places has no row. */
export function readLabourCostOfCallTimes(db: TenantDb, callTimeIds: readonly number[]): Promise<LabourCostById[]> {
  return byId(db, callTimeIds, (callTimeId) => callTimeId);
}

/** Reads the total and its groups in one statement. */
export function readLabourCostReport(
  db: TenantDb,
  filter: ReportFilter,
  groupBy: Grouping,
  groupsMax: number,
): Promise<(GroupName & LabourCostSums)[]> {
  const { positionId } = filter;
  const ofPosition = positionId === undefined ? Prisma.empty : Prisma.sql`AND p.id = ${positionId}`;
  const rows = work(db, {
    columns: () => groupOf[groupBy],
    condition: () => Prisma.sql`${matchReport(db, filter)} ${ofPosition}`,
  });
  return rawOf(db).$queryRaw<(GroupName & LabourCostSums)[]>(selectGroups(rows, sums, groupsMax));
}
