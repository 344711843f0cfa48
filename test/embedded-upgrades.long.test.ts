import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { restore } from '../src/bin/backup-archive.ts';
import type { Database } from '../src/db/engine/database.ts';
import { migrationNames } from '../src/db/migrations/migrations.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { readKept, releases } from './releases/kept.ts';
import { configOf } from './support/config.ts';
import { digestOf } from './support/digest.ts';
import { refusedStart, startProcess, stopAll } from './support/process.ts';

/* Data folders of the embedded database that earlier versions have written. */

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-upgrade-'));
});
afterEach(async () => {
  stopAll();
  await rm(dataDir, { recursive: true, force: true });
});

async function restoreKept(version: string): Promise<void> {
  const backup = join(dataDir, 'kept.backup');
  await writeFile(backup, gzipSync(readKept(version, 'embedded.tar.br'), { level: 1 }));
  await restore(dataDir, backup);
}

async function onDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(configOf({ DATABASE_URL: '', DATA_DIR: dataDir }).db);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const env = () => ({ DATABASE_URL: '', DATA_DIR: dataDir });

test.each(releases)('a data folder of $version is migrated by a start, and serves what it has', async (release) => {
  await restoreKept(release.version);
  const pending = await onDatabase((database) => database.pending());
  expect(pending).toEqual((await migrationNames()).filter((name) => !release.migrations.includes(name)));

  const service = await startProcess(env());
  const totals = await Promise.all(
    release.embedded.map(async ({ key }) => {
      const response = await fetch(`${service.origin}/v1/events`, { headers: { authorization: `Bearer ${key}` } });
      const { data } = (await response.json()) as { data: { total: number } };
      return `${response.status} ${data.total}`;
    }),
  );
  await service.stop();
  const stored = await onDatabase(async (database) => {
    expect(await database.pending()).toEqual([]);
    const where = { status: { not: 'deleted' } } as const;
    return Promise.all(
      release.embedded.map(({ businessId }) => database.prisma.event.count({ where: { businessId, ...where } })),
    );
  });
  expect(totals).toEqual(stored.map((total) => `200 ${total}`));
  expect(stored[0]).toBeGreaterThan(30);
});

test('a data folder of a later version is refused with one line, and nothing is changed', async () => {
  const digest = () => onDatabase(({ prisma }) => digestOf((sql) => prisma.$queryRawUnsafe(sql)));
  await onDatabase(async (database) => {
    await database.migrate();
    await database.prisma.$executeRaw`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
      VALUES ('later', 'none', '29990101000000_later', now(), 1)`;
  });
  const before = await digest();
  expect(await refusedStart(env())).toEqual({
    code: 1,
    output:
      'callboard: The database is of a later version: it has the migration 29990101000000_later. Run that version, or restore the backup from before its upgrade. Nothing is changed.\n',
  });
  expect(await digest()).toEqual(before);
});
