import { limits } from '../config/limits.ts';
import { plainCatalogs, type PlainModel, type PlainRow } from '../fields/catalogs.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { registry, type TenantModel, type VersionedModel } from './registry.ts';
import { shownColumns } from './rows.ts';
import { lockRows, rowsOfBusiness, type Lock } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

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

/** Returns those of some rows of a plain catalog that exist, locked against deletion. */
export async function holdCatalogRows(tx: TenantDb, model: PlainModel, ids: readonly number[]): Promise<number[]> {
  const rows = await rawOf(tx).$queryRaw<{ id: number }[]>(
    lockRows(tx, registry[model].table, 'r', {
      columns: Prisma.sql`r.id`,
      where: Prisma.sql`r.id = ANY(${ids}::int[])`,
      lock: locks.toPointTo,
    }),
  );
  return rows.map(({ id }) => id);
}

/** Ids of rows to be read, in any order; or `all` of the business, by their label. */
export type WhichRows = readonly number[] | 'all';

/** The end of a query of a catalog whose alias is `r`. */
export const whichRows = (which: WhichRows, label: 'name' | 'title'): Prisma.Sql =>
  which === 'all'
    ? Prisma.sql`ORDER BY r.${Prisma.raw(label)}, r.id LIMIT ${limits.wholeListMax}`
    : Prisma.sql`WHERE r.id = ANY(${which}::int[])`;

export function readPlainRows(db: TenantDb, model: PlainModel, which: WhichRows): Promise<PlainRow[]> {
  const { table, ...facts } = plainCatalogs[model];
  const flags = 'flags' in facts ? Prisma.sql`${shownColumns('r', facts.flags)},` : Prisma.empty;
  return rawOf(db).$queryRaw<PlainRow[]>(Prisma.sql`
    SELECT r.id, r.name, ${flags} r.version FROM ${rowsOfBusiness(db, table, 'r')} ${whichRows(which, 'name')}`);
}

/** The calls of Prisma's delegates, which are alike for all models. */
interface Delegate {
  create(args: object): Promise<{ id: number }>;
  update(args: object): Promise<unknown>;
  delete(args: object): Promise<unknown>;
  count(args?: object): Promise<number>;
}

/** The table of a model that a variable names. */
export function delegateOf(db: TenantDb, model: TenantModel): Delegate {
  const name = (model.charAt(0).toLowerCase() + model.slice(1)) as Uncapitalize<TenantModel>;
  return db[name] as unknown as Delegate;
}
