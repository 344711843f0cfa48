import { beforeAll, expect, test } from '@jest/globals';
import { Prisma } from '../src/generated/prisma/client.ts';
import { startApp, useService, type TestApp } from './support/app.ts';

/* Sessions that the service opens by itself, without a pooler: test/pooler.pg.test.ts has those behind one. */

let database: string;
const log: string[] = [];

const service = useService({ env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => void log.push(line) } });

beforeAll(() => {
  database = new URL(service.database.config().db.url ?? '').pathname.slice(1);
});
/** Runs with a default of the database that only new sessions see. */
async function withDefault(name: string, value: string, work: (beside: TestApp) => Promise<void>): Promise<void> {
  await service.prisma.$executeRawUnsafe(`ALTER DATABASE ${database} SET ${name} TO '${value}'`);
  const beside = await startApp({
    beside: service,
    env: { LOG_LEVEL: 'info' },
    logTo: { write: (line) => void log.push(line) },
  });
  try {
    await work(beside);
  } finally {
    await beside.close();
    await service.prisma.$executeRawUnsafe(`ALTER DATABASE ${database} RESET ${name}`);
  }
}

test.each([
  ['TimeZone', 'Asia/Kathmandu', 'UTC'],
  ['DateStyle', 'German', 'ISO, MDY'],
  ['standard_conforming_strings', 'off', 'on'],
  ['client_encoding', 'latin1', 'UTF8'],
  ['jit', 'on', 'off'],
  ['statement_timeout', '17min', '1min'],
  ['idle_in_transaction_session_timeout', '17min', '1min'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
])('%s is the same in every session, whatever the default of the database', async (name, wrong, right) => {
  await withDefault(name, wrong, async ({ app }) => {
    const sql = Prisma.sql`SELECT current_setting(${name}) AS value`;
    expect(await app.database.read(sql)).toEqual([{ value: right }]);
    expect(await app.database.prisma.$transaction(async (tx) => tx.$queryRaw(sql))).toEqual([{ value: right }]);
  });
});

test('sessions in which triggers do not run are not used, and the reason is told', async () => {
  await withDefault('session_replication_role', 'replica', async (beside) => {
    const { status, body } = await beside.call('GET', '/readyz');
    const message = 'The sessions of PostgreSQL have session_replication_role = replica: triggers do not run.';
    expect({ status, message: body.message }).toEqual({ status: 503, message });
    expect(log.join('')).toContain(message);
    const { as } = await service.createTenant();
    expect((await beside.call('GET', '/v1/events', { as: as.admin })).status).toBe(503);
  });
  expect((await service.call('GET', '/readyz')).status).toBe(200);
});

test('a read-only database answers reads, and leaves the service not ready', async () => {
  const { as } = await service.createTenant();
  await withDefault('default_transaction_read_only', 'on', async (beside) => {
    const { status, body } = await beside.call('GET', '/readyz');
    expect({ status, message: body.message }).toEqual({
      status: 503,
      message: 'The database accepts no writes: it is read-only.',
    });
    expect((await beside.call('GET', '/v1/events', { as: as.admin })).status).toBe(200);
  });
});
