import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { binary } from './support/cluster.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { createFactories } from './support/factories.ts';
import { createLoadScene } from './support/load.ts';

/* .deploy/backup.sh as the compose file runs it, on the programs of PostgreSQL. */

const script = fileURLToPath(new URL('../.deploy/backup.sh', import.meta.url));
const programs = dirname(binary('pg_dump'));

let database: TestDatabase;
let url: URL;
let backups: string;
const folders: string[] = [];

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-backups-'));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  database = await openTestDatabase();
  url = new URL(database.config().db.url ?? '');
  await createLoadScene(createFactories(database.prisma, database.config(), () => new Date()));
});

beforeEach(async () => {
  backups = await createFolder();
});

afterAll(async () => {
  await database.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

interface Outcome {
  readonly status: number;
  readonly output: string;
}

/** Runs the script. `path` comes before the folder of PostgreSQL's programs. */
function runBackup(command: 'once' | 'check', path: string[] = [], role = url.username): Promise<Outcome> {
  const env = {
    PATH: [...path, programs, process.env['PATH']].join(':'),
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: role,
    PGDATABASE: url.pathname.slice(1),
    BACKUP_DIR: backups,
    BACKUP_DAYS: '14',
  };
  return new Promise((resolve) => {
    execFile('sh', [script, command], { env }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const dumps = () => readdirSync(backups).filter((name) => name.startsWith('callboard-'));
const visible = () => readdirSync(backups).filter((name) => name !== '.lock');
const age = (path: string, days: number) => {
  const then = Date.now() / 1000 - days * 86_400;
  utimesSync(path, then, then);
};

/** A program of this name, which does this in place of PostgreSQL's. */
async function createProgram(name: string, text: string): Promise<string> {
  const folder = await createFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, name), 0o755);
  return folder;
}

const trialDatabases = () =>
  database.prisma.$queryRaw`SELECT 1 FROM pg_database WHERE datname = ${`${url.pathname.slice(1)}_restored`}`;

test('a backup that can be restored is kept, and what is older than the retention is deleted', async () => {
  for (const [name, days] of [
    ['callboard-old.dump', 14.1],
    ['callboard-young.dump', 13.9],
  ] as const) {
    writeFileSync(join(backups, name), 'x');
    age(join(backups, name), days);
  }
  const { status, output } = await runBackup('once');
  expect({ status, output }).toEqual({
    status: 0,
    output: expect.stringMatching(/restored with all rows of \d\d tables/),
  });
  const newest = readlinkSync(join(backups, 'latest.dump'));
  expect(dumps().sort()).toEqual([newest, 'callboard-young.dump']);
  expect(visible()).toHaveLength(3);
  expect(await trialDatabases()).toEqual([]);
});

test('two backups at the same time wait for each other', async () => {
  const outcomes = await Promise.all([runBackup('once'), runBackup('once')]);
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0]);
});

test('the check fails without a backup, and where the newest one is too old', async () => {
  expect((await runBackup('check')).status).toBe(1);
  expect((await runBackup('once')).status).toBe(0);
  expect((await runBackup('check')).status).toBe(0);
  age(join(backups, 'latest.dump'), 1.1);
  expect((await runBackup('check')).status).toBe(1);
});

test.each([
  [
    'lacks rows',
    'pg_dump',
    `exec ${programs}/pg_dump --exclude-table-data=custom_field_values "$@"`,
    'rows are missing in the backup',
  ],
  ['cannot be restored', 'pg_restore', 'exit 1', 'the backup could not be restored'],
  ['cannot be written', 'pg_dump', 'exit 1', 'the database could not be dumped'],
])('a backup that %s is not kept, and no older one is deleted', async (_title, program, text, message) => {
  writeFileSync(join(backups, 'callboard-old.dump'), 'x');
  age(join(backups, 'callboard-old.dump'), 20);
  const { status, output } = await runBackup('once', [await createProgram(program, text)]);
  expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining(`failed: ${message}`) });
  expect(visible()).toEqual(['callboard-old.dump']);
  expect(existsSync(join(backups, 'latest.dump'))).toBe(false);
  expect(await trialDatabases()).toEqual([]);
});

test('the time of a backup that was restored is noted in the database, and no other', async () => {
  await database.prisma.$executeRaw`DELETE FROM backup_state`;
  await runBackup('once', [await createProgram('pg_restore', 'exit 1')]);
  expect(await database.prisma.backupState.findMany()).toEqual([]);
  const before = Math.floor(Date.now() / 1000) * 1000;
  for (let time = 0; time < 2; time++) expect((await runBackup('once')).status).toBe(0);
  const [noted, ...more] = await database.prisma.backupState.findMany();
  expect(noted!.verifiedAt.getTime()).toBeGreaterThanOrEqual(before);
  expect(more).toEqual([]);
});

test.each([
  [
    'may not create databases',
    'LOGIN',
    /^\S+ failed: the role \w+ may not create databases, .* ALTER ROLE \w+ CREATEDB/m,
  ],
  ['may not read the tables', 'LOGIN CREATEDB', /^\S+ failed: the database could not be dumped: .*permission denied/m],
  ['may not log in', 'NOLOGIN', /^\S+ failed: the database cannot be reached: .*not permitted to log in/m],
])('a role that %s is told so', async (_title, rights, says) => {
  const role = `backup_role_${process.pid}`;
  await database.prisma.$executeRawUnsafe(`CREATE ROLE ${role} ${rights}`);
  try {
    const { status, output } = await runBackup('once', [], role);
    expect({ status, output }).toEqual({ status: 1, output: expect.stringMatching(says) });
  } finally {
    await database.prisma.$executeRawUnsafe(`DROP ROLE ${role}`);
  }
});
