import { createHash } from 'node:crypto';
import pg from 'pg';
import { isCanceled, isDiskFull, isUnreachable } from '../engine/failures.ts';
import type { Migration } from './migrations.ts';

/** A migration could not be applied. The message is the one line that the operator needs. */
class MigrationError extends Error {
  override readonly name: string = 'MigrationError';
}

/** Others hold what a migration has to lock. The same call can succeed later. */
export class MigrationBlocked extends MigrationError {
  override readonly name = 'MigrationBlocked';
}

/** One session of a database, which only this process uses during a migration. */
export interface MigrationSession {
  /** Begins a transaction in which no other process migrates. */
  begin(): Promise<unknown>;
  /** Makes an attempt at a migration, and further ones while locks of others are in its way. */
  retry<T>(migration: string, attempt: () => Promise<T>): Promise<T>;
  /** Sends a script of several statements in one piece, and returns the rows of the last one. */
  run(script: string): Promise<unknown[]>;
}

/**
 * The table in which Prisma's commands note migrations, as Prisma documents it. They leave a row where a migration failed, and then
 * refuse every later one; its script left nothing.
 */
const prepareTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT,
    rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0);
  DELETE FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

const findApplied = (name: string) =>
  `SELECT 1 FROM _prisma_migrations WHERE migration_name = ${pg.escapeLiteral(name)} AND rolled_back_at IS NULL`;

const noteApplied = ({ name, script }: Migration) => `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES (gen_random_uuid(), '${createHash('sha256').update(script).digest('hex')}', ${pg.escapeLiteral(name)}, clock_timestamp(), 1)`;

/**
 * Applies the pending migrations and returns the names of those that no other process has applied meanwhile. Each migration
 * is one transaction together with its row in `_prisma_migrations`, so one that fails or is killed leaves nothing behind and
 * is tried again at the next start.
 */
export async function migrate(session: MigrationSession, pending: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of pending)
    try {
      if (await session.retry(migration.name, () => apply(session, migration))) applied.push(migration.name);
    } catch (error) {
      if (error instanceof MigrationError || isDiskFull(error)) throw error;
      // Callers recognize by the error itself that they may try again.
      if (isUnreachable(error) && !isCanceled(error)) throw error;
      throw new MigrationError(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
    }
  return applied;
}

/** Returns whether this process has applied the migration; false if another one had. */
async function apply(session: MigrationSession, migration: Migration): Promise<boolean> {
  try {
    await session.begin();
    await session.run(prepareTable);
    const isPending = (await session.run(findApplied(migration.name))).length === 0;
    if (isPending) {
      await session.run(migration.script);
      await session.run(noteApplied(migration));
    }
    await session.run('COMMIT');
    return isPending;
  } catch (error) {
    await session.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
