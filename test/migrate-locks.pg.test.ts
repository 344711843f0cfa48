import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../src/db/migrations/migrate.ts';
import { openMigrationSession } from '../src/db/migrations/migration-session.ts';
import { migrationNames, readMigrations, type Migration } from '../src/db/migrations/migrations.ts';
import { lastRelease, readKept } from './releases/kept.ts';
import { configOf } from './support/config.ts';
import { onServer } from './support/database.ts';
import { makeNextVersion } from './support/next-version.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { commandLine } from './support/process.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';

/*
 * Migrations of a database of the last release that others read and write meanwhile. All but those whose words matter run in this
 * process: the sessions of PostgreSQL are the same.
 */

const index: Migration = {
  name: '29990101000000_index',
  script:
    '-- Two shifts of one event share no note.\nCREATE UNIQUE INDEX CONCURRENTLY "later_idx" ON "events"("business_id", "title");\n',
};
const column: Migration = {
  name: '29990101000001_column',
  script: 'ALTER TABLE "events" ADD COLUMN "later" TEXT;\n',
};
const later = [index, column];

const kept = `${databasePrefix}kept`;
let name: string;
let clients: pg.Client[];
/** The migrations of this version that the last release lacks. */
let pending: Migration[];

const statement = (sql: string) => onServer(serverUrl ?? '', sql);

beforeAll(async () => {
  await statement(`CREATE DATABASE ${kept}`);
  const client = new pg.Client(urlOf(kept));
  await client.connect();
  await client.query(String(readKept(lastRelease.version, 'database.sql.br')));
  await client.end();
  const since = (await migrationNames()).filter((each) => !lastRelease.migrations.includes(each));
  pending = await readMigrations(since);
});
afterAll(() => statement(`DROP DATABASE ${kept} WITH (FORCE)`));

const copy = async (template: string) => {
  name = `${databasePrefix}${randomUUID().slice(0, 8)}`;
  clients = [];
  await statement(`CREATE DATABASE ${name} TEMPLATE ${template}`);
};
const drop = async () => {
  await Promise.all(clients.map((client) => client.end()));
  await statement(`DROP DATABASE ${name} WITH (FORCE)`);
};

async function connect(settings: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(name), ...settings });
  clients.push(client);
  await client.connect();
  return client;
}

/** Returns the names of the migrations that this call has applied. */
async function apply(migrations: readonly Migration[], said: string[] = [], url = urlOf(name)): Promise<string[]> {
  const session = openMigrationSession(url, configOf({ DATABASE_URL: url }).db, (text) => void said.push(text));
  try {
    return await migrate(session, migrations);
  } finally {
    await session.close();
  }
}

/** `callboard migrate` of this version, or of another one. */
function startMigrate(program = commandLine().command[1] ?? '', words: string[] = []) {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: urlOf(name) };
  const child = spawn(process.execPath, [program, '--json', 'migrate', ...words], { env });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const end = once(child, 'close').then(([code]) => ({ code: code as number, out }));
  return { end, said: () => said };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20);
}

