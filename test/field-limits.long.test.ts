import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import argon2 from 'argon2';
import { attemptLimits, limits } from '../src/config/limits.ts';
import { startApp, useOneTenant, useService, type TestAnswer, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';
import { redisUrl } from './support/template.ts';

const [byEmail, byAddress] = attemptLimits.logIn;

/** Where attempts are counted: two processes that share Redis count as one, and without Redis each counts by itself. */
const places = [
  { where: 'in one process whose Redis is not there', processes: 1, env: { REDIS_URL: 'redis://127.0.0.1:1' } },
  ...(redisUrl
    ? [
        {
          where: 'in two processes that share Redis',
          processes: 2,
          env: { REDIS_URL: `${redisUrl}?keyPrefix=tries-${randomUUID()}:` },
        },
      ]
    : []),
];

let lastAddress = 0;

describe.each(places)('tries counted $where', ({ processes, env }) => {
  let apps: TestApp[];
  let tenant: Tenant;
  let address: string;
  let turn = 0;

  beforeAll(async () => {
    const all = { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000', CALLBOARD_HASH_QUEUE: '1000', ...env };
    apps = [await startApp({ env: all })];
    while (apps.length < processes) apps.push(await startApp({ env: all, beside: apps[0]! }));
    tenant = await apps[0]!.createTenant();
    // How often a password is checked matters here, not how much work that is.
    const passwordHash = await argon2.hash(password, { memoryCost: 1024, timeCost: 2, parallelism: 1 });
    await apps[0]!.prisma.user.updateMany({ where: { businessId: tenant.business.id }, data: { passwordHash } });
  });

  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close();
  });

  /** Every case comes from an address of its own. */
  beforeEach(() => {
    address = `198.51.100.${++lastAddress}`;
  });

  /** Each call goes to the next process. */
  const post = async (url: string, payload: object, as?: string, from = address): Promise<TestAnswer> => {
    const reply = await apps[turn++ % processes]!.app.http.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress: from,
      headers: as === undefined ? {} : { authorization: `Bearer ${as}` },
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
  };
  const inRest = (email: string, secret: string, from?: string) =>
    post('/v1/auth/login', { email, password: secret }, undefined, from);
  const inGraphql = (email: string, secret: string, more: { as?: string; aliases?: number } = {}) => {
    const fields = Array.from(
      { length: more.aliases ?? 1 },
      (_, index) => `l${index}: login(email: $email, password: $password) { tokenType }`,
    );
    const query = `mutation ($email: String!, $password: String!) { ${fields.join(' ')} }`;
    return post('/graphql', { query, variables: { email, password: secret } }, more.as);
  };
  const codesOf = ({ body }: TestAnswer): string[] =>
    body.errors?.map?.((error: { extensions: { code: string } }) => error.extensions.code) ?? [body.code ?? 'OK'];
  const codeOf = (answer: TestAnswer) => codesOf(answer)[0];

  const fail = async (email: string, tries: number) => {
    for (let index = 0; index < tries; index++)
      expect(codeOf(await inRest(email, 'wrong'))).toBe('INVALID_CREDENTIALS');
  };

  test('the sixth wrong log-in is refused, and the right password with it, in both dialects', async () => {
    for (let index = 0; index < byEmail.max; index++)
      expect(codeOf(await (index % 2 ? inGraphql : inRest)(tenant.admin.email, `wrong ${index}`))).toBe(
        'INVALID_CREDENTIALS',
      );
    for (const secret of ['wrong', password]) {
      const rest = await inRest(tenant.admin.email, secret);
      expect(rest).toMatchObject({ status: 429, body: { success: false, data: null, code: 'RATE_LIMITED' } });
      expect(Number(rest.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(rest.headers['retry-after'])).toBeLessThanOrEqual(byEmail.windowS);
      const graphql = await inGraphql(tenant.admin.email, secret);
      expect(graphql).toMatchObject({
        status: 200,
        body: {
          data: { l0: null },
          errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }],
        },
      });
    }
  });

  test('an unknown e-mail gets the same answers', async () => {
    const answers = async (email: string) => {
      const all = [];
      for (let index = 0; index <= byEmail.max; index++) all.push(await inRest(email, 'wrong'));
      return all.map(({ status, body }) => ({ status, body }));
    };
    expect(await answers(`${randomUUID()}@example.com`)).toEqual(await answers(tenant.staff.email));
  });

  test('upper and lower case of an e-mail share one count, with or without a credential', async () => {
    await fail(tenant.admin.email.toUpperCase(), 3);
    for (const as of [tenant.as.staff, tenant.as.key])
      expect(codeOf(await inGraphql(tenant.admin.email, 'wrong', { as }))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await inGraphql(tenant.admin.email, password, { as: tenant.as.client }))).toBe('RATE_LIMITED');
  });

  test('other addresses and other e-mails are not affected', async () => {
    await fail(tenant.admin.email, byEmail.max);
    expect(codeOf(await inRest(tenant.admin.email, password))).toBe('RATE_LIMITED');
    expect((await inRest(tenant.admin.email, password, `198.51.100.${++lastAddress}`)).status).toBe(200);
    expect((await inRest(tenant.staff.email, password)).status).toBe(200);
  });

  test('refused attempts do not extend the waiting time', async () => {
    await fail(tenant.client.email, byEmail.max);
    const waits = [];
    for (let index = 0; index < 10; index++)
      waits.push(Number((await inRest(tenant.client.email, password)).headers['retry-after']));
    expect(waits).toEqual(waits.toSorted((a, b) => b - a));
    expect(waits[0]).toBeLessThanOrEqual(byEmail.windowS);
  });

  test('a successful log-in resets the count and is itself never limited', async () => {
    await fail(tenant.staff.email, byEmail.max - 1);
    for (let index = 0; index < 10; index++) expect((await inRest(tenant.staff.email, password)).status).toBe(200);
    await fail(tenant.staff.email, byEmail.max);
    expect(codeOf(await inRest(tenant.staff.email, password))).toBe('RATE_LIMITED');
  });

  test('one address has a limited number of attempts over all e-mails', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => inRest(`${index}-${randomUUID()}@example.com`, 'wrong')),
    );
    const refused = answers.filter((answer) => codeOf(answer) === 'RATE_LIMITED');
    expect(refused).toHaveLength(100 - byAddress.max);
    expect(codeOf(await inRest(tenant.admin.email, password))).toBe('RATE_LIMITED');
  });

  test('exactly the allowed number of parallel attempts pass', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? inRest : inGraphql)(tenant.client.email, 'wrong')),
    );
    expect(answers.filter((answer) => codeOf(answer) === 'INVALID_CREDENTIALS')).toHaveLength(byEmail.max);
    expect(answers.filter((answer) => codeOf(answer) === 'RATE_LIMITED')).toHaveLength(50 - byEmail.max);
  });

  test('twenty aliases of one log-in count as twenty, whether wrong or right', async () => {
    const told = limits.graphqlAnswerErrorsMax;
    const wrong = await inGraphql(tenant.client.email, 'wrong', { aliases: 20 });
    expect(codesOf(wrong)).toEqual([
      ...Array<string>(byEmail.max).fill('INVALID_CREDENTIALS'),
      ...Array<string>(told - byEmail.max).fill('RATE_LIMITED'),
    ]);
    expect(wrong.body.extensions.moreErrors).toBe(20 - told);
    expect(codeOf(await inRest(tenant.client.email, password))).toBe('RATE_LIMITED');
    // The first of them is forgiven.
    const right = await inGraphql(tenant.staff.email, password, { aliases: 20 });
    expect(codesOf(right)).toEqual(Array<string>(told).fill('RATE_LIMITED'));
    expect(right.body.extensions.moreErrors).toBe(20 - byEmail.max - 1 - told);
  });

  test('an attempt with invalid input is not counted', async () => {
    for (let index = 0; index < 10; index++)
      expect(codeOf(await inRest(tenant.client.email, ''))).toBe('VALIDATION_FAILED');
    expect((await inRest(tenant.client.email, password)).status).toBe(200);
  });
});

