import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { freePort } from './support/cluster.ts';
import type { Tenant } from './support/factories.ts';
import { refusedStart, stopAll } from './support/process.ts';
import { keepOpen, openStream } from './support/streams.ts';
import { createEndpoint, startReceiver } from './support/webhooks.ts';
import { ask, startWorkers, until, workersEnv, type Workers } from './support/workers.ts';

/* Several workers behind one port, without Redis. */

let beside: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  beside = await startApp();
  tenant = await beside.createTenant();
});

afterAll(async () => {
  stopAll();
  await beside.close();
});

const token = 'a-token-of-the-metrics';
const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
const createEvent = (origin: string, as: string) =>
  ask(origin, '/v1/events', { method: 'POST', as, body: { title: 'An event', ...times } });

describe('two workers', () => {
  const keep = keepOpen();
  let service: Workers;

  /** Has each worker print the commits that it is told of. */
  const printCommits = `process.on('message', ({ message }) => {
    if (message?.kind === 'committed') console.log(JSON.stringify({ msg: 'told', worker: Number(process.env.WORKER_NUMBER), ...message }));
  })`;

  beforeAll(async () => {
    service = await startWorkers({
      ...workersEnv(beside.database),
      METRICS_TOKEN: token,
      CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8',
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(printCommits)}`,
    });
  });

  /** The workers that answered requests with this operation. */
  const workersThatServed = (operation: string) =>
    new Set(service.lines().flatMap((line) => (line['operation'] === operation ? [line.worker] : [])));

  test('take requests off one rate limit', async () => {
    const { as } = await beside.createTenant('free');
    const left: number[] = [];
    for (let sent = 0; sent < 10; sent++) {
      const { status, headers } = await createEvent(service.origin, as.key);
      expect(status).toBe(201);
      left.push(Number(headers['x-ratelimit-remaining']));
    }
    expect(left).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51, 50]);
    await until(() => workersThatServed('events.create').size === 2);
  });

  test('count log-ins of one address together', async () => {
    const body = { email: tenant.admin.email, password: 'not the password' };
    const statuses = [];
    for (let tries = 0; tries < 7; tries++)
      statuses.push((await ask(service.origin, '/v1/auth/login', { method: 'POST', body })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    await until(() => workersThatServed('tokens.login').size === 2);
  });

  /** Open streams by worker. */
  async function streamsByWorker(): Promise<Record<string, number>> {
    const { text } = await ask(service.origin, '/metrics', { as: token });
    const found = text.matchAll(/^callboard_streams_open\{worker="(\d)"\} (\d+)$/gm);
    return Object.fromEntries([...found].map(([, worker, count]) => [worker, Number(count)]));
  }

  test('tell each other of commits, so that streams of both see them', async () => {
    const event = await beside.createEvent(tenant.business);
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => keep(openStream(service.origin, '/v1/changes/stream', { as: tenant.as.admin }))),
    );
    // Whoever is free gets the next connection.
    expect(await streamsByWorker()).toEqual({ 1: expect.any(Number), 2: expect.any(Number) });
    expect(Object.values(await streamsByWorker())).not.toContain(0);
    const path = `/v1/events/${event.uuid}`;
    expect(
      await ask(service.origin, path, { method: 'PUT', as: tenant.as.admin, body: { room: 'Hall' } }),
    ).toMatchObject({ status: 200 });
    for (const stream of streams) await stream.until(({ data }) => data?.changes?.[0]?.row?.room === 'Hall');
    await until(() => workersThatServed('events.update').size === 1);
    const [writer] = workersThatServed('events.update');
    const told = service.lines().filter(({ msg, businessId }) => msg === 'told' && businessId === tenant.business.id);
    expect(told.map(({ worker }) => worker)).toEqual([writer === 1 ? 2 : 1]);
  });

  test('never answer from a cache that another one made old', async () => {
    const event = await beside.createEvent(tenant.business);
    const path = `/v1/events/${event.uuid}`;
    for (const title of ['North', 'East', 'South', 'West']) {
      const { status } = await ask(service.origin, path, { method: 'PUT', as: tenant.as.admin, body: { title } });
      expect(status).toBe(200);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => ask(service.origin, path, { as: tenant.as.admin })),
      );
      for (const { text } of answers) expect(text).toContain(`"title":"${title}"`);
    }
  });

  test('give the metrics of both at one request, and describe each metric once', async () => {
    const { text } = await ask(service.origin, '/metrics', { as: token });
    const named = text.split('\n').flatMap((line) => /^# TYPE (\S+)/.exec(line)?.slice(1) ?? []);
    expect(named.length).toBe(new Set(named).size);
    expect(named).toContain('callboard_http_request_duration_seconds');
    for (const worker of [1, 2])
      expect(text).toMatch(new RegExp(`^process_resident_memory_bytes\\{worker="${worker}"\\} \\d+$`, 'm'));
  });

  test('one that is killed is followed by another, which goes on with its jobs and its counts', async () => {
    const { as, business } = await beside.createTenant('free');
    expect((await createEvent(service.origin, as.key)).headers['x-ratelimit-remaining']).toBe('59');
    const killed = service.pidOf(1);
    const isReplaced = () => service.pidOf(1) !== killed;
    // Some of them count when their worker dies: its end must not harm the primary.
    const agent = new Agent();
    const busy = Array.from({ length: 8 }, async () => {
      while (!isReplaced())
        await ask(service.origin, '/v1/events', { as: tenant.as.key, agent }).catch(() => undefined);
    });
    await until(() => workersThatServed('events.list').size === 2);
    process.kill(killed, 'SIGKILL');
    await until(isReplaced);
    // A connection that was on its way to the killed worker stays without an answer.
    agent.destroy();
    await Promise.all(busy);
    expect(service.lines().find(({ msg }) => msg.startsWith('a worker has ended'))).toMatchObject({
      worker: 1,
      workerPid: killed,
      signal: 'SIGKILL',
      afterMs: 0,
    });

    const receiver = await startReceiver();
    await createEndpoint(beside.database, business, { url: receiver.origin });
    const left = [];
    for (let sent = 0; sent < 4; sent++)
      left.push((await createEvent(service.origin, as.key)).headers['x-ratelimit-remaining']);
    expect(left).toEqual(['58', '57', '56', '55']);
    await until(() => workersThatServed('events.create').size === 2);
    const messages = () =>
      beside.prisma.webhookMessage.findMany({ where: { businessId: business.id }, include: { attempts: true } });
    await until(async () => (await messages()).filter(({ status }) => status === 'delivered').length === 4);
    expect((await messages()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
    await receiver.close();
  });
});

describe('a service with workers', () => {
  afterEach(stopAll);

  test('waits longer and longer for a worker that dies at once again and again, and serves with the others', async () => {
    const dies = `if (process.env.WORKER_NUMBER === '2') process.exit(7)`;
    const service = await startWorkers(
      { ...workersEnv(beside.database), NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(dies)}` },
      1,
    );
    const deaths = () => service.lines().filter(({ msg }) => msg.startsWith('a worker has ended'));
    await until(() => deaths().length === 3);
    expect(deaths()).toMatchObject([0, 1000, 3000].map((afterMs) => ({ worker: 2, code: 7, afterMs })));
    expect((await ask(service.origin, '/readyz')).status).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  test('closes a connection that no worker has room for', async () => {
    const service = await startWorkers({ ...workersEnv(beside.database), CALLBOARD_CONNECTIONS: '1' });
    const { port } = new URL(service.origin);
    const open = () => connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const held = [open(), open()];
    for (const socket of held) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
    }
    await once(open(), 'close');
    for (const socket of held) socket.destroy();
    const isServed = () =>
      ask(service.origin, '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isServed);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  test('refuses the embedded database', async () => {
    expect(await refusedStart({ CALLBOARD_WORKERS: '2' })).toEqual({
      code: 2,
      output:
        'callboard: CALLBOARD_WORKERS and --workers must be 1 or auto with the embedded database, which only one process can open. Set DATABASE_URL to use more.\n',
    });
  });

  test('that cannot start ends as a single process does, and says why once', async () => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const env = { ...workersEnv(beside.database), PORT: String(port), LOG_LEVEL: 'silent' };
    const alone = await refusedStart({ ...env, CALLBOARD_WORKERS: '1' });
    expect(alone).toMatchObject({ code: 1, output: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}`) });
    expect(await refusedStart(env)).toEqual(alone);
    taken.close();
  });
});
