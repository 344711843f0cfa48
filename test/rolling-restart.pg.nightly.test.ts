import { Agent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from './support/cluster.ts';
import { signingSecret } from './support/config.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { createFactories, type Factories, type Tenant } from './support/factories.ts';
import { isNightly } from './support/share.mjs';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { startProxy, type Proxy, type ProxyKind } from './support/proxies.ts';
import { askThrough, type ProxiedCall } from './support/through-proxy.ts';

/*
 * Two processes behind each proxy of .deploy are restarted one after the other under load, and no request is lost, although
 * nobody sends one again and no write has an idempotency key.
 */

const requestsEach = isNightly ? 5000 : 1500;
const workers = 8;

let database: TestDatabase;
let factories: Factories;
let ports: [number, number];
const processes: ServiceProcess[] = [];

const start = (port: number) =>
  startProcess({
    PORT: String(port),
    NODE_ENV: 'production',
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: database.config().db.url ?? '',
    JWT_SECRETS: `test:${signingSecret}`,
    CALLBOARD_DRAIN_DELAY: '1000',
    CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
    CALLBOARD_DB_POOL: '4',
    // A busy machine lets connections and requests wait for long.
    CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
    CALLBOARD_BLOCKED: '600000',
  });

beforeAll(async () => {
  database = await openTestDatabase();
  factories = createFactories(database.prisma, database.config(), () => new Date());
  ports = [await freePort(), await freePort()];
  for (const port of ports) processes.push(await start(port));
});

afterAll(async () => {
  stopAll();
  await database.close();
});

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };

/** Reads over REST and GraphQL, changes an event, and creates one with every eighth request. */
function callAt(index: number, uuid: string): ProxiedCall {
  if (index % 8 === 0) return { method: 'POST', path: '/v1/events', body: { title: `Event ${index}`, ...times } };
  if (index % 8 === 4) return { method: 'PUT', path: `/v1/events/${uuid}`, body: { title: `Changed ${index}` } };
  if (index % 2 === 0) return { method: 'POST', path: '/graphql', body: { query: '{ viewer { name } }' } };
  return { method: 'GET', path: '/v1/events?per_page=1' };
}

/** Sends requests until so many are sent and the restarts are over; beyond that number slowly. Returns those that were lost. */
async function load(
  proxy: Proxy,
  { as, business }: Tenant,
  progress: { sent: number; isOver: boolean },
): Promise<string[]> {
  const { uuid } = await factories.createEvent(business);
  const agent = new Agent({ keepAlive: true, maxSockets: workers });
  const lost: string[] = [];
  const work = async () => {
    while (progress.sent < requestsEach || !progress.isOver) {
      const call = callAt(progress.sent++, uuid);
      const wanted = call.path === '/v1/events' ? 201 : 200;
      const fault = await askThrough(proxy, agent, call, as.key).then(
        ({ status, body }) => (status === wanted ? null : `${status} ${body.slice(0, 200)}`),
        (error: Error) => error.message,
      );
      if (fault !== null) lost.push(`${call.method} ${call.path}: ${fault}`);
      if (progress.sent > requestsEach) await wait(25);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  agent.destroy();
  return lost;
}

/** As the operators' guide says: ends a process, starts it again, and waits until it is ready and the proxy has seen it. */
async function restart(index: 0 | 1): Promise<string> {
  const before = processes[index]!;
  expect(await before.stop()).toEqual({ code: 0, signal: null });
  processes[index] = await start(ports[index]);
  while ((await fetch(`${processes[index].origin}/readyz`)).status !== 200) await wait(50);
  await wait(1000);
  return before.output();
}

test.each<ProxyKind>(['nginx', 'haproxy'])('%s loses no request while both processes are restarted', async (kind) => {
  const tenant = await factories.createTenant('enterprise');
  const proxy = await startProxy(kind, ports);
  const progress = { sent: 0, isOver: false };
  const loading = load(proxy, tenant, progress);
  const logs: string[] = [];
  try {
    for (const index of [0, 1] as const) {
      const from = progress.sent;
      while (progress.sent < from + 500) await wait(10);
      logs.push(await restart(index));
    }
  } finally {
    progress.isOver = true;
    const lost = await loading;
    // A refused connection is not lost: the other process is asked.
    const log = proxy
      .output()
      .split('\n')
      .filter((line) => !line.includes('Connection refused'));
    expect({ lost, log: lost.length > 0 ? log : [] }).toEqual({ lost: [], log: [] });
    await proxy.close();
  }
  expect(progress.sent).toBeGreaterThanOrEqual(requestsEach);
  const created = Array.from({ length: Math.ceil(progress.sent / 8) }, (_, index) => `Event ${8 * index}`);
  const stored = await database.prisma.event.findMany({
    where: { businessId: tenant.business.id, title: { startsWith: 'Event ' } },
    select: { title: true },
  });
  expect(stored.map(({ title }) => title).sort()).toEqual(created.sort());
  for (const log of logs) {
    expect(log).toContain('SIGTERM: draining for 1000 ms, then closing');
    expect(log).not.toMatch(/"outcome":"failed"|request not served|"level":[4-6]0/);
  }
});
