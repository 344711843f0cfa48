import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { Failure } from '../../errors.ts';
import { packageRoot } from '../../places.ts';
import { isMissingTable } from './failures.ts';

const prismaDir = fileURLToPath(new URL('prisma/', packageRoot));
export const migrationsDir = `${prismaDir}migrations/`;

export async function readSchema() {
  return {
    path: 'schema.prisma',
    content: await readFile(`${prismaDir}schema.prisma`, 'utf8'),
  };
}

/** Names of the migrations on disk, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** The named migrations in the shape that Prisma's schema engine reads. */
export async function readMigrations(names: string[]): Promise<MigrationList> {
  const read = async (name: string) => ({
    path: name,
    migrationFile: {
      path: 'migration.sql',
      content: { tag: 'ok' as const, value: await readFile(`${migrationsDir}${name}/migration.sql`, 'utf8') },
    },
  });
  return {
    baseDir: migrationsDir,
    lockfile: { path: 'migration_lock.toml', content: await readFile(`${migrationsDir}migration_lock.toml`, 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.map(read)),
  };
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
export async function readSchemaState(prisma: PrismaClient): Promise<SchemaState> {
  const names = await migrationNames();
  const { applied, isReadOnly } = await readApplied(prisma);
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
export async function readPending(prisma: PrismaClient): Promise<string[]> {
  const { pending, unknown } = await readSchemaState(prisma);
  if (unknown.length > 0)
    throw new Failure(
      'PRECONDITION_FAILED',
      `The database is of a later version: it has the migration ${unknown.at(-1)}. Run that version, or restore the backup from before its upgrade. Nothing is changed.`,
    );
  return pending;
}

async function readApplied(prisma: PrismaClient): Promise<{ applied: string[]; isReadOnly: boolean }> {
  try {
    const [state] = await prisma.$queryRaw<{ applied: string[]; isReadOnly: boolean }[]>`
      SELECT ARRAY(SELECT migration_name::text FROM _prisma_migrations
                    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1) AS applied,
             current_setting('transaction_read_only')::boolean AS "isReadOnly"`;
    return state ?? { applied: [], isReadOnly: false };
  } catch (error) {
    if (isMissingTable(error)) return { applied: [], isReadOnly: false };
    throw error;
  }
}
