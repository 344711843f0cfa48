import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';
import { startCommitCutter, type CommitCutter, type Fault } from './support/cut-commits.ts';
import { password, type Tenant } from './support/factories.ts';
import { openSession } from './support/misbehaviour.ts';

/* Connections to PostgreSQL that break at COMMIT: the answer says what became of the write, and nothing is written twice. */

/** The COMMIT of an event takes 3 seconds, or loses against another transaction, if its title says so. */
const slowCommits = `
  CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.title LIKE 'slow %' THEN PERFORM pg_sleep(3); END IF;
    IF NEW.title LIKE 'failing %' THEN RAISE 'on purpose' USING ERRCODE = '40001'; END IF;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION commit_slowly();`;

let direct: TestApp;
let app: TestApp;
let cutter: CommitCutter;
let tenant: Tenant;
let other: pg.Client;

beforeAll(async () => {
  direct = await startApp();
  const { url } = direct.database.config().db;
  other = await openSession(url ?? '');
  await other.query(slowCommits);
  cutter = await startCommitCutter(url ?? '');
  app = await startApp({
    beside: direct,
    env: {
      DATABASE_URL: cutter.url,
      CALLBOARD_DB_QUERY_TIMEOUT: '1000',
      CALLBOARD_DB_TRANSACTION_TIMEOUT: '1500',
      CALLBOARD_DB_POOL: '2',
    },
  });
  tenant = await direct.createTenant('enterprise');
});

afterEach(() => {
  const left = cutter.faults.splice(0);
  cutter.mend();
  if (left.length > 0) throw new Error(`No COMMIT was ${left.join(', ')}.`);
});

afterAll(async () => {
  await app?.close();
  await cutter?.close();
  await other?.end();
  await direct?.close();
});

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
const input = { startTime: times.start_time, endTime: times.end_time, timezone: times.timezone };
const countCalled = (title: string) => direct.prisma.event.count({ where: { title } });
const createEvent = (title: string, headers = {}) =>
  app.call('POST', '/v1/events', { as: tenant.as.admin, body: { title, ...times }, headers });
const mutate = (mutation: string, variables = {}) => app.graphql(mutation, { as: tenant.as.admin, variables });

function expectNotExecuted({ status, headers, body }: TestAnswer): void {
  expect({ status, code: body.code, notExecuted: headers['callboard-not-executed'] }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
    notExecuted: 'true',
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}

function expectUnknown({ status, headers, body }: TestAnswer): void {
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'OUTCOME_UNKNOWN' });
  expect(body.message).toContain('idempotency key');
  expect(headers).not.toHaveProperty('callboard-not-executed');
}

/** Writes over REST: each returns its answer, and how often it is stored. */
const writes: Record<string, () => Promise<{ answer: TestAnswer; stored: number }>> = {
  'an event that is created': async () => {
    const title = randomUUID();
    return { answer: await createEvent(title), stored: await countCalled(title) };
  },
  'an event that is created with a key': async () => {
    const title = randomUUID();
    return { answer: await createEvent(title, { 'idempotency-key': title }), stored: await countCalled(title) };
  },
  'an event that is changed': async () => {
    const { uuid } = await direct.createEvent(tenant.business);
    const title = randomUUID();
    const answer = await app.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body: { title } });
    return { answer, stored: await countCalled(title) };
  },
  'a position that is created': async () => {
    const title = randomUUID();
    const answer = await app.call('POST', '/v1/positions', {
      as: tenant.as.admin,
      body: { title, default_pay_rate: '20' },
    });
    return { answer, stored: await direct.prisma.position.count({ where: { title } }) };
  },
  'a log-in': async () => {
    const own = await direct.createTenant();
    const answer = await app.call('POST', '/v1/auth/login', { body: { email: own.admin.email, password } });
    const { id: userId } = own.admin;
    const entries = { businessId: own.business.id, action: 'tokens.login', outcome: 'done' as const };
    const stored = await direct.prisma.auditEntry.count({ where: { ...entries, subjectId: userId } });
    return { answer, stored };
  },
  'an API key that is created': async () => {
    const name = randomUUID();
    const answer = await app.call('POST', '/v1/tokens/business', { as: tenant.as.admin, body: { name } });
    return { answer, stored: await direct.prisma.apiKey.count({ where: { name } }) };
  },
};

describe.each(Object.keys(writes))('%s', (name) => {
  const write = writes[name]!;

  test('is answered 503 with Callboard-Not-Executed where its COMMIT did not arrive', async () => {
    cutter.faults.push('lost');
    const { answer, stored } = await write();
    expectNotExecuted(answer);
    expect(stored).toBe(0);
  });

  test.each<Fault>(['unanswered', 'silent'])('gets its answer where that of COMMIT is %s', async (fault) => {
    cutter.faults.push(fault);
    const { answer, stored } = await write();
    expect({ status: Math.floor(answer.status / 100), code: answer.body.code }).toEqual({ status: 2, code: undefined });
    expect(stored).toBe(1);
  });
});

