import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { limits } from '../src/config/limits.ts';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { misbehaviour, openSession } from './support/misbehaviour.ts';

/* Transactions that lose against others, take too long, or hold every connection. */

const poolSize = 4;
let app: TestApp;
let other: pg.Client;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp({
    env: {
      CALLBOARD_DB_POOL: String(poolSize),
      CALLBOARD_DB_CONNECT_TIMEOUT: '1500',
      CALLBOARD_DB_STATEMENT_TIMEOUT: '5000',
      CALLBOARD_DB_QUERY_TIMEOUT: '6000',
      CALLBOARD_DB_TRANSACTION_TIMEOUT: '5000',
    },
  });
  other = await openSession(app.database.config().db.url ?? '');
  await other.query(misbehaviour);
  tenant = await app.createTenant();
});

afterAll(async () => {
  await other.end();
  await app.close();
});

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
const create = (title: string, headers = {}) =>
  app.call('POST', '/v1/events', { as: tenant.as.admin, body: { title, ...times }, headers });
const list = () => app.call('GET', '/v1/events', { as: tenant.as.admin });
const eventsCalled = (title: string) => app.prisma.event.count({ where: { title } });
const inGraphql = (mutation: string, variables = {}) => app.graphql(mutation, { as: tenant.as.admin, variables });

async function timed<T>(work: () => Promise<T>): Promise<[answer: T, ms: number]> {
  const startedAt = performance.now();
  return [await work(), performance.now() - startedAt];
}

function expectUnavailable({ status, headers, body }: TestAnswer): void {
  expect({ status, body }).toEqual({
    status: 503,
    body: { success: false, data: null, code: 'UNAVAILABLE', message: expect.any(String) },
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}

describe.each([
  ['a serialization failure', '40001'],
  ['a deadlock', '40P01'],
])('%s', (_name, state) => {
  test(`is tried up to ${limits.triesMax} times without the caller noticing`, async () => {
    await other.query('ALTER SEQUENCE failures RESTART');
    const title = `fail ${state} ${limits.triesMax - 1}`;
    const { status } = await create(title, { 'idempotency-key': title });
    expect(status).toBe(201);
    expect(await eventsCalled(title)).toBe(1);
    expect(await app.prisma.idempotencyKey.count({ where: { key: title } })).toBe(1);
  });

  test('becomes a 503 after that, and nothing is stored', async () => {
    await other.query('ALTER SEQUENCE failures RESTART');
    const title = `fail ${state} 99`;
    expectUnavailable(await create(title, { 'idempotency-key': title }));
    const { rows } = await other.query('SELECT last_value::int AS tries FROM failures');
    expect(rows).toEqual([{ tries: limits.triesMax }]);
    expect(await eventsCalled(title)).toBe(0);
    expect(await app.prisma.idempotencyKey.count({ where: { key: title } })).toBe(0);

    const input = { title, startTime: times.start_time, endTime: times.end_time, timezone: times.timezone };
    const { body } = await inGraphql('mutation ($input: CreateEventInput!) { createEvent(input: $input) { id } }', {
      input,
    });
    expect(body.errors[0].extensions).toEqual({ code: 'UNAVAILABLE', retryAfter: 1 });
    expect(await eventsCalled(title)).toBe(0);
  });
});

test('a real deadlock only delays the caller', async () => {
  const event = await app.createEvent(tenant.business);
  const position = await app.createPosition(tenant.business);
  await other.query(`BEGIN`);
  // The other session never looks for a deadlock: it is the service that loses.
  await other.query(`SET LOCAL deadlock_timeout = '1min'`);
  await other.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [tenant.staff.id]);
  const assigned = inGraphql('mutation ($input: AssignShiftInput!) { assignShift(input: $input) { shift { uuid } } }', {
    input: { eventId: event.uuid, positionId: position.id, userId: tenant.staff.id },
  });
  await untilBlocked(1);
  await other.query('SELECT 1 FROM events WHERE id = $1 FOR UPDATE', [event.id]);
  await other.query('COMMIT');
  expect((await assigned).body).toEqual({ data: { assignShift: { shift: { uuid: expect.any(String) } } } });
  expect(await app.prisma.workShift.count({ where: { eventId: event.id } })).toBe(1);
});

/** Until so many sessions of the service wait for a lock. */
async function untilBlocked(count: number): Promise<void> {
  const blocked = `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'callboard'`;
  // In a transaction, this view would stay as it was at first.
  while ((await app.prisma.$queryRawUnsafe<{ n: number }[]>(blocked))[0]!.n < count) await wait(20);
}

describe('a transaction that exceeds its time limit', () => {
  test('with many statements is rolled back, and its caller gets an answer in time', async () => {
    const source = await app.createEvent(tenant.business);
    for (let index = 0; index < 3; index++) await app.createCallTime(source);
    const title = 'sleep 4.5';
    const [{ body }, ms] = await timed(() =>
      inGraphql(
        'mutation ($uuid: ID!, $title: String) { copyEvent(id: $uuid, input: { days: 1, title: $title }) { event { id } } }',
        {
          uuid: source.uuid,
          title,
        },
      ),
    );
    expect(body.errors[0].extensions).toEqual({ code: 'UNAVAILABLE', retryAfter: 2 });
    expect(ms).toBeGreaterThan(5000);
    // It would be there by now.
    await wait(4500);
    expect(await eventsCalled(title)).toBe(0);
    expect((await list()).status).toBe(200);
  });

  test('in one statement is ended by PostgreSQL', async () => {
    const event = await app.createEvent(tenant.business, { title: 'as it was' });
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM events WHERE id = $1 FOR UPDATE', [event.id]);
    const answer = await app.call('PUT', `/v1/events/${event.uuid}`, {
      as: tenant.as.admin,
      body: { title: 'changed' },
    });
    await other.query('COMMIT');
    expectUnavailable(answer);
    expect(await eventsCalled('changed')).toBe(0);
  });
});

test('while slow transactions hold every connection, other calls are refused before those end; afterwards they work again', async () => {
  // One business cannot hold all of them.
  const tenants = [tenant, await app.createTenant()];
  const events = await Promise.all(tenants.map(({ business }) => app.createEvent(business)));
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM events WHERE id = ANY($1) FOR UPDATE', [events.map(({ id }) => id)]);
  const slow = Array.from({ length: poolSize }, (_, index) =>
    app.call('PUT', `/v1/events/${events[index % 2]?.uuid}`, {
      as: tenants[index % 2]?.as.admin,
      body: { title: `changed ${index}` },
    }),
  );
  let endedCount = 0;
  for (const call of slow) void call.then(() => endedCount++);
  await untilBlocked(poolSize);

  const refused = await Promise.all([...Array.from({ length: 6 }, list), inGraphql('{ events { totalCount } }')]);
  expect(endedCount).toBe(0);
  expect((await app.call('GET', '/healthz')).status).toBe(200);
  for (const answer of refused) expect([answer.status, Number(answer.headers['retry-after'])]).toEqual([503, 2]);
  expectUnavailable(refused[0]!);

  await other.query('COMMIT');
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
  expect((await list()).status).toBe(200);
});
