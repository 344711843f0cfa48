import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import type { Config } from '../../config/config.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { commitSurely, readWritten, type AskStatus } from './outcomes.ts';
import { isWrite } from './reads.ts';
import type { SqlListener } from './statement-count.ts';

interface AdapterParts {
  readonly listener: SqlListener;
  /** Called before a statement that writes is sent; what it throws fails the statement. */
  readonly beforeWrite?: () => Promise<void>;
  /** Returns the settings that each transaction has to begin with, as a script; null if the session has them. */
  readonly readSettings?: () => Promise<string | null>;
  /** Asks what became of a transaction. With it, each COMMIT has a sure outcome, and a statement that writes alone gets a transaction. */
  readonly ask?: AskStatus;
}

export function openClient(
  factory: SqlDriverAdapterFactory,
  parts: AdapterParts,
  config: Config['db'],
  waitMs: number,
): PrismaClient {
  return new PrismaClient({
    adapter: wrapAdapters(factory, parts),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: waitMs + config.connectTimeoutMs, timeout: config.transactionTimeoutMs },
  });
}

/**
 * Wraps the adapters of a factory: every SQL statement is reported, and every transaction begins with its settings. Behind a pooler,
 * each statement outside a transaction gets one of its own.
 */
function wrapAdapters(factory: SqlDriverAdapterFactory, parts: AdapterParts): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => wrapAdapter(await factory.connect(), parts),
  };
}

function wrapAdapter(adapter: SqlDriverAdapter, parts: AdapterParts): SqlDriverAdapter {
  const { listener, readSettings = async () => null, ask } = parts;
  const begin = async (settings: string | null, ...level: Parameters<SqlDriverAdapter['startTransaction']>) => {
    const transaction = await adapter.startTransaction(...level);
    if (settings !== null)
      await transaction.executeRaw(plain(settings)).catch((error: unknown) => rollBack(transaction, error));
    return transaction;
  };
  const sendAlone: Send = async (sql, send) => {
    const settings = await readSettings();
    if (settings === null && !(ask && isWrite(sql))) return send(adapter);
    const transaction = await begin(settings);
    try {
      const result = await send(transaction);
      await commit(transaction, ask);
      await transaction.commit();
      return result;
    } catch (error) {
      return rollBack(transaction, error);
    }
  };
  return {
    ...wrapQueries(adapter, parts, sendAlone),
    startTransaction: async (level) =>
      wrapTransaction(await report(listener, 'BEGIN', async () => begin(await readSettings(), level)), parts),
    executeScript: (script) => report(listener, script, () => adapter.executeScript(script)),
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

const plain = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });

/** Sends COMMIT to PostgreSQL; the method of the adapter only gives the connection back. */
async function commit(transaction: Transaction, ask: AskStatus | undefined): Promise<number> {
  const send = () => transaction.executeRaw(plain('COMMIT'));
  if (!ask) return send();
  const { rows } = await transaction.queryRaw(plain(readWritten));
  const [xid, history] = rows[0] as [string | null, string | null];
  await commitSurely(xid === null ? null : { xid, history }, send, ask);
  return 0;
}

/** Ends a transaction of PostgreSQL, and throws on. The connection is closed if the server does not take the ROLLBACK. */
async function rollBack(transaction: Transaction, cause: unknown): Promise<never> {
  await transaction.executeRaw(plain('ROLLBACK')).catch(() => undefined);
  await transaction.rollback();
  throw cause;
}

function wrapTransaction(transaction: Transaction, parts: AdapterParts): Transaction {
  const { listener, ask } = parts;
  const { usePhantomQuery } = transaction.options;
  // In the other case, Prisma sends COMMIT and ROLLBACK as statements itself.
  const end = (sql: string, run: () => Promise<void>) => (usePhantomQuery ? report(listener, sql, run) : run());
  const queries = wrapQueries(transaction, parts, (_sql, send) => send(transaction));
  return {
    ...queries,
    executeRaw: (query) =>
      query.sql === 'COMMIT' ? report(listener, query.sql, () => commit(transaction, ask)) : queries.executeRaw(query),
    options: transaction.options,
    commit: () => end('COMMIT', () => transaction.commit()),
    rollback: () => end('ROLLBACK', () => transaction.rollback()),
    createSavepoint: async (name) => transaction.createSavepoint?.(name),
    rollbackToSavepoint: async (name) => transaction.rollbackToSavepoint?.(name),
    releaseSavepoint: async (name) => transaction.releaseSavepoint?.(name),
  };
}

type Send = <T>(sql: string, send: (queryable: SqlQueryable) => Promise<T>) => Promise<T>;

function wrapQueries(
  { provider, adapterName }: SqlQueryable,
  { listener, beforeWrite }: AdapterParts,
  sendOn: Send,
): SqlQueryable {
  const run = <T>({ sql }: SqlQuery, send: (queryable: SqlQueryable) => Promise<T>): Promise<T> =>
    report(listener, sql, async () => {
      if (beforeWrite && isWrite(sql)) await beforeWrite();
      return sendOn(sql, send);
    });
  return {
    provider,
    adapterName,
    queryRaw: async (query) => {
      const result = await run(query, (queryable) => queryable.queryRaw(query));
      listener.read?.(result.rows);
      return result;
    },
    executeRaw: (query) => run(query, (queryable) => queryable.executeRaw(query)),
  };
}

async function report<T>(listener: SqlListener, sql: string, send: () => Promise<T>): Promise<T> {
  listener.sent(sql);
  const sentAt = performance.now();
  try {
    return await send();
  } catch (error) {
    listener.failed?.(error);
    throw error;
  } finally {
    listener.answered(performance.now() - sentAt);
  }
}
