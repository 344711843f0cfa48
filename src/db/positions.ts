import type { Position } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockRows } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

export interface PositionRow extends Omit<Position, 'businessId' | 'defaultPayRate'> {
  /** USD per pay unit with two decimals. */
  defaultPayRate: string;
}

/**
 * Reads the pay unit of a position that a row is to point to, and locks the position against deletion to the end of the
 * transaction.
 */
export async function holdPosition(tx: TenantDb, id: number): Promise<Pick<PositionRow, 'payUnit'> | null> {
  const [row] = await rawOf(tx).$queryRaw<Pick<PositionRow, 'payUnit'>[]>(
    lockRows(tx, 'positions', 'p', {
      columns: Prisma.sql`p.pay_unit AS "payUnit"`,
      where: Prisma.sql`p.id = ${id}`,
      lock: 'for key share',
    }),
  );
  return row ?? null;
}
