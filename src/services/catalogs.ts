import Type, { type Static, type TInteger, type TObject, type TUnsafe } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin, everyRole } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { delegateOf, lockCatalogRow, type WhichRows } from '../db/catalogs.ts';
import { isUniqueViolation } from '../db/engine/failures.ts';
import { lockInBusiness } from '../db/lock.ts';
import { columnOf, registry, type TenantModel } from '../db/registry.ts';
import type { TenantDb } from '../db/tenant.ts';
import { conflict, Failure, notFound } from '../errors.ts';
import { camelCase, type Catalog } from '../fields/catalogs.ts';
import { formOf } from '../validation/text-forms.ts';
import { closedObject, idOf, noInput } from '../validation/schemas.ts';
import { requireVersion, versionInput } from './versions.ts';

/** Adds a row to a bounded list. A lock lets one transaction add at a time, so that the bound holds. */
export function addToCatalog<T>(
  scope: Scope,
  countIn: (db: TenantDb) => Promise<number>,
  add: (tx: Scope) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (tx) => {
    await lockInBusiness(tx.db, 'catalog');
    if ((await countIn(tx.db)) >= limits.wholeListMax)
      throw conflict(`A business can have at most ${limits.wholeListMax} of these.`);
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

/** Refuses a name that another row has in the same form: the unique index knows only equal ones. */
export function refuseTwin(
  field: 'title' | 'name',
  wanted: string,
  rows: readonly { readonly id: number }[],
  ownId?: number,
): void {
  const nameOf = (row: object) => (row as Partial<Record<'title' | 'name', string>>)[field] ?? '';
  if (rows.some((row) => row.id === ownId && nameOf(row) === wanted)) return;
  if (rows.some((row) => row.id !== ownId && formOf(nameOf(row)) === formOf(wanted)))
    throw conflict(`The ${field} is taken.`, { [field]: ['is taken'] });
}

interface CatalogSpec<Row, New extends TObject, Changes extends TObject> {
  readonly catalog: Catalog;
  readonly newRow: New;
  readonly changes: Changes;
  /** The callers who read rows by their ids: all who see rows that point to them, or admins alone. */
  readonly readers: 'admins' | 'everybody';
  readonly readRows: ReadRows<Row>;
  /** Prepares a change in its transaction, and returns what is stored of it. */
  readonly beforeChange?: (tx: Scope, id: number, changes: Static<Changes>) => Promise<object>;
}

/** A row, and the versions of it that the caller expects. */
interface Target {
  readonly id: number;
  readonly expectedVersions?: number[] | undefined;
}

/** Makes the operations of a catalog: a bounded list of rows with unique names. */
export function createCatalog<Row extends { readonly id: number }, New extends TObject, Changes extends TObject>(
  spec: CatalogSpec<Row, New, Changes>,
) {
  const { catalog, newRow, changes } = spec;
  const params = closedObject({ id: idOf(catalog.noun) });
  return { catalog, params, newRow, changes, ...createReads(spec, params), ...createWrites(spec, params) };
}

type Params = TObject<{ id: TInteger }>;

function createReads<Row, New extends TObject, Changes extends TObject>(
  { catalog: { many, noun }, readers, readRows }: CatalogSpec<Row, New, Changes>,
  params: Params,
) {
  const facts = { roles: admin, scopes: ['read'], cacheable: true } as const;
  const byIds = {
    input: Type.Object({ ids: Type.Array(idOf(noun)) }),
    run: ({ db }: Scope, { ids }: { ids: number[] }) => readRows(db, ids),
  };

  const list = operation({ ...facts, name: `${many}.list`, input: noInput, run: ({ db }) => readRows(db, 'all') });

  const get = operation({
    ...facts,
    name: `${many}.get`,
    input: params,
    run: ({ db }, { id }) => readOne(db, id, noun, readRows),
  });

  const getMany = variantOf(get, byIds);

  /** Rows that rows which the caller sees point to, by their ids, in any order, in one statement. */
  const getByIds =
    readers === 'admins' ? getMany : operation({ ...facts, ...byIds, name: `${many}.ofIds`, roles: everyRole });

  return { list, get, getMany, getByIds };
}

function createWrites<Row extends { readonly id: number }, New extends TObject, Changes extends TObject>(
  { catalog, newRow, changes, readRows, beforeChange }: CatalogSpec<Row, New, Changes>,
  params: Params,
) {
  const { model, one: kind, many, noun, label, uses } = catalog;
  const facts = { roles: admin, scopes: ['events:write'], writes: true } as const;
  const target = { ...params.properties, ...versionInput };
  const rowKey = ({ businessId }: Scope, id: number) => ({ businessId_id: { businessId, id } });

  const lock = async (tx: Scope, { id, expectedVersions }: Target, purpose: 'toChange' | 'toRemove') => {
    const row = await lockCatalogRow(tx.db, model, id, purpose);
    if (!row) throw notFound(noun);
    requireVersion(row, expectedVersions);
  };

  const create = operation({
    ...facts,
    name: `${many}.create`,
    idempotent: true as const,
    input: newRow,
    run: (scope, input) =>
      addToCatalog(
        scope,
        (db) => delegateOf(db, model).count(),
        async ({ db, businessId, record }) => {
          const data = { businessId, ...(input as object) };
          refuseTwin(label, (input as Record<string, string>)[label] ?? '', await readRows(db, 'all'));
          const { id } = await refuseTakenName(label, delegateOf(db, model).create({ data, select: { id: true } }));
          record({ kind, id });
          return readOne(db, id, noun, readRows);
        },
      ),
  });

  /** Changes only the fields that were sent. */
  const update = operation({
    ...facts,
    name: `${many}.update`,
    input: closedObject({ ...target, ...changes.properties }) as unknown as TUnsafe<Target & Static<Changes>>,
    run: (scope, { id, expectedVersions, ...data }) =>
      scope.transaction(async (tx) => {
        await lock(tx, { id, expectedVersions }, 'toChange');
        if (Object.values(data).some((value) => value !== undefined)) {
          const wanted = (data as Record<string, string | undefined>)[label];
          if (wanted !== undefined) {
            await lockInBusiness(tx.db, 'catalog');
            refuseTwin(label, wanted, await readRows(tx.db, 'all'), id);
          }
          const stored = (await beforeChange?.(tx, id, data as Static<Changes>)) ?? data;
          const change = { where: rowKey(tx, id), data: stored, select: { id: true } };
          await refuseTakenName(label, delegateOf(tx.db, model).update(change));
          tx.record({ kind, id });
        }
        return readOne(tx.db, id, noun, readRows);
      }),
  });

  /** Deletes a row that nothing points to, and returns it. Otherwise the refusal says which rows point to it. */
  const remove = operation({
    ...facts,
    name: `${many}.delete`,
    input: closedObject(target),
    run: (scope, { id, expectedVersions }) =>
      scope.transaction(async (tx) => {
        await lock(tx, { id, expectedVersions }, 'toRemove');
        const inUse = await countUses(tx.db, uses, id);
        const used = Object.entries(inUse).filter(([, count]) => count > 0);
        if (used.length > 0) {
          const counts = used.map(([rows, count]) => `${columnOf(rows).replace('_', ' ')}: ${count}`).join(', ');
          throw new Failure('CONFLICT', `The ${noun} is in use (${counts}): give these another ${noun} first.`, {
            details: { inUse },
          });
        }
        const row = await readOne(tx.db, id, noun, readRows);
        await delegateOf(tx.db, model).delete({ where: rowKey(tx, id), select: { id: true } });
        tx.record({ kind, id });
        return row;
      }),
  });

  return { create, update, remove };
}

type ReadRows<Row> = (db: TenantDb, which: WhichRows) => Promise<Row[]>;

async function readOne<Row>(db: TenantDb, id: number, noun: string, readRows: ReadRows<Row>): Promise<Row> {
  const [row] = await readRows(db, [id]);
  if (!row) throw notFound(noun);
  return row;
}

/** Numbers of the rows that point to a row, by what the API calls them: `callTimes`. */
async function countUses(db: TenantDb, uses: Catalog['uses'], id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [model, field] of Object.entries(uses?.by ?? {}) as [TenantModel, string][])
    counts[camelCase(registry[model].table)] = await delegateOf(db, model).count({ where: { [field]: id } });
  return counts;
}
