import { labourCostSums, type LabourCostSums } from '../fields/labour-cost.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { actualPay } from './actual-hours.ts';
import { ownBusiness } from './businesses.ts';
import { resultColumns, selectResult } from './fields.ts';
import { pricedCallTime, pricedShift } from './pay.ts';
import {
  matchReport,
  selectGroups,
  groupColumns,
  groupNames,
  joinVenues,
  type Grouped,
  type GroupName,
  sumsOf,
  type ReportFilter,
} from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

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

const unpriced = (which: string) => `(sum(places) FILTER (WHERE ${which} AND price IS NULL))::int`;

/** Active shifts of which something is not known. */
const shiftsLess = (known: string) => `coalesce(sum(places) FILTER (WHERE NOT is_open), 0)::int - count(${known})::int`;

/** Sums of the rows of `work`, in cents and people. */
const sumsOfWork = selectResult(labourCostSums, {
  planned: 'sum(price) FILTER (WHERE NOT is_open)',
  confirmed: 'sum(price) FILTER (WHERE confirmed)',
  open: 'sum(places * price::numeric) FILTER (WHERE is_open)',
  actual: 'sum(actual)',
  withoutActual: shiftsLess('actual'),
  plannedRevenue: 'sum(revenue)',
  confirmedRevenue: 'sum(revenue) FILTER (WHERE confirmed)',
  actualRevenue: 'sum(actual_revenue)',
  plannedMargin: 'sum(revenue - price)',
  confirmedMargin: 'sum(revenue - price) FILTER (WHERE confirmed)',
  actualMargin: 'sum(actual_revenue - actual)',
  unbilledShifts: shiftsLess('revenue'),
  withoutActualRevenue: shiftsLess('actual_revenue'),
  unpricedShifts: unpriced('NOT is_open'),
  unpricedOpen: unpriced('is_open'),
});

const sums = sumsOf(labourCostSums);

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

/** The sums from stored sums `t`, which know nothing of what was worked. */
const stored = {
  planned: 't.planned_cents',
  confirmed: 't.confirmed_cents',
  open: 't.open_cents',
  actual: 'NULL::bigint',
  withoutActual: 't.shifts',
  plannedRevenue: 't.planned_revenue_cents',
  confirmedRevenue: 't.confirmed_revenue_cents',
  actualRevenue: 'NULL::bigint',
  plannedMargin: 't.planned_margin_cents',
  confirmedMargin: 't.confirmed_margin_cents',
  actualMargin: 'NULL::bigint',
  unbilledShifts: '(t.shifts - t.billed_shifts)',
  withoutActualRevenue: 't.shifts',
  unpricedShifts: 't.unpriced_shifts',
  unpricedOpen: 't.unpriced_open',
} as const;
const storedSums = selectResult(labourCostSums, stored);
const outdatedSums = selectResult(
  labourCostSums,
  resultColumns(labourCostSums, (name) => `- ${stored[name]}`),
);

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
  SELECT ${columns}, ${outdatedSums}
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
  const readStored = grouped.by.includes('position') || positionId !== undefined ? storedByPosition : storedByEvent;
  const afresh = work(db, {
    columns,
    joins,
    // Without the first condition, PostgreSQL would look for the outdated ones among all shifts.
    condition: () => Prisma.sql`
      EXISTS (SELECT 1 FROM outdated) AND (e.id, p.id) IN (SELECT event_id, position_id FROM outdated) AND ${condition}`,
  });
  const rows = Prisma.sql`
  WITH outdated AS MATERIALIZED (${outdated(db)})
  ${readStored(db, columns(), condition, joins)}
  UNION ALL
  ${summed(afresh)}
  UNION ALL
  ${summed(attended(db, all))}`;
  return rawOf(db).$queryRaw<(GroupName & LabourCostSums)[]>(selectGroups(db, rows, sums, grouped));
}
