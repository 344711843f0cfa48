import { Prisma } from '../generated/prisma/client.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

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
