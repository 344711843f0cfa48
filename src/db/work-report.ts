import { Prisma } from '../generated/prisma/client.ts';
import { andEqual } from './by-parent.ts';
import { selectStaffing } from './coverage.ts';
import { dollars } from './labour-cost.ts';
import { pricedShift } from './pay.ts';
import {
  groupColumns,
  groupNames,
  joinVenues,
  matchReport,
  selectGroups,
  type Grouped,
  type GroupName,
  type ReportFilter,
} from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';
import { isCanceledLate } from './work-shifts-pages.ts';

/** Shifts, people, hours and fill rate of a group. Costs are USD with two decimals. */
export interface WorkSums {
  /** Active shifts. */
  readonly shifts: number;
  readonly confirmedShifts: number;
  /** People with an active shift, each counted once. */
  readonly people: number;
  /** Hours of the active shifts whose start and end are known. */
  readonly plannedHours: number;
  readonly confirmedHours: number;
  /** Active shifts whose start or end is to be determined. */
  readonly untimedShifts: number;
  readonly plannedCost: string;
  readonly confirmedCost: string;
  readonly unpricedShifts: number;
  readonly canceledShifts: number;
  readonly canceledLateShifts: number;
  /** People that call times need, and those still missing; null where the groups are people. */
  readonly needed: number | null;
  readonly open: number | null;
}

const sumOf = (columns: readonly string[]) => Prisma.raw(columns.map((name) => `sum(${name}) AS ${name}`).join(', '));

const ofShifts = [
  ...['shifts', 'confirmed_shifts', 'seconds', 'confirmed_seconds', 'untimed', 'planned', 'confirmed'],
  ...['unpriced', 'canceled', 'canceled_late'],
];
const ofStaffing = ['needed', 'open'];

/**
 * Sums of the shifts of each group and person. What groups events is found once for each event, and the shifts of each are read from
 * the index: src/guide/performance.md#shifts-of-events
 */
function selectWorked(db: TenantDb, filter: ReportFilter, grouped: Grouped, lateHours: number): Prisma.Sql {
  const { positionId } = filter;
  const { joins, price } = pricedShift(db);
  const ofEvent = Object.fromEntries(
    grouped.by.map((grouping, index) => [grouping, Prisma.raw(`e.group${index + 1}`)]),
  );
  const groups = { ...ofEvent, position: Prisma.sql`s.position_id`, staff: Prisma.sql`s.user_id` };
  return Prisma.sql`
    SELECT ${groupNames}, user_id, count(*) FILTER (WHERE is_active) AS shifts,
           count(*) FILTER (WHERE is_active AND confirmed) AS confirmed_shifts,
           sum(seconds) FILTER (WHERE is_active) AS seconds, sum(seconds) FILTER (WHERE is_active AND confirmed) AS confirmed_seconds,
           count(*) FILTER (WHERE is_active AND seconds IS NULL) AS untimed,
           sum(price) FILTER (WHERE is_active) AS planned, sum(price) FILTER (WHERE is_active AND confirmed) AS confirmed,
           count(*) FILTER (WHERE is_active AND price IS NULL) AS unpriced,
           count(*) FILTER (WHERE NOT is_active) AS canceled, count(*) FILTER (WHERE is_late) AS canceled_late
      FROM (SELECT ${groupColumns(grouped, groups)}, s.user_id, s.status = 'active' AS is_active, s.confirmed,
                   date_part('epoch', s.ends_at - s.starts_at)::bigint AS seconds, ${price} AS price,
                   s.status = 'canceled' AND ${isCanceledLate(lateHours)} AS is_late
              FROM (SELECT e.id, e.starts_at, e.ends_at, ${groupColumns(grouped)}
                      FROM ${visibleEvents(db)} ${joinVenues(db, filter, grouped)}
                     WHERE ${matchReport(db, filter)} OFFSET 0) AS e
             CROSS JOIN LATERAL (
                   SELECT * FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
                    WHERE s.event_id = e.id AND s.status IN ('active', 'canceled')
                      ${andEqual(Prisma.sql`s.position_id`, positionId)} OFFSET 0) AS s
              JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
              ${joins}) AS work
     GROUP BY ${groupNames}, user_id`;
}

const count = (name: string) => Prisma.raw(`coalesce(sum(${name}), 0)::int`);
const hours = (name: string) => Prisma.raw(`round(coalesce(sum(${name}), 0) / 3600.0, 2)::float8`);

/** Reads the total and its groups in one statement. People in several groups count once in the total. */
export function readWorkReport(
  db: TenantDb,
  filter: ReportFilter,
  grouped: Grouped,
  lateHours: number,
): Promise<(GroupName & WorkSums)[]> {
  const isByPerson = grouped.by.includes('staff');
  const worked = Prisma.sql`worked AS MATERIALIZED (${selectWorked(db, filter, grouped, lateHours)}),`;
  const none = (columns: readonly string[]) => Prisma.raw(columns.map((name) => `NULL::numeric AS ${name}`).join(', '));
  const staffing = Prisma.sql`
    UNION ALL
    SELECT ${groupNames}, 0, ${none(ofShifts)}, ${Prisma.raw(ofStaffing.join(', '))}
      FROM (${selectStaffing(db, filter, grouped)}) AS staffing`;
  const rows = Prisma.sql`
    SELECT ${groupNames}, count(*) FILTER (WHERE shifts > 0) AS people, ${sumOf(ofShifts)}, ${none(ofStaffing)}
      FROM worked GROUP BY ${groupNames}
    ${isByPerson ? Prisma.empty : staffing}`;
  const sums = {
    ofGroup: sumOf(['people', ...ofShifts, ...ofStaffing]),
    ofGroups: Prisma.sql`
    ${count('shifts')} AS shifts, ${count('confirmed_shifts')} AS "confirmedShifts",
    CASE WHEN grouping(group1) = 1 THEN (SELECT count(DISTINCT user_id) FROM worked WHERE worked.shifts > 0) ELSE sum(people) END::int AS people,
    ${hours('seconds')} AS "plannedHours", ${hours('confirmed_seconds')} AS "confirmedHours", ${count('untimed')} AS "untimedShifts",
    ${dollars(Prisma.sql`planned`)} AS "plannedCost", ${dollars(Prisma.sql`confirmed`)} AS "confirmedCost",
    ${count('unpriced')} AS "unpricedShifts", ${count('canceled')} AS "canceledShifts",
    ${count('canceled_late')} AS "canceledLateShifts",
    ${isByPerson ? Prisma.sql`NULL::int` : count('needed')} AS needed, ${isByPerson ? Prisma.sql`NULL::int` : count('open')} AS open`,
  };
  return rawOf(db).$queryRaw<(GroupName & WorkSums)[]>(selectGroups(db, rows, sums, grouped, worked));
}
