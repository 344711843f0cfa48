import type { Position } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockRows, rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

export interface PositionRow extends Omit<Position, 'businessId' | 'defaultPayRate'> {
  /** USD per pay unit with two decimals. */
  defaultPayRate: string;
}

/** A position as others see it: the rate is null for callers who may not see it. */
export type ShownPosition = Omit<PositionRow, 'defaultPayRate'> & { defaultPayRate: string | null };

/** Reads positions of rows that the caller sees, in any order. Only admins see the rate. */
export function readPositionsByIds(db: TenantDb, ids: readonly number[]): Promise<ShownPosition[]> {
  const rate = db.$visibility.of === 'business' ? Prisma.sql`p.default_pay_rate::text` : Prisma.sql`NULL::text`;
  return rawOf(db).$queryRaw<ShownPosition[]>(Prisma.sql`
    SELECT p.id, p.title, ${rate} AS "defaultPayRate", p.pay_unit AS "payUnit", p.version
      FROM ${rowsOfBusiness(db, 'positions', 'p')} WHERE p.id = ANY(${ids}::int[])`);
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