test('where nobody can tell, the answer is OUTCOME_UNKNOWN, and a repetition with the key decides', async () => {
  const [lost, stored] = [randomUUID(), randomUUID()];
  for (const [title, fault] of [
    [lost, 'lost'],
    [stored, 'unanswered'],
  ] as const) {
    cutter.isCutOff = true;
    cutter.faults.push(fault);
    expectUnknown(await createEvent(title, { 'idempotency-key': title }));
    cutter.mend();
  }
  expect([await countCalled(lost), await countCalled(stored)]).toEqual([0, 1]);
  const [first, again] = [
    await createEvent(lost, { 'idempotency-key': lost }),
    await createEvent(stored, { 'idempotency-key': stored }),
  ];
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect([await countCalled(lost), await countCalled(stored)]).toEqual([1, 1]);
});

test('where the answer cannot be read any more after the write, it is OUTCOME_UNKNOWN', async () => {
  const { uuid } = await direct.createCallTime(await direct.createEvent(tenant.business));
  cutter.faults.push('answered');
  const body = { staff_needed: 17 };
  expectUnknown(await app.call('PUT', `/v1/call_times/${uuid}`, { as: tenant.as.admin, body }));
  expect(await direct.prisma.callTime.findFirst({ where: { uuid } })).toMatchObject({ staffNeeded: 17 });
});

test('a COMMIT that PostgreSQL refuses stores nothing and says so', async () => {
  const title = `failing ${randomUUID()}`;
  for (const headers of [{}, { 'idempotency-key': title }]) {
    expectNotExecuted(await createEvent(title, headers));
    expect(await countCalled(title)).toBe(0);
  }
});

test('a COMMIT that takes longer than a transaction may is waited for', async () => {
  for (const headers of [{}, { 'idempotency-key': randomUUID() }]) {
    const title = `slow ${randomUUID()}`;
    expect((await createEvent(title, headers)).status).toBe(201);
    expect(await countCalled(title)).toBe(1);
  }
});

describe('in GraphQL', () => {
  const twoEvents = `mutation ($a: CreateEventInput!, $b: CreateEventInput!) {
    a: createEvent(input: $a) { title }
    b: createEvent(input: $b) { title }
  }`;

  test('the field says what became of its mutation, and the header stands only where none ran', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    cutter.faults.push('lost', 'lost');
    const none = await mutate(twoEvents, { a: { title: a, ...input }, b: { title: b, ...input } });
    expect(
      none.body.errors.map(({ path, extensions }: never) => [path, (extensions as { code: string }).code]),
    ).toEqual([
      [['a'], 'UNAVAILABLE'],
      [['b'], 'UNAVAILABLE'],
    ]);
    expect(none.headers['callboard-not-executed']).toBe('true');

    cutter.faults.push('unanswered', 'lost');
    const first = await mutate(twoEvents, { a: { title: a, ...input }, b: { title: b, ...input } });
    expect(first.body.data.a).toEqual({ title: a });
    expect(first.body.errors).toMatchObject([{ path: ['b'], extensions: { code: 'UNAVAILABLE' } }]);
    expect(first.headers).not.toHaveProperty('callboard-not-executed');
    expect([await countCalled(a), await countCalled(b)]).toEqual([1, 0]);
  });

  test('a mutation of unknown outcome has the code OUTCOME_UNKNOWN, and the header is missing', async () => {
    const a = randomUUID();
    cutter.isCutOff = true;
    cutter.faults.push('lost');
    const { body, headers } = await mutate('mutation ($a: CreateEventInput!) { createEvent(input: $a) { id } }', {
      a: { title: a, ...input },
    });
    expect(body.errors).toMatchObject([{ path: ['createEvent'], extensions: { code: 'OUTCOME_UNKNOWN' } }]);
    expect(headers).not.toHaveProperty('callboard-not-executed');
  });

  test('several assignments in one transaction share its outcome', async () => {
    const event = await direct.createEvent(tenant.business);
    const { id: positionId } = await direct.createPosition(tenant.business);
    const people = [tenant.staff, await direct.createUser(tenant.business, 'staff')];
    const assign = () =>
      mutate(
        'mutation ($inputs: [AssignShiftInput!]!) { assignShifts(inputs: $inputs) { shift { uuid } error { code } } }',
        { inputs: people.map(({ id: userId }) => ({ eventId: event.uuid, positionId, userId })) },
      );
    const count = () => direct.prisma.workShift.count({ where: { eventId: event.id } });
    cutter.faults.push('lost');
    const refused = { shift: null, error: { code: 'UNAVAILABLE' } };
    expect((await assign()).body.data.assignShifts).toEqual([refused, refused]);
    expect(await count()).toBe(0);
    cutter.faults.push('unanswered');
    const made = { shift: { uuid: expect.any(String) }, error: null };
    expect((await assign()).body.data.assignShifts).toEqual([made, made]);
    expect(await count()).toBe(2);
  });
});

test('a read that fails is 503, whatever broke', async () => {
  const key = await direct.createTenant();
  cutter.isCutOff = true;
  // The use of the key is noted, which nobody asked for.
  cutter.faults.push('lost');
  await direct.prisma.apiKey.updateMany({ data: { lastUsedAt: null } });
  const { status, headers, body } = await app.call('GET', '/v1/events', { as: key.as.key });
  expect({ status, code: body.code, header: headers['callboard-not-executed'] }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
    header: 'true',
  });
});
