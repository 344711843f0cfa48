import { limits } from '../config/limits.ts';
import { payrollGroup, payrollSums, type PayrollGroup, type PayrollSums } from '../fields/payroll.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { actualPay, plannedMinutes } from './actual-hours.ts';
import { andEqual } from './by-parent.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { resultColumns, selectResult } from './fields.ts';
import { shiftTimes } from './place-times.ts';
import { localTime, weekOf, type ZoneOffsets } from './reports.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

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

const dollarsOf = (cents: string) => `round(coalesce(sum(${cents}), 0) * 0.01, 2)::text`;
const countOf = (condition: string) => `(count(*) FILTER (WHERE ${condition}))::int`;
/** Beyond 4,000 years, which mistyped ends of shifts can make, the sum stays at the largest integer. */
const minutesOf = (column: string) => `least(coalesce(sum(${column}), 0), ${limits.int4Max})::int`;

const selectSums = (overtimeMinutes: string) =>
  selectResult(payrollSums, {
    shifts: 'count(*)::int',
    plannedMinutes: minutesOf('planned_minutes'),
    plannedAmount: dollarsOf('planned_cents'),
    unplannedShifts: countOf('planned_cents IS NULL'),
    untimedShifts: countOf('planned_minutes IS NULL'),
    actualMinutes: minutesOf('actual_minutes'),
    actualAmount: dollarsOf('actual_cents'),
    openShifts: countOf('actual_cents IS NULL'),
    withoutActualMinutes: countOf('actual_minutes IS NULL'),
    approvedShifts: countOf('approved_cents IS NOT NULL'),
    approvedMinutes: minutesOf('approved_minutes'),
    approvedAmount: dollarsOf('approved_cents'),
    overtimeMinutes,
  });
const sums = selectSums('NULL::int');
const sumsWithOvertime = selectSums(minutesOf('overtime'));

const columns = selectResult(
  { ...payrollGroup, ...payrollSums },
  {
    userId: 'u.id',
    firstName: 'u.first_name',
    lastName: 'u.last_name',
    week: 't.week::text',
    payRate: 't.rate::text',
    payUnit: 't.unit::text',
    ...resultColumns(payrollSums, (name) => `t."${name}"`),
  },
);

/** Minutes of a person in a week, up to and with each shift. */
const reached = Prisma.sql`
  sum(coalesce(actual_minutes, 0)) OVER (PARTITION BY user_id, week ORDER BY at, id ROWS UNBOUNDED PRECEDING)`;

/** The row of the total comes first, with nulls for names, and then one for each person, week and rate. */
export function readPayroll(
  db: TenantDb,
  { from, to, userId, offsets, weekStart, overtimeAfterHours }: PayrollSpan,
  rowsMax: number,
): Promise<(PayrollSums & { readonly [K in keyof PayrollGroup]: PayrollGroup[K] | null })[]> {
  const { joins, rate, unit, minutes, plannedCents, actualCents } = actualPay(db);
  const [first, last] = [Prisma.sql`${from}::date`, Prisma.sql`${to}::date`];
  const hasOvertime = overtimeAfterHours !== null;
  // Overtime is that of whole weeks. No zone is a day ahead of or behind UTC.
  const [read, readTo] = hasOvertime
    ? [weekOf(first, weekStart), Prisma.sql`${weekOf(last, weekStart)} + 6`]
    : [first, last];
  const isRead = (column: string) =>
    Prisma.sql`${Prisma.raw(column)} >= ${read} - 1 AND ${Prisma.raw(column)} < ${readTo} + 2`;
  const at = Prisma.raw(shiftTimes.startsAt);
  const threshold = Prisma.sql`${overtimeAfterHours}::int * 60`;
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
  reached AS (SELECT *, ${hasOvertime ? reached : Prisma.sql`NULL::int`} AS reached FROM dated),
  timed AS (
    SELECT *, greatest(0, reached - ${threshold}) - greatest(0, reached - coalesce(actual_minutes, 0) - ${threshold}) AS overtime
      FROM reached WHERE day BETWEEN ${first} AND ${last}),
  summed AS (
    SELECT user_id, week, rate, unit, ${hasOvertime ? sumsWithOvertime : sums}
      FROM timed GROUP BY GROUPING SETS ((), (user_id, week, rate, unit)))
  SELECT ${columns}
    FROM summed t LEFT JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = t.user_id
   ORDER BY t.user_id IS NOT NULL, u.last_name, u.first_name, u.id, t.week, t.unit, t.rate LIMIT ${rowsMax + 2}`),
  );
}
