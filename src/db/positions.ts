import type { Position } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

export interface PositionRow extends Omit<Position, 'businessId' | 'defaultPayRate'> {
  /** USD per pay unit with two decimals. */
  defaultPayRate: string;
}

/** A position that a row is to point to, and what it is paid for: it does not go before the transaction ends. */
export async function holdPosition(tx: TenantDb, id: number): Promise<Pick<PositionRow, 'payUnit'> | null> {
  const [row] = await rawOf(tx).$queryRaw<Pick<PositionRow, 'payUnit'>[]>(Prisma.sql`
    SELECT pay_unit AS "payUnit" FROM positions WHERE business_id = ${tx.$businessId} AND id = ${id} FOR KEY SHARE`);
  return row ?? null;
}
