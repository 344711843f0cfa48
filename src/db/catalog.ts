import type { Position, SkillLevel } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rawOf, type TenantDb } from './tenant.ts';

export type SkillLevelRow = Omit<SkillLevel, 'businessId'>;

export interface PositionRow extends Omit<Position, 'businessId' | 'defaultPayRate'> {
  /** USD per pay unit with two decimals. */
  defaultPayRate: string;
}

const tables = {
  position: Prisma.sql`positions`,
  'skill level': Prisma.sql`skill_levels`,
} as const;

export type CatalogNoun = keyof typeof tables;

/**
 * Locks a row of a catalog to the end of the transaction: to remove it, against new rows that point to it as well; to
 * point to it, against its removal alone. False where there is none.
 */
export async function lockCatalogRow(
  tx: TenantDb,
  noun: CatalogNoun,
  id: number,
  purpose: 'toRemove' | 'toPointTo',
): Promise<boolean> {
  const rows = await rawOf(tx).$queryRaw<unknown[]>(Prisma.sql`
    SELECT id FROM ${tables[noun]} WHERE business_id = ${tx.$businessId} AND id = ${id}
    ${purpose === 'toRemove' ? Prisma.sql`FOR UPDATE` : Prisma.sql`FOR KEY SHARE`}`);
  return rows.length > 0;
}

/** A position that a row is to point to, and what it is paid for: it does not go before the transaction ends. */
export async function holdPosition(tx: TenantDb, id: number): Promise<Pick<PositionRow, 'payUnit'> | null> {
  const [row] = await rawOf(tx).$queryRaw<Pick<PositionRow, 'payUnit'>[]>(Prisma.sql`
    SELECT pay_unit AS "payUnit" FROM positions WHERE business_id = ${tx.$businessId} AND id = ${id} FOR KEY SHARE`);
  return row ?? null;
}
