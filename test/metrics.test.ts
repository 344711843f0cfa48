import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { version } from '../src/version.ts';
import { startApp, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';

const token = 'a-token-of-the-metrics';
let service: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  service = await startApp({ env: { METRICS_TOKEN: token, CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
  tenant = await service.createTenant();
});

afterAll(async () => {
  for (const app of [...others, service]) await app.close();
});

const others: TestApp[] = [];

/** On the same database, which the embedded one closes with the first of them. */
const startAnother = async (env: Record<string, string> = {}): Promise<TestApp> => {
  const app = await startApp({ beside: service, env });
  others.push(app);
  return app;
};

const read = async (authorization: string | undefined = `Bearer ${token}`, app = service.app.http) =>
  app.inject({ url: '/metrics', headers: { ...(authorization !== undefined && { authorization }) } });

/** Value by series. */
async function series(): Promise<Map<string, number>> {
  const lines = (await read()).body.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** How much each series has grown; those of the process are left out. */
async function growth(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await series();
  await run();
  const after = await series();
  return Object.fromEntries(
    [...after]
      .filter(([name]) => name.startsWith('callboard_') && !name.includes('_bucket'))
      .map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
      .filter(([, difference]) => difference !== 0),
  );
}

describe('the metrics', () => {
  test('can be read with their token', async () => {
    const { statusCode, headers, body } = await read();
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('# TYPE callboard_http_request_duration_seconds histogram');
    expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(body).toMatch(/^nodejs_eventloop_lag_seconds /m);
  });

  test.each([
    ['no token', ''],
    ['another', 'Bearer another'],
    ['a part', `Bearer ${token.slice(0, -1)}`],
    ['a credential', 'key'],
  ])('are refused with %s', async (_what, shown) => {
    const { statusCode, headers, body } = await read(shown === 'key' ? `Bearer ${tenant.as.admin}` : shown);
    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(body).not.toContain('callboard_');
  });

  test('do not exist without a setting', async () => {
    const without = await startAnother();
    expect((await read(undefined, without.app.http)).statusCode).toBe(404);
    expect(without.app.metrics).toBeNull();
  });

  test('with a port of their own are served only there, and each app has its own numbers', async () => {
    const other = await startAnother({ METRICS_PORT: '0' });
    expect((await read(undefined, other.app.http)).statusCode).toBe(404);
    await other.app.metrics!.listen({ host: '127.0.0.1', port: 0 });
    const { port } = other.app.metrics!.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('route="none"');
    expect(text).not.toContain('route="/metrics"');
    expect((await fetch(`http://127.0.0.1:${port}/v1/events`)).status).toBe(404);
  });
});

describe('the metrics count', () => {
  const requests = (labels: string) => `callboard_http_request_duration_seconds_count{${labels}}`;

  test('requests by method, route pattern and class of status', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const grown = await growth(async () => {
      for (const id of [uuid, randomUUID(), uuid])
        await service.call('GET', `/v1/events/${id}`, { as: tenant.as.admin });
    });
    expect(grown).toMatchObject({
      [requests('method="GET",route="/v1/events/:uuid",status="2xx"')]: 2,
      [requests('method="GET",route="/v1/events/:uuid",status="4xx"')]: 1,
      callboard_sql_statement_duration_seconds_count: expect.any(Number),
    });
    expect(grown['callboard_sql_statement_duration_seconds_count']).toBeGreaterThan(5);
  });

  test('GraphQL by operation and root field as the schema names them', async () => {
    const grown = await growth(async () => {
      await service.graphql('query mine { a: viewer { name } b: viewer { name } events { totalCount } }', {
        as: tenant.as.admin,
      });
      await service.graphql('mutation { updateUser(id: 1, input: {}) { id } }', { as: tenant.as.staff });
      await service.graphql('{ nothingOfTheKind }', { as: tenant.as.admin });
    });
    expect(grown).toMatchObject({
      'callboard_graphql_operations_total{type="query"}': 1,
      'callboard_graphql_operations_total{type="mutation"}': 1,
      'callboard_graphql_operations_total{type="none"}': 1,
      'callboard_graphql_root_fields_total{type="query",field="viewer"}': 1,
      'callboard_graphql_root_fields_total{type="query",field="events"}': 1,
      'callboard_graphql_root_fields_total{type="mutation",field="updateUser"}': 1,
      'callboard_graphql_root_fields_total{type="none",field="none"}': 1,
    });
  });

  test('failed log-ins, also several in one request, and reached rate limits by kind of caller', async () => {
    const { as } = await service.createTenant('free');
    const grown = await growth(async () => {
      await service.call('POST', '/v1/auth/login', { body: { email: tenant.admin.email, password: 'wrong' } });
      const tries = [1, 2].map((n) => `l${n}: login(email: "a${n}@example.com", password: "wrong") { tokenType }`);
      await service.graphql(`mutation { ${tries.join(' ')} }`);
      await service.call('POST', '/v1/auth/login', { body: { email: tenant.admin.email, password } });
      for (let count = 0; count < 62; count++) await service.call('GET', '/v1/events', { as: as.key });
    });
    expect(grown).toMatchObject({
      callboard_login_failures_total: 3,
      'callboard_budget_refusals_total{payer="business"}': 2,
      [requests('method="GET",route="/v1/events",status="4xx"')]: 2,
    });
  });

  test('calls that were counted without Redis', async () => {
    const other = await startAnother({ METRICS_TOKEN: token, REDIS_URL: 'redis://127.0.0.1:9' });
    await other.call('GET', '/v1/events', { as: tenant.as.admin });
    const { body } = await read(undefined, other.app.http);
    expect(body).toMatch(/^callboard_redis_degradations_total 1$/m);
  });

  test('connections, waiting hashes and running exports at the moment', async () => {
    const now = await series();
    expect(now.get('callboard_password_hashes_waiting')).toBe(0);
    expect(now.get('callboard_exports_running')).toBe(0);
    const isServer = process.env['TEST_DATABASE_URL'] !== undefined;
    expect(now.has('callboard_db_connections_open')).toBe(isServer);
    if (isServer) expect(now.get('callboard_db_connections_open')).toBeGreaterThan(0);
  });
});

describe('what a bound refuses is counted by its name', () => {
  const refused = (bound: string, by = 1) => ({ [`callboard_refusals_total{bound="${bound}"}`]: by });

  test('a query above a limit, a body, an answer, a rate limit and tries', async () => {
    const { as } = await service.createTenant('free');
    const roots = Array.from({ length: 200 }, (_, index) => `a${index}: viewer { name }`).join(' ');
    expect(await growth(() => service.graphql(`{ ${roots} }`, { as: as.admin }))).toMatchObject(refused('query'));
    const large = { title: 'x'.repeat(300_000) };
    const send = () => service.call('POST', '/v1/events', { as: as.admin, body: large });
    expect(await growth(send)).toMatchObject(refused('body'));
    const flood = async () => {
      for (let count = 0; count < 60; count++) await service.call('GET', '/v1/events', { as: as.key });
    };
    const grown = await growth(flood);
    expect(grown['callboard_refusals_total{bound="rate_limit"}']).toBeGreaterThan(0);
    expect(grown['callboard_refusals_total{bound="rate_limit"}']).toBe(
      grown['callboard_budget_refusals_total{payer="business"}'],
    );
    const wrong = { email: tenant.staff.email, password: 'wrong' };
    const tries = async () => {
      for (let count = 0; count < 12; count++) await service.call('POST', '/v1/auth/login', { body: wrong });
    };
    expect((await growth(tries))['callboard_refusals_total{bound="attempts"}']).toBeGreaterThan(0);
  });

  test('streams and exports of which there are too many, in both dialects', async () => {
    const other = await startAnother({ METRICS_TOKEN: token, CALLBOARD_STREAMS: '0', CALLBOARD_ANSWER_LIMIT: '1' });
    const stream = { as: tenant.as.admin, headers: { accept: 'text/event-stream' } };
    await other.call('GET', '/v1/changes/stream', stream);
    const { body } = await read(undefined, other.app.http);
    expect(body).toMatch(/^callboard_refusals_total\{bound="streams"\} 1$/m);
  });

  test('headers that are too large for the parser', async () => {
    await service.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.app.http.server.address() as AddressInfo;
    const grown = await growth(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { 'x-large': 'x'.repeat(40_000) } });
      expect(answer.status).toBe(431);
    });
    expect(grown).toMatchObject(refused('headers'));
  });
});

