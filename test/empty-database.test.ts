import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../src/db/engine/database.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { packedDatabase, packFile } from '../src/db/engine/empty-database.ts';
import { migrationNames, migrationsDir } from '../src/db/migrations/migrations.ts';
import { configOf } from './support/config.ts';

/* The first start on the embedded database, from what `npm run build` packed: whatever database the suite runs on. */

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-first-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function onFirstStart<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(configOf({ DATABASE_URL: '', DATA_DIR: dataDir }).db);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

test('the packed database has every migration from disk and no rows', async () => {
  expect(existsSync(await packFile())).toBe(true);
  await onFirstStart(join(folder, 'packed'), async (database) => {
    expect(await database.migrate()).toEqual([]);
    const applied = await database.prisma.$queryRaw`
      SELECT migration_name AS name, checksum FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`;
    const onDisk = (await migrationNames()).map(async (name) => ({
      name,
      checksum: createHash('sha256')
        .update(await readFile(join(migrationsDir, name, 'migration.sql')))
        .digest('hex'),
    }));
    expect(applied).toEqual(await Promise.all(onDisk));
    expect(await database.prisma.business.count()).toBe(0);
  });
});

test('the pack contains nothing of the build machine', async () => {
  const archive = (await packedDatabase())!;
  expect(archive.includes('_prisma_migrations')).toBe(true);
  expect(archive.includes(process.cwd())).toBe(false);
});

test('an interrupted first start is repeated', async () => {
  const dataDir = join(folder, 'interrupted');
  const unfinished = join(dataDir, 'pgdata.new');
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'PG_VERSION'), 'half of a');
  await onFirstStart(dataDir, async (database) => expect((await database.schemaState()).pending).toEqual([]));
  expect((await readdir(dataDir)).filter((name) => name.startsWith('pgdata'))).toEqual(['pgdata']);
});
