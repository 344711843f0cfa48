import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { Read } from './engine/reads.ts';
import type { Reach } from './visibility.ts';

/** How each table is bound to a business. A new model without a decision does not compile. */
const businessColumn = {
  Business: 'id',
  User: 'businessId',
  PersonalToken: 'businessId',
  ApiKey: 'businessId',
  Position: 'businessId',
  SkillLevel: 'businessId',
  Event: 'businessId',
  CallTime: 'businessId',
  WorkShift: 'businessId',
  CustomField: 'businessId',
  CustomFieldValue: 'businessId',
  IdempotencyKey: 'businessId',
  AuditEntry: 'businessId',
  BusinessRevision: 'businessId',
  EventTally: 'businessId',
} as const satisfies Record<Prisma.ModelName, 'id' | 'businessId'>;

type Model = Uncapitalize<Prisma.ModelName>;

/** The database as one business sees it: every read is filtered by it, every write is stamped with it. */
export interface TenantDb extends Pick<PrismaClient, Model> {
  readonly $businessId: number;
  /** Whose rows the reads of db/ give. */
  readonly $reach: Reach;
}

type Raw = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/** For the rooms that write SQL themselves, all in db/: each statement must name `db.$businessId`. */
export const rawOf = (db: TenantDb): Raw => db as unknown as Raw;

export type Transact = <T>(run: (db: TenantDb) => Promise<T>, timeoutMs?: number) => Promise<T>;

interface Bound {
  readonly db: TenantDb;
  readonly transact: Transact;
  readonly readSnapshot: (timeoutMs: number) => Transact;
}

/** Statements of db/ outside a transaction go through `read`. */
export function bindToBusiness(
  prisma: PrismaClient,
  businessId: number,
  reach: Reach = { of: 'business' },
  read: Read = (sql) => prisma.$queryRaw(sql),
): Bound {
  const bind = () =>
    prisma.$extends({
      client: { $businessId: businessId, $reach: reach },
      query: {
        $allModels: {
          $allOperations: ({ model, operation, args, query }) =>
            query(bindArgs(model, operation, args, { [businessColumn[model]]: businessId })),
        },
      },
    });
  let client: ReturnType<typeof bind> | undefined;
  const bound = () => (client ??= bind());
  return {
    db: outsideTransactions(() => bound() as unknown as TenantDb & Raw, {
      $businessId: businessId,
      $reach: reach,
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
          // The first query takes the snapshot. It may rest for as long as it may last: its reader can be slow.
          await tx.$queryRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(timeoutMs)}, TRUE)`;
          return run(tx as unknown as TenantDb);
        },
        { timeout: timeoutMs },
      ),
  };
}

const models = Object.keys(businessColumn).map((model) => (model[0] ?? '').toLowerCase() + model.slice(1)) as Model[];

/** Binds Prisma's client only when it is used: src/guide/performance.md#prisma-client-on-demand */
function outsideTransactions(bound: () => TenantDb & Raw, own: object): TenantDb {
  return Object.create(lazyClient, { bound: { value: bound }, ...Object.getOwnPropertyDescriptors(own) }) as TenantDb;
}

type Lazy = { readonly bound: () => TenantDb & Raw };

const lazyClient = Object.defineProperties(
  {
    $executeRaw(this: Lazy, ...args: Parameters<Raw['$executeRaw']>) {
      return this.bound().$executeRaw(...args);
    },
  },
  Object.fromEntries(
    models.map((model) => [
      model,
      {
        get(this: Lazy) {
          return this.bound()[model];
        },
      },
    ]),
  ),
);

type Args = { where?: { AND?: object | object[] }; data?: object | object[]; create?: object; update?: object };

/** Reads and changes get the business as a filter beside their own; rows to be written get it whatever they say. */
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
 * Rows are written column by column. Through a relation, a write sets both columns of the composite key: `connect` would
 * move a row into another business, or take one from it.
 */
function refuseRelations(model: Prisma.ModelName, ...written: (object | object[] | undefined)[]): void {
  const columns = Prisma[`${model}ScalarFieldEnum`];
  for (const row of written.flat())
    for (const name of Object.keys(row ?? {}))
      if (!(name in columns))
        throw new Error(`${model}.${name} is no column: a write through it could leave the business.`);
}

/** A change never moves a row into another business. */
function unstamped(data: object | object[] | undefined, business: Record<string, number>): object {
  return Object.fromEntries(Object.entries(data ?? {}).filter(([column]) => !(column in business)));
}
