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
function runBackup(command: 'once' | 'check', path: string[] = []): Promise<Outcome> {
  const env = {
    PATH: [...path, programs, process.env['PATH']].join(':'),
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: url.username,
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
