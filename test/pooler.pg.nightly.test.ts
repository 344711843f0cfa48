import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { migrationNames } from '../src/db/migrations/migrations.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { isNightly } from './support/share.mjs';
import { startPgBouncer, type PgBouncer, type PoolMode } from './support/pgbouncer.ts';

/* Behind PgBouncer, on a database whose defaults are all wrong for this service. */

/** Defaults that would store wrong times, slow reports down or lose time-outs. */
const wrongDefaults = {
  timezone: 'America/New_York',
  datestyle: 'SQL, DMY',
  standard_conforming_strings: 'off',
  jit: 'on',
  statement_timeout: '17min',
  idle_in_transaction_session_timeout: '17min',
};

let direct: TestApp;
let server: string;
let database: string;

beforeAll(async () => {
  direct = await startApp();
  const url = new URL(direct.database.config().db.url ?? '');
  database = url.pathname.slice(1);
  server = url.href;
  for (const [name, value] of Object.entries(wrongDefaults))
    await direct.prisma.$executeRawUnsafe(`ALTER DATABASE ${database} SET ${name} TO '${value}'`);
});
afterAll(() => direct.close());

const evening = { title: 'Late', start_time: '2030-07-01 18:00:00', end_time: '2030-07-01 20:00:00', timezone: 'UTC' };
const settings = `SELECT current_setting('TimeZone') AS zone, current_setting('DateStyle') AS style,
  current_setting('standard_conforming_strings') AS strings, current_setting('jit') AS jit,
  current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`;
/** The times are those of the tests' own settings. */
const wanted = { zone: 'UTC', style: 'ISO, MDY', strings: 'on', jit: 'off', statement: '1min', idle: '1min' };

/** In session mode, less can go wrong. */
const modes: readonly PoolMode[] = isNightly ? ['session', 'transaction'] : ['transaction'];

