import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Prisma } from '../../generated/prisma/client.ts';
import { Failure } from '../../errors.ts';
import { packageRoot } from '../../places.ts';
import { isMissingTable } from '../engine/failures.ts';
import type { Read } from '../engine/reads.ts';

export const migrationsDir = fileURLToPath(new URL('prisma/migrations/', packageRoot));

/** Names of the migrations on disk, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

export interface Migration {
  readonly name: string;
  readonly script: string;
}

/** The migrations on disk, oldest first, or those of these names. */
export async function readMigrations(names?: readonly string[]): Promise<Migration[]> {
  const read = async (name: string) => ({
    name,
    script: await readFile(`${migrationsDir}${name}/migration.sql`, 'utf8'),
  });
  return Promise.all((names ?? (await migrationNames())).map(read));
}

export interface SchemaState {
  /** Migrations that this build has and the database lacks, oldest first. */
  readonly pending: string[];
  /** Migrations that the database has and this build does not know: those of a later version. */
  readonly unknown: string[];
  /** Whether the database refuses writes, such as a standby. */
  readonly isReadOnly: boolean;
}

/** Compares the schema of the database with this build, by one read that is cheap enough for a readiness check. */
export async function readSchemaState(read: Read): Promise<SchemaState> {
  const names = await migrationNames();
  const { applied, isReadOnly } = await readApplied(read);
  return {
    pending: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
    isReadOnly,
  };
}

/**
 * The pending migrations. Throws PRECONDITION_FAILED on the schema of a later version, before anything is changed: this
 * version does not know what that one expects of the rows.
 */
export async function readPending(read: Read): Promise<string[]> {
  const { pending, unknown } = await readSchemaState(read);
  if (unknown.length > 0)
    throw new Failure(
      'PRECONDITION_FAILED',
      `The database is of a later version: it has the migration ${unknown.at(-1)}. Run that version, or restore the backup from before its upgrade. Nothing is changed.`,
    );
  return pending;
}

async function readApplied(read: Read): Promise<{ applied: string[]; isReadOnly: boolean }> {
  try {
    const [state] = await read<{ applied: string[]; isReadOnly: boolean }>(Prisma.sql`
      SELECT ARRAY(SELECT migration_name::text FROM _prisma_migrations
                    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1) AS applied,
             current_setting('transaction_read_only')::boolean AS "isReadOnly"`);
    return state ?? { applied: [], isReadOnly: false };
  } catch (error) {
    if (isMissingTable(error)) return { applied: [], isReadOnly: false };
    throw error;
  }
}
