import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rateLimitByPlan } from '../src/config/limits.ts';
import type { Plan } from '../src/generated/prisma/enums.ts';
import { startApp, useService, type TestAnswer, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';
import { redisUrl } from './support/template.ts';

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '5', CALLBOARD_PERSON_PER_MINUTE: '500' } });

const rateLimitOf = ({ headers }: Pick<TestAnswer, 'headers'>) => {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);
  for (const value of [limit, remaining, reset]) expect(value).toMatch(/^\d+$/);
  expect(Number(reset)).toBeLessThanOrEqual(60);
  return { limit: Number(limit), remaining: Number(remaining) };
};
const left = (answer: Pick<TestAnswer, 'headers'>) => rateLimitOf(answer).remaining;

const events = (as: string, app = service) => app.call('GET', '/v1/events', { as });

/** Takes all but `rest` points of the rate limit of a business in one call. */
async function spendAllBut(rest: number, { as }: Tenant): Promise<void> {
  for (let remaining = left(await events(as.admin)); remaining > rest;) {
    const fields = Math.min(50, remaining - rest);
    const query = `{ ${Array.from({ length: fields }, (_, index) => `f${index}: __typename`).join(' ')} }`;
    remaining = left(await service.graphql(query, { as: as.admin }));
  }
}

function expectSpent(answer: TestAnswer, limit: number): void {
  expect(answer.status).toBe(429);
  expect(rateLimitOf(answer)).toEqual({ limit, remaining: 0 });
  const retryAfter = Number(answer.headers['retry-after']);
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(60);
}

const anonymously = async (ip: string, url = '/v1/events', headers: Record<string, string> = {}, app = service) => {
  const reply = await app.app.http.inject({ url, remoteAddress: ip, headers });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
};

describe('the rate limit of a business', () => {
  test.each(Object.keys(rateLimitByPlan) as Plan[])('on plan %s is the documented one', async (plan) => {
    const documented = { free: 60, basic: 120, professional: 300, enterprise: 1000 };
    const { as } = await service.createTenant(plan);
    expect(rateLimitOf(await events(as.admin))).toEqual({ limit: documented[plan], remaining: documented[plan] - 1 });
  });

  test('is reported in every answer, whatever its status', async () => {
    const { as } = await service.createTenant();
    const answers = [
      await events(as.admin),
      await service.call('POST', '/v1/tokens/business', { as: as.admin, body: { name: 'Key' } }),
      await service.call('POST', '/v1/events', { as: as.admin, body: {} }),
      await service.call('POST', '/v1/events', { as: as.admin, headers: { 'content-type': 'text/plain' }, body: 'x' }),
      await events(as.staff),
      await service.call('GET', `/v1/events/${randomUUID()}`, { as: as.admin }),
      await service.call('GET', '/nothing/here', { as: as.admin }),
      await service.call('PATCH', '/v1/events', { as: as.admin }),
      await service.call('GET', '/v1/events', { as: as.admin, headers: { accept: 'application/xml' } }),
      await service.graphql('{ nothing }', { as: as.admin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 422, 415, 403, 404, 404, 405, 406, 400]);
    for (const [index, answer] of answers.entries())
      expect(rateLimitOf(answer)).toEqual({ limit: 1000, remaining: 999 - index });
  });

  test('is shared by REST, GraphQL and all credentials of the business, and by no other business', async () => {
    const [{ as, admin }, stranger] = [await service.createTenant('free'), await service.createTenant('free')];
    const another = await service.tokenOf(admin);
    const remaining = [];
    for (const credential of [as.admin, another, as.staff, as.client, as.key]) {
      remaining.push(left(await events(credential)));
      remaining.push(left(await service.graphql('{ business { name } }', { as: credential })));
    }
    expect(remaining).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51, 50]);
    expect(left(await events(stranger.as.admin))).toBe(59);
  });

  test('accepts the 60th call of a Free business and refuses the 61st, in REST and GraphQL', async () => {
    const { as } = await service.createTenant('free');
    for (let call = 1; call <= 60; call++) {
      const answer = await events(as.admin);
      expect({ status: answer.status, remaining: left(answer) }).toEqual({ status: 200, remaining: 60 - call });
    }
    const rest = await events(as.key);
    expectSpent(rest, 60);
    expect(rest.body).toEqual({
      success: false,
      data: null,
      message: expect.stringContaining('60'),
      code: 'RATE_LIMITED',
    });
    const users = await service.call('GET', '/api/v1/users', { as: as.admin });
    expectSpent(users, 60);
    expect(users.body).toEqual({ message: expect.any(String), code: 'RATE_LIMITED' });
    const graphql = await service.graphql('{ business { name } }', { as: as.staff });
    expectSpent(graphql, 60);
    expect(graphql.body.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  });

  test('refuses a call before it does anything', async () => {
    const tenant = await service.createTenant('free');
    await spendAllBut(0, tenant);
    const body = { email: 'late@example.com', password: 'enough of it', name: 'Late', role: 'staff' };
    expectSpent(await service.call('POST', '/api/v1/users', { as: tenant.as.admin, body }), 60);
    expectSpent(await service.call('DELETE', '/v1/tokens/business', { as: tenant.as.admin }), 60);
    expect(await service.prisma.user.count({ where: { email: body.email } })).toBe(0);
    expect(await service.prisma.apiKey.count({ where: { businessId: tenant.business.id, revokedAt: null } })).toBe(1);
  });

  test('follows a change of plan at once and keeps the count', async () => {
    const tenant = await service.createTenant('free');
    const setPlan = (plan: Plan) =>
      service.prisma.business.update({ where: { id: tenant.business.id }, data: { plan } });
    await spendAllBut(0, tenant);
    expectSpent(await events(tenant.as.admin), 60);
    await setPlan('basic');
    expect(rateLimitOf(await events(tenant.as.admin))).toEqual({ limit: 120, remaining: 58 });
    await setPlan('free');
    expectSpent(await events(tenant.as.admin), 60);
  });

  test('is not affected by pages', async () => {
    const { as } = await service.createTenant();
    const headers = { authorization: `Bearer ${as.admin}` };
    for (const url of ['/', '/healthz', '/readyz', '/openapi.json'])
      expect((await service.app.http.inject({ url, headers })).headers).not.toHaveProperty('x-ratelimit-limit');
    expect(left(await events(as.admin))).toBe(999);
  });
});

