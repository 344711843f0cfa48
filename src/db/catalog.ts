import { Prisma } from '../generated/prisma/client.ts';
import { registry, type VersionedModel } from './registry.ts';
import { lockRows, type Lock } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

const locks = {
  toRemove: 'for update',
  toChange: 'for no key update',
  toPointTo: 'for key share',
} as const satisfies Record<string, Lock>;

/** Locks a row of a catalog to the end of the transaction, and returns its version; null if there is no such row. */
export async function lockCatalogRow(
  tx: TenantDb,
  model: VersionedModel,
  id: number,
  purpose: keyof typeof locks,
): Promise<{ version: number } | null> {
  const [row] = await rawOf(tx).$queryRaw<{ version: number }[]>(
    lockRows(tx, registry[model].table, 'r', {
      columns: Prisma.sql`r.version`,
      where: Prisma.sql`r.id = ${id}`,
      lock: locks[purpose],
    }),
  );
  return row ?? null;
}
