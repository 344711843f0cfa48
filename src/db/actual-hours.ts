import { Prisma } from '../generated/prisma/client.ts';
import { ownBusiness } from './businesses.ts';
import { pricedShift, shiftBill, shiftPay } from './pay.ts';
import { rowsOfBusiness } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/*
 * What was worked in a shift `s` of an event `e`, in minutes and in cents, from its attendance `a` and the rule `b` of the business.
 * Each expression is null while it is not known.
 */

/** Joins the attendance of shifts `s` as `a`, and the settings of the business as `b`. */
export const joinAttendance = (db: TenantDb) => Prisma.sql`
  LEFT JOIN ${rowsOfBusiness(db, 'attendance', 'a')} ON a.id = s.id
  CROSS JOIN ${ownBusiness(db)}`;

/** As floating point, which has whole minutes exactly, and is several times as fast as numeric. */
const minuteOf = (instant: Prisma.Sql) => Prisma.sql`floor(date_part('epoch', ${instant}) / 60)`;

/** Minutes by which the clocks at the event are ahead of UTC: steps of the rounding are those of the clock on the wall. */
const ahead = Prisma.sql`(date_part('epoch', e.start_local - e.starts_at AT TIME ZONE 'UTC') / 60)`;

/** A minute moved to a step of the clock, down or up, where the business rounds in favour of people. */
const stepped = (round: 'floor' | 'ceil', minute: Prisma.Sql) => Prisma.sql`
  CASE WHEN b.rounds_in_favour AND b.rounding_minutes IS NOT NULL
       THEN ${Prisma.raw(round)}((${minute} + ${ahead}) / b.rounding_minutes) * b.rounding_minutes - ${ahead} ELSE ${minute} END`;

/** Where the planned start is not known, or the time before it is paid, paid time starts with the check-in. */
const paidFrom = Prisma.sql`
  greatest(${stepped('floor', minuteOf(Prisma.sql`a.checked_in_at`))}, CASE WHEN NOT a.paid_early THEN ${minuteOf(Prisma.sql`s.starts_at`)} END)`;

const paidMinutes = Prisma.sql`
  greatest(0, ${stepped('ceil', minuteOf(Prisma.sql`a.checked_out_at`))} - ${paidFrom} - a.break_minutes)`;

/** Half a step is rounded up. Approved minutes stay, whatever the rule is now. */
export const actualMinutes = Prisma.sql`(CASE
  WHEN a.approved_minutes IS NOT NULL THEN a.approved_minutes
  WHEN a.no_show THEN 0
  WHEN a.checked_in_at IS NULL OR a.checked_out_at IS NULL THEN NULL
  WHEN b.rounds_in_favour OR b.rounding_minutes IS NULL THEN ${paidMinutes}
  ELSE floor((${paidMinutes} + b.rounding_minutes / 2.0) / b.rounding_minutes) * b.rounding_minutes END)::int`;

export const plannedMinutes = Prisma.sql`
  floor(extract(epoch FROM s.ends_at - s.starts_at) / 60)::int`;

/** Pay and revenue of a shift `s` in a position `p`, as planned and as worked. Rate and unit are those of the approval, if there is one. */
export function actualPay(db: TenantDb, attendance = joinAttendance(db)) {
  const { joins, price, revenue } = pricedShift(db);
  const rate = Prisma.sql`coalesce(a.approved_rate, ${Prisma.raw(shiftPay.payRate)}, former.pay_rate, p.default_pay_rate)`;
  const unit = Prisma.sql`(CASE WHEN a.approved_unit IS NOT NULL THEN a.approved_unit ELSE ${Prisma.raw(shiftPay.payUnit)} END)`;
  return {
    // The minutes are in several columns, and worked out once: OFFSET 0 keeps them from being put in place of their name.
    joins: Prisma.sql`${joins} ${attendance} CROSS JOIN LATERAL (SELECT ${actualMinutes} AS minutes OFFSET 0) AS worked`,
    minutes: Prisma.sql`worked.minutes`,
    rate,
    unit,
    plannedCents: price,
    /** Days and flat pay are those of the plan, once somebody came. */
    actualCents: Prisma.sql`(CASE
      WHEN a.approved_amount IS NOT NULL THEN (a.approved_amount * 100)::bigint
      WHEN a.no_show THEN 0
      WHEN ${unit} = 'hour' THEN round(${rate} * 100 * worked.minutes / 60)::bigint
      WHEN a.checked_in_at IS NOT NULL THEN ${price} END)`,
    actualRevenue: Prisma.sql`(CASE
      WHEN a.approved_at IS NOT NULL AND a.approved_revenue IS NOT NULL THEN (a.approved_revenue * 100)::bigint
      WHEN a.no_show THEN CASE WHEN ${shiftBill.rate} IS NOT NULL THEN 0 END
      WHEN ${shiftBill.unit} = 'hour' THEN round(${shiftBill.rate} * 100 * worked.minutes / 60)::bigint
      WHEN a.checked_in_at IS NOT NULL THEN ${revenue} END)`,
  };
}