describe('a service too busy to check a password', () => {
  test('does not count the attempt', async () => {
    const env = { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' };
    const idle = await startApp({ env });
    const oneAtATime = { CALLBOARD_HASH_CONCURRENCY: '1', CALLBOARD_HASH_QUEUE: '0' };
    const busy = await startApp({ env: { ...env, ...oneAtATime }, beside: idle });
    const { email } = await idle.createUser(await idle.createBusiness(), 'staff');
    const verify = argon2.verify;
    let finishHash = () => {};
    const mayFinish = new Promise<void>((resolve) => (finishHash = resolve));
    const begun = new Promise<void>((resolve) => {
      jest.spyOn(argon2, 'verify').mockImplementation(async (...args) => {
        resolve();
        await mayFinish;
        return verify(...args);
      });
    });
    const first = busy.call('POST', '/v1/auth/login', { body: { email: 'nobody@example.com', password } });
    await begun;
    const statuses = [];
    for (let index = 0; index < 8; index++)
      statuses.push((await busy.call('POST', '/v1/auth/login', { body: { email, password } })).status);
    expect(statuses).toEqual(Array(8).fill(503));
    finishHash();
    expect((await first).status).toBe(401);
    jest.restoreAllMocks();
    await busy.close();
    await idle.close();
  });
});

describe('a password', () => {
  const service = useService();
  const tenant = useOneTenant(service);

  const change = async (as: string, current: string) => {
    const query = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revoked } }';
    const { body } = await service.graphql(query, { as, variables: { input: { current, next: 'quite another one' } } });
    return body.errors?.[0].extensions.code ?? 'OK';
  };

  test('can be guessed only a limited number of times when changing it, with any token', async () => {
    const [{ max }] = attemptLimits.changePassword;
    const codes = [];
    for (let index = 0; index <= max; index++)
      codes.push(await change(index % 2 ? tenant.as.staff : await service.tokenOf(tenant.staff), 'wrong'));
    expect(codes).toEqual([...Array<string>(max).fill('VALIDATION_FAILED'), 'RATE_LIMITED']);
    expect(await change(tenant.as.staff, password)).toBe('RATE_LIMITED');
    expect(await change(tenant.as.client, password)).toBe('OK');
  });

  test('can be reset only a limited number of times by one admin', async () => {
    const [{ max }] = attemptLimits.resetPassword;
    const query = `mutation { ${Array.from(
      { length: max + 1 },
      (_, index) => `r${index}: resetPassword(userId: ${tenant.staff.id}, password: "quite another one") { revoked }`,
    ).join(' ')} }`;
    const { body } = await service.graphql(query, { as: tenant.as.admin });
    expect(body.errors).toMatchObject([{ path: [`r${max}`], extensions: { code: 'RATE_LIMITED' } }]);
  });
});