describe.each(modes)('in mode %s', (mode) => {
  let pooler: PgBouncer;
  let service: TestApp;
  let tenant: Tenant;

  beforeAll(async () => {
    pooler = await startPgBouncer(server, mode);
    service = await startApp({ beside: direct, env: { DATABASE_URL: pooler.urlOf(database) } });
    tenant = await direct.createTenant();
  });
  afterAll(async () => {
    await service?.close();
    await pooler?.close();
  });

  test('the service is ready', async () => {
    expect(await service.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('times are stored and read as they were sent', async () => {
    const as = tenant.as.admin;
    const { status, body } = await service.call('POST', '/v1/events', { as, body: evening });
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: evening });
    const { uuid } = body.data;
    const stored = () => direct.prisma.event.findFirstOrThrow({ where: { uuid } });
    expect((await stored()).startsAt.toISOString()).toBe('2030-07-01T18:00:00.000Z');
    await service.call('PUT', `/v1/events/${uuid}`, { as, body: { start_time: '2030-07-01 19:00:00' } });
    const { startsAt, modifiedAt } = await stored();
    expect(startsAt.toISOString()).toBe('2030-07-01T19:00:00.000Z');
    expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(600_000);
    const read = await service.graphql(`{ event(id: "${uuid}") { startTime startsAt modifiedAt } }`, { as });
    expect(read.body.data.event).toEqual({
      startTime: '2030-07-01 19:00:00',
      startsAt: '2030-07-01T19:00:00.000Z',
      modifiedAt: modifiedAt.toISOString(),
    });
  });

  test('a page by cursor goes on where the one before ended', async () => {
    for (let number = 0; number < 7; number++) await direct.createEvent(tenant.business);
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 20; page++) {
      const query =
        'query ($after: String) { events(first: 2, after: $after) { totalCount nodes { uuid } pageInfo { hasNextPage endCursor } } }';
      const { body } = await service.graphql(query, { as: tenant.as.admin, variables: { after } });
      const { nodes, pageInfo, totalCount } = body.data.events;
      seen.push(...nodes.map(({ uuid }: { uuid: string }) => uuid));
      expect(seen.length).toBeLessThanOrEqual(totalCount);
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(seen).toHaveLength(8);
    expect(new Set(seen).size).toBe(8);
  });

  test('reads and transactions have their settings, also in a session that another client has changed', async () => {
    const { prisma, read } = service.app.database;
    const other = new pg.Client(pooler.urlOf(database));
    await other.connect();
    const spoil =
      "SET statement_timeout = 0; SET jit = on; SET timezone = 'Asia/Kathmandu'; SET search_path = pg_catalog";
    for (let time = 0; time < 5; time++) {
      await other.query(spoil);
      const sql = Prisma.raw(settings);
      expect(await read(sql)).toEqual([wanted]);
      expect(await prisma.$queryRawUnsafe(settings)).toEqual([wanted]);
      expect(await prisma.$transaction(async (tx) => tx.$queryRawUnsafe(settings))).toEqual([wanted]);
      expect((await service.call('GET', '/v1/events', { as: tenant.as.admin })).status).toBe(200);
    }
    await other.end();
  });

  test('a statement that takes too long is canceled', async () => {
    const env = { DATABASE_URL: pooler.urlOf(database), CALLBOARD_DB_STATEMENT_TIMEOUT: '200' };
    const hasty = await openDatabase(service.database.config(env).db);
    const endless = Prisma.sql`SELECT pg_sleep(250)`;
    await expect(hasty.read(endless)).rejects.toMatchObject({ code: '57014' });
    await expect(hasty.prisma.$transaction(async (tx) => tx.$queryRaw(endless))).rejects.toThrow('statement timeout');
    expect(await hasty.read(Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    await hasty.close();
  });

  test('several processes migrate a new database together', async () => {
    const name = `${database}_new_${mode}`;
    await direct.prisma.$executeRawUnsafe(`CREATE DATABASE ${name}`);
    const { db } = service.database.config({ DATABASE_URL: pooler.urlOf(name) });
    const databases = await Promise.all([1, 2, 3].map(async () => openDatabase(db)));
    const applied = await Promise.all(databases.map(async (each) => each.migrate()));
    expect(applied.flat().sort()).toEqual(await migrationNames());
    expect(await databases[0]?.schemaState()).toEqual({ pending: [], unknown: [], isReadOnly: false });
    await Promise.all(databases.map(async (each) => each.close()));
    await direct.prisma.$executeRawUnsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  test('the sessions of other clients stay as they were', async () => {
    const other = new pg.Client(pooler.urlOf(database));
    await other.connect();
    await service.call('GET', '/v1/events', { as: tenant.as.admin });
    const { rows } = await other.query('SHOW idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '17min' }]);
    await other.end();
  });

  test('parallel reads and writes all succeed, although statements are to be prepared', async () => {
    const as = tenant.as.admin;
    const calls = [
      async (number: number) => service.call('GET', `/v1/events?per_page=${1 + number}`, { as }),
      async (number: number) =>
        service.graphql(`{ events(first: ${1 + number}) { nodes { title callTimes { position { title } } } } }`, {
          as,
        }),
      async () => service.call('POST', '/v1/events', { as, body: evening }),
    ];
    const answers = Array.from({ length: 60 }, async (_, number) => calls[number % 3]?.(number % 7));
    const statuses = (await Promise.all(answers)).map((answer) => [answer?.status, answer?.body.errors]);
    expect(statuses.filter(([status, errors]) => Number(status) >= 300 || errors !== undefined)).toEqual([]);
  });
});

test('a pooler that gives each statement another session leaves the service not ready, with the reason', async () => {
  const pooler = await startPgBouncer(server, 'statement');
  const service = await startApp({ beside: direct, env: { DATABASE_URL: pooler.urlOf(database) } });
  const { status, body } = await service.call('GET', '/readyz');
  expect({ status, message: body.message }).toEqual({
    status: 503,
    message: 'The pooler refuses transactions: set its pool_mode to session or transaction.',
  });
  await service.close();
  await pooler.close();
});

test('an isolation level that cannot be set behind a pooler leaves the service not ready, with the reason', async () => {
  const setLevel = async (level: string) =>
    direct.prisma.$executeRawUnsafe(`ALTER DATABASE ${database} SET default_transaction_isolation TO ${level}`);
  await setLevel('serializable');
  const pooler = await startPgBouncer(server, 'transaction');
  const service = await startApp({ beside: direct, env: { DATABASE_URL: pooler.urlOf(database) } });
  const { status, body } = await service.call('GET', '/readyz');
  expect({ status, message: body.message }).toEqual({
    status: 503,
    message: 'The sessions of PostgreSQL have default_transaction_isolation = serializable instead of read committed.',
  });
  await service.close();
  await pooler.close();
  await setLevel('DEFAULT');
});
