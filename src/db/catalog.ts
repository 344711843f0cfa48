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

const locks = {
  /** Against new rows that point to it as well. */
  toRemove: Prisma.sql`FOR UPDATE`,
  toChange: Prisma.sql`FOR NO KEY UPDATE`,
  /** Against its removal alone. */
  toPointTo: Prisma.sql`FOR KEY SHARE`,
} as const;

/** Locks a row of a catalog to the end of the transaction, and tells its version; null where there is none. */
export async function lockCatalogRow(
  tx: TenantDb,
  noun: CatalogNoun,
  id: number,
  purpose: keyof typeof locks,
): Promise<{ version: number } | null> {
  const [row] = await rawOf(tx).$queryRaw<{ version: number }[]>(Prisma.sql`
    SELECT version FROM ${tables[noun]} WHERE business_id = ${tx.$businessId} AND id = ${id}
    ${locks[purpose]}`);
  return row ?? null;
}

/** A position that a row is to point to, and what it is paid for: it does not go before the transaction ends. */
export async function holdPosition(tx: TenantDb, id: number): Promise<Pick<PositionRow, 'payUnit'> | null> {
  const [row] = await rawOf(tx).$queryRaw<Pick<PositionRow, 'payUnit'>[]>(Prisma.sql`
    SELECT pay_unit AS "payUnit" FROM positions WHERE business_id = ${tx.$businessId} AND id = ${id} FOR KEY SHARE`);
  return row ?? null;
}