describe('on the schema of the last release', () => {
  beforeEach(() => copy(kept));
  afterEach(drop);

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
    const applied = await apply(pending).finally(() => over.abort());
    await writing;
    expect(applied).toEqual(pending.map((each) => each.name));
    expect(applied.length).toBeGreaterThan(0);
    // In a deadlock, the migration gives way before PostgreSQL ends one of the two.
    expect(failures).toEqual([]);
  });

  /** Holds locks while `told` says how often the migration has tried again; others write meanwhile. */
  async function holdUp(migrating: { told: () => string[]; end: Promise<unknown> }): Promise<void> {
    const reader = clients[0]!;
    const { rows } = await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // Longer than this, a writer would wait for the reader.
    const writer = await connect({ lock_timeout: 4000 });
    for (let round = 0; migrating.told().length < 3; round++) {
      await writer.query(`UPDATE users SET name = 'Round ${round}' WHERE id = (SELECT min(id) FROM users)`);
      await wait(20);
    }
    // On a busy machine, a first try of 0.3 s can be over before it is known who holds the lock.
    expect(migrating.told().join('\n')).toMatch(
      new RegExp(
        `^Migration \\w+ waits for \\w+, which is held by process ${rows[0]?.pid} \\(night report, role \\w+, idle in transaction, `,
        'm',
      ),
    );
    await reader.query('COMMIT');
    await migrating.end;
  }

  async function startReading(sql: string): Promise<void> {
    const reader = await connect({ application_name: 'night report' });
    await reader.query('BEGIN');
    await reader.query(sql);
  }

  test('a reader of one table stops the command, which names it, but no writer', async () => {
    await startReading('SELECT count(*) FROM users');
    const { said, end } = startMigrate();
    await holdUp({ told: () => said().split(': trying again\n').slice(0, -1), end });
    expect((await end).code).toBe(0);
  });

  test('a dump, which has a lock on every table, stops a migration, which names it, but no writer', async () => {
    await startReading(`DO $$ DECLARE each TEXT; BEGIN
      FOR each IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('LOCK TABLE %I IN ACCESS SHARE MODE', each); END LOOP; END $$`);
    const said: string[] = [];
    const end = apply(pending, said);
    await holdUp({ told: () => said, end });
    expect(await end).toEqual(pending.map((each) => each.name));
  });

  test('a failed migration of Prisma’s own command stops no later run', async () => {
    const client = await connect();
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'x', '${column.name}', 'failed')`,
    );
    expect(await apply([column])).toEqual([column.name]);
  });

  test('--plan shows the locks and the sizes, and changes nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-locks-'));
    try {
      const { callboard } = makeNextVersion(folder, Object.fromEntries(later.map((each) => [each.name, each.script])));
      const client = await connect();
      const count = async () => (await client.query('SELECT count(*) FROM _prisma_migrations')).rows;
      const before = await count();
      const { code, out } = await startMigrate(callboard, ['--plan']).end;
      expect(code).toBe(0);
      const plan = JSON.parse(out) as { pending: { name: string; in_transaction: boolean; locks: object[] }[] };
      const lock = { table: 'events', bytes: expect.any(Number), rows: expect.any(Number) };
      expect(plan.pending.filter((each) => each.name.startsWith('2999'))).toEqual([
        {
          name: index.name,
          in_transaction: false,
          locks: [{ ...lock, mode: 'SHARE UPDATE EXCLUSIVE', stops: 'nothing' }],
        },
        {
          name: column.name,
          in_transaction: true,
          locks: [{ ...lock, mode: 'ACCESS EXCLUSIVE', stops: 'reads and writes' }],
        },
      ]);
      expect(await count()).toEqual(before);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('an index that is made concurrently', () => {
  const latest = `${databasePrefix}latest`;
  const names = later.map((each) => each.name);
  const isValid = async (client: pg.Client) =>
    (await client.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('later_idx')`)).rows;
  const sameTitles = `UPDATE events SET title = 'Same' WHERE id IN
    (SELECT id FROM events WHERE business_id = (SELECT min(business_id) FROM events) ORDER BY id LIMIT 2)`;
  const otherTitles = `UPDATE events SET title = title || id`;

  beforeAll(async () => {
    await copy(kept);
    await apply(pending);
    await (await connect()).query(otherTitles);
    await Promise.all(clients.map((client) => client.end()));
    await statement(`ALTER DATABASE ${name} RENAME TO ${latest}`);
  });
  afterAll(() => statement(`DROP DATABASE ${latest} WITH (FORCE)`));
  beforeEach(() => copy(latest));
  afterEach(drop);

  test('waits for a transaction that writes, while others write on', async () => {
    const [first, second] = [await connect(), await connect({ lock_timeout: 4000 })];
    const isThere = async (sql: string) =>
      (await second.query(`SELECT 1 FROM pg_stat_activity a WHERE a.datname = current_database() AND ${sql}`)).rows
        .length > 0;
    await first.query('BEGIN; UPDATE events SET title = title WHERE id = (SELECT min(id) FROM events)');
    const migrating = apply(later);
    const waits = 'EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND NOT l.granted)';
    await until(() => isThere(`a.query LIKE 'CREATE UNIQUE INDEX CONC%' AND ${waits}`));
    await second.query('UPDATE events SET title = title WHERE id = (SELECT max(id) FROM events)');
    // Another process that comes now waits for its turn, and finds nothing left to do.
    const other = apply(later);
    await until(() => isThere(`a.application_name = 'callboard migrate' AND a.query = 'ROLLBACK'`));
    await first.query('COMMIT');
    expect(await Promise.all([migrating, other])).toEqual([names, []]);
    expect(await isValid(first)).toEqual([{ indisvalid: true }]);
  });

  test('that failed, or whose process was killed, is made anew by the next run', async () => {
    const client = await connect();
    await client.query(sameTitles);
    await expect(apply(later)).rejects.toThrow(`Migration ${index.name} failed: could not create unique`);
    expect(await isValid(client)).toEqual([{ indisvalid: false }]);
    await client.query(otherTitles);
    expect(await apply(later)).toEqual(names);
    expect(await isValid(client)).toEqual([{ indisvalid: true }]);
    // Killed after the index was there.
    await client.query(`DELETE FROM _prisma_migrations WHERE migration_name = '${index.name}'`);
    expect(await apply(later)).toEqual([index.name]);
    expect(await isValid(client)).toEqual([{ indisvalid: true }]);
  });

  test('is made through a pooler as well', async () => {
    const pooler = await startPgBouncer(urlOf(name), 'transaction');
    const said: string[] = [];
    try {
      expect(await apply(later, said, pooler.urlOf(name))).toEqual(names);
      expect(said).toEqual([]);
    } finally {
      await pooler.close();
    }
    expect(await isValid(await connect())).toEqual([{ indisvalid: true }]);
  });
});
