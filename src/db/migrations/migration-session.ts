import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { isCanceled, isLockConflict } from '../engine/failures.ts';
import { openServer, schemaOf, type Server } from '../engine/pool.ts';
import { strongerLock, watchWaits, type LockWait } from './lock-waits.ts';
import { MigrationBlocked, type MigrationSession } from './migrate.ts';
import { loneStatementOf, type LoneStatement } from './migration-statements.ts';

/** The key that Prisma's own engine uses, so that `prisma migrate deploy` and this process wait for each other. */
const lockKey = 72_707_369;

/**
 * Opens a session for migrations on PostgreSQL, without time-outs of statements. A migration never waits long for a lock,
 * because everybody else would queue up behind it, and because in a deadlock it gives way before PostgreSQL ends a request. `onBlocked` is told what is in the way, before each further attempt.
 */
export function openMigrationSession(
  url: string,
  config: Config['db'],
  onBlocked: (text: string) => void,
): MigrationSession & { close(): Promise<void> } {
  const unlimited = { ...config, statementTimeoutMs: 0, transactionTimeoutMs: 0, queryTimeoutMs: 0 };
  // All statements of a transaction have to meet the same connection.
  const own = { max: 1, idleTimeoutMillis: 0, application_name: 'callboard migrate' };
  const server = openServer(url, unlimited, own);
  const { pool: session } = server;
  const { pool: alone } = openServer(url, unlimited, { ...own, leavesShared: true });
  const { pool: observer } = openServer(url, config, own);
  const { schema = null } = schemaOf(url);
  /** The tables that stopped earlier attempts, the last one first, each with the lock that it needs. */
  let contended = new Map<string, string>();
  let pid = 0;
  let wait: (LockWait & { readonly isAlone?: true }) | null = null;
  const lastWait = () => wait;

  const begin = async () => {
    pid = await beginLocked(server);
    await session.query(`SET LOCAL lock_timeout = ${limits.migrationLockWaitMs}`);
    await watchWaits(observer, { pid }, note, async () => {
      // Whoever waits for a lock while holding none is in nobody's way but those who want the same table.
      for (const [table, mode] of contended) await session.query(`LOCK TABLE ${table} IN ${mode} MODE`);
    });
  };
  const note = (seen: LockWait) => {
    wait = seen;
  };
  /** A statement of its own waits without holding up writers, so it may wait for long. */
  const noteAlone = async (seen: LockWait, waitedMs: number) => {
    wait = { ...seen, isAlone: true };
    if (waitedMs > 2 * limits.commandWaitMs) await observer.query('SELECT pg_cancel_backend($1)', [seen.pid]);
  };
  const run = async (script: string): Promise<unknown[]> => {
    const lone = loneStatementOf(script, schema);
    if (lone) await watchWaits(observer, { sql: lone.sql }, noteAlone, () => runAlone(alone, lone));
    const results = lone ? [] : await watchWaits(observer, { pid }, note, () => session.query(script));
    return [results].flat().at(-1)?.rows ?? [];
  };

  return {
    begin,
    run,
    retry: async (migration, attempt) => {
      contended = new Map();
      const start = Date.now();
      for (let pauseMs: number = limits.retryMs; ; pauseMs = Math.min(2 * pauseMs, limits.retryMaxMs)) {
        wait = null;
        try {
          return await attempt();
        } catch (error) {
          const seen = lastWait();
          if (!isLockConflict(error) && !(seen?.isAlone && isCanceled(error))) throw error;
          const reason = `Migration ${migration} ${explain(error as Error, seen)}`;
          if (Date.now() - start > 2 * limits.commandWaitMs)
            throw new MigrationBlocked(giveUp(reason), { cause: error });
          onBlocked(reason);
          // A statement that runs outside the transaction would wait for a lock that the transaction holds.
          if (seen?.table && !seen.isAlone) contended = putFirst(contended, seen.table, seen.mode);
        }
        await sleep(pauseMs);
      }
    },
    close: async () => {
      await Promise.all([session, alone, observer].map((pool) => pool.end()));
    },
  };
}

const explain = ({ message }: Error, wait: LockWait | null): string =>
  wait
    ? `waits for ${wait.table ?? 'a transaction'}, which is held by ${wait.blockers}`
    : `could not get a lock: ${message}`;

const giveUp = (reason: string) =>
  `${reason}. After ${(2 * limits.commandWaitMs) / 1000} seconds it was given up, and nothing is changed. End that transaction, with SELECT pg_terminate_backend(<process>) if need be, or migrate again later.`;

/** A table keeps the strongest lock that it has needed: locks that grow are a cause of deadlocks. */
function putFirst(contended: ReadonlyMap<string, string>, table: string, mode: string): Map<string, string> {
  const strongest = strongerLock(contended.get(table) ?? mode, mode);
  return new Map([[table, strongest], ...[...contended].filter(([each]) => each !== table)]);
}

/**
 * Begins a transaction that holds the migration lock of the database, and returns the process of its session. The lock ends with
 * the transaction, because behind a pooler only the transaction is certain to stay in one session.
 */
async function beginLocked({ pool: session, settings }: Server): Promise<number> {
  const script = await settings();
  const deadline = Date.now() + limits.commandWaitMs;
  // Polls, because CREATE INDEX CONCURRENTLY would wait for a session that waits inside PostgreSQL.
  for (;;) {
    await session.query(script === null ? 'BEGIN' : `BEGIN; ${script}`);
    const tryLock = `SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken, pg_backend_pid() AS pid`;
    const [lock] = (await session.query<{ taken: boolean; pid: number }>(tryLock)).rows;
    if (lock?.taken) return lock.pid;
    await session.query('ROLLBACK');
    if (Date.now() > deadline)
      throw new MigrationBlocked(
        `Another process has been migrating this database for ${limits.commandWaitMs / 1000} seconds.`,
      );
    await sleep(limits.pollMs);
  }
}

/**
 * Runs a statement outside of the transaction, which meanwhile holds the migration lock. An index that a failed try has left is
 * unfinished: no query uses it, every write pays for it, and it stands in the way of the next try.
 */
async function runAlone(alone: pg.Pool, { sql, created, keepsFinished }: LoneStatement): Promise<void> {
  if (created !== null) {
    const find = 'SELECT indisvalid AS "isFinished" FROM pg_index WHERE indexrelid = to_regclass($1)';
    const [left] = (await alone.query<{ isFinished: boolean }>(find, [created])).rows;
    if (left && !(left.isFinished && keepsFinished)) await alone.query(`DROP INDEX CONCURRENTLY ${created}`);
  }
  await alone.query(sql);
}
