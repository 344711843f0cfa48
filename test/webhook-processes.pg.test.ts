import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { signingSecret } from './support/config.ts';
import type { Tenant } from './support/factories.ts';
import { commandLine, refusedStart, startProcess, stopAll, worker, type ServiceProcess } from './support/process.ts';
import { createEndpoint, startReceiver, until, type Receiver } from './support/webhooks.ts';

/* Webhooks of several processes on one database, some of which are killed. */

let service: TestApp;
let tenant: Tenant;
let receiver: Receiver;
let env: Record<string, string>;
/** The process of `callboard work` that one test leaves to the next. */
let working: ServiceProcess;

beforeAll(async () => {
  service = await startApp();
  env = {
    DATABASE_URL: service.database.config().db.url ?? '',
    JWT_SECRETS: `test:${signingSecret}`,
    CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8',
    CALLBOARD_SHUTDOWN_TIMEOUT: '4000',
  };
});

beforeEach(async () => {
  tenant = await service.createTenant();
  receiver = await startReceiver();
});

afterEach(async () => {
  await service.prisma.webhookEndpoint.deleteMany();
  await receiver.close();
});

afterAll(async () => {
  stopAll();
  await service.close();
});

const endpointAt = (url: string) => createEndpoint(service.database, tenant.business, { url });
const storedMessages = () =>
  service.prisma.webhookMessage.findMany({
    where: { businessId: tenant.business.id },
    orderBy: { id: 'asc' },
    include: { attempts: true },
  });
const allDelivered = async (count: number) => {
  const rows = await storedMessages();
  return rows.length === count && rows.every(({ status }) => status === 'delivered') && rows;
};

/** Lets the time pass after which what a killed process had taken is free again. */
async function passLease(): Promise<void> {
  await service.prisma.webhookMessage.updateMany({ where: { status: 'pending' }, data: { nextAttemptAt: new Date() } });
  await service.prisma.$executeRaw`UPDATE pgboss.job SET started_on = started_on - interval '2 minutes'`;
}

test('a process that is killed between an attempt and its record sends the message again, with the same id', async () => {
  await endpointAt(receiver.origin);
  const first = await startProcess(env, [], worker);
  receiver.answer = (_message, response) => {
    // It never learns of the answer.
    process.kill(first.pid, 'SIGKILL');
    response.writeHead(204).end();
  };
  await service.createEvent(tenant.business);
  await until(() => receiver.received.length === 1);
  const [message] = await until(async () => (await storedMessages()).length === 1 && storedMessages());
  expect(message).toMatchObject({ status: 'pending', attemptCount: 0, attempts: [] });

  receiver.answer = (_message, response) => response.writeHead(204).end();
  await passLease();
  working = await startProcess(env, [], worker);
  await until(() => allDelivered(1));
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
});

test('a process that is stopped gives back what it has not finished, and ends in time', async () => {
  await endpointAt(receiver.origin);
  receiver.answer = () => undefined;
  for (let count = 0; count < 6; count++) await service.createEvent(tenant.business);
  await until(() => receiver.received.length > 0);
  expect(await working.stop()).toEqual({ code: 0, signal: null });

  const before = receiver.received.length;
  receiver.answer = (_message, response) => response.writeHead(204).end();
  // No lease has to pass: it gave them back.
  working = await startProcess(env, [], worker);
  const rows = await until(() => allDelivered(6));
  expect(rows.map(({ attemptCount }) => attemptCount)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(new Set(receiver.received.slice(before).map(({ id }) => id)).size).toBe(6);
});

test('two processes share the work, and send each message once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => endpointAt(`${receiver.origin}/${index}`)));
  const processes = [working, await startProcess(env, [], worker)];
  for (let count = 0; count < 10; count++) await service.createEvent(tenant.business);
  await until(() => allDelivered(200), { timeoutMs: 60_000 });
  const byPath = receiver.received.map(({ path, id }) => `${path} ${id}`);
  expect([byPath.length, new Set(byPath).size]).toEqual([200, 200]);
  for (const worked of processes) expect(await worked.stop()).toEqual({ code: 0, signal: null });
});

describe('the roles of processes', () => {
  test('serve --no-jobs does not deliver, and serve does', async () => {
    await endpointAt(receiver.origin);
    const idle = await startProcess(env, [], commandLine('serve', '--no-jobs'));
    await service.createEvent(tenant.business);
    // What it did not do can only be waited for: its watch would have looked twice by now.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await storedMessages()).toEqual([]);
    const serving = await startProcess(env, [], commandLine('serve'));
    await until(() => allDelivered(1));
    for (const served of [idle, serving]) expect(await served.stop()).toEqual({ code: 0, signal: null });
  });

  test('work refuses the embedded database, and says why', async () => {
    const { code, output } = await refusedStart({ DATABASE_URL: '' }, [], commandLine('work'));
    expect(code).not.toBe(0);
    expect(output).toContain('only one process can open the embedded database');
  });
});
