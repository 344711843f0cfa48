import { existsSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { listenerFor, openClient, takeRows } from './client.ts';
import { DataDirError, fullDiskAdvice, takeDataDir } from './data-dir.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { watchDisk, writeTemporaryFile } from './disk-watch.ts';
import { openEngine, type EmbeddedEngine, type OpenPglite } from './embedded-engine.ts';
import { packedDatabase, unpackDatabase } from './empty-database.ts';
import { isDiskFull } from './failures.ts';
import { migrate } from './migrate.ts';
import { readPending, readSchemaState } from './migrations.ts';
import { requireWholeFiles } from './relation-files.ts';

export async function openEmbedded(config: Config['db'], hooks: DatabaseHooks): Promise<Database> {
  const { engine, release } = hooks.openPglite
    ? { engine: await openEngine(hooks.openPglite), release: () => undefined }
    : await openDataDir(config.dataDir);
  const disk = watchDisk(async () => {
    if (!hooks.openPglite) await requireRoom(config.dataDir);
    await writeTemporaryFile(prisma);
  });
  const prisma = openClient(
    engine.factory,
    config,
    { ...listenerFor(hooks, disk), read: takeRows },
    limits.sessionWaitMs,
  );
  return {
    kind: 'embedded',
    prisma,
    read: (sql) => prisma.$queryRaw(sql),
    schemaState: () => readSchemaState(prisma),
    pending: () => readPending(prisma),
    migrate: async () => {
      const pending = await readPending(prisma);
      if (pending.length === 0) return [];
      const adapter = await engine.factory.connect();
      const applied = await migrate({ adapter, begin: () => engine.exec('BEGIN'), run: engine.exec }, pending);
      // PGlite reads the array types when it opens, so it does not know those that the migrations made.
      await engine.refreshArrayTypes();
      return applied;
    },
    connections: null,
    executeSql: engine.executeSql,
    schema: null,
    ping: async () => void (await prisma.$queryRaw`SELECT 1`),
    isDiskFull: disk.isFull,
    close: async () => {
      await prisma.$disconnect();
      await engine.close();
      release();
    },
  };
}

/** The database within the data folder, and the place of a restored database until it is complete. */
export function databaseDir(dataDir: string): string {
  return join(dataDir, 'pgdata');
}

export function restoredDir(dataDir: string): string {
  return join(dataDir, 'pgdata.restored');
}

async function openDataDir(dataDir: string): Promise<{ engine: EmbeddedEngine; release: () => void }> {
  const release = takeDataDir(dataDir);
  const directory = databaseDir(dataDir);
  try {
    // A restore was interrupted after it had moved the old database aside.
    if (!existsSync(directory) && existsSync(restoredDir(dataDir))) await rename(restoredDir(dataDir), directory);
    if (!existsSync(directory)) await create(directory);
    return { engine: await openEngine((onStop) => openPglite(directory, onStop)), release };
  } catch (error) {
    release();
    throw cannotBeOpened(directory, error);
  }
}

export function cannotBeOpened(directory: string, error: unknown): DataDirError {
  if (error instanceof DataDirError) return error;
  if (isDiskFull(error))
    return new DataDirError(
      `The database in ${directory} cannot be opened, because its disk is full. ${fullDiskAdvice}`,
      { cause: error },
    );
  return new DataDirError(
    `The database in ${directory} cannot be opened: ${(error as Error).message}. Restore a backup with \`callboard restore --force\`, or move the folder away to start anew.`,
    { cause: error },
  );
}

/** Throws unless the disk has room for the next piece of the log, without which the database stops. */
async function requireRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < limits.embeddedRoomBytes)
    throw Object.assign(new Error('The disk has no room for the next piece of the log.'), { code: 'ENOSPC' });
}

/** Creates the database under another name until it is complete, so that an interrupted first start can be repeated. */
async function create(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const packed = await packedDatabase();
  if (packed) await unpackDatabase(packed, unfinished);
  else await (await startPglite(unfinished, () => undefined)).close();
  await rename(unfinished, directory);
}

/** Opens an existing database, and throws unless its files are complete. */
export async function openPglite(directory: string, onStop: Parameters<OpenPglite>[0] = () => undefined) {
  // PGlite would make a new database over one that lacks this file.
  if (!existsSync(join(directory, 'PG_VERSION'))) throw new Error('PG_VERSION is missing');
  const pglite = await startPglite(directory, onStop);
  try {
    await requireWholeFiles(pglite, directory);
    return pglite;
  } catch (error) {
    await pglite.close();
    throw error;
  }
}

/** Starts PGlite. It reports why it stops on stderr only, which is read here. */
export async function startPglite(
  directory: string,
  onStop: Parameters<OpenPglite>[0],
  options: PGliteOptions = {},
): Promise<PGlite> {
  let complaint = '';
  const pglite = new PGlite(directory, {
    ...options,
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${limits.embeddedBuffersMb}MB`],
    onStderr: (line) => {
      const [, reason] = /(?:FATAL|PANIC): +(.*)/.exec(line) ?? [];
      if (reason === undefined) return false;
      complaint ||= reason;
      onStop(reason);
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
