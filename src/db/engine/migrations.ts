import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { isMissingTable } from './failures.ts';

/** `prisma/` stands beside `src/` and beside `dist/`. */
const prismaDir = fileURLToPath(new URL('../../../prisma/', import.meta.url));
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

/** Names of the migrations that were not applied. It is one read of Prisma's own table, cheap enough for a readiness check. */
export async function pendingMigrations(prisma: PrismaClient): Promise<string[]> {
  const names = await migrationNames();
  const applied = new Set(await appliedMigrations(prisma));
  return names.filter((name) => !applied.has(name));
}

async function appliedMigrations(prisma: PrismaClient): Promise<string[]> {
  try {
    const rows = await prisma.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
