import { Prisma } from '../generated/prisma/client.ts';
import { actualPay } from './actual-hours.ts';
import { ownBusiness } from './businesses.ts';
import { pricedCallTime, pricedShift } from './pay.ts';
import {
  matchReport,
  selectGroups,
  groupColumns,
  groupNames,
  joinVenues,
  type Grouped,
  type GroupName,
  type ReportFilter,
  type Sums,
} from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** Sums of the cost of work, in USD with two decimals. */
export interface LabourCostSums {
  /** Cost of the active shifts whose price is known. */
  readonly planned: string;
  /** Part of `planned` for confirmed shifts. */
  readonly confirmed: string;
  /** Cost of the open places of call times. It is not part of `planned`. */
  readonly open: string;
  /** Cost of what was worked, as far as it is known; for approved shifts, the approved pay. */
  readonly actual: string;
  /** Active shifts of which is not known what was worked. `actual` has nothing of them. */
  readonly withoutActual: number;
  /** What clients pay for the active shifts, as far as it is known, and the part for confirmed shifts. */
  readonly plannedRevenue: string;
  readonly confirmedRevenue: string;
  /** What clients pay for what was worked, as far as it is known; for approved shifts, as it was at the approval. */
  readonly actualRevenue: string;
  /** Revenue less cost of the shifts of which both are known. */
  readonly plannedMargin: string;
  readonly confirmedMargin: string;
  readonly actualMargin: string;
  /** Active shifts whose revenue is not known, because there is no bill rate or a time is to be determined. */
  readonly unbilledShifts: number;
  /** Active shifts whose actual revenue is not known. */
  readonly withoutActualRevenue: number;
  /** Active shifts whose price depends on a time that is to be determined. */
  readonly unpricedShifts: number;
  /** Open places whose price depends on a time that is to be determined. */
  readonly unpricedOpen: number;
}

interface Parts {
  /** The columns of the groups, from what the two branches of the union have in common, and the person of a shift. */
  readonly columns: (callTimeId: Prisma.Sql, person?: Prisma.Sql) => Prisma.Sql;
  readonly condition: (callTimeId: Prisma.Sql) => Prisma.Sql;
  readonly joins?: Prisma.Sql;
}

/**
 * One row for each active shift, and one for each call time with open places, each with the price of one person in cents.
 * It is null while it depends on a time that is to be determined.
 */
const work = (db: TenantDb, { columns, condition, joins = Prisma.empty }: Parts) => {
  const [ofShift, ofCallTime] = [Prisma.sql`s.call_time_id`, Prisma.sql`c.id`];
  const [shift, callTime] = [pricedShift(db), pricedCallTime(db)];
  return Prisma.sql`
  SELECT ${columns(ofShift, Prisma.sql`s.user_id`)}, 1 AS places, FALSE AS is_open, s.confirmed,
         ${shift.price} AS price, ${shift.revenue} AS revenue, NULL::bigint AS actual, NULL::bigint AS actual_revenue
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.event_id = e.id AND s.status = 'active'
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
    ${shift.joins} ${joins}
   WHERE ${condition(ofShift)}
  UNION ALL
  SELECT ${columns(ofCallTime)}, missing.places, TRUE, FALSE,
         ${callTime.price}, NULL, NULL, NULL
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.event_id = e.id
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id
    ${callTime.joins} ${joins}
   CROSS JOIN LATERAL (
         SELECT c.staff_needed - count(*) AS places
           FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
          WHERE s.call_time_id = c.id AND s.status = 'active') AS missing
   WHERE ${condition(ofCallTime)} AND missing.places > 0`;
};

/** One row for each active shift of which is known what was worked, beside that of `work`. */
const attended = (db: TenantDb, { columns, condition, joins = Prisma.empty }: Parts) => {
  const ofShift = Prisma.sql`s.call_time_id`;
  const pay = actualPay(db, Prisma.sql`CROSS JOIN ${ownBusiness(db)}`);
  return Prisma.sql`
  SELECT ${columns(ofShift, Prisma.sql`s.user_id`)}, 0 AS places, FALSE AS is_open, FALSE AS confirmed, NULL::bigint AS price,
         NULL::bigint AS revenue, ${pay.actualCents} AS actual, ${pay.actualRevenue} AS actual_revenue
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'attendance', 'a')} ON a.event_id = e.id
    JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.id = a.id AND s.status = 'active'
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
    ${pay.joins} ${joins}
   WHERE ${condition(ofShift)} OFFSET 0`;
};

const cost = (which: Prisma.Sql) => Prisma.sql`sum(price) FILTER (WHERE ${which})`;
const unpriced = (which: Prisma.Sql) => Prisma.sql`(sum(places) FILTER (WHERE ${which} AND price IS NULL))::int`;

/** Active shifts of which something is not known. */
const shiftsLess = (known: string) =>
  Prisma.sql`coalesce(sum(places) FILTER (WHERE NOT is_open), 0)::int - count(${Prisma.raw(known)})::int`;

