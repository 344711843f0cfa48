import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { conflict, Failure, notFound } from '../errors.ts';
import { databaseDir, restoredDir, takeDataDir } from '../db/engine/data-dir.ts';
import { isDiskFull } from '../db/engine/failures.ts';
import { cannotBeOpened, openPglite, startPglite } from '../db/engine/embedded.ts';
import { migrationNames } from '../db/migrations/migrations.ts';
import { refuseToOverwrite, writeWhole } from './whole-file.ts';

/** The contents of a backup or of a restored database. */
export interface Contents {
  /** The latest migration that was applied to it. */
  readonly schema: string;
  /** How many migrations this build has beyond that one. */
  readonly pending: number;
  readonly rows: Record<string, number>;
}

/**
 * Writes the embedded database of a data folder, which no other process may hold meanwhile, to a tar archive that is
 * compressed by gzip and readable for its owner only. It has no signing secrets. The file is complete or absent.
 */
export async function backUp(
  dataDir: string,
  file: string,
  { force = false } = {},
): Promise<Contents & { bytes: number }> {
  if (!existsSync(databaseDir(dataDir))) throw notFound(`database: ${databaseDir(dataDir)}`);
  if (!force) refuseToOverwrite(file, overwriteAdvice);
  return holding(dataDir, async () => {
    const pglite = await openPglite(databaseDir(dataDir)).catch((error: unknown) => {
      throw cannotBeOpened(databaseDir(dataDir), error);
    });
    try {
      const contents = await contentsOf(pglite);
      await pglite.exec('CHECKPOINT');
      const archive = await pglite.dumpDataDir('gzip');
      const bytes = Buffer.from(await archive.arrayBuffer());
      if (!force) refuseToOverwrite(file, overwriteAdvice);
      await writeWhole(file, (handle) => handle.writeFile(bytes));
      return { ...contents, bytes: bytes.length };
    } finally {
      await pglite.close();
    }
  });
}

/**
 * Replaces the database of a data folder by a backup, after opening and checking it. A database that is there already is
 * moved aside with `force`; without it, the restore is refused. A faulty file changes nothing.
 */
export async function restore(
  dataDir: string,
  file: string,
  { force = false } = {},
): Promise<Contents & { movedAside: string | null }> {
  const archive = await readArchive(file);
  const directory = databaseDir(dataDir);
  return holding(dataDir, async () => {
    if (existsSync(directory) && !force)
      throw conflict(`There is a database in ${directory}: --force moves it aside, and deletes nothing.`);
    const unproven = `${restoredDir(dataDir)}.unproven`;
    await rm(unproven, { recursive: true, force: true });
    try {
      const contents = await proven(file, unproven, archive);
      await rm(restoredDir(dataDir), { recursive: true, force: true });
      await rename(unproven, restoredDir(dataDir));
      // If the process ends here, the next start takes the restored database.
      const movedAside = existsSync(directory) ? `${directory}.replaced-${stamp()}` : null;
      if (movedAside !== null) await rename(directory, movedAside);
      await rename(restoredDir(dataDir), directory);
      return { ...contents, movedAside };
    } finally {
      await rm(unproven, { recursive: true, force: true });
    }
  });
}

async function holding<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const release = takeDataDir(dataDir);
  try {
    return await work();
  } finally {
    release();
  }
}

const overwriteAdvice = '--force overwrites it';

const stamp = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

const noBackup = (file: string, why: string, cause?: unknown) =>
  new Failure('PRECONDITION_FAILED', `${file} is not restored: ${why}. Nothing is changed.`, { cause });

/** The uncompressed archive. The checksum of gzip reveals a file that is damaged or cut off. */
async function readArchive(file: string): Promise<Buffer> {
  if (!(await stat(file).catch(() => null))?.isFile()) throw notFound(`file: ${file}`);
  const bytes = await readFile(file);
  try {
    const archive = await promisify(gunzip)(bytes);
    // The magic of the tar format, in the header of the first file.
    if (archive.toString('latin1', 257, 262) !== 'ustar') throw new Error('it holds no archive');
    return archive;
  } catch (error) {
    throw noBackup(file, `it is no backup of Callboard, or it is damaged (${(error as Error).message})`, error);
  }
}

async function proven(file: string, directory: string, archive: Buffer): Promise<Contents> {
  let pglite: PGlite | undefined;
  try {
    pglite = await startPglite(directory, undefined, { loadDataDir: new Blob([new Uint8Array(archive)]) });
    await pglite.close();
    pglite = await openPglite(directory);
    return await contentsOf(pglite);
  } catch (error) {
    if (error instanceof Failure) throw noBackup(file, error.message.replace(/\.$/, ''), error);
    if (isDiskFull(error)) throw noBackup(file, `the disk of ${dirname(directory)} is full`, error);
    throw noBackup(file, `the database in it cannot be opened (${(error as Error).message})`, error);
  } finally {
    await pglite?.close().catch(() => undefined);
  }
}

async function contentsOf(pglite: PGlite): Promise<Contents> {
  const one = async <T>(sql: string): Promise<T[]> => (await pglite.query<T>(sql)).rows;
  const [table] = await one<{ found: boolean }>(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  if (!table?.found) throw new Failure('PRECONDITION_FAILED', 'the database holds no schema of Callboard.');
  const applied = await one<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const names = await migrationNames();
  const foreign = applied.find(({ name }) => !names.includes(name));
  if (foreign)
    throw new Failure('PRECONDITION_FAILED', `its schema has ${foreign.name}, which this version does not know.`);
  const tables = await one<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    const [counted] = await one<{ count: number }>(`SELECT count(*)::int AS count FROM "${name}"`);
    rows[name] = counted?.count ?? 0;
  }
  return { schema: applied.at(-1)?.name ?? '', pending: names.length - applied.length, rows };
}
