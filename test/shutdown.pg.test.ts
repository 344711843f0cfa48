import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { signingSecret } from './support/config.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { createFactories, type Tenant, type Factories } from './support/factories.ts';
import { misbehaviour, openSession } from './support/misbehaviour.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/* How a process of the service ends, and how one behaves that cannot keep up. */

let database: TestDatabase;
let other: pg.Client;
let factories: Factories;
let tenant: Tenant;
let service: ServiceProcess;

/** Files by which the test and the blocked process tell each other how far they are. */
const folder = mkdtempSync(join(tmpdir(), 'callboard-shutdown-'));
const signs = { blocked: join(folder, 'blocked'), released: join(folder, 'released') };

/** Runs code inside the service process on a signal that the service does not use. */
const onSignal = (code: string) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`process.on('SIGWINCH', () => { ${code} })`)}`,
});
const longStatements = {
  CALLBOARD_DB_STATEMENT_TIMEOUT: '60000',
  CALLBOARD_DB_QUERY_TIMEOUT: '60000',
  CALLBOARD_DB_TRANSACTION_TIMEOUT: '60000',
};
const mishaps = {
  rejection: onSignal(`Promise.reject(new Error('nobody waits for this'))`),
  blocked: {
    CALLBOARD_BLOCKED: '1000',
    ...onSignal(`
    const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
    writeFileSync('${signs.blocked}', '');
    while (!existsSync('${signs.released}'));`),
  },
};

const start = async (more: Record<string, string> = {}): Promise<ServiceProcess> =>
  startProcess({
    DATABASE_URL: database.config().db.url ?? '',
    JWT_SECRETS: `test:${signingSecret}`,
    CALLBOARD_BLOCKED: '600000',
    ...more,
  });

beforeAll(async () => {
  database = await openTestDatabase();
  factories = createFactories(database.prisma, database.config(), () => new Date());
  other = await openSession(database.config().db.url ?? '');
  await other.query(misbehaviour);
  tenant = await factories.createTenant();
});

afterAll(async () => {
  stopAll();
  rmSync(folder, { recursive: true });
  await other.end();
  await database.close();
});

interface Reply {
  readonly status: number;
  readonly retryAfter: number;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly body: any;
}

/** On a connection of its own. */
const ask = (method: string, path: string, body?: object): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${tenant.as.key}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const call = request(service.origin + path, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: Number(answer.headers['retry-after'] ?? 0),
          body: JSON.parse(text),
        }),
      );
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });

const input = (title: string) =>
  `{ title: "${title}", startTime: "2027-05-01 10:00:00", endTime: "2027-05-01 12:00:00", timezone: "Europe/London" }`;

/** Takes 8 seconds. */
const slowRequest = () => {
  const query = `mutation { a: createEvent(input: ${input('sleep 4')}) { title } b: createEvent(input: ${input('sleep 4')}) { title } }`;
  return ask('POST', '/graphql', { query });
};

/** Whether a statement of the service sleeps in PostgreSQL. */
async function isSleeping(): Promise<boolean> {
  const { rowCount } = await other.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
  );
  return rowCount !== 0;
}

async function becomesTrue(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(50);
}

const outcomeOf = (reply: Promise<Reply>) =>
  reply.then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code,
  );

test('SIGTERM: the process is no longer ready, then takes no new connections, finishes running requests and exits with 0', async () => {
  service = await start({ CALLBOARD_DRAIN_DELAY: '5000', CALLBOARD_SHUTDOWN_TIMEOUT: '60000' });
  const slow = slowRequest();
  await becomesTrue(isSleeping);
  const end = service.stop('SIGTERM');
  await becomesTrue(async () => (await ask('GET', '/readyz')).status !== 200);
  expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, retryAfter: 2 });
  expect([await outcomeOf(ask('GET', '/healthz')), await outcomeOf(ask('GET', '/v1/events'))]).toEqual([200, 200]);
  await becomesTrue(async () => (await outcomeOf(ask('GET', '/readyz'))) === 'ECONNREFUSED');
  expect(await slow).toMatchObject({ status: 200, body: { data: { a: { title: 'sleep 4' }, b: {} } } });
  expect(await end).toEqual({ code: 0, signal: null });
});

test('a second SIGTERM ends the process at once and leaves nothing half done', async () => {
  service = await start(longStatements);
  const source = await factories.createEvent(tenant.business);
  const before = await database.prisma.event.count();
  const query = `mutation { copyEvent(id: "${source.uuid}", input: { days: 1, title: "sleep 10" }) { event { title } } }`;
  const slow = outcomeOf(ask('POST', '/graphql', { query }));
  await becomesTrue(isSleeping);
  const first = service.stop('SIGTERM');
  await becomesTrue(async () => (await outcomeOf(ask('GET', '/readyz'))) !== 200);
  expect(await service.stop('SIGTERM')).toEqual({ code: 1, signal: null });
  expect(await slow).toBe('ECONNRESET');
  await first;
  // Its statement runs on in PostgreSQL for a while.
  await becomesTrue(async () => !(await isSleeping()));
  expect(await database.prisma.event.count()).toBe(before);
});

test('an unhandled rejection is logged, running requests are finished, and the process exits with 1', async () => {
  service = await start(mishaps.rejection);
  const slow = slowRequest();
  await becomesTrue(isSleeping);
  const end = service.stop('SIGWINCH');
  expect((await slow).status).toBe(200);
  expect(await end).toEqual({ code: 1, signal: null });
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('nobody waits for this'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 60, msg: 'unexpected failure: closing' });
});

/** Blocks the process, sends three requests, and lets it go on when it has been blocked for more than a second. */
async function askWhileBlocked() {
  for (const sign of Object.values(signs)) rmSync(sign, { force: true });
  process.kill(service.pid, 'SIGWINCH');
  await becomesTrue(async () => existsSync(signs.blocked));
  setTimeout(() => writeFileSync(signs.released, ''), 2000);
  return Promise.all([
    ask('GET', '/v1/events'),
    ask('POST', '/graphql', { query: '{ events { totalCount } }' }),
    ask('GET', '/healthz'),
  ]);
}

describe('one process', () => {
  beforeAll(async () => {
    service = await start({ ...mishaps.blocked, CALLBOARD_DRAIN_DELAY: '5000', CALLBOARD_SHUTDOWN_TIMEOUT: '60000' });
  });

  test('requests that arrive while the process is blocked for more than a second are refused, except probes', async () => {
    // On a busy machine, the start itself blocks for so long.
    await becomesTrue(async () => (await ask('GET', '/v1/events')).status === 200);
    let [rest, graphql, health] = await askWhileBlocked();
    // A machine that is busy with something else may let a request in so late that the process keeps up again.
    for (let tries = 1; tries < 10 && (rest.status !== 503 || graphql.status !== 503); tries++)
      [rest, graphql, health] = await askWhileBlocked();
    expect(rest).toMatchObject({ status: 503, retryAfter: 1, body: { success: false, code: 'UNAVAILABLE' } });
    expect(graphql).toMatchObject({ status: 503, retryAfter: 1 });
    expect(graphql.body.errors[0].extensions.code).toBe('UNAVAILABLE');
    expect(health.status).toBe(200);
    await becomesTrue(async () => (await ask('GET', '/v1/events')).status === 200);
  });

  test('with an older schema the process is not ready, and becomes ready by itself after the migration', async () => {
    expect((await ask('GET', '/readyz')).status).toBe(200);
    const [latest] = (await other.query('SELECT max(migration_name) AS name FROM _prisma_migrations')).rows;
    const setFinished = (sql: string) =>
      other.query(`UPDATE _prisma_migrations SET finished_at = ${sql} WHERE migration_name = $1`, [latest.name]);
    await setFinished('NULL');
    expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, retryAfter: 2, body: { code: 'UNAVAILABLE' } });
    expect((await ask('GET', '/healthz')).status).toBe(200);
    await setFinished('now()');
    expect((await ask('GET', '/readyz')).status).toBe(200);
  });

  test('SIGHUP drains the process before it ends, as SIGTERM does', async () => {
    const end = service.stop('SIGHUP');
    await becomesTrue(async () => (await ask('GET', '/readyz')).status === 503);
    // A busy machine may block it for a second, which it refuses requests for.
    await becomesTrue(async () => (await outcomeOf(ask('GET', '/v1/events'))) === 200);
    expect(await end).toEqual({ code: 0, signal: null });
  });
});