/** Sums of the rows of `work`, in cents and people. */
const sumsOfWork = Prisma.sql`
  ${cost(Prisma.sql`NOT is_open`)} AS planned, ${cost(Prisma.sql`confirmed`)} AS confirmed,
  sum(places * price::numeric) FILTER (WHERE is_open) AS open, ${unpriced(Prisma.sql`NOT is_open`)} AS unpriced_shifts,
  ${unpriced(Prisma.sql`is_open`)} AS unpriced_open, sum(actual) AS actual,
  ${shiftsLess('actual')} AS without_actual, ${shiftsLess('revenue')} AS unbilled, ${shiftsLess('actual_revenue')} AS without_revenue,
  sum(revenue) AS planned_revenue, sum(revenue) FILTER (WHERE confirmed) AS confirmed_revenue, sum(actual_revenue) AS actual_revenue,
  sum(revenue - price) AS planned_margin, sum(revenue - price) FILTER (WHERE confirmed) AS confirmed_margin,
  sum(actual_revenue - actual) AS actual_margin`;

export const dollars = (cents: Prisma.Sql) => Prisma.sql`round(coalesce(sum(${cents}), 0) * 0.01, 2)::text`;

const sums: Sums = {
  ofGroup: Prisma.sql`
    sum(planned) AS planned, sum(confirmed) AS confirmed, sum(open) AS open, sum(unpriced_shifts) AS unpriced_shifts,
    sum(unpriced_open) AS unpriced_open, sum(actual) AS actual, sum(without_actual) AS without_actual,
    sum(unbilled) AS unbilled, sum(without_revenue) AS without_revenue,
    sum(planned_revenue) AS planned_revenue, sum(confirmed_revenue) AS confirmed_revenue, sum(actual_revenue) AS actual_revenue,
    sum(planned_margin) AS planned_margin, sum(confirmed_margin) AS confirmed_margin, sum(actual_margin) AS actual_margin`,
  ofGroups: Prisma.sql`
    ${dollars(Prisma.sql`planned`)} AS planned, ${dollars(Prisma.sql`confirmed`)} AS confirmed,
    ${dollars(Prisma.sql`open`)} AS open, coalesce(sum(unpriced_shifts), 0)::int AS "unpricedShifts",
    coalesce(sum(unpriced_open), 0)::int AS "unpricedOpen", ${dollars(Prisma.sql`actual`)} AS actual,
    coalesce(sum(without_actual), 0)::int AS "withoutActual",
    coalesce(sum(unbilled), 0)::int AS "unbilledShifts", coalesce(sum(without_revenue), 0)::int AS "withoutActualRevenue",
    ${dollars(Prisma.sql`planned_revenue`)} AS "plannedRevenue", ${dollars(Prisma.sql`confirmed_revenue`)} AS "confirmedRevenue",
    ${dollars(Prisma.sql`actual_revenue`)} AS "actualRevenue", ${dollars(Prisma.sql`planned_margin`)} AS "plannedMargin",
    ${dollars(Prisma.sql`confirmed_margin`)} AS "confirmedMargin", ${dollars(Prisma.sql`actual_margin`)} AS "actualMargin"`,
};

type LabourCostById = LabourCostSums & { readonly id: number };

const byId = (db: TenantDb, ids: readonly number[], idOf: Parts['condition']): Promise<LabourCostById[]> => {
  const parts: Parts = {
    columns: (callTimeId) => Prisma.sql`${idOf(callTimeId)} AS id`,
    condition: (callTimeId) => Prisma.sql`${idOf(callTimeId)} = ANY(${ids}::int[])`,
  };
  const rows = Prisma.sql`${work(db, parts)} UNION ALL (${attended(db, parts)})`;
  return rawOf(db).$queryRaw<LabourCostById[]>(Prisma.sql`
    SELECT id, ${sums.ofGroups} FROM (SELECT id, ${sumsOfWork} FROM (${rows}) AS work GROUP BY id) AS summed GROUP BY id`);
};

/** Reads the cost of many events in one statement. An event without shifts and open places has no row. */
export function readLabourCostOfEvents(db: TenantDb, eventIds: readonly number[]): Promise<LabourCostById[]> {
  return byId(db, eventIds, () => Prisma.sql`e.id`);
}

/** Reads the cost of many call times in one statement. A call time without shifts and open places has no row. */
export function readLabourCostOfCallTimes(db: TenantDb, callTimeIds: readonly number[]): Promise<LabourCostById[]> {
  return byId(db, callTimeIds, (callTimeId) => callTimeId);
}

/** Whether the stored sums `t` know all rates of their position `p`. The planner takes a CASE for no narrow condition. */
const isPricedAsNow = Prisma.sql`CASE WHEN t.priced_version = p.rate_version THEN TRUE ELSE FALSE END`;

/**
 * Stored sums of events and positions that were priced before the position got its last rate or unit. Whether a position has any is
 * looked up in an index, where its lowest version is the first.
 */
