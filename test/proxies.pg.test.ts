import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { freePort } from './support/cluster.ts';
import { signingSecret } from './support/config.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { createFactories, type Factories } from './support/factories.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { startProcess, stopAll } from './support/process.ts';
import { startProxy, type Proxy, type ProxyKind } from './support/proxies.ts';
import { isNightly, takeShare } from './support/share.mjs';
import { askThrough, type ProxiedAnswer } from './support/through-proxy.ts';

/* The proxies of .deploy send no request again that may have been carried out. */

const kinds: readonly ProxyKind[] = ['nginx', 'haproxy'];
/** The night kills poolers behind both, the gate behind the one that the seed chooses. */
const underLoad = takeShare('proxy of killed poolers', kinds, 2);
const kills = isNightly ? 6 : 3;
const agent = new Agent({ keepAlive: true, maxSockets: 12 });
let database: TestDatabase;
let factories: Factories;

beforeAll(async () => {
  database = await openTestDatabase();
  factories = createFactories(database.prisma, database.config(), () => new Date());
});

afterEach(stopAll);

afterAll(async () => {
  agent.destroy();
  await database.close();
});

/** A process that is ready, and dies of every request: it closes the connection without an answer. */
async function startMortal(seen: string[]): Promise<Server> {
  const server = createServer(({ url, method, socket }, answer) => {
    if (url === '/readyz') return void answer.end('ready');
    seen.push(method ?? '');
    socket.destroy();
  });
  server.listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** HAProxy may not have asked yet whether its processes are ready. */
async function untilSeen(proxy: Proxy, seen: string[]): Promise<void> {
  while (seen.length === 0) {
    await askThrough(proxy, agent, { method: 'GET', path: '/' }, 'x').catch(() => undefined);
    await wait(50);
  }
}

test.each(kinds)('%s sends only GET again where a process died of the request', async (kind) => {
  const seen: string[] = [];
  const servers = [await startMortal(seen), await startMortal(seen)] as const;
  const proxy = await startProxy(kind, [portOf(servers[0]), portOf(servers[1])]);
  await untilSeen(proxy, seen);
  const timesSeen = async (method: string, body?: object) => {
    seen.length = 0;
    const call = { method, path: '/v1/events', ...(body && { body }) };
    // HAProxy may also pass the end of the connection on.
    const status = await askThrough(proxy, agent, call, 'x').then(
      (answer) => answer.status,
      () => 502,
    );
    expect(status).toBeGreaterThanOrEqual(502);
    expect(new Set(seen)).toEqual(new Set([method]));
    return seen.length;
  };
  expect(await timesSeen('GET')).toBeGreaterThan(1);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect([method, await timesSeen(method), await timesSeen(method, { title: 'Once' })]).toEqual([method, 1, 1]);
  await proxy.close();
  for (const server of servers) server.close();
});

test.each(kinds)('%s asks the other process where one takes no connections, for writes too', async (kind) => {
  const server = createServer((request, answer) => void answer.end(`${request.method} ${request.headers.host}`));
  server.listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startProxy(kind, [await freePort(), portOf(server)]);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    for (let time = 0; time < 4; time++) {
      const call = { method, path: '/v1/events', ...(method !== 'GET' && { body: {} }) };
      const { status, body } = await askThrough(proxy, agent, call, 'x');
      expect([status, body]).toEqual([200, expect.stringMatching(`^${method} 127.0.0.1`)]);
    }
  await proxy.close();
  server.close();
});

test.each(kinds)(
  '%s logs requests without the secret of a calendar feed, also where a process died of one',
  async (kind) => {
    const seen: string[] = [];
    const servers = [await startMortal(seen), await startMortal(seen)] as const;
    const proxy = await startProxy(kind, [portOf(servers[0]), portOf(servers[1])]);
    await untilSeen(proxy, seen);
    const call = { method: 'GET', path: `/v1/feeds/A1b2C3d4E5f6.${'s'.repeat(43)}.ics?cancelled=omit` };
    seen.length = 0;
    await askThrough(proxy, agent, call, 'x').catch(() => undefined);
    expect(seen.length).toBeGreaterThan(0);
    // A log is written once the answer is sent; the next request comes after it.
    while (!/GET 502/.test(proxy.output())) await wait(20);
    expect(proxy.output()).not.toContain('sss');
    await proxy.close();
    for (const server of servers) server.close();
  },
);

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
const clients = 12;

test.each(underLoad)('behind %s, nothing is created twice while the pooler of one process is killed', async (kind) => {
  const tenant = await factories.createTenant('enterprise');
  const url = new URL(database.config().db.url ?? '');
  const pooler = await startPgBouncer(url.href, 'transaction');
  const ports: [number, number] = [await freePort(), await freePort()];
  const start = (port: number, databaseUrl: string) =>
    startProcess({
      PORT: String(port),
      NODE_ENV: 'production',
      TRUST_PROXY: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      JWT_SECRETS: `test:${signingSecret}`,
      CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
      CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
      CALLBOARD_BLOCKED: '600000',
    });
  await start(ports[0], pooler.urlOf(url.pathname.slice(1)));
  await start(ports[1], url.href);
  const proxy = await startProxy(kind, ports);

  const answers = new Map<string, ProxiedAnswer>();
  const progress = { isOver: false };
  const create = async (client: number) => {
    for (let number = 0; !progress.isOver; number++) {
      const title = `Event ${number} of client ${client}`;
      const call = { method: 'POST', path: '/v1/events', body: { title, ...times } };
      const cut = { status: 0, body: '', isNotExecuted: false };
      answers.set(title, await askThrough(proxy, agent, call, tenant.as.key).catch(() => cut));
    }
  };
  const creating = Array.from({ length: clients }, (_, client) => create(client));
  const countMade = () => [...answers.values()].filter(({ status }) => status === 201).length;
  for (let kill = 0; kill < kills; kill++) {
    const before = countMade();
    while (countMade() < before + 50) await wait(10);
    await pooler.killAndStart();
  }
  progress.isOver = true;
  await Promise.all(creating);

  const rows = await database.prisma.event.groupBy({
    by: ['title'],
    where: { businessId: tenant.business.id },
    _count: { title: true },
  });
  const stored = new Map(rows.map(({ title, _count }) => [title, _count.title]));
  const titlesOf = (is: (answer: ProxiedAnswer) => boolean) =>
    [...answers].flatMap(([title, answer]) => (is(answer) ? [title] : []));
  const statuses: Record<string, number> = {};
  for (const { status } of answers.values()) statuses[status] = (statuses[status] ?? 0) + 1;
  process.stdout.write(`${kind}, ${kills} kills of the pooler: ${JSON.stringify(statuses)}\n`);
  expect([...stored].filter(([, count]) => count > 1)).toEqual([]);
  expect(titlesOf(({ status }) => status === 201).filter((title) => !stored.has(title))).toEqual([]);
  expect(titlesOf(({ isNotExecuted }) => isNotExecuted).filter((title) => stored.has(title))).toEqual([]);
  expect(titlesOf(({ status, isNotExecuted }) => status === 503 && !isNotExecuted)).toEqual([]);
  await proxy.close();
  await pooler.close();
});
