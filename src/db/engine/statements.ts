import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';

/** Is called for each statement that is sent. */
export interface SqlListener {
  sent(sql: string): void;
  /** The statement was answered, or failed. */
  answered(durationMs: number): void;
  failed?(error: unknown): void;
  /** The rows of a statement were read through an adapter. May throw, which fails the statement. */
  read?(rows: readonly (readonly unknown[])[]): void;
}

/** Makes a factory report every SQL statement that goes through its adapters and their transactions. */
export function listenToStatements(factory: SqlDriverAdapterFactory, listener: SqlListener): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => listenToAdapter(await factory.connect(), listener),
  };
}

// The adapters are changed in place, because they call methods of their own that a copy would lose.

function listenToAdapter(adapter: SqlDriverAdapter, listener: SqlListener): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  const executeScript = adapter.executeScript.bind(adapter);
  return Object.assign(listenToQueries(adapter, listener), {
    startTransaction: async (level?: IsolationLevel) => {
      const transaction = await heard(listener, 'BEGIN', () => startTransaction(level));
      return listenToTransaction(transaction, listener);
    },
    executeScript: (script: string) => heard(listener, script, () => executeScript(script)),
  });
}

function listenToTransaction(transaction: Transaction, listener: SqlListener): Transaction {
  listenToQueries(transaction, listener);
  // In the other case, Prisma sends COMMIT and ROLLBACK as statements itself.
  if (!transaction.options.usePhantomQuery) return transaction;
  const commit = transaction.commit.bind(transaction);
  const rollback = transaction.rollback.bind(transaction);
  return Object.assign(transaction, {
    commit: () => heard(listener, 'COMMIT', commit),
    rollback: () => heard(listener, 'ROLLBACK', rollback),
  });
}

function listenToQueries<T extends SqlQueryable>(queryable: T, listener: SqlListener): T {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  return Object.assign(queryable, {
    queryRaw: async (query: SqlQuery) => {
      const result = await heard(listener, query.sql, () => queryRaw(query));
      listener.read?.(result.rows);
      return result;
    },
    executeRaw: (query: SqlQuery) => heard(listener, query.sql, () => executeRaw(query)),
  });
}

async function heard<T>(listener: SqlListener, sql: string, send: () => Promise<T>): Promise<T> {
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
