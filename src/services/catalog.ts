import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { lockCatalogRow } from '../db/catalog.ts';
import { isUniqueViolation } from '../db/engine/failures.ts';
import { lockInBusiness } from '../db/lock.ts';
import type { VersionedModel } from '../db/registry.ts';
import type { TenantDb } from '../db/tenant.ts';
import { conflict, Failure, notFound } from '../errors.ts';
import { requireVersion } from './versions.ts';

/*
 * Functions that positions, skill levels and custom fields share. A business has a bounded list of each, with unique
 * names.
 */

/** Adds a row to a bounded list. A lock lets one transaction add at a time, so that the bound holds. */
export function addToCatalog<T>(
  scope: Scope,
  countIn: (db: TenantDb) => Promise<number>,
  add: (tx: Scope) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (tx) => {
    await lockInBusiness(tx.db, 'catalog');
    if ((await countIn(tx.db)) >= limits.catalogRowsMax)
      throw conflict(`A business can have at most ${limits.catalogRowsMax} of these.`);
    return add(tx);
  });
}

/** Turns a violation of the unique index on names into a conflict that names the field. */
export async function refuseTakenName<T>(field: 'title' | 'name', write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, field)) throw conflict(`The ${field} is taken.`, { [field]: ['is taken'] });
    throw error;
  }
}

/** The id of a row, and the versions of it that the caller expects. */
export interface NamedRow {
  readonly id: number;
  readonly expectedVersions?: number[] | undefined;
}

/** Locks a row, checks its version and changes it. */
export function changeRow<Row>(
  scope: Scope,
  model: VersionedModel,
  named: NamedRow,
  change: (tx: Scope) => Promise<Row>,
): Promise<Row> {
  return scope.transaction(async (tx) => {
    await lockRow(tx, model, named, 'toChange');
    return change(tx);
  });
}

/** Deletes a row that nothing points to, and returns it. Otherwise the refusal says which rows point to it. */
export function removeUnused<Row>(
  scope: Scope,
  model: VersionedModel,
  named: NamedRow,
  countUses: (db: TenantDb) => Promise<Record<string, number>>,
  remove: (tx: Scope) => Promise<Row>,
): Promise<Row> {
  return scope.transaction(async (tx) => {
    await lockRow(tx, model, named, 'toRemove');
    const inUse = await countUses(tx.db);
    if (Object.values(inUse).some((count) => count > 0))
      throw new Failure('CONFLICT', `The ${nounOf(model)} is in use.`, { details: { inUse } });
    return remove(tx);
  });
}

async function lockRow(
  tx: Scope,
  model: VersionedModel,
  { id, expectedVersions }: NamedRow,
  purpose: 'toChange' | 'toRemove',
) {
  const row = await lockCatalogRow(tx.db, model, id, purpose);
  if (!row) throw notFound(nounOf(model));
  requireVersion(row, expectedVersions);
}

/** The name of a model in messages: `skill level` for SkillLevel. */
const nounOf = (model: VersionedModel): string => model.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase();