test('the metrics tell the version, the state of the schema, sizes, the age of the backup, and what is under way', async () => {
  const without = await series();
  expect(without.has('callboard_backup_age_seconds')).toBe(false);
  await service.prisma.$executeRaw`INSERT INTO backup_state (id, verified_at) VALUES (1, now() - interval '2 hours')`;
  let now = await series();
  // What took long to read is used again for a while.
  while (!now.has('callboard_backup_age_seconds')) now = await series();
  expect(now.get('callboard_backup_age_seconds')).toBeGreaterThanOrEqual(7200);
  expect(now.get('callboard_backup_age_seconds')).toBeLessThan(7300);
  expect(now.get(`callboard_build_info{version="${version}",node="${process.version}"}`)).toBe(1);
  expect(now.get('callboard_ready{reason="ready"}')).toBe(1);
  expect(now.get('callboard_schema_migrations{state="pending"}')).toBe(0);
  expect(now.get('callboard_schema_migrations{state="unknown"}')).toBe(0);
  expect(now.get('callboard_change_log_bytes')).toBeGreaterThan(8192);
  expect(now.get('callboard_database_bytes')).toBeGreaterThan(now.get('callboard_change_log_bytes')!);
  // The request for the metrics itself.
  expect(now.get('callboard_http_requests_in_flight')).toBe(1);
});

test('clients cannot create series: not by addresses, names of operations and fields, or methods', async () => {
  const verbs = METHODS.filter((verb) => verb !== 'CONNECT');
  const send = async (index: number) => {
    const word = `w${index}${randomUUID().slice(0, 8)}`;
    const method = verbs[index % verbs.length] as 'GET';
    const url = index % 3 === 0 ? `/v1/events/${word}` : `/${word}?${word}=${word}`;
    await service.app.http.inject({ method, url, headers: { 'user-agent': word } });
    await service.graphql(index % 2 === 0 ? `query ${word} { ${word}: __typename }` : `{ ${word} }`);
  };
  for (let index = 0; index < 6 * verbs.length; index++) await send(index);
  const before = [...(await series()).keys()];
  for (let index = 0; index < 1000; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, offset) => send(index + offset)));
  const after = [...(await series()).keys()];
  // Those of the process come and go by themselves.
  const ours = (names: string[]) => names.filter((name) => name.startsWith('callboard_')).sort();
  expect(ours(after)).toEqual(ours(before));
  expect(ours(after).length).toBeLessThan(1000);
});
