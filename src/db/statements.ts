import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';

type OnSql = (sql: string) => void;

/** The factory, telling of every SQL statement that goes through its adapters and their transactions. */
export function listenToStatements(factory: SqlDriverAdapterFactory, onSql: OnSql): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => listenToAdapter(await factory.connect(), onSql),
  };
}

// In place, because the adapters call methods of their own that a copy would lose.

function listenToAdapter(adapter: SqlDriverAdapter, onSql: OnSql): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  const executeScript = adapter.executeScript.bind(adapter);
  return Object.assign(listenToQueries(adapter, onSql), {
    startTransaction: async (level?: IsolationLevel) => {
      onSql('BEGIN');
      return listenToTransaction(await startTransaction(level), onSql);
    },
    executeScript: (script: string) => {
      onSql(script);
      return executeScript(script);
    },
  });
}

function listenToTransaction(transaction: Transaction, onSql: OnSql): Transaction {
  listenToQueries(transaction, onSql);
  // Otherwise Prisma sends the statement itself.
  if (!transaction.options.usePhantomQuery) return transaction;
  const commit = transaction.commit.bind(transaction);
  const rollback = transaction.rollback.bind(transaction);
  return Object.assign(transaction, {
    commit: () => {
      onSql('COMMIT');
      return commit();
    },
    rollback: () => {
      onSql('ROLLBACK');
      return rollback();
    },
  });
}

function listenToQueries<T extends SqlQueryable>(queryable: T, onSql: OnSql): T {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  return Object.assign(queryable, {
    queryRaw: (query: SqlQuery) => {
      onSql(query.sql);
      return queryRaw(query);
    },
    executeRaw: (query: SqlQuery) => {
      onSql(query.sql);
      return executeRaw(query);
    },
  });
}
