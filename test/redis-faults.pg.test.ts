import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { attemptLimits, limits } from '../src/config/limits.ts';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { startRedis, type RedisProcess } from './support/redis.ts';

/* Two copies of the service that share a Redis, and what callers notice when it fails: next to nothing. */

/** So long that only calls that wait for Redis take it, even on a busy machine. */
const redisTimeoutMs = 1000;

let redis: RedisProcess;
let one: TestApp;
let other: TestApp;

beforeAll(async () => {
  redis = await startRedis();
  const env = {
    REDIS_URL: redis.url,
    CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
    CALLBOARD_REDIS_TIMEOUT: String(redisTimeoutMs),
  };
  one = await startApp({ env });
  other = await startApp({ env, beside: one });
});

afterAll(async () => {
  await other.close();
  await one.close();
  await redis.close();
});

const faults: Record<string, { breakIt: () => Promise<unknown> | void; mend: () => Promise<unknown> | void }> = {
  'refuses connections': { breakIt: () => redis.kill(), mend: () => redis.start() },
  'is frozen': { breakIt: () => redis.freeze(), mend: () => redis.thaw() },
  'is read-only': {
    breakIt: () => redis.command('REPLICAOF', '127.0.0.1', '1'),
    mend: () => redis.command('REPLICAOF', 'NO', 'ONE'),
  },
  'is full': {
    breakIt: () => redis.command('CONFIG', 'SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction'),
    mend: () => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  },
  'is restarted': {
    breakIt: async () => {
      await redis.kill();
      await redis.start();
    },
    mend: () => undefined,
  },
  'is flushed': { breakIt: () => redis.command('FLUSHALL'), mend: () => undefined },
};

const events = (app: TestApp, as: string) => app.call('GET', '/v1/events', { as });
const left = ({ headers }: TestAnswer) => Number(headers['x-ratelimit-remaining']);
const { max: triesMax } = attemptLimits.logIn[0];
const logIn = (app: TestApp, email: string, password: string) =>
  app.call('POST', '/v1/auth/login', { body: { email, password } });

/** Calls one after the other. After one that has waited for Redis, the next ones must not ask it for a while. */
async function inTurn<T>(times: number, call: () => Promise<T>): Promise<T[]> {
  const answers = [];
  let lastWaitAt = -Infinity;
  for (let index = 0; index < times; index++) {
    const startedAt = performance.now();
    answers.push(await call());
    const endedAt = performance.now();
    if (endedAt - startedAt < redisTimeoutMs) continue;
    expect(endedAt - lastWaitAt).toBeGreaterThanOrEqual(2 * redisTimeoutMs + limits.settleMs);
    lastWaitAt = startedAt;
  }
  return answers;
}

const untilShared = async ({ as }: Tenant) => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const before = left(await events(one, as.admin));
    if (left(await events(other, as.admin)) === before - 1 && left(await events(one, as.admin)) === before - 2) return;
    await wait(100);
  }
  throw new Error('the two do not count together');
};

describe.each(Object.keys(faults))('while Redis %s', (name) => {
  const { breakIt, mend } = faults[name]!;
  const spoilt = !['is restarted', 'is flushed'].includes(name);

  afterEach(async () => {
    await mend();
    await untilShared(await one.createTenant());
  });

  test('calls are answered without delay, and each process continues from its own counts', async () => {
    const { as } = await one.createTenant('free');
    for (let index = 0; index < 10; index++) await events(one, as.admin);
    await breakIt();
    const answers = await inTurn(51, () => events(one, as.admin));
    const passed = answers.filter(({ status }) => status === 200).length;
    if (spoilt) expect(passed).toBe(50);
    else expect(passed).toBeGreaterThanOrEqual(50);
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  });

  test('log-ins are throttled as usual and answered without delay', async () => {
    const { admin } = await one.createTenant();
    for (let tries = 0; tries < 2; tries++) expect((await logIn(one, admin.email, 'wrong')).status).toBe(401);
    await breakIt();
    const answers = await inTurn(4 * triesMax, () => logIn(one, admin.email, 'wrong'));
    const codes = answers.map(({ body }) => (body as { code: string }).code);
    expect(codes.filter((code) => !['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(code))).toEqual([]);
    // What was counted here goes on; a Redis that lost its counts begins one window anew.
    const triesLeft = triesMax - 2 + (spoilt ? 0 : triesMax);
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS').length).toBeLessThanOrEqual(triesLeft);
  });

  test('revoked credentials stay revoked, and a revocation takes effect on both processes at once', async () => {
    const { admin } = await one.createTenant();
    const [early, late] = [await one.tokenOf(admin), await one.tokenOf(admin)];
    expect((await one.call('DELETE', '/v1/tokens/personal', { as: early })).status).toBe(200);
    await breakIt();
    for (const app of [one, other]) expect((await events(app, early)).status).toBe(401);
    expect((await one.call('DELETE', '/v1/tokens/personal', { as: late })).status).toBe(200);
    for (const app of [one, other]) expect((await events(app, late)).status).toBe(401);
  });
});
