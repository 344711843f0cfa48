import { existsSync, writeSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { migrate } from '../migrations/migrate.ts';
import { inTransaction } from '../migrations/migration-statements.ts';
import { readMigrations, readPending, readSchemaState } from '../migrations/migrations.ts';
import { databaseDir, DataDirError, fullDiskAdvice, restoredDir, takeDataDir } from './data-dir.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { watchDisk, writeTemporaryFile } from './disk-watch.ts';
import { adaptPglite } from './embedded-adapter.ts';
import { packedDatabase, unpackDatabase } from './empty-database.ts';
import { isDiskFull } from './failures.ts';
import { isScript } from './queue-scripts.ts';
import { inOrder, isWrite, type Read } from './reads.ts';
import { requireWholeFiles } from './relation-files.ts';
import { listenerFor } from './statement-count.ts';
import { openClient } from './statements.ts';

/** Room that the database needs after its disk was full: a piece of its log has 16 MiB. */
const roomBytes = 20 * 1024 * 1024;

export async function openEmbedded(config: Config['db'], hooks: DatabaseHooks): Promise<Database> {
  const { pglite, release } = hooks.openPglite
    ? { pglite: await hooks.openPglite(), release: () => undefined }
    : await openDataDir(config.dataDir);
  await pglite.exec(`SET timezone = 'UTC'`);
  const beforeWrite = hooks.openPglite ? async () => undefined : () => requireRoom(config.dataDir);
  const disk = watchDisk(async () => {
    await beforeWrite();
    await writeTemporaryFile(prisma);
  });
  const prisma = openClient(
    adaptPglite(pglite),
    { listener: listenerFor(hooks, disk), beforeWrite },
    config,
    limits.sessionWaitMs,
  );
  const read: Read = (sql) => prisma.$queryRaw(sql);
  return {
    kind: 'embedded',
    prisma,
    read,
    snapshot: (timeoutMs, run) =>
      prisma.$transaction((tx) => run(inOrder((sql) => tx.$queryRaw(sql))), {
        timeout: timeoutMs,
        isolationLevel: 'RepeatableRead',
      }),
    schemaState: () => readSchemaState(read),
    pending: () => readPending(read),
    migrate: async () => {
      const pending = await readPending(read);
      if (pending.length === 0) return [];
      await beforeWrite();
      const applied = await migrate(
        {
          begin: () => pglite.exec('BEGIN'),
          retry: (_migration, attempt) => attempt(),
          run: async (script) => (await pglite.exec(inTransaction(script))).at(-1)?.rows ?? [],
        },
        await readMigrations(pending),
      );
      // PGlite reads the array types when it opens, so it does not know those that the migrations made.
      await pglite.refreshArrayTypes();
      return applied;
    },
    connections: null,
    executeSql: async (text, values) => {
      if (isWrite(text)) await beforeWrite();
      return isScript(text) ? pglite.exec(text).then(() => ({ rows: [] })) : pglite.query(text, values);
    },
    schema: null,
    ping: async () => void (await prisma.$queryRaw`SELECT 1`),
    isDiskFull: disk.isFull,
    close: async () => {
      await prisma.$disconnect();
      if (!pglite.closed) await pglite.close();
      release();
    },
  };
}

async function openDataDir(dataDir: string): Promise<{ pglite: PGlite; release: () => void }> {
  const release = takeDataDir(dataDir);
  const directory = databaseDir(dataDir);
  try {
    // A restore was interrupted after it had moved the old database aside.
    if (!existsSync(directory) && existsSync(restoredDir(dataDir))) await rename(restoredDir(dataDir), directory);
    if (!existsSync(directory)) await create(directory);
    let isOpen = false;
    const pglite = await openPglite(directory, (reason) => {
      if (isOpen) endProcess(directory, reason);
    });
    isOpen = true;
    return { pglite, release };
  } catch (error) {
    release();
    throw cannotBeOpened(directory, error);
  }
}

/** PGlite never answers again after a stop, and would keep this thread busy for ever. The next start recovers what is stored. */
function endProcess(directory: string, reason: string): never {
  writeSync(
    2,
    `callboard: The database in ${directory} has stopped: ${reason}. Start again: what is stored is not lost.\n`,
  );
  process.exit(statusOfStop);
}

/** As for a database that cannot be used. */
const statusOfStop = 5;

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

/** Throws unless the disk has room for the next piece of the log, without which the database would stop. */
async function requireRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < roomBytes)
    throw Object.assign(new Error('The disk has no room for the next piece of the log.'), { code: 'ENOSPC' });
}

/** Creates the database under another name until it is complete, so that an interrupted first start can be repeated. */
async function create(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const packed = await packedDatabase();
  if (packed) await unpackDatabase(packed, unfinished);
  else await (await startPglite(unfinished)).close();
  await rename(unfinished, directory);
}

/** Opens an existing database, and throws unless its files are complete. */
export async function openPglite(directory: string, onStop?: (reason: string) => void) {
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
  onStop: (reason: string) => void = () => undefined,
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
  const error: unknown = await pglite.waitReady.then(
    () => null,
    (cause: unknown) => cause,
  );
  // It may seem ready after a stop, and would never answer.
  if (complaint) throw new Error(complaint, { cause: error });
  if (error !== null) throw error;
  return pglite;
}