describe('log-ins on the pages', () => {
  const onPages = { isConsole: true };
  const fields = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `f${n}: __typename`).join(' ')} }`;
  const spend = async (as: string, points: number) => {
    for (let rest = points; rest > 0; rest -= 50) await service.graphql(fields(Math.min(50, rest)), { as });
  };

  test('are counted by person, and not against the limit of keys and tokens', async () => {
    const { as, business } = await service.createTenant('free');
    const [one, other] = [await service.createUser(business, 'staff'), await service.createUser(business, 'client')];
    const tabs = [await service.tokenOf(one, undefined, onPages), await service.tokenOf(one, undefined, onPages)];
    await spend(tabs[0]!, 499);
    expect(rateLimitOf(await service.graphql('{ rateLimit { limit } }', { as: tabs[1]! }))).toEqual({
      limit: 500,
      remaining: 0,
    });
    expectSpent(await events(tabs[0]!), 500);
    expectSpent(await service.graphql('{ viewer { name } }', { as: tabs[1]! }), 500);
    expect(left(await events(as.key))).toBe(59);
    // A person who goes on when they are refused uses nothing of what is for all.
    for (let call = 0; call < 20; call++) await events(tabs[0]!);
    const another = await service.tokenOf(other, undefined, onPages);
    expect(rateLimitOf(await service.call('GET', '/v1/viewer', { as: another }))).toEqual({
      limit: 600,
      remaining: 99,
    });
  });

  test('of a business have together ten times the limit of its plan', async () => {
    const { as, business, admin } = await service.createTenant('free');
    const person = await service.createUser(business, 'staff');
    const [first, second] = [
      await service.tokenOf(admin, undefined, onPages),
      await service.tokenOf(person, undefined, onPages),
    ];
    await spend(first, 450);
    await spend(second, 150);
    expectSpent(await service.graphql('{ viewer { name } }', { as: second }), 600);
    expectSpent(await service.graphql('{ viewer { name } }', { as: first }), 600);
    for (const key of [as.admin, as.key]) expect((await events(key)).status).toBe(200);
  });

  test('pay a tenth for an answer that has not changed', async () => {
    const { admin } = await service.createTenant('free');
    const as = await service.tokenOf(admin, undefined, onPages);
    const { headers } = await events(as);
    for (let call = 0; call < 10; call++)
      expect(
        (await service.call('GET', '/v1/events', { as, headers: { 'if-none-match': String(headers['etag']) } })).status,
      ).toBe(304);
    expect(left(await events(as))).toBe(497);
  });
});

describe('a GraphQL request costs the number of its root fields, at least one', () => {
  const cost = async (query: string) => {
    const { as } = await service.createTenant();
    return 1000 - left(await service.graphql(query, { as: as.admin }));
  };

  test.each([
    ['{ viewer { name email role } }', 1],
    ['{ a: business { name } b: business { name } c: business { name } }', 3],
    ['{ business { name } events { totalCount nodes { title } } __typename }', 3],
    ['{ ... { business { name } } ...F } fragment F on Query { a: __typename b: __typename }', 3],
    ['mutation { a: __typename b: __typename }', 2],
    ['query A { a: __typename b: __typename } query B { __typename }', 1],
    ['{ nothing }', 1],
    ['{', 1],
  ])('%s', async (query, expected) => {
    expect(await cost(query)).toBe(expected);
  });

  test('and is refused as a whole if that is more than is left', async () => {
    const tenant = await service.createTenant('free');
    await spendAllBut(2, tenant);
    const create = `createEvent(input: { title: "Late", startTime: "2026-12-31 18:00:00",
      endTime: "2026-12-31 23:00:00", timezone: "UTC" }) { uuid }`;
    const answer = await service.graphql(`mutation { a: ${create} b: ${create} c: ${create} }`, {
      as: tenant.as.admin,
    });
    expectSpent(answer, 60);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    expect(await service.prisma.event.count({ where: { businessId: tenant.business.id } })).toBe(0);
  });

  test('and 51 root fields are too many for any plan', async () => {
    const { as } = await service.createTenant();
    const query = `{ ${Array.from({ length: 51 }, (_, index) => `f${index}: __typename`).join(' ')} }`;
    const answer = await service.graphql(query, { as: as.admin });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED' } }] },
    });
    expect(left(answer)).toBe(999);
  });
});

describe('calls without a valid credential', () => {
  test('count against their address: missing, bad and unknown credentials share one limit', async () => {
    const ip = '192.0.2.1';
    const answers = [
      await anonymously(ip),
      await anonymously(ip, '/v1/events', { authorization: 'Bearer nonsense' }),
      await anonymously(ip, '/nothing/here'),
      await anonymously(ip, '/v1/auth/login'),
      await anonymously(ip, '/graphql?query={viewer{name}}', { authorization: 'Bearer nonsense' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 404, 405, 401]);
    expect(answers.map(rateLimitOf)).toEqual([4, 3, 2, 1, 0].map((remaining) => ({ limit: 5, remaining })));
    for (const url of ['/v1/events', '/nothing/here', '/api/v1/users']) expectSpent(await anonymously(ip, url), 5);
  });

  test('leave log-ins from the same address alone, which have a limit of their own', async () => {
    const { admin } = await service.createTenant();
    const ip = '192.0.2.5';
    for (let call = 0; call < 7; call++) await anonymously(ip, '/v1/events', { authorization: 'Bearer revoked' });
    expect((await anonymously(ip)).status).toBe(429);
    const logIn = async (url: string, body: object) => {
      const reply = await service.app.http.inject({ method: 'POST', url, remoteAddress: ip, payload: body });
      return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
    };
    const rest = await logIn('/v1/auth/login', { email: admin.email, password });
    expect([rest.status, left(rest)]).toEqual([200, 4]);
    const query = `mutation { login(email: "${admin.email}", password: "${password}") { accessToken } }`;
    const graphql = await logIn('/graphql', { query });
    expect([graphql.status, left(graphql)]).toEqual([200, 3]);
    expect(graphql.body.data.login.accessToken).toEqual(expect.any(String));
    for (let call = 0; call < 3; call++) await logIn('/graphql', { query: '{ __typename }' });
    expectSpent(await logIn('/v1/auth/login', { email: admin.email, password }), 5);
  });

  test('do not affect other addresses or valid credentials from the same address', async () => {
    const { as } = await service.createTenant();
    for (let call = 0; call < 6; call++) await anonymously('192.0.2.2');
    expect((await anonymously('192.0.2.2')).status).toBe(429);
    expect((await anonymously('192.0.2.3')).status).toBe(401);
    const good = { authorization: `Bearer ${as.key}` };
    expect((await anonymously('192.0.2.2', '/v1/events', good)).status).toBe(200);
  });

  test('cannot be counted against another address by a forged header', async () => {
    const forged = (address: string) => ({ 'x-forwarded-for': address, forwarded: `for=${address}` });
    const remaining = [];
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
      remaining.push(left(await anonymously('192.0.2.4', '/v1/events', forged(address))));
    expect(remaining).toEqual([4, 3, 2]);
    expect(left(await anonymously('198.51.100.1'))).toBe(4);
  });
});

/** Where counts are stored. Two processes that share Redis count as one. */
const places = [
  { where: 'in one process', processes: 1, env: {} },
  ...(redisUrl
    ? [
        {
          where: 'in two processes that share Redis',
          processes: 2,
          env: { REDIS_URL: `${redisUrl}?keyPrefix=rate-limits-${randomUUID()}:` },
        },
      ]
    : []),
  { where: 'in one process whose Redis is not there', processes: 1, env: { REDIS_URL: 'redis://127.0.0.1:1' } },
];

describe.each(places)('counted $where', ({ processes, env }) => {
  let apps: TestApp[];

  beforeAll(async () => {
    apps = [await startApp({ env: { TRUST_PROXY: '192.0.2.0/24', ...env } })];
    while (apps.length < processes) apps.push(await startApp({ env, beside: apps[0]! }));
  });

  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close();
  });

  test('the limit is exact for parallel calls', async () => {
    const { as } = await apps[0]!.createTenant('free');
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) => events(index % 3 ? as.admin : as.key, apps[index % processes])),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.map(left).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    for (const answer of answers.filter(({ status }) => status !== 200)) expectSpent(answer, 60);
  });

  test('a trusted proxy reports the address of the caller', async () => {
    const by = (address: string) =>
      anonymously('192.0.2.9', '/v1/events', { 'x-forwarded-for': address }, apps[0]).then(left);
    expect([await by('198.51.100.1'), await by('198.51.100.1'), await by('198.51.100.2')]).toEqual([119, 118, 119]);
  });
});
