import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { Read } from './engine/reads.ts';
import { registry, type TenantModel } from './registry.ts';
import type { Visibility } from './visibility.ts';

type Model = Uncapitalize<TenantModel>;

/** Tables that db/places.ts alone writes. */
type Place = 'event' | 'callTime' | 'workShift';

type Reads<P extends Place> = Pick<PrismaClient[P], 'count' | Extract<keyof PrismaClient[P], `find${string}`>>;

/**
 * The database as one business sees it. Every read is filtered by the business, and every row that is written is
 * stamped with it.
 */
export interface TenantDb extends Pick<PrismaClient, Exclude<Model, Place>>, Readonly<{ [P in Place]: Reads<P> }> {
  readonly $businessId: number;
  /** The rows that the caller may see: the reads of db/ return no others. */
  readonly $visibility: Visibility;
}

export type Transact = <T>(run: (db: TenantDb) => Promise<T>, timeoutMs?: number) => Promise<T>;

interface Bound {
  readonly db: TenantDb;
  readonly transact: Transact;
  readonly readSnapshot: (timeoutMs: number) => Transact;
}

/** Binds a client to one business. SQL that db/ writes itself goes through `read` while it is outside a transaction. */
export function bindToBusiness(
  prisma: PrismaClient,
  businessId: number,
  visibility: Visibility = { of: 'business' },
  read: Read = (sql) => prisma.$queryRaw(sql),
): Bound {
  const bind = () =>
    prisma.$extends({
      client: { $businessId: businessId, $visibility: visibility },
      query: {
        $allModels: {
          $allOperations: ({ model, operation, args, query }) =>
            query(bindArgs(model, operation, args, { [businessFieldOf(model)]: businessId })),
        },
      },
    });
  let client: ReturnType<typeof bind> | undefined;
  const bound = () => (client ??= bind());
  return {
    db: Object.assign(Object.create(models) as Lazy & TenantDb, {
      bound,
      $businessId: businessId,
      $visibility: visibility,
      $queryRaw: read,
    }),
    transact: (run, timeoutMs) =>
      bound().$transaction(
        (tx) => run(tx as unknown as TenantDb),
        timeoutMs === undefined ? {} : { timeout: timeoutMs },
      ),
    readSnapshot: (timeoutMs) => (run) =>
      bound().$transaction(
        async (tx) => {
          await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
          // The first query takes the snapshot. The transaction may be idle for as long as it may last, because its reader can be slow.
          await tx.$queryRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(timeoutMs)}, TRUE)`;
          return run(tx as unknown as TenantDb);
        },
        { timeout: timeoutMs },
      ),
  };
}

/** The database as one business sees it, for an export: what is read by SQL comes from its snapshot, and nothing else can be read. */
export function bindSnapshot(businessId: number, visibility: Visibility, read: Read): TenantDb {
  const bound = () => {
    throw new Error('An export reads by SQL: a model of Prisma would read outside its snapshot.');
  };
  return Object.assign(Object.create(models) as Lazy & TenantDb, {
    bound,
    $businessId: businessId,
    $visibility: visibility,
    $queryRaw: read,
  });
}

/** The same database, in the same transaction, as an admin sees it: for rules that hold over the whole business. */
export function seeingAll(db: TenantDb): TenantDb {
  const $visibility: Visibility = { of: 'business' };
  return new Proxy(db, {
    get: (of, name) => (name === '$visibility' ? $visibility : (Reflect.get(of, name) as unknown)),
  });
}

interface Lazy {
  readonly bound: () => object;
}

/** Models of a client that is bound when one of them is first used: that costs more than most reads, which do not use Prisma. */
const models: object = Object.defineProperties(
  {},
  Object.fromEntries(
    ['$executeRaw', ...Object.keys(Prisma.ModelName).map((name) => name[0]?.toLowerCase() + name.slice(1))].map(
      (name) => [
        name,
        {
          get(this: Lazy): unknown {
            const client = this.bound();
            const value: unknown = Reflect.get(client, name);
            return typeof value === 'function' ? (value.bind(client) as unknown) : value;
          },
        },
      ],
    ),
  ),
);

function businessFieldOf(model: Prisma.ModelName): 'businessId' | 'id' {
  const { businessField } = registry[model];
  if (businessField === null) throw new Error(`${model} belongs to no business.`);
  return businessField;
}

type Args = { where?: { AND?: object | object[] }; data?: object | object[]; create?: object; update?: object };

/**
 * Adds the business to the filter of a read or change, and sets it in rows that are written, whatever value they have.
 */
function bindArgs<T>(model: Prisma.ModelName, operation: string, args: T, business: Record<string, number>): T {
  const { where, data, create, update } = (args ?? {}) as Args;
  refuseRelations(model, data, create, update);
  const stamped = (rows: object | object[] | undefined) =>
    Array.isArray(rows) ? rows.map((row: object) => ({ ...row, ...business })) : { ...rows, ...business };
  const unique = () => ({ ...where, AND: [...[where?.AND ?? []].flat(), business] });
  switch (operation) {
    case 'create':
    case 'createMany':
    case 'createManyAndReturn':
      return { ...args, data: stamped(data) };
    case 'findUnique':
    case 'findUniqueOrThrow':
    case 'delete':
      return { ...args, where: unique() };
    case 'update':
      return { ...args, where: unique(), data: unstamped(data, business) };
    case 'upsert':
      return { ...args, where: unique(), create: stamped(create), update: unstamped(update, business) };
    case 'updateMany':
    case 'updateManyAndReturn':
      return { ...args, where: { AND: [where ?? {}, business] }, data: unstamped(data, business) };
    default:
      return { ...args, where: { AND: [where ?? {}, business] } };
  }
}

/**
 * Throws unless rows are written column by column. A write through a relation sets both columns of the composite key, so
 * `connect` could move a row into another business.
 */
function refuseRelations(model: Prisma.ModelName, ...written: (object | object[] | undefined)[]): void {
  const columns = Prisma[`${model}ScalarFieldEnum`];
  for (const row of written.flat())
    for (const name of Object.keys(row ?? {}))
      if (!(name in columns))
        throw new Error(`${model}.${name} is no column: a write through it could leave the business.`);
}

/** Drops the business from a change, so that no change moves a row into another business. */
function unstamped(data: object | object[] | undefined, business: Record<string, number>): object {
  return Object.fromEntries(Object.entries(data ?? {}).filter(([column]) => !(column in business)));
}

export type RawSql = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/**
 * Returns the database for SQL that a file of db/ writes itself. Nothing adds the business to such a statement: it must
 * bind each of its tables to `db.$businessId`. The linter lets no service import it.
 */
export function rawOf(db: TenantDb): RawSql {
  return db as unknown as RawSql;
}

/** The number that a statement has as `total` in its only row. */
export async function readTotal(db: TenantDb, sql: Prisma.Sql): Promise<number> {
  const [row] = await rawOf(db).$queryRaw<{ total: number }[]>(sql);
  return row?.total ?? 0;
}
