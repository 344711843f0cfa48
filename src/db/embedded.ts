import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Config } from '../config.ts';
import { openClient } from './client.ts';
import { DataDirError, takeDataDir } from './data-dir.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { migrate } from './migrate.ts';
import { pendingMigrations } from './migrations.ts';

export async function openEmbedded(config: Config['db'], { onSql, openPglite }: DatabaseHooks): Promise<Database> {
  const { pglite, release } = openPglite
    ? { pglite: await openPglite(), release: () => undefined }
    : await openDataDir(config.dataDir);
  await pglite.exec(`SET timezone = 'UTC'`);
  const factory = new PrismaPGlite(pglite);
  const prisma = openClient(factory, config, onSql);
  return {
    kind: 'embedded',
    prisma,
    pendingMigrations: () => pendingMigrations(prisma),
    migrate: async () => {
      const pending = await pendingMigrations(prisma);
      if (pending.length === 0) return [];
      const applied = await migrate(
        { adapter: await factory.connect(), run: (script) => pglite.exec(script) },
        pending,
      );
      // PGlite learns how to send arrays when it opens, and knows nothing of types that came since.
      await pglite.refreshArrayTypes();
      return applied;
    },
    ping: async () => void (await prisma.$queryRaw`SELECT 1`),
    close: async () => {
      if (pglite.closed) return;
      await prisma.$disconnect();
      await pglite.close();
      release();
    },
  };
}

async function openDataDir(dataDir: string): Promise<{ pglite: PGlite; release: () => void }> {
  const release = takeDataDir(dataDir);
  const directory = join(dataDir, 'pgdata');
  try {
    if (!existsSync(directory)) await create(directory);
    // PGlite would make a new database over one that lacks this file.
    if (!existsSync(join(directory, 'PG_VERSION'))) throw new Error('PG_VERSION is missing');
    return { pglite: await open(directory), release };
  } catch (error) {
    release();
    throw new DataDirError(
      `The database in ${directory} cannot be opened: ${(error as Error).message}. Restore it, or remove it to start anew.`,
      { cause: error },
    );
  }
}

/** Under another name until it is whole: a first start that is interrupted is simply made again. */
async function create(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await (await open(unfinished)).close();
  await rename(unfinished, directory);
}

async function open(directory: string): Promise<PGlite> {
  let complaint = '';
  const pglite = new PGlite(directory, {
    onStderr: (line) => {
      complaint ||= /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? '';
      return false;
    },
  });
  try {
    await pglite.waitReady;
  } catch (error) {
    throw complaint ? new Error(complaint, { cause: error }) : error;
  }
  return pglite;
}
