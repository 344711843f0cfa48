import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { lastRelease, readKept } from './releases/kept.ts';
import { onServer } from './support/database.ts';
import { makeNextVersion } from './support/next-version.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { commandLine } from './support/process.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';

/* Migrations of a database of the last release that others read and write meanwhile. */

const folder = mkdtempSync(join(tmpdir(), 'callboard-locks-'));
const index = '29990101000000_index';
const column = '29990101000001_column';
let next: string;
let name: string;
let clients: pg.Client[];

beforeAll(() => {
  const migrations = {
    [index]:
      '-- Two shifts of one event share no note.\nCREATE UNIQUE INDEX CONCURRENTLY "later_idx" ON "events"("business_id", "title");\n',
    [column]: 'ALTER TABLE "events" ADD COLUMN "later" TEXT;\n',
  };
  next = makeNextVersion(folder, migrations).callboard;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  name = `${databasePrefix}${randomUUID().slice(0, 8)}`;
  clients = [];
  await onServer(serverUrl ?? '', `CREATE DATABASE ${name}`);
  await (await connect()).query(String(readKept(lastRelease.version, 'database.sql.br')));
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await onServer(serverUrl ?? '', `DROP DATABASE ${name} WITH (FORCE)`);
});

async function connect(settings: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(name), ...settings });
  clients.push(client);
  await client.connect();
  return client;
}

/** `callboard migrate` of this version, or of another one. */
function startMigrate(program = commandLine().command[1] ?? '', words: string[] = [], url = urlOf(name)) {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url };
  const child = spawn(process.execPath, [program, '--json', 'migrate', ...words], { env });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const end = once(child, 'close').then(([code]) => ({
    code: code as number,
    said,
    applied: code === 0 ? ((JSON.parse(out) as { applied?: string[] }).applied ?? []) : [],
    out,
  }));
  return { end, said: () => said };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20);
}

test('migrate succeeds beside a writer that locks an event before its users, and the writer loses nothing', async () => {
  const writer = await connect();
  const over = new AbortController();
  let written = 0;
  const failures: string[] = [];
  const writing = (async () => {
    while (!over.signal.aborted) {
      try {
        await writer.query('BEGIN; UPDATE events SET title = title WHERE id = (SELECT min(id) FROM events)');
        await wait(60);
        await writer.query('SELECT 1 FROM users LIMIT 1 FOR KEY SHARE');
        await writer.query('COMMIT');
        written++;
      } catch (error) {
        failures.push((error as { code: string }).code);
        await writer.query('ROLLBACK');
      }
    }
  })();
  await until(() => written > 0);
  const { code, said, applied } = await startMigrate().end;
  over.abort();
  await writing;
  expect({ code, said: said.replaceAll(/^Migration .*: trying again\n/gm, '') }).toEqual({ code: 0, said: '' });
  expect(applied.length).toBeGreaterThan(0);
  // In a deadlock, the migration gives way before PostgreSQL ends one of the two.
  expect(failures).toEqual([]);
});

test.each([
  ['a reader of one table', 'SELECT count(*) FROM users'],
  [
    'a dump, which has a lock on every table',
    `DO $$ DECLARE each TEXT; BEGIN
     FOR each IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
       EXECUTE format('LOCK TABLE %I IN ACCESS SHARE MODE', each); END LOOP; END $$`,
  ],
])('%s stops migrate, which names it, but no writer', async (_, sql) => {
  const reader = await connect({ application_name: 'night report' });
  await reader.query('BEGIN');
  await reader.query(sql);
  const { rows } = await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const migrating = startMigrate();
  // Longer than this, a writer would wait for the reader.
  const writer = await connect({ lock_timeout: 4000 });
  const tries = () => migrating.said().split(': trying again').length - 1;
  for (let round = 0; tries() < 3; round++) {
    await writer.query(`UPDATE users SET name = 'Round ${round}' WHERE id = (SELECT min(id) FROM users)`);
    await wait(20);
  }
  // On a busy machine, a first try of 0.3 s can be over before it is known who holds the lock.
  expect(migrating.said()).toMatch(
    new RegExp(
      `^Migration \\w+ waits for \\w+, which is held by process ${rows[0]?.pid} \\(night report, role \\w+, idle in transaction, `,
      'm',
    ),
  );
  await reader.query('COMMIT');
  expect((await migrating.end).code).toBe(0);
});

