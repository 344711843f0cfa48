import { Prisma } from '../generated/prisma/client.ts';
import { joinCallTimeOfShift, shiftTimes } from './place-times.ts';
import { rowsOfBusiness } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/*
 * The pay that holds: of a shift, its own rate and unit, else those of its call time, else those that its position had when the
 * shift starts; of a call time, its own, else those that its position had when the call time starts. The sums that are stored are
 * made by the same rule in the view counted_staffing of a migration.
 */

interface Price {
  readonly joins: Prisma.Sql;
  /** In cents, of one person. Null while it depends on a time that is to be determined. */
  readonly price: Prisma.Sql;
}

/** Joins the rate that the position `p` had at a time, if that was before its rate of today. */
export const joinFormerRate = (db: TenantDb, at: Prisma.Sql) => Prisma.sql`
  LEFT JOIN LATERAL (
       SELECT r.pay_rate, r.pay_unit FROM ${rowsOfBusiness(db, 'position_rates', 'r')}
        WHERE p.rate_version > 1 AND r.position_id = p.id AND r.ends_at > ${at} ORDER BY r.ends_at LIMIT 1) AS former ON TRUE`;

/** Rate and unit of a call time, in the SQL of columns. */
export const callTimePay = {
  payRate: 'coalesce(c.pay_rate, former.pay_rate, p.default_pay_rate)',
  payUnit: 'CASE WHEN c.pay_rate IS NOT NULL THEN c.pay_unit ELSE coalesce(former.pay_unit, p.pay_unit) END',
} as const;

/** Rate and unit of a shift in the SQL of columns. The rate is null where that of the position holds. */
export const shiftPay = {
  payRate: 'coalesce(s.pay_rate, t.pay_rate)',
  payUnit:
    'CASE WHEN s.pay_rate IS NOT NULL THEN s.pay_unit WHEN t.pay_rate IS NOT NULL THEN t.pay_unit ELSE coalesce(former.pay_unit, p.pay_unit) END',
} as const;

/** Bill rate and unit of a shift: those of its call time, else those that its position had at the start. The rate is null if it is not known. */
export const shiftBill = {
  rate: Prisma.sql`coalesce(t.bill_rate, former.bill_rate, p.bill_rate)`,
  unit: Prisma.sql`(CASE WHEN t.bill_rate IS NOT NULL THEN t.bill_unit WHEN former.bill_rate IS NOT NULL THEN former.bill_unit ELSE p.bill_unit END)`,
} as const;

/** Joins what the pay of call times `c` in positions `p` depends on. */
export const joinCallTimePay = (db: TenantDb) => joinFormerRate(db, Prisma.sql`c.starts_at`);

/**
 * Joins what the pay of shifts `s` at call times `t` of events `e` in positions `p` depends on. While the start of a shift is to be
 * determined, that of its day counts.
 */
export const joinShiftPay = (db: TenantDb) => joinFormerRate(db, Prisma.raw(shiftTimes.startsAt));

/** The price of work at a call time `c` in a position `p`. */
export function pricedCallTime(db: TenantDb): Price {
  const known = (side: 'start' | 'end', column: string) =>
    Prisma.raw(`CASE WHEN NOT c.${side}_tbd THEN c.${column} END`);
  return {
    joins: joinCallTimePay(db),
    price: Prisma.sql`price_work(${Prisma.raw(callTimePay.payRate)}, ${Prisma.raw(callTimePay.payUnit)},
      ${known('start', 'starts_at')}, ${known('end', 'ends_at')}, ${known('start', 'start_local')}, ${known('end', 'end_local')})`,
  };
}

/** The price of a shift `s` at an event `e` in a position `p`, and what clients pay for it, in cents. All former rates are read at once, as there are many shifts. */
export function pricedShift(db: TenantDb): Price & { readonly revenue: Prisma.Sql } {
  const start = Prisma.raw(shiftTimes.startsAt);
  return {
    joins: Prisma.sql`${joinCallTimeOfShift(db)}
      LEFT JOIN (SELECT position_id, pay_rate, pay_unit, bill_rate, bill_unit, ends_at,
                        coalesce(lag(ends_at) OVER (PARTITION BY position_id ORDER BY ends_at), '-infinity') AS starts_at
                   FROM ${rowsOfBusiness(db, 'position_rates', 'r')}) AS former
        ON former.position_id = s.position_id AND ${start} >= former.starts_at AND ${start} < former.ends_at`,
    price: Prisma.sql`price_work(coalesce(${Prisma.raw(shiftPay.payRate)}, former.pay_rate, p.default_pay_rate),
      ${Prisma.raw(shiftPay.payUnit)}, s.starts_at, s.ends_at, s.start_local, s.end_local)`,
    revenue: Prisma.sql`price_work(${shiftBill.rate}, ${shiftBill.unit}, s.starts_at, s.ends_at, s.start_local, s.end_local)`,
  };
}
