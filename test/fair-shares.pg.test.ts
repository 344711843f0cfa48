import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { limits } from '../src/config/limits.ts';
import { openServer } from '../src/db/engine/pool.ts';
import { createReadOn, readsOf, statementNames } from '../src/db/engine/reads.ts';
import { countStatementsOn } from '../src/db/engine/statement-count.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* What one business may take of the connections and exports of a process. Statements are held up by a lock. */

const share = 4;
/** The share of a business whose statements have been slow a moment ago, as they are on a busy machine. */
const slowShare = 2;

let service: TestApp;
let busy: Tenant;
let other: Tenant;
let origin: string;
let locker: pg.Client;
let observer: pg.Client;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startApp();
  [busy, other] = [await service.createTenant(), await service.createTenant()];
  await service.createEvent(other.business);
  origin = await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  [locker, observer] = [databaseClient(), databaseClient()];
  await Promise.all([locker.connect(), observer.connect()]);
});

afterEach(async () => {
  await locker.query('ROLLBACK');
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(async () => {
  await Promise.all([locker.end(), observer.end()]);
  await service.close();
});

const databaseClient = () => new pg.Client(service.database.config().db.url ?? '');

/** Statements that wait for the lock. */
const heldUp = async (): Promise<number> => {
  // Not by the locker: within a transaction, the view does not change.
  const { rows } = await observer.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return (rows[0] as { n: number }).n;
};

const until = async (isTrue: () => Promise<boolean>, withinMs = 60_000) => {
  for (const end = Date.now() + withinMs; !(await isTrue()); await wait(20))
    if (Date.now() > end) throw new Error('This did not come about.');
};

const manyReads = Array.from(
  { length: 20 },
  (_, index) => `a${index}: auditEntries(first: ${index + 1}) { nodes { id } }`,
);

/** While a business is alone, it has no share. */
const callBoth = async (app: TestApp) => {
  for (const { as } of [busy, other]) await app.call('GET', '/v1/events?_first', { as: as.key });
};

test('statements of one business leave connections for the others', async () => {
  await callBoth(service);
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  const reading = service.graphql(`{ ${manyReads.join(' ')} }`, { as: busy.as.admin });
  await until(async () => (await heldUp()) >= slowShare);
  for (let call = 0; call < 5; call++)
    expect((await service.call('GET', `/v1/events?_call=${call}`, { as: other.as.admin })).status).toBe(200);
  expect(await heldUp()).toBeLessThanOrEqual(share);
  await locker.query('COMMIT');
  expect((await reading).body.errors).toBeUndefined();
});

test('statements of one member of the staff leave connections for the others of the business', async () => {
  await callBoth(service);
  const staff = await service.createUser(busy.business, 'staff');
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE availability_patterns IN ACCESS EXCLUSIVE MODE');
  const fields = Array.from(
    { length: 20 },
    (_, index) => `a${index}: availability(staffId: ${staff.id}) { patterns { id } }`,
  );
  const reading = service.graphql(`{ ${fields.join(' ')} }`, { as: await service.tokenOf(staff) });
  await until(async () => (await heldUp()) === 1);
  for (let call = 0; call < 5; call++)
    expect((await service.call('GET', `/v1/events?_staff=${call}`, { as: busy.as.admin })).status).toBe(200);
  expect(await heldUp()).toBe(1);
  await locker.query('COMMIT');
  expect((await reading).body.errors).toBeUndefined();
});

test('transactions of one business leave connections for the others', async () => {
  await callBoth(service);
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  const writing = Array.from({ length: 12 }, (_, index) =>
    service.call('POST', '/v1/tokens/business', { as: busy.as.admin, body: { name: `Key ${index}` } }),
  );
  await until(async () => (await heldUp()) >= slowShare);
  expect((await service.call('GET', '/v1/events?_beside=writes', { as: other.as.admin })).status).toBe(200);
  expect(await heldUp()).toBeLessThanOrEqual(share);
  await locker.query('COMMIT');
  for (const { status } of await Promise.all(writing)) expect(status).toBe(201);
});

test('a connection that breaks while nobody listens does not end the process', async () => {
  const { db } = service.database.config();
  const { pool } = openServer(db.url ?? '', db, { max: 1 });
  const first = await pool.connect();
  const second = pool.connect();
  first.release();
  expect(() => first.emit('error', new Error('terminating connection'))).not.toThrow();
  (await second).release(true);
  await pool.end();
});

test('rows are counted for the request that reads them, though another one hands over the connection', async () => {
  const { db } = service.database.config();
  const server = openServer(db.url ?? '', db, { max: 2 });
  const read = readsOf(
    server,
    createReadOn(statementNames({ prepare: true }), { sent: () => undefined, answered: () => undefined }),
  );
  const [reader, releaser] = [requestThatReads(), requestThatReads()];
  const [idle, held] = await countStatementsOn(releaser, () =>
    Promise.all([server.pool.connect(), server.pool.connect()]),
  );
  idle.release();
  // The pool serves the reader in the next tick. The releaser is faster.
  const reading = countStatementsOn(reader, () => read(Prisma.sql`SELECT generate_series(1, 7)`));
  countStatementsOn(releaser, () => held.release());
  await reading;
  expect([reader.cells, releaser.cells]).toEqual([7, 0]);
  await server.pool.end();
});

/** The count of a request that notes how many cells it is charged for. */
function requestThatReads() {
  const request = {
    statements: 0,
    cells: 0,
    answer: {
      refusal: null,
      takeRow: (_bytes: number, cells: number) => {
        request.cells += cells;
        return true;
      },
    },
  };
  return request;
}

test('a business that is alone may use all connections but one', async () => {
  const alone = await startApp({ beside: service });
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  const allButOne = service.database.config().db.poolSize - 1;
  const reading = alone.graphql(`{ ${manyReads.slice(0, allButOne).join(' ')} }`, { as: busy.as.admin });
  await until(async () => (await heldUp()) === allButOne);
  expect((await alone.call('GET', '/v1/events?_beside=one', { as: other.as.admin })).status).toBe(200);
  await locker.query('COMMIT');
  expect((await reading).body.errors).toBeUndefined();
  await alone.close();
});

test('a statement that waits too long for its own business is refused and says what to do', async () => {
  const hasty = await startApp({ beside: service, env: { CALLBOARD_DB_CONNECT_TIMEOUT: '1500' } });
  await callBoth(hasty);
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  const reading = hasty.graphql(`{ ${manyReads.join(' ')} }`, { as: busy.as.admin });
  await until(async () => (await heldUp()) >= slowShare);
  const [read, written] = await Promise.all([
    hasty.call('GET', '/v1/events', { as: busy.as.admin }),
    hasty.graphql('mutation { createSkillLevel(input: { name: "Late" }) { id } }', { as: busy.as.admin }),
  ]);
  const message = expect.stringContaining('Too many database statements of your business at the same time (at most 4');
  expect(read).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { success: false, code: 'UNAVAILABLE', message },
  });
  expect(written.body.errors).toMatchObject([{ message, extensions: { code: 'UNAVAILABLE', retryAfter: 2 } }]);
  expect((await hasty.call('GET', '/v1/events?_still', { as: other.as.admin })).status).toBe(200);
  await locker.query('COMMIT');
  const { body } = await reading;
  expect(body.errors).toContainEqual(
    expect.objectContaining({ message, extensions: expect.objectContaining({ code: 'UNAVAILABLE' }) }),
  );
  await hasty.close();
});

