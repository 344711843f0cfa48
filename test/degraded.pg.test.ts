import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { startRedis, type RedisProcess } from './support/redis.ts';

/* A process that goes on without Redis tells its operator once, whatever the number of its connections, and once when Redis is back. */

const token = 'a-token-of-the-metrics';
let redis: RedisProcess;
let service: TestApp;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  redis = await startRedis();
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  service = await startApp({
    env: {
      REDIS_URL: redis.url,
      CALLBOARD_REDIS_TIMEOUT: '100',
      METRICS_TOKEN: token,
      CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
      LOG_LEVEL: 'info',
    },
    logTo: { write },
  });
});

afterAll(async () => {
  await service.close();
  await redis.close();
});

/** Levels and texts of the lines about Redis since the last call. */
function linesOfRedis(): unknown[] {
  return lines.splice(0).flatMap(({ part, level, msg }) => (part === 'redis' ? [[level, msg]] : []));
}

const lost = [40, expect.stringMatching(/^Redis does not answer: each process counts rate limits .* by itself/)];
const back = [40, 'Redis answers again'];

const degraded = async (): Promise<unknown> => {
  const { status, body } = await service.call('GET', '/readyz');
  expect(status).toBe(200);
  return ((body as { degraded?: { part: string }[] }).degraded ?? []).map(({ part }) => part);
};
const series = async () => {
  const { body } = await service.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  return /^callboard_degraded\{part="redis"\} (\d)$/m.exec(body)?.[1];
};

const faults: Record<string, readonly [breakIt: () => unknown, mend: () => unknown]> = {
  'is gone': [() => redis.kill(), () => redis.start()],
  'is frozen': [() => redis.freeze(), () => redis.thaw()],
  'takes no writes': [
    () => redis.command('REPLICAOF', '127.0.0.1', '1'),
    () => redis.command('REPLICAOF', 'NO', 'ONE'),
  ],
  'is full': [
    () => redis.command('CONFIG', 'SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction'),
    () => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  ],
};

test.each(Object.entries(faults))(
  'a Redis that %s has one line, and one when it is back',
  async (_name, [breakIt, mend]) => {
    linesOfRedis();
    await breakIt();
    for (let calls = 0; calls < 30; calls++) {
      await service.call('GET', '/v1/events');
      await wait(50);
    }
    expect(await degraded()).toEqual(['redis']);
    expect(await series()).toBe('1');
    expect(linesOfRedis()).toEqual([lost]);
    await mend();
    while (((await degraded()) as string[]).length > 0) {
      await service.call('GET', '/v1/events');
      await wait(50);
    }
    await wait(500);
    expect(linesOfRedis()).toEqual([back]);
    expect(await series()).toBe('0');
  },
);
