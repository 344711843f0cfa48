import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { limits } from '../../config/limits.ts';
import { MigrationError } from './migrate.ts';

/** The key that Prisma's own engine uses, so that `prisma migrate deploy` and this process wait for each other. */
const lockKey = 72_707_369;

/**
 * Begins a transaction that holds the migration lock of the database. The lock ends with the transaction, because behind a
 * pooler only the transaction is certain to stay in one session.
 */
export async function beginLocked(session: pg.Pool): Promise<void> {
  const deadline = Date.now() + limits.migrationLockWaitMs;
  // Polls, because CREATE INDEX CONCURRENTLY would wait for a session that waits inside PostgreSQL.
  for (;;) {
    await session.query('BEGIN');
    const tryLock = `SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken`;
    if ((await session.query<{ taken: boolean }>(tryLock)).rows[0]?.taken) return;
    await session.query('ROLLBACK');
    if (Date.now() > deadline)
      throw new MigrationError(
        `Another process has been migrating this database for ${limits.migrationLockWaitMs / 1000} seconds.`,
      );
    await sleep(limits.migrationLockPollMs);
  }
}

/** Keeps Prisma's engine from taking the lock for the session, where it would outlast the transaction. It has the lock already. */
export function withoutSessionLock(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  const inTransaction = (query: SqlQuery) => ({
    ...query,
    sql: query.sql.replace('pg_advisory_lock(', 'pg_advisory_xact_lock('),
  });
  return Object.assign(adapter, {
    queryRaw: (query: SqlQuery) => queryRaw(inTransaction(query)),
    executeRaw: (query: SqlQuery) => executeRaw(inTransaction(query)),
  });
}
