import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { SqlDriverAdapterFactory, Transaction as AdapterTransaction } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { limits } from '../../config/limits.ts';
import type { ExecuteSql } from './database.ts';
import { isScript } from './queue-scripts.ts';
import { StatementTurns, type Turn } from './statement-turns.ts';

/** Opens the database. It calls `onStop` with the reason when it stops for good, for example because it cannot write its log. */
export type OpenPglite = (onStop: (reason: string) => void) => Promise<PGlite>;

/**
 * PGlite under Prisma, made to survive stops. PGlite itself neither answers after a stop nor reports it. Here, statements
 * that run during a stop fail at once, and the next call opens the database again, which recovers all committed data.
 */
export interface EmbeddedEngine {
  readonly factory: SqlDriverAdapterFactory;
  readonly exec: (script: string) => Promise<unknown>;
  readonly executeSql: ExecuteSql;
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

  // There is one session. Businesses take turns at it: PGlite alone would serve its callers in order of arrival.
  const turns = new StatementTurns({ total: 1, share: 1, waitMs: limits.sessionWaitMs });
  const inTurn = async <T>(isStatement: boolean, work: () => Promise<T>): Promise<T> => {
    const turn = await new Promise<Turn>((resolve, reject) => turns.take(isStatement, resolve, reject));
    // PGlite works in this thread. Without a pause, requests that arrive would not be read before all that wait are answered.
    if (turns.waitingCount > 0) await nextTurnOfLoop();
    try {
      return await work();
    } finally {
      turns.end(turn);
    }
  };
  /** The end of each transaction, by the transaction object that PGlite passed to the adapter. */
  const ends = new WeakMap<object, Promise<unknown>>();
  const client = overlaid(() => run.pglite, {
    query: (...args: Parameters<PGlite['query']>) => inTurn(true, async () => (await ready()).query(...args)) as never,
    exec: (...args: Parameters<PGlite['exec']>) => inTurn(true, async () => (await ready()).exec(...args)),
    transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      inTurn(false, async () => {
        const pglite = await ready();
        const end: Promise<T> = pglite.transaction((tx) => {
          ends.set(tx, end);
          return work(tx);
        });
        return end;
      }),
  });
  return {
    factory: withTrueCommits(new PrismaPGlite(client), ends),
    exec: client.exec,
    executeSql: async (text, values) =>
      isScript(text) ? client.exec(text).then(() => ({ rows: [] })) : client.query(text, values),
    refreshArrayTypes: () => run.pglite.refreshArrayTypes(),
    close: async () => {
      if (!run.stopped && !run.pglite.closed) await run.pglite.close();
    },
  };
}

async function start(open: OpenPglite): Promise<Run> {
  let stopped: Error | null = null;
  const pglite = await open((reason) => (stopped ??= stoppedBecause(reason)));
  // Every statement goes through this function. After a stop it would loop for ever.
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

/** A view of the current object in which the methods of `own` replace its own. */
function overlaid<T extends object>(object: () => T, own: Partial<T>): T {
  return new Proxy(object(), {
    get: (_target, name) => {
      if (name in own) return own[name as keyof T];
      const value: unknown = Reflect.get(object(), name);
      return typeof value === 'function' ? (value.bind(object()) as unknown) : value;
    },
  });
}

/** Makes a commit fail when COMMIT fails: the adapter itself reports success. */
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