/** Opens an export and reads nothing of it. Returns the beginning of the answer. */
async function openExport(path: string, credential: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/csv\r\nAuthorization: Bearer ${credential}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return String(socket.read(64));
}

test('one business cannot take all exports, and whoever does not read loses theirs', async () => {
  const event = await service.createEvent(busy.business);
  const { id: positionId } = await service.createPosition(busy.business, { title: '🎭'.repeat(120) });
  await service.prisma.$executeRaw`
    INSERT INTO work_shifts (business_id, event_id, position_id, user_id)
    SELECT ${busy.business.id}, ${event.id}, ${positionId}, ${busy.staff.id} FROM generate_series(1, 20000)`;
  const path = `/v1/work_shifts/event/${event.uuid}`;
  const answers = await Promise.all(
    Array.from({ length: 4 }, async () => openExport(path, (await service.createKey(busy.business)).key)),
  );
  expect(answers.map((text) => text.slice(9, 12)).toSorted()).toEqual(['200', '200', '503', '503']);
  const beside = await fetch(`${origin}/v1/events`, {
    headers: { accept: 'text/csv', authorization: `Bearer ${other.as.admin}` },
  });
  expect([beside.status, await beside.text()]).toEqual([200, expect.stringContaining('title')]);
  // An export ends a moment after its answer.
  await until(async () => service.app.countExports() === 2);
  // Far less than the export time-out, which is 120 s.
  expect(limits.longWaitMs).toBeLessThanOrEqual(10_000);
  await until(async () => service.app.countExports() === 0);
});
