import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { SqlDriverAdapterFactory, Transaction as AdapterTransaction } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { limits } from '../../config/limits.ts';

/** Opens the database; `onStop` is told why it stopped for good, as it does when it can no longer write its log. */
export type OpenPglite = (onStop: (reason: string) => void) => Promise<PGlite>;

/**
 * PGlite under Prisma, over the stops that it does not survive: it neither answers after one nor says so. What runs then
 * fails at once, and the next call opens the database again, which reads back all that was committed.
 */
export interface EmbeddedEngine {
  readonly factory: SqlDriverAdapterFactory;
  readonly exec: (script: string) => Promise<unknown>;
  readonly refreshArrayTypes: () => Promise<void>;
  close(): Promise<void>;
}

interface Run {
  readonly pglite: PGlite;
  readonly stopped: Error | null;
}

export async function openEngine(open: OpenPglite): Promise<EmbeddedEngine> {
  let run = await start(open);
  let restart: Promise<void> | undefined;
  let restartedAt = -Infinity;

  const ready = async (): Promise<PGlite> => {
    if (run.stopped) await (restart ??= startAgain(run.stopped).finally(() => (restart = undefined)));
    return run.pglite;
  };
  const startAgain = async (stopped: Error) => {
    if (performance.now() - restartedAt < limits.databaseRetryMs) throw stopped;
    try {
      run = await start(open);
    } catch (error) {
      throw stoppedBecause((error as Error).message);
    } finally {
      restartedAt = performance.now();
    }
  };

  /** How each transaction ended, by what was handed out of it. */
  const ends = new WeakMap<object, Promise<unknown>>();
  const client = overlaid(() => run.pglite, {
    query: async (...args: Parameters<PGlite['query']>) => (await ready()).query(...args) as never,
    exec: async (...args: Parameters<PGlite['exec']>) => (await ready()).exec(...args),
    transaction: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      const pglite = await ready();
      const end: Promise<T> = pglite.transaction((tx) => {
        ends.set(tx, end);
        return work(tx);
      });
      return end;
    },
  });
  return {
    factory: withTrueCommits(new PrismaPGlite(client), ends),
    exec: client.exec,
    refreshArrayTypes: () => run.pglite.refreshArrayTypes(),
    close: async () => {
      if (!run.stopped && !run.pglite.closed) await run.pglite.close();
    },
  };
}

async function start(open: OpenPglite): Promise<Run> {
  let stopped: Error | null = null;
  const pglite = await open((reason) => (stopped ??= stoppedBecause(reason)));
  // All that is asked of the database goes through this; once stopped, it would go round for ever.
  const ask = pglite.execProtocolRawSync.bind(pglite);
  pglite.execProtocolRawSync = (message) => {
    if (stopped) throw stopped;
    return ask(message);
  };
  await pglite.exec(`SET timezone = 'UTC'`);
  return {
    pglite,
    get stopped() {
      return stopped;
    },
  };
}

const stoppedBecause = (reason: string) => new Error(`PGlite is closed: ${reason}`);

/** The object, with some of its methods replaced. */
function overlaid<T extends object>(object: () => T, own: Partial<T>): T {
  return new Proxy(object(), {
    get: (_target, name) => {
      if (name in own) return own[name as keyof T];
      const value: unknown = Reflect.get(object(), name);
      return typeof value === 'function' ? (value.bind(object()) as unknown) : value;
    },
  });
}

/** The adapter takes a COMMIT that failed for one that did not. */
function withTrueCommits(factory: SqlDriverAdapterFactory, ends: WeakMap<object, Promise<unknown>>) {
  const truly = (transaction: AdapterTransaction) => {
    const commit = transaction.commit.bind(transaction);
    const { client } = transaction as unknown as { client: object };
    return Object.assign(transaction, {
      commit: async () => {
        await commit();
        await ends.get(client);
      },
    });
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const startTransaction = adapter.startTransaction.bind(adapter);
      return Object.assign(adapter, {
        startTransaction: async (...args: Parameters<typeof startTransaction>) =>
          truly(await startTransaction(...args)),
      });
    },
  } satisfies SqlDriverAdapterFactory;
}
