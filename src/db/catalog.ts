import { Prisma } from '../generated/prisma/client.ts';
import { lockRows, type Lock } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

const tables = { position: 'positions', 'skill level': 'skill_levels' } as const;

export type CatalogNoun = keyof typeof tables;

const locks = {
  toRemove: 'for update',
  toChange: 'for no key update',
  toPointTo: 'for key share',
} as const satisfies Record<string, Lock>;

/** Locks a row of a catalog to the end of the transaction, and tells its version; null where there is none. */
export async function lockCatalogRow(
  tx: TenantDb,
  noun: CatalogNoun,
  id: number,
  purpose: keyof typeof locks,
): Promise<{ version: number } | null> {
  const [row] = await rawOf(tx).$queryRaw<{ version: number }[]>(
    lockRows(tx, tables[noun], 'r', {
      columns: Prisma.sql`r.version`,
      where: Prisma.sql`r.id = ${id}`,
      lock: locks[purpose],
    }),
  );
  return row ?? null;
}
