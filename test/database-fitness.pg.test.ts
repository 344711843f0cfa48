import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { UnfitDatabase } from '../src/db/engine/failures.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { startApp, type TestApp } from './support/app.ts';
import { configOf, signingSecret } from './support/config.ts';
import { onServer } from './support/database.ts';
import { commandLine, refusedStart, stopAll, worker } from './support/process.ts';
import { databasePrefix, serverTemplate, serverUrl, urlOf } from './support/template.ts';

/* What the service relies on, and a database can lack: the start is refused, and /readyz says what is wrong and what mends it. */

const role = `callboard_lesser_${process.pid}`;
let name: string;
let made: string[];

const server = (sql: string) => onServer(serverUrl ?? '', sql);
const roleUrl = (database = name) => Object.assign(new URL(urlOf(database)), { username: role }).href;
const env = (url = urlOf(name)) => ({ DATABASE_URL: url, JWT_SECRETS: `test:${signingSecret}` });

async function inDatabase(sql: string, database = name): Promise<void> {
  const client = new pg.Client(urlOf(database));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

beforeAll(() => server(`CREATE ROLE ${role} LOGIN`));
afterAll(() => server(`DROP ROLE ${role}`));
beforeEach(() => {
  name = `${databasePrefix}${randomUUID().slice(0, 8)}`;
  made = [name];
});
afterEach(async () => {
  stopAll();
  for (const each of made) await server(`DROP DATABASE IF EXISTS ${each} WITH (FORCE)`);
});

/** Migrates, and returns what the operator is told where the database is not fit. */
async function migrate(url = urlOf(name)): Promise<string | null> {
  const database = await openDatabase(configOf({ DATABASE_URL: url, CALLBOARD_DB_CONNECT_TIMEOUT: '30000' }).db);
  try {
    await database.migrate();
    return null;
  } catch (error) {
    if (error instanceof UnfitDatabase) return error.message;
    throw error;
  } finally {
    await database.close();
  }
}

describe('a database with the wrong texts', () => {
  /** Told so far, without the name of the database. */
  const told = new Set<string>();

  test.each([
    ['SQL_ASCII', `ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`, 'has the encoding SQL_ASCII instead of UTF8'],
    ['LATIN1', `ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`, 'has the encoding LATIN1 instead of UTF8'],
    ['EUC_JP', `ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C'`, 'has the encoding EUC_JP instead of UTF8'],
    ['UTF8 in C', `ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`, 'does not fold case'],
  ])('%s is refused, and the statement that is told makes a right one', async (encoding, options, reason) => {
    await server(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
    const said = await migrate();
    expect(said).toMatch(/^[^\n]*$/);
    expect(said).toContain(reason);
    const [, statement = ''] = /made by (CREATE DATABASE .*)\.$/.exec(said ?? '') ?? [];
    expect(told.add(statement.replaceAll(name, '')).size).toBe(1);
    // All are told the same, so it is tried once.
    if (encoding !== 'LATIN1') return;
    made.push(`${name}_utf8`);
    await server(statement);
    expect(await migrate(urlOf(`${name}_utf8`))).toBeNull();
  });

  test.each([
    ['migrate', commandLine('migrate'), /^callboard: [^\n]*does not fold case[^\n]*\n$/],
    ['serve', commandLine('serve'), /does not fold case/],
    ['work', worker, /does not fold case/],
  ])('is refused by %s', async (_command, start, says) => {
    await server(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`);
    const { code, output } = await refusedStart(env(), [], start);
    expect({ code, output }).toEqual({ code: 5, output: expect.stringMatching(says) });
  });
});

describe('a role with too few rights', () => {
  test.each([
    ['that may not connect', `REVOKE CONNECT ON DATABASE $db FROM PUBLIC`, 'GRANT CONNECT ON DATABASE'],
    [
      'that may use no schema',
      'REVOKE ALL ON SCHEMA public FROM PUBLIC',
      `GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`,
    ],
    [
      'that may read nothing',
      'GRANT USAGE ON SCHEMA public TO $role',
      `lacks the right DELETE on _prisma_migrations. The owner of the tables runs GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "${role}"; GRANT USAGE ON ALL SEQUENCES`,
    ],
    [
      'without the sequences',
      'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO $role',
      'lacks the right USAGE on the sequence ',
    ],
  ])('%s is told which right is missing', async (_, sql, message) => {
    await server(`CREATE DATABASE ${name} TEMPLATE ${serverTemplate}`);
    await inDatabase(sql.replace('$db', name).replace('$role', role));
    expect(await migrate(roleUrl())).toContain(message);
    await inDatabase(`DROP OWNED BY ${role}`);
  });

  test('needs no more than it is told where nothing is to be migrated', async () => {
    await server(`CREATE DATABASE ${name} TEMPLATE ${serverTemplate}`);
    const said = await migrate(roleUrl());
    const [, grants = ''] = /runs (GRANT .*)\.$/.exec(said ?? '') ?? [];
    await inDatabase(grants);
    expect(await migrate(roleUrl())).toBeNull();
    await inDatabase(`DROP OWNED BY ${role}`);
  });

  test('cannot migrate a new database, and is told what it lacks for that', async () => {
    await server(`CREATE DATABASE ${name}`);
    await inDatabase('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    expect(await migrate(roleUrl())).toContain(`GRANT CREATE ON SCHEMA "public" TO "${role}"`);
    await inDatabase(`GRANT CREATE ON SCHEMA public TO ${role}`);
    expect(await migrate(roleUrl())).toBeNull();
  });

  test('cannot migrate the tables of another one', async () => {
    await server(`CREATE DATABASE ${name} TEMPLATE ${serverTemplate}`);
    await inDatabase(`DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations);
      GRANT ALL ON SCHEMA public TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    expect(await migrate(roleUrl())).toContain('and only its owner can migrate it');
    await inDatabase(`DROP OWNED BY ${role}`);
  });
});

test('a read-only database that has to be migrated is named as such', async () => {
  await server(`CREATE DATABASE ${name}`);
  await server(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await migrate()).toContain('SET default_transaction_read_only = off');
});

describe('a running service', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());

  test.each([
    [
      'rows are hidden',
      `ALTER TABLE events ENABLE ROW LEVEL SECURITY; ALTER TABLE events FORCE ROW LEVEL SECURITY`,
      'ALTER TABLE events DISABLE ROW LEVEL SECURITY',
      'Row security hides rows of events',
    ],
    [
      'triggers are disabled',
      'ALTER TABLE events DISABLE TRIGGER USER',
      'ALTER TABLE events ENABLE TRIGGER ALL',
      'Triggers of events',
    ],
  ])('is not ready while %s, says so, and is ready again afterwards', async (_, harm, mend, message) => {
    const url = service.database.config().db.url ?? '';
    const database = new URL(url).pathname.slice(1);
    await inDatabase(
      `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role};
      GRANT ALL ON SCHEMA public TO ${role}; ${harm}`,
      database,
    );
    const beside = await startApp({ beside: service, env: { DATABASE_URL: roleUrl(database) } });
    const { status, body } = await beside.call('GET', '/readyz');
    expect({ status, message: body.message }).toEqual({ status: 503, message: expect.stringContaining(message) });
    await inDatabase(mend, database);
    expect((await beside.call('GET', '/readyz')).status).toBe(200);
    await beside.close();
    await inDatabase(`DROP OWNED BY ${role}`, database);
  });
});

test('a server that cannot be reached is no fault of the database', async () => {
  const database = await openDatabase(configOf(env('postgresql://127.0.0.1:1/none')).db);
  await expect(database.schemaState()).rejects.not.toMatchObject({ name: 'UnfitDatabase' });
  await database.close();
});
