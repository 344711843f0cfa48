import type { PGlite } from '@electric-sql/pglite';
import type { Config } from '../../config/config.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Read } from './reads.ts';

export interface Database {
  readonly kind: 'embedded' | 'postgresql';
  /** Sees every business: only for `access/`, `db/` and `bin/`. */
  readonly prisma: PrismaClient;
  /** The same sight, for one statement that is a transaction by itself. */
  readonly read: Read;
  /** Applies what is pending, one process at a time, and returns its names. Throws `MigrationError`. */
  migrate(): Promise<string[]>;
  /** Names of the migrations that this build has and the database has not. Throws when it cannot be reached. */
  pendingMigrations(): Promise<string[]>;
  ping(): Promise<void>;
  /** Connections of this process; null for the embedded database, which has none. */
  readonly connections: (() => Connections) | null;
  close(): Promise<void>;
}

export interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for one. */
  readonly waiting: number;
}

export interface DatabaseHooks {
  /** Called with every statement that `prisma` sends, in transactions too. */
  readonly onSql?: (sql: string) => void;
  /** Called when a statement was answered, or failed. */
  readonly onSqlAnswered?: (durationMs: number) => void;
  /** Opens the embedded database; without it, it lives in the data folder, which this process then holds. */
  readonly openPglite?: () => Promise<PGlite>;
}

/**
 * The database that the configuration names. PostgreSQL is not connected to before the first query, so that the service
 * starts while it is down. Throws `ConfigError` when the embedded one cannot be opened.
 */
export async function openDatabase(config: Config['db'], hooks: DatabaseHooks = {}): Promise<Database> {
  // Imported when chosen: the embedded database costs a server deployment nothing, and the reverse.
  if (config.url !== null) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(config.url, config, hooks);
  }
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(config, hooks);
}
