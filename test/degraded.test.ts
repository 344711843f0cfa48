import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSecretBox } from '../src/access/secret-box.ts';
import { limits } from '../src/config/limits.ts';
import { createHealth } from '../src/health.ts';
import { createLog } from '../src/log.ts';
import { startApp, type TestApp } from './support/app.ts';
import { configOf } from './support/config.ts';

/* A process that goes on without something says so: in its log, at /readyz and in its metrics. */

const token = 'a-token-of-the-metrics';
let service: TestApp;
const lines: Record<string, unknown>[] = [];
const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  const env = { METRICS_TOKEN: token, LOG_LEVEL: 'info' };
  service = await startApp({ env, logTo: { write }, jobs: { watchMs: 20 } });
});

afterAll(() => service.close());

const degraded = async () => {
  const { body } = await service.call('GET', '/readyz');
  return body as { status: string; degraded?: { part: string; message: string }[] };
};

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('webhook secrets whose key is gone are an error at the start, degraded at /readyz, and a metric', async () => {
  const { business } = await service.createTenant();
  const store = (secret: string) =>
    service.prisma.webhookEndpoint.create({
      data: { businessId: business.id, url: 'https://receiver.example', types: [], revision: 1n, secret },
    });
  // The key has the same name as that of the service, as after JWT_SECRETS got another value.
  const gone = createSecretBox([{ kid: 'jwt:test', secret: randomUUID().repeat(2) }]);
  await store(gone.seal('first'));
  await store(gone.seal('second'));
  await service.app.jobs.start();
  await until(async () => (await degraded()).degraded !== undefined);
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([
    expect.objectContaining({
      level: 50,
      part: 'webhook_secrets',
      endpoints: 2,
      msg: expect.stringMatching(/^signing secrets of webhooks cannot be decrypted, .*CALLBOARD_WEBHOOK_KEYS/),
    }),
  ]);
  expect(await degraded()).toMatchObject({
    status: 'ready',
    degraded: [{ part: 'webhook_secrets', message: expect.stringMatching(/cannot be decrypted.* no message is sent/) }],
  });
  const text = await service.app.http.inject({ url: '/readyz', headers: { accept: 'text/plain' } });
  expect(text).toMatchObject({
    statusCode: 200,
    body: expect.stringMatching(/^ready\ndegraded: webhook_secrets: .*\n$/),
  });
  const metrics = await service.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  expect(metrics.body).toContain('callboard_degraded{part="webhook_secrets"} 1\n');
  expect(metrics.body).toContain('callboard_degraded{part="jobs"} 0\n');
});

test('a part that many use is told once when it is lost, and once when all of them have it back', async () => {
  const told: Record<string, unknown>[] = [];
  const log = createLog(configOf({ LOG_LEVEL: 'info' }), {
    write: (line) => void told.push(JSON.parse(line) as object as never),
  });
  const { lose, regain, missing } = createHealth(log);
  for (const by of ['one', 'two', 'one', 'three']) lose('redis', by, { err: new Error('gone') });
  expect(missing()).toEqual([{ part: 'redis', message: expect.stringMatching(/^Redis does not answer: /) }]);
  await until(() => told.length > 0);
  for (const by of ['one', 'two', 'two']) regain('redis', by);
  expect(missing()).toHaveLength(1);
  regain('redis', 'three');
  regain('redis', 'three');
  expect(missing()).toEqual([]);
  expect(told.map(({ level, msg }) => [level, msg])).toEqual([
    [40, expect.stringMatching(/^Redis does not answer: /)],
    [40, 'Redis answers again'],
  ]);
});

test('a loss that is over within a moment is not told', async () => {
  const told: unknown[] = [];
  const log = createLog(configOf({ LOG_LEVEL: 'info' }), { write: (line) => void told.push(line) });
  const { lose, regain } = createHealth(log);
  lose('redis', 'one');
  regain('redis', 'one');
  await new Promise((resolve) => setTimeout(resolve, 2 * limits.settleMs));
  expect(told).toEqual([]);
});