const outdated = (db: TenantDb) => Prisma.sql`
  SELECT t.*
    FROM ${rowsOfBusiness(db, 'positions', 'p')}
    JOIN ${rowsOfBusiness(db, 'position_staffing', 't')} ON t.position_id = p.id
   WHERE p.rate_version <> (
         SELECT x.priced_version FROM ${rowsOfBusiness(db, 'position_staffing', 'x')}
          WHERE x.position_id = p.id ORDER BY x.priced_version LIMIT 1) AND NOT ${isPricedAsNow}`;

/** Columns of `sums` from stored sums, which know nothing of what was worked. */
const storedSums = Prisma.sql`
  t.planned_cents AS planned, t.confirmed_cents AS confirmed, t.open_cents AS open, t.unpriced_shifts, t.unpriced_open,
  NULL::bigint AS actual, t.shifts AS without_actual, t.shifts - t.billed_shifts AS unbilled, t.shifts AS without_revenue,
  t.planned_revenue_cents AS planned_revenue, t.confirmed_revenue_cents AS confirmed_revenue, NULL::bigint AS actual_revenue,
  t.planned_margin_cents AS planned_margin, t.confirmed_margin_cents AS confirmed_margin, NULL::bigint AS actual_margin`;

/** One row for each visible event `e` and position `p` whose stored sums are not outdated. */
const storedByPosition = (db: TenantDb, columns: Prisma.Sql, condition: Prisma.Sql, joins: Prisma.Sql) => Prisma.sql`
  SELECT ${columns}, ${storedSums}
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'position_staffing', 't')} ON t.event_id = e.id
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = t.position_id
    ${joins}
   WHERE ${condition} AND (t.shifts > 0 OR t.needed > t.filled) AND ${isPricedAsNow}`;

/** One row for each visible event `e`, and one that takes away what is outdated of it for each such position. */
const storedByEvent: typeof storedByPosition = (db, columns, condition, joins) => Prisma.sql`
  SELECT ${columns}, ${storedSums}
    FROM ${visibleEvents(db)}
    JOIN ${rowsOfBusiness(db, 'event_staffing', 't')} ON t.event_id = e.id
    ${joins}
   WHERE ${condition} AND (t.shifts > 0 OR t.needed > t.filled)
  UNION ALL
  SELECT ${columns}, -t.planned_cents, -t.confirmed_cents, -t.open_cents, -t.unpriced_shifts, -t.unpriced_open,
         NULL, -t.shifts, t.billed_shifts - t.shifts, -t.shifts, -t.planned_revenue_cents, -t.confirmed_revenue_cents, NULL,
         -t.planned_margin_cents, -t.confirmed_margin_cents, NULL
    FROM ${visibleEvents(db)}
    JOIN outdated AS t ON t.event_id = e.id
    ${joins}
   WHERE EXISTS (SELECT 1 FROM outdated) AND ${condition}`;

/**
 * Reads the total and its groups in one statement: from the stored sums of events or, where positions matter, of their
 * positions, and from shifts and call times where these are outdated. src/guide/performance.md#counted-staffing
 */
export function readLabourCostReport(
  db: TenantDb,
  filter: ReportFilter,
  grouped: Grouped,
): Promise<(GroupName & LabourCostSums)[]> {
  const { positionId } = filter;
  const ofPosition = positionId === undefined ? Prisma.empty : Prisma.sql`AND p.id = ${positionId}`;
  const condition = Prisma.sql`${matchReport(db, filter)} ${ofPosition}`;
  const joins = joinVenues(db, filter, grouped);
  const columns = (_callTimeId?: Prisma.Sql, staff?: Prisma.Sql) =>
    groupColumns(grouped, { position: Prisma.sql`p.id`, ...(staff && { staff }) });
  const summed = (rows: Prisma.Sql) =>
    Prisma.sql`SELECT ${groupNames}, ${sumsOfWork} FROM (${rows}) AS work GROUP BY ${groupNames}`;
  const all: Parts = { columns, condition: () => condition, joins };
  // No stored sums say whose work it is.
  if (grouped.by.includes('staff'))
    return rawOf(db).$queryRaw<(GroupName & LabourCostSums)[]>(
      selectGroups(db, summed(Prisma.sql`${work(db, all)} UNION ALL (${attended(db, all)})`), sums, grouped),
    );
  const stored = grouped.by.includes('position') || positionId !== undefined ? storedByPosition : storedByEvent;
  const afresh = work(db, {
    columns,
    joins,
    // Without the first condition, PostgreSQL would look for the outdated ones among all shifts.
    condition: () => Prisma.sql`
      EXISTS (SELECT 1 FROM outdated) AND (e.id, p.id) IN (SELECT event_id, position_id FROM outdated) AND ${condition}`,
  });
  const rows = Prisma.sql`
  WITH outdated AS MATERIALIZED (${outdated(db)})
  ${stored(db, columns(), condition, joins)}
  UNION ALL
  ${summed(afresh)}
  UNION ALL
  ${summed(attended(db, all))}`;
  return rawOf(db).$queryRaw<(GroupName & LabourCostSums)[]>(selectGroups(db, rows, sums, grouped));
}
