import { limits } from '../config/limits.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { PayUnit } from '../generated/prisma/enums.ts';
import { actualPay, plannedMinutes } from './actual-hours.ts';
import { andEqual } from './by-parent.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { shiftTimes } from './place-times.ts';
import { localTime, weekOf, type ZoneOffsets } from './reports.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** Sums of shifts. Minutes are whole, and amounts are USD with two decimals, rounded once a shift, so that all sums are exact. */
export interface PayrollSums {
  readonly shifts: number;
  readonly plannedMinutes: number;
  readonly plannedAmount: string;
  /** Shifts whose planned pay depends on a time that is to be determined. No planned amount has them. */
  readonly unplannedShifts: number;
  /** Shifts whose planned minutes are not known, which flat pay does not depend on. No planned minutes have them. */
  readonly untimedShifts: number;
  readonly actualMinutes: number;
  readonly actualAmount: string;
  /** Shifts whose actual pay is not known. No actual amount has them. */
  readonly openShifts: number;
  /** Shifts whose worked minutes are not known, which days and flat pay do not depend on. No actual minutes have them. */
  readonly withoutActualMinutes: number;
  readonly approvedShifts: number;
  readonly approvedMinutes: number;
  readonly approvedAmount: string;
  /** Null where the business does not compute overtime. */
  readonly overtimeMinutes: number | null;
}

/** The shifts of one person in one week, at one rate. */
export interface PayrollRow extends PayrollSums {
  readonly userId: number;
  readonly firstName: string;
  readonly lastName: string;
  /** First day of the week, `YYYY-MM-DD`. */
  readonly week: string;
  readonly payRate: string;
  readonly payUnit: PayUnit;
}

interface PayrollSpan {
  /** First and last day, `YYYY-MM-DD`, on the clocks of the business. */
  readonly from: string;
  readonly to: string;
  readonly userId?: number | undefined;
  readonly offsets: ZoneOffsets;
  /** Days from Monday to the first day of the week, 0 to 6. */
  readonly weekStart: number;
  /** Hours of a week beyond which work is overtime; null: not computed. */
  readonly overtimeAfterHours: number | null;
}

const dollarsOf = (cents: string) => Prisma.raw(`round(coalesce(sum(${cents}), 0) * 0.01, 2)::text`);
const countOf = (condition: string) => Prisma.raw(`(count(*) FILTER (WHERE ${condition}))::int`);
/** Beyond 4,000 years, which mistyped ends of shifts can make, the sum stays at the largest integer. */
const minutesOf = (column: string) => Prisma.raw(`least(coalesce(sum(${column}), 0), ${limits.int4Max})::int`);

const sumNames = [
  ...['plannedMinutes', 'plannedAmount', 'unplannedShifts', 'untimedShifts'],
  ...['actualMinutes', 'actualAmount', 'openShifts', 'withoutActualMinutes'],
  ...['approvedShifts', 'approvedMinutes', 'approvedAmount', 'overtimeMinutes'],
];

/** The row of the total comes first, with nulls for names, and then one for each person, week and rate. */
export function readPayroll(
  db: TenantDb,
  { from, to, userId, offsets, weekStart, overtimeAfterHours }: PayrollSpan,
  rowsMax: number,
): Promise<(PayrollSums & { readonly [K in Exclude<keyof PayrollRow, keyof PayrollSums>]: PayrollRow[K] | null })[]> {
  const { joins, rate, unit, minutes, plannedCents, actualCents } = actualPay(db);
  const [first, last] = [Prisma.sql`${from}::date`, Prisma.sql`${to}::date`];
  // Overtime is that of whole weeks. No zone is a day ahead of or behind UTC.
  const [read, readTo] =
    overtimeAfterHours === null
      ? [first, last]
      : [weekOf(first, weekStart), Prisma.sql`${weekOf(last, weekStart)} + 6`];
  const isRead = (column: string) =>
    Prisma.sql`${Prisma.raw(column)} >= ${read} - 1 AND ${Prisma.raw(column)} < ${readTo} + 2`;
  const at = Prisma.raw(shiftTimes.startsAt);
  const threshold = Prisma.sql`${overtimeAfterHours}::int * 60`;
  const reached = Prisma.sql`
    sum(coalesce(actual_minutes, 0)) OVER (PARTITION BY user_id, week ORDER BY at, id ROWS UNBOUNDED PRECEDING)`;
  return rawOf(db).$queryRaw(
    plannedForItsValues(Prisma.sql`
  WITH worked AS (
    SELECT s.id, s.user_id, ${at} AS at, ${localTime(at, offsets)}::date AS day, ${rate} AS rate, ${unit} AS unit,
           ${plannedMinutes} AS planned_minutes, ${plannedCents} AS planned_cents,
           ${minutes} AS actual_minutes, ${actualCents} AS actual_cents,
           a.approved_minutes, (a.approved_amount * 100)::bigint AS approved_cents
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
      JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
      ${joins}
     WHERE s.status = 'active' ${andEqual(Prisma.sql`s.user_id`, userId)}
       AND (${isRead('s.starts_at')} OR s.starts_at IS NULL AND ${isRead(shiftTimes.startsAt)})
       AND (e.status = 'active' OR a.checked_in_at IS NOT NULL)),
  dated AS (SELECT *, ${weekOf(Prisma.sql`day`, weekStart)} AS week FROM worked),
  reached AS (SELECT *, ${overtimeAfterHours === null ? Prisma.sql`NULL::int` : reached} AS reached FROM dated),
  timed AS (
    SELECT *, greatest(0, reached - ${threshold}) - greatest(0, reached - coalesce(actual_minutes, 0) - ${threshold}) AS overtime
      FROM reached WHERE day BETWEEN ${first} AND ${last}),
  summed AS (
    SELECT user_id, week, rate, unit, count(*)::int AS shifts,
           ${minutesOf('planned_minutes')} AS "plannedMinutes", ${dollarsOf('planned_cents')} AS "plannedAmount",
           ${countOf('planned_cents IS NULL')} AS "unplannedShifts", ${countOf('planned_minutes IS NULL')} AS "untimedShifts",
           ${minutesOf('actual_minutes')} AS "actualMinutes", ${dollarsOf('actual_cents')} AS "actualAmount",
           ${countOf('actual_cents IS NULL')} AS "openShifts", ${countOf('actual_minutes IS NULL')} AS "withoutActualMinutes",
           ${countOf('approved_cents IS NOT NULL')} AS "approvedShifts",
           ${minutesOf('approved_minutes')} AS "approvedMinutes", ${dollarsOf('approved_cents')} AS "approvedAmount",
           CASE WHEN ${overtimeAfterHours}::int IS NOT NULL THEN ${minutesOf('overtime')} END AS "overtimeMinutes"
      FROM timed GROUP BY GROUPING SETS ((), (user_id, week, rate, unit)))
  SELECT u.id AS "userId", u.first_name AS "firstName", u.last_name AS "lastName", t.week::text AS week,
         t.rate::text AS "payRate", t.unit::text AS "payUnit", t.shifts, ${Prisma.raw(sumNames.map((name) => `t."${name}"`).join(', '))}
    FROM summed t LEFT JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = t.user_id
   ORDER BY t.user_id IS NOT NULL, u.last_name, u.first_name, u.id, t.week, t.unit, t.rate LIMIT ${rowsMax + 2}`),
  );
}
