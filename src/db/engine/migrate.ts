import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { migrationNames, readMigrations } from './migrations.ts';
import { filters, openSchemaEngine } from './schema-engine.ts';

/** A migration could not be applied. The message is the one line that the operator needs. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** One session of a database, which only this process uses during a migration. */
export interface MigrationSession {
  readonly adapter: SqlDriverAdapter;
  /** Begins a transaction in which no other process migrates. */
  begin(): Promise<unknown>;
  /** Sends a script of several statements in one piece. */
  run(script: string): Promise<unknown>;
}

/**
 * Applies the pending migrations and returns the names of those that no other process has applied meanwhile. Each migration
 * is one transaction together with its row in `_prisma_migrations`, so one that fails or is killed leaves nothing behind and
 * is tried again at the next start.
 */
export async function migrate(session: MigrationSession, pending: string[]): Promise<string[]> {
  const names = await migrationNames();
  let scriptError: unknown;
  const engine = await openSchemaEngine(session.adapter, (script) =>
    session.run(script).catch((error: unknown) => {
      scriptError = error;
      throw error;
    }),
  );
  const apply = async (name: string) => {
    const migrationsList = await readMigrations(names.slice(0, names.indexOf(name) + 1));
    await session.begin();
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    await session.run('COMMIT');
    return appliedMigrationNames;
  };

  const applied: string[] = [];
  try {
    for (const name of pending) {
      try {
        applied.push(...(await apply(name)));
      } catch (error) {
        await session.run('ROLLBACK').catch(() => undefined);
        const cause = scriptError ?? error;
        throw new MigrationError(`Migration ${name} failed: ${(cause as Error).message}`, { cause });
      }
    }
  } finally {
    engine.free();
  }
  return applied;
}
