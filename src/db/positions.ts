import { Prisma, type PayUnit, type Position } from '../generated/prisma/client.ts';
import { whichRows, type WhichRows } from './catalogs.ts';
import { joinFormerRate } from './pay.ts';
import { lockRows, rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

export interface PositionRow extends Omit<Position, 'businessId' | 'defaultPayRate' | 'rateVersion'> {
  /** USD per pay unit with two decimals. Null for callers who may not see it: only admins do. */
  defaultPayRate: string | null;
}

export function readPositions(db: TenantDb, which: WhichRows): Promise<PositionRow[]> {
  const rate = db.$visibility.of === 'business' ? Prisma.sql`r.default_pay_rate::text` : Prisma.sql`NULL::text`;
  return rawOf(db).$queryRaw<PositionRow[]>(Prisma.sql`
    SELECT r.id, r.title, ${rate} AS "defaultPayRate", r.pay_unit AS "payUnit", r.version
      FROM ${rowsOfBusiness(db, 'positions', 'r')} ${whichRows(which, 'title')}`);
}

/** Says when a change of a position's rate takes place, by the clock of the caller. Work that started before keeps the former rate. */
export async function noteMomentOfRate(tx: TenantDb, now: Date): Promise<void> {
  await rawOf(tx).$queryRaw(Prisma.sql`SELECT set_config('callboard.now', ${now.toISOString()}, TRUE)`);
}

/** Reads the rate and the unit that a position has, or had, for work that starts at a time. */
export async function readRateAt(
  db: TenantDb,
  positionId: number,
  at: Date,
): Promise<{ payRate: string; payUnit: PayUnit }> {
  const [rate] = await rawOf(db).$queryRaw<{ payRate: string; payUnit: PayUnit }[]>(Prisma.sql`
    SELECT coalesce(former.pay_rate, p.default_pay_rate)::text AS "payRate", coalesce(former.pay_unit, p.pay_unit) AS "payUnit"
      FROM ${rowsOfBusiness(db, 'positions', 'p')} ${joinFormerRate(db, Prisma.sql`${at.toISOString()}::timestamptz`)}
     WHERE p.id = ${positionId}`);
  if (!rate) throw new Error('The position of a call time exists.');
  return rate;
}

/**
 * Reads the pay units of positions that rows are to point to, and locks the positions against deletion to the end of the
 * transaction.
 */
export function holdPositions(tx: TenantDb, ids: readonly number[]): Promise<Pick<PositionRow, 'id' | 'payUnit'>[]> {
  return rawOf(tx).$queryRaw<Pick<PositionRow, 'id' | 'payUnit'>[]>(
    lockRows(tx, 'positions', 'p', {
      columns: Prisma.sql`p.id, p.pay_unit AS "payUnit"`,
      where: Prisma.sql`p.id = ANY(${ids}::int[])`,
      lock: 'for key share',
    }),
  );
}
