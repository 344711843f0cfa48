import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startApp, type TestApp } from './support/app.ts';
import { changeable, changes, prepareChange, storedRow, type Rows } from './support/changes.ts';
import { signingSecret } from './support/config.ts';
import { createScene, creates, newKey, type Created, type Scene } from './support/creates.ts';
import type { Tenant } from './support/factories.ts';
import { keepRows } from './support/kept-rows.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { lockOf, tableOf, takeTwoOfEach } from './support/write-locks.ts';

/*
 * Two processes of the service on one database, and a bystander who holds them up. All writes go one way, so the gate tries two of
 * each shape: of each method, of actions, of batches, and of the mutations that remove.
 */
/** Time-outs that are long enough for calls that have to wait. */
const patience = { CALLBOARD_DB_CONNECT_TIMEOUT: '10000', CALLBOARD_DB_TRANSACTION_TIMEOUT: '30000' };

let service: TestApp;
let second: TestApp;
let bystander: pg.Client;
let observer: pg.Client;
let url: string;

beforeAll(async () => {
  service = await startApp({ env: patience });
  second = await startApp({ env: patience, beside: service });
  url = service.database.config().db.url!;
  bystander = new pg.Client(url);
  observer = new pg.Client(url);
  await Promise.all([bystander.connect(), observer.connect()]);
  // The first call of a process connects and compiles, which is not what is waited for below.
  const { as } = await service.createTenant();
  for (const app of [service, second]) await app.call('PUT', `/v1/events/${randomUUID()}`, { as: as.admin, body: {} });
});

afterEach(() => bystander.query('ROLLBACK'));

afterAll(async () => {
  stopAll();
  await Promise.all([bystander.end(), observer.end()]);
  await second.close();
  await service.close();
});