test('a failed migration of Prisma’s own command stops no later run', async () => {
  const client = await connect();
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'x', '${index}', 'failed')`,
  );
  expect((await startMigrate().end).code).toBe(0);
});

test('--plan shows the locks and the sizes, and changes nothing', async () => {
  const client = await connect();
  const count = async () => (await client.query('SELECT count(*) FROM _prisma_migrations')).rows;
  const before = await count();
  const { code, out } = await startMigrate(next, ['--plan']).end;
  expect(code).toBe(0);
  const { pending } = JSON.parse(out) as { pending: { name: string; in_transaction: boolean; locks: object[] }[] };
  const lock = { table: 'events', bytes: expect.any(Number), rows: expect.any(Number) };
  expect(pending.filter(({ name: each }) => each.startsWith('2999'))).toEqual([
    { name: index, in_transaction: false, locks: [{ ...lock, mode: 'SHARE UPDATE EXCLUSIVE', stops: 'nothing' }] },
    { name: column, in_transaction: true, locks: [{ ...lock, mode: 'ACCESS EXCLUSIVE', stops: 'reads and writes' }] },
  ]);
  expect(await count()).toEqual(before);
});

describe('an index that is made concurrently', () => {
  const isValid = async (client: pg.Client) =>
    (await client.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('later_idx')`)).rows;
  const sameTitles = `UPDATE events SET title = 'Same' WHERE id IN
    (SELECT id FROM events WHERE business_id = (SELECT min(business_id) FROM events) ORDER BY id LIMIT 2)`;
  const otherTitles = `UPDATE events SET title = title || id`;

  beforeEach(async () => {
    await startMigrate().end;
    await (await connect()).query(otherTitles);
  });

  test('waits for a transaction that writes, while others write on', async () => {
    const [first, second] = [await connect(), await connect({ lock_timeout: 4000 })];
    await first.query('BEGIN; UPDATE events SET title = title WHERE id = (SELECT min(id) FROM events)');
    const migrating = startMigrate(next);
    const waits = `SELECT 1 FROM pg_stat_activity a JOIN pg_locks l USING (pid)
                    WHERE a.datname = current_database() AND a.query LIKE 'CREATE UNIQUE INDEX CONC%' AND NOT l.granted`;
    await until(async () => (await second.query(waits)).rows.length > 0);
    await second.query('UPDATE events SET title = title WHERE id = (SELECT max(id) FROM events)');
    // Another process that comes now waits for its turn, and finds nothing left to do.
    const other = startMigrate(next);
    await wait(500);
    await first.query('COMMIT');
    const ends = await Promise.all([migrating.end, other.end]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends.flatMap(({ applied }) => applied)).toEqual([index, column]);
    expect(await isValid(first)).toEqual([{ indisvalid: true }]);
  });

  test('that failed, or whose process was killed, is made anew by the next run', async () => {
    const client = await connect();
    await client.query(sameTitles);
    const failed = await startMigrate(next).end;
    expect(failed).toMatchObject({
      code: 1,
      said: expect.stringContaining(`Migration ${index} failed: could not create unique`),
    });
    expect(await isValid(client)).toEqual([{ indisvalid: false }]);
    await client.query(otherTitles);
    expect((await startMigrate(next).end).applied).toEqual([index, column]);
    expect(await isValid(client)).toEqual([{ indisvalid: true }]);
    // Killed after the index was there.
    await client.query(`DELETE FROM _prisma_migrations WHERE migration_name = '${index}'`);
    expect((await startMigrate(next).end).applied).toEqual([index]);
    expect(await isValid(client)).toEqual([{ indisvalid: true }]);
  });

  test('is made through a pooler as well', async () => {
    const pooler = await startPgBouncer(urlOf(name), 'transaction');
    try {
      const { applied, said } = await startMigrate(next, [], pooler.urlOf(name)).end;
      expect({ applied, said }).toEqual({ applied: [index, column], said: '' });
    } finally {
      await pooler.close();
    }
    expect(await isValid(await connect())).toEqual([{ indisvalid: true }]);
  });
});
