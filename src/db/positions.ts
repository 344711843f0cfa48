import type { Position } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { whichRows, type WhichRows } from './catalogs.ts';
import { lockRows, rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

export interface PositionRow extends Omit<Position, 'businessId' | 'defaultPayRate'> {
  /** USD per pay unit with two decimals. Null for callers who may not see it: only admins do. */
  defaultPayRate: string | null;
}

export function readPositions(db: TenantDb, which: WhichRows): Promise<PositionRow[]> {
  const rate = db.$visibility.of === 'business' ? Prisma.sql`r.default_pay_rate::text` : Prisma.sql`NULL::text`;
  return rawOf(db).$queryRaw<PositionRow[]>(Prisma.sql`
    SELECT r.id, r.title, ${rate} AS "defaultPayRate", r.pay_unit AS "payUnit", r.version
      FROM ${rowsOfBusiness(db, 'positions', 'r')} ${whichRows(which, 'title')}`);
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