/** Waits until so many others, among them this call, wait for a lock in this database. */
async function waiting(others: number, call: Promise<unknown>): Promise<void> {
  let isAnswered = false;
  void call.finally(() => (isAnswered = true)).catch(() => undefined);
  for (let found = 0; found < others; await wait(10)) {
    if (isAnswered) throw new Error(`instead of waiting, the call got ${JSON.stringify(await call)}`);
    // Not by the bystander: within its transaction, the view does not change.
    const { rows } = await observer.query(
      `SELECT count(*)::int AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    found = rows[0].found;
  }
}

describe('two parallel changes of one version', () => {
  let tenant: Tenant;
  let rows: Rows;
  let putBack: () => Promise<void>;

  beforeAll(async () => {
    tenant = await service.createTenant();
    rows = await changeable(service, tenant);
    putBack = await keepRows(service.prisma, [tenant.business.id]);
  });

  beforeEach(() => putBack());

  const tried = takeTwoOfEach(Object.keys(changes), (name) => (changes[name]!.removes ? 'removal' : 'change'));

  test.each(tried)('by %s: one is refused', async (name) => {
    const { noun, removes, send } = changes[name]!;
    await prepareChange(service, tenant.as.admin, rows, name);
    const { version } = (await storedRow(service, rows, noun))!;

    await bystander.query('BEGIN');
    const row = rows[noun] as { id: number; uuid?: string };
    await bystander.query(lockOf[noun]!, [row.uuid ?? row.id]);
    const sent = [service, second].map((app) => send(app, tenant.as.admin, rows, version));
    // Users wait for each other before they wait for the row.
    await waiting(2, Promise.race(sent));
    await bystander.query('COMMIT');

    const codes = (await Promise.all(sent)).map((code) => code.replace('404 ', '')).sort();
    expect(codes).toEqual(removes ? ['NOT_FOUND', 'OK'] : ['OK', 'PRECONDITION_FAILED']);
    expect((await storedRow(service, rows, noun))?.version).toBe(removes ? undefined : version + 1);
  });

  test('through REST and GraphQL: one is refused, each time', async () => {
    for (let version = 1; version <= 10; version++) {
      const codes = await Promise.all([
        changes['PUT /v1/events/{uuid}']!.send(service, tenant.as.admin, rows, version),
        changes['updateEvent']!.send(second, tenant.as.admin, rows, version),
        changes['PUT /v1/events/{uuid}']!.send(second, tenant.as.key, rows, version),
      ]);
      expect(codes.sort()).toEqual(['OK', 'PRECONDITION_FAILED', 'PRECONDITION_FAILED']);
    }
  });

  test('with a change of the password in between: the other is refused', async () => {
    await bystander.query('BEGIN');
    await bystander.query('UPDATE users SET password_hash = NULL WHERE id = $1', [rows.user.id]);
    const sent = changes['updateUser']!.send(service, tenant.as.admin, rows, 1);
    await waiting(1, sent);
    await bystander.query('COMMIT');
    expect(await sent).toBe('PRECONDITION_FAILED');
  });
});

describe('while the first call is running', () => {
  const tried = takeTwoOfEach(Object.keys(creates), (name) =>
    creates[name]!.operation.endsWith('Many') ? 'creates' : 'create',
  );

  test.each(tried)('%s with the same key is refused for now and runs only once', async (name) => {
    const { operation, send, count } = creates[name]!;
    const scene = await createScene(service);
    const { id } = scene.tenant.business;
    const before = await count(service, id);
    const key = newKey();

    // A change of this setting waits for the table as well.
    if (operation === 'events.upsert')
      await service.prisma.business.update({ where: { id }, data: { uniqueResourceIds: true } });
    await bystander.query('BEGIN');
    await bystander.query(`LOCK TABLE ${tableOf[operation]} IN SHARE MODE`);
    const first = send(service, scene, key);
    await waiting(1, first);
    const meanwhile = await send(second, scene, key);
    expect(meanwhile).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('still running'),
      retryAfterS: 1,
    });
    const other = send(second, scene, newKey(), 'other');
    await waiting(2, other);
    await bystander.query('COMMIT');

    expect(await first).toMatchObject({ code: 'OK' });
    expect(await other).toMatchObject({ code: expect.stringMatching(/^(OK|CONFLICT)$/) });
    const made = await count(service, id);
    const again = await send(second, scene, key);
    expect(again.code).toBe(
      ['apiKeys.create', 'feeds.create', 'webhooks.create'].includes(operation) ? 'CONFLICT' : 'OK',
    );
    expect(await count(service, id)).toBe(made);
    expect(made).toBeGreaterThan(before);
  });
});

test('of many parallel calls with one key one runs, and all others are refused for now or get its answer', async () => {
  for (let round = 0; round < 5; round++) {
    const scene = await createScene(service);
    const key = newKey();
    const names = ['POST /v1/events', 'createEvent'] as const;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        creates[names[index % 2]!]!.send(index % 3 ? service : second, scene, key),
      ),
    );
    for (const { code, retryAfterS } of answers)
      expect([
        ['OK', undefined],
        ['CONFLICT', 1],
      ]).toContainEqual([code, retryAfterS]);
    const uuids = answers.filter(({ code }) => code === 'OK').map(uuidOf);
    expect(new Set(uuids).size).toBe(1);
    expect(await creates['createEvent']!.count(service, scene.tenant.business.id)).toBe(2);
  }
});

const uuidOf = ({ it }: Created): string => {
  const { uuid, data } = it as { uuid?: string; data?: { uuid: string } };
  return (uuid ?? data?.uuid)!;
};

test('two lists of assignments with keys that deadlock are both completed', async () => {
  const scene = await createScene(service);
  const { business, as } = scene.tenant;
  const [one, other] = [await service.createEvent(business), await service.createEvent(business)];
  const { positionId } = scene.callTime;
  const staff = await Promise.all(Array.from({ length: 6 }, () => service.createUser(business, 'staff')));
  const assign = async (app: TestApp, events: { uuid: string }[], people: { id: number }[]) => {
    const inputs = people.map(({ id }, index) => ({ eventId: events[index % 2]!.uuid, userId: id, positionId }));
    const { body } = await app.graphql(
      `mutation ($key: String, $inputs: [AssignShiftInput!]!) {
         it: assignShifts(idempotencyKey: $key, inputs: $inputs) { error { code } } }`,
      { as: as.admin, variables: { key: newKey(), inputs } },
    );
    return { errors: body.errors, it: body.data.it };
  };
  const answers = await Promise.all([
    assign(service, [one, other], staff.slice(0, 3)),
    assign(second, [other, one], staff.slice(3)),
  ]);
  for (const answer of answers)
    expect(answer).toEqual({ errors: undefined, it: staff.slice(0, 3).map(() => ({ error: null })) });
  const eventId = { in: [one.id, other.id] };
  expect(await service.prisma.workShift.count({ where: { businessId: business.id, eventId } })).toBe(6);
});

describe('a service that is killed', () => {
  const start = async () => {
    const started = await startProcess({ DATABASE_URL: url, JWT_SECRETS: `test:${signingSecret}`, ...patience });
    for (let status = 0; status !== 200; await wait(20)) ({ status } = await fetch(`${started.origin}/readyz`));
    return started;
  };
  let running: ServiceProcess;

  beforeAll(async () => {
    running = await start();
  });

  /** Kills the process as it is, and starts another. */
  async function killed(): Promise<void> {
    await running.stop('SIGKILL');
    running = await start();
  }

  const body = (title: string) =>
    JSON.stringify({ title, start_time: '2027-01-01 18:00:00', end_time: '2027-01-02 02:00:00', timezone: 'UTC' });

  const post = async ({ tenant }: Scene, key: string, title: string) => {
    const answer = await fetch(`${running.origin}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.as.admin}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: body(title),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as { data: { uuid: string } },
    };
  };

  /** Repeats a call until it is answered, as a client does. */
  async function retry(...call: Parameters<typeof post>) {
    for (let tries = 0; tries < 100; tries++) {
      const answer = await post(...call);
      if (answer.status !== 409) return answer;
      await wait(50 * Number(answer.headers.get('retry-after')));
    }
    throw new Error('The first call never ended.');
  }

  const titled = (title: string) => service.prisma.event.findMany({ where: { title } });

  test('in the middle of a POST leaves one event after the client repeats it, and keeps what was answered before', async () => {
    const scene = await createScene(service);
    const [keptKey, kept] = [newKey(), `Answered ${randomUUID()}`];
    const answered = await post(scene, keptKey, kept);
    const [key, title] = [newKey(), `Killed ${randomUUID()}`];
    await bystander.query('BEGIN');
    await bystander.query('LOCK TABLE events IN SHARE MODE');
    const lost = post(scene, key, title).catch(() => 'no answer');
    await waiting(1, lost);
    await killed();
    expect(await lost).toBe('no answer');
    await bystander.query('COMMIT');

    const answer = await retry(scene, key, title);
    expect(answer.status).toBe(201);
    expect(await titled(title)).toMatchObject([{ uuid: answer.body.data.uuid }]);
    const again = await retry(scene, keptKey, kept);
    expect(again.body).toEqual(answered.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await titled(kept)).toHaveLength(1);
  });

  test('at any moment during many POSTs leaves one event for each key', async () => {
    const scene = await createScene(service);
    const calls = Array.from({ length: 20 }, () => [newKey(), `Killed ${randomUUID()}`] as const);
    const sent = calls.map(([key, title]) => post(scene, key, title).catch(() => null));
    while ((await service.prisma.event.count({ where: { businessId: scene.tenant.business.id } })) < 5) await wait(1);
    await killed();
    const answers = await Promise.all(sent);
    for (const [index, [key, title]] of calls.entries()) {
      const answer = await retry(scene, key, title);
      expect(answer.status).toBe(201);
      if (answers[index]) expect(answer.body).toEqual(answers[index].body);
      expect(await titled(title)).toMatchObject([{ uuid: answer.body.data.uuid }]);
    }
  });
});
