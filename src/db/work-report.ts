import { workSums, type WorkSums } from '../fields/work-report.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { andEqual } from './by-parent.ts';
import { selectStaffing } from './coverage.ts';
import { resultColumns, selectResult } from './fields.ts';
import { pricedShift } from './pay.ts';
import {
  groupColumns,
  groupNames,
  joinVenues,
  matchReport,
  selectGroups,
  sumsOf,
  type Grouped,
  type GroupName,
  type ReportFilter,
} from './reports.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';
import { isCanceledLate } from './work-shifts-pages.ts';

const { people: _people, needed: _needed, open: _open, ...shiftSums } = workSums;

/** Sums of the shifts of one person, in cents and seconds. */
const sumsOfShifts = selectResult(shiftSums, {
  shifts: 'count(*) FILTER (WHERE is_active)',
  confirmedShifts: 'count(*) FILTER (WHERE is_active AND confirmed)',
  plannedHours: 'sum(seconds) FILTER (WHERE is_active)',
  confirmedHours: 'sum(seconds) FILTER (WHERE is_active AND confirmed)',
  untimedShifts: 'count(*) FILTER (WHERE is_active AND seconds IS NULL)',
  plannedCost: 'sum(price) FILTER (WHERE is_active)',
  confirmedCost: 'sum(price) FILTER (WHERE is_active AND confirmed)',
  unpricedShifts: 'count(*) FILTER (WHERE is_active AND price IS NULL)',
  canceledShifts: 'count(*) FILTER (WHERE NOT is_active)',
  canceledLateShifts: 'count(*) FILTER (WHERE is_late)',
});

const sumsOfPeople = selectResult(workSums, {
  ...resultColumns(shiftSums, (name) => `sum("${name}")`),
  people: 'count(*) FILTER (WHERE shifts > 0)',
  needed: 'NULL::int',
  open: 'NULL::int',
});

const sumsOfStaffing = selectResult(workSums, {
  ...resultColumns(shiftSums, () => 'NULL::numeric'),
  people: '0',
  needed: 'needed',
  open: 'open',
});

/** People in several groups count once in the total. */
const people = `(CASE WHEN grouping(group1) = 1 THEN (SELECT count(DISTINCT user_id) FROM worked WHERE worked.shifts > 0)
  ELSE sum(people) END)::int`;
const sums = sumsOf(workSums, { people });
const sumsByPerson = sumsOf(workSums, { people, needed: 'NULL::int', open: 'NULL::int' });

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
    SELECT ${groupNames}, user_id, ${sumsOfShifts}
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

/** Reads the total and its groups in one statement. */
export function readWorkReport(
  db: TenantDb,
  filter: ReportFilter,
  grouped: Grouped,
  lateHours: number,
): Promise<(GroupName & WorkSums)[]> {
  const worked = Prisma.sql`worked AS MATERIALIZED (${selectWorked(db, filter, grouped, lateHours)}),`;
  const ofPeople = Prisma.sql`SELECT ${groupNames}, ${sumsOfPeople} FROM worked GROUP BY ${groupNames}`;
  if (grouped.by.includes('staff'))
    return rawOf(db).$queryRaw<(GroupName & WorkSums)[]>(selectGroups(db, ofPeople, sumsByPerson, grouped, worked));
  const rows = Prisma.sql`
    ${ofPeople}
    UNION ALL
    SELECT ${groupNames}, ${sumsOfStaffing} FROM (${selectStaffing(db, filter, grouped)}) AS staffing`;
  return rawOf(db).$queryRaw<(GroupName & WorkSums)[]>(selectGroups(db, rows, sums, grouped, worked));
}
