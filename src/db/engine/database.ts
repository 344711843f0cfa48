import type { PGlite } from '@electric-sql/pglite';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { SchemaState } from '../migrations/migrations.ts';
import type { Read, ReadSnapshot } from './reads.ts';
import type { SqlHooks } from './statement-count.ts';

export interface Database {
  readonly kind: 'embedded' | 'postgresql';
  /** Sees every business: only for `access/`, `db/` and `bin/`. */
  readonly prisma: PrismaClient;
  /** Reads across businesses as well: one statement outside any transaction. */
  readonly read: Read;
  /** Reads in one snapshot, past Prisma on PostgreSQL, so that rows are counted as they arrive. */
  readonly snapshot: ReadSnapshot;
  /**
   * Applies the pending migrations, one process at a time, and returns their names. `onBlocked` is told who is in the way, before
   * each further attempt. Throws `MigrationError`, and PRECONDITION_FAILED on the schema of a later version.
   */
  migrate(onBlocked?: (text: string) => void): Promise<string[]>;
  /** The pending migrations. Throws PRECONDITION_FAILED on the schema of a later version. */
  pending(): Promise<string[]>;
  /** Compares the schema of the database with this build. Throws when the database cannot be reached or used. */
  schemaState(): Promise<SchemaState>;
  /**
   * Sends SQL of the job queue, which writes its own: one statement with its values, or a script that begins and commits a
   * transaction. Returns the rows of the statement.
   */
  readonly executeSql: ExecuteSql;
  /** The schema that the URL of the database names; null: the default. */
  readonly schema: string | null;
  ping(): Promise<void>;
  /** Whether writes fail because the disk is full. Throws when the database cannot be asked. */
  isDiskFull(): Promise<boolean>;
  /** Connections of this process; null for the embedded database, which has none. */
  readonly connections: (() => Connections) | null;
  close(): Promise<void>;
}

type ExecuteSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

export interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

export interface DatabaseHooks extends SqlHooks {
  /** Opens the embedded database; without it, it lives in the data folder, which this process then holds. */
  readonly openPglite?: () => Promise<PGlite>;
}
