import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { limits } from '../../config/limits.ts';
import { MigrationError } from './migrate.ts';

/** The key that Prisma's own engine uses, so that `prisma migrate deploy` and this process wait for each other. */
const lockKey = 72_707_369;

/**
 * Runs a function that holds the migration lock of the database. It gets a pool of one connection: the lock belongs to that
 * session, so Prisma's engine, which takes it as well, has it already. Statements have no time limit.
 */
export async function withMigrationLock<T>(
  connection: pg.PoolConfig,
  run: (session: pg.Pool) => Promise<T>,
): Promise<T> {
  const session = new pg.Pool({ ...connection, max: 1, idleTimeoutMillis: 0, application_name: 'callboard migrate' });
  session.on('error', () => undefined);
  try {
    await session.query('SET statement_timeout = 0');
    await takeLock(session);
    return await run(session);
  } finally {
    await session.end();
  }
}

/** Polls, because CREATE INDEX CONCURRENTLY would wait for a session that waits inside PostgreSQL. */
async function takeLock(session: pg.Pool): Promise<void> {
  const deadline = Date.now() + limits.migrationLockWaitMs;
  const tryLock = `SELECT pg_try_advisory_lock(${lockKey}) AS taken`;
  while (!(await session.query<{ taken: boolean }>(tryLock)).rows[0]?.taken) {
    if (Date.now() > deadline)
      throw new MigrationError(
        `Another process has been migrating this database for ${limits.migrationLockWaitMs / 1000} seconds.`,
      );
    await sleep(limits.migrationLockPollMs);
  }
}