describe('the rate limit as a field', () => {
  const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '7' } });
  const tenant = useOneTenant(service, 'free');

  const fields = 'rateLimit { limit remaining resetSeconds }';

  test('has the values of the headers, for every role, for keys and without a credential', async () => {
    for (const [as, limit] of [
      [tenant.as.admin, 60],
      [tenant.as.staff, 60],
      [tenant.as.client, 60],
      [tenant.as.key, 60],
      [undefined, 7],
    ] as const) {
      const { body, headers } = await service.graphql(`{ ${fields} }`, { as });
      expect(body.data.rateLimit).toEqual({
        limit,
        remaining: Number(headers['x-ratelimit-remaining']),
        resetSeconds: Number(headers['x-ratelimit-reset']),
      });
      expect(Number(headers['x-ratelimit-limit'])).toBe(limit);
    }
  });

  test('costs nothing beyond the request itself', async () => {
    const { as } = await service.createTenant('free');
    const left = async (query: string) =>
      (await service.graphql(query, { as: as.admin })).body.data.rateLimit.remaining;
    expect(await left(`{ ${fields} }`)).toBe(59);
    expect(await left(`{ business { name } ${fields} }`)).toBe(58);
    expect(await left(`{ a: business { name } b: business { name } ${fields} }`)).toBe(56);
    expect(await left(`{ ${fields} other: rateLimit { limit } }`)).toBe(55);
  });

  test('belongs to one business: another one has its own', async () => {
    const [one, other] = [await service.createTenant('basic'), await service.createTenant('basic')];
    await service.graphql(`{ ${fields} }`, { as: one.as.admin });
    const { body } = await service.graphql(`{ ${fields} }`, { as: other.as.admin });
    expect(body.data.rateLimit).toMatchObject({ limit: 120, remaining: 119 });
  });
});
