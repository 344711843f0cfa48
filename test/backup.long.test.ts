import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exits } from '../src/bin/exits.ts';
import { restore } from '../src/bin/backup-archive.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { runCommand } from './support/command-line.ts';
import { configOf } from './support/config.ts';
import { digestOf } from './support/digest.ts';
import { createFactories } from './support/factories.ts';
import { createLoadScene } from './support/load.ts';

/* Backups of the embedded database: the commands of an operator, and files that are no backup. */

let folder: string;
let dataDir: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-backup-'));
  dataDir = join(folder, 'data');
  file = join(folder, 'callboard.backup');
  const config = configOf({ DATA_DIR: dataDir });
  const database = await openDatabase(config.db);
  await database.migrate();
  await createLoadScene(createFactories(database.prisma, config, () => new Date()));
  await database.close();
  await writeFile(join(dataDir, 'jwt-secret'), 'a-secret-that-stays-where-it-is');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const callboard = (dir: string, words: string[], env = {}) => runCommand(words, { DATA_DIR: dir, ...env });

async function digest(dir: string): Promise<Record<string, string>> {
  // On a copy: to look is not to change.
  const copy = `${dir}.copy`;
  await cp(join(dir, 'pgdata'), copy, { recursive: true });
  const pglite = await PGlite.create(copy);
  try {
    return await digestOf(async (sql) => (await pglite.query<object>(sql)).rows);
  } finally {
    await pglite.close();
    await rm(copy, { recursive: true });
  }
}

const rows = { businesses: 1, events: 3, call_times: 5, work_shifts: 3, custom_fields: 2, users: 3, api_keys: 1 };

test('restoring a backup brings back every row', async () => {
  const made = await callboard(dataDir, ['backup', file, '--json']);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const outcome = JSON.parse(made.stdout);
  expect(outcome).toMatchObject({
    file,
    bytes: (await stat(file)).size,
    rows,
    schema: expect.stringMatching(/^\d{14}_/),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(gunzipSync(await readFile(file)).includes('a-secret-that-stays-where-it-is')).toBe(false);
  expect((await readdir(folder)).sort()).toEqual(['callboard.backup', 'data']);

  const restored = join(folder, 'restored');
  const { status, stdout, stderr } = await callboard(restored, ['restore', file]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`Restored ${file} into ${restored}: 1 businesses, 3 events, `);
  expect(stdout).not.toContain('up to date');
  expect((await readdir(restored)).sort()).toEqual(['lock', 'pgdata']);
  const before = await digest(dataDir);
  expect(Object.keys(before).length).toBeGreaterThan(10);
  expect(await digest(restored)).toEqual(before);
});

test('existing data is overwritten only with --force, which moves the old database aside', async () => {
  const again = await callboard(dataDir, ['backup', file]);
  expect(again).toMatchObject({ status: exits.conflict.status, stdout: '' });
  expect(again.stderr).toContain(`${file} exists already: --force overwrites it.`);
  await expect(restore(dataDir, file)).rejects.toMatchObject({ code: 'CONFLICT', message: /--force moves it aside/ });

  const dir = join(folder, 'replaced');
  await cp(dataDir, dir, { recursive: true });
  const { movedAside } = await restore(dir, file, { force: true });
  expect(movedAside).toMatch(/replaced\/pgdata\.replaced-\d{8}T\d{6}Z$/);
  expect((await stat(join(movedAside ?? '', 'PG_VERSION'))).isFile()).toBe(true);
  expect(await readFile(join(dir, 'jwt-secret'), 'utf8')).toBe('a-secret-that-stays-where-it-is');
});

describe('a file that is damaged, not a backup or of a newer version', () => {
  const archive = async () => gunzipSync(await readFile(file));
  const otherDatabase = async (script: string) => {
    const pglite = await PGlite.create({ loadDataDir: new Blob([await archive()]) });
    await pglite.exec(script);
    const dump = await pglite.dumpDataDir('none');
    await pglite.close();
    return gzipSync(await dump.arrayBuffer(), { level: 1 });
  };
  const spoilt: Record<string, [make: () => Promise<Buffer>, why: RegExp]> = {
    'is cut off': [async () => (await readFile(file)).subarray(0, 100_000), /damaged \(unexpected end of file\)/],
    'is damaged': [
      async () => {
        const bytes = await readFile(file);
        bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
        return bytes;
      },
      /is no backup of Callboard, or it is damaged/,
    ],
    'is no archive': [async () => Buffer.from('not a backup'), /is no backup of Callboard/],
    'is an archive of something else': [
      async () => gzipSync((await archive()).subarray(0, 512 * 4)),
      /the database in it cannot be opened/,
    ],
    'is of a later version': [
      () =>
        otherDatabase(`UPDATE _prisma_migrations SET migration_name = '29990101000000_later'
                            WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`),
      /its schema has 29990101000000_later, which this version does not know/,
    ],
    'holds a database of something else': [
      () => otherDatabase('DROP TABLE _prisma_migrations'),
      /holds no schema of Callboard/,
    ],
  };

  test.each(Object.keys(spoilt))(
    '%s: it is refused, and nothing is changed',
    async (name) => {
      const [make, why] = spoilt[name]!;
      const bad = join(folder, 'bad.backup');
      await writeFile(bad, await make());
      const before = (await readdir(dataDir)).sort();
      const refused = restore(dataDir, bad, { force: true });
      await expect(refused).rejects.toMatchObject({ message: why });
      await expect(refused).rejects.toMatchObject({ message: /Nothing is changed\.$/ });
      expect((await readdir(dataDir)).sort()).toEqual(before);
    },
    120_000,
  );

  test('of an older version is restored, and the next start migrates it', async () => {
    const earlier = join(folder, 'earlier.backup');
    await writeFile(
      earlier,
      await otherDatabase(`UPDATE _prisma_migrations SET rolled_back_at = now()
                            WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`),
    );
    expect(await restore(join(folder, 'earlier'), earlier)).toMatchObject({ pending: 1, movedAside: null });
  });
});

test('a restore that is interrupted after moving the old database aside is finished by the next start', async () => {
  const dir = join(folder, 'interrupted');
  await cp(dataDir, dir, { recursive: true });
  await rm(join(dir, 'pgdata'), { recursive: true });
  await cp(join(dataDir, 'pgdata'), join(dir, 'pgdata.restored'), { recursive: true });
  const database = await openDatabase(configOf({ DATA_DIR: dir }).db);
  expect(await database.prisma.event.count()).toBe(3);
  await database.close();
});

test.each([
  ['backup', /pg_dump --format=custom --file=there "\$DATABASE_URL"/],
  ['restore', /pg_restore .+ --dbname="\$DATABASE_URL" there/],
])('with PostgreSQL, %s names the program to use instead', async (command, line) => {
  const { status, stdout, stderr } = await callboard(folder, [command, 'there'], {
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
  });
  expect({ status, stdout }).toEqual({ status: exits.invalid.status, stdout: '' });
  expect(stderr).toMatch(line);
});

test('a backup without a database fails and creates none', async () => {
  const dir = join(folder, 'nothing');
  const { status, stderr } = await callboard(dir, ['backup', join(folder, 'none.backup')]);
  expect({ status, stderr }).toEqual({
    status: exits.notFound.status,
    stderr: `callboard: No such database: ${dir}/pgdata.\n`,
  });
  expect(await readdir(folder)).not.toContain('nothing');
});
