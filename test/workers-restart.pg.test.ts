import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { misbehaviour, openSession } from './support/misbehaviour.ts';
import { commandLine, startProcess, stopAll } from './support/process.ts';
import { ask, startWorkers, until, workersEnv, type Workers } from './support/workers.ts';

/* How several workers are replaced under load, and how they end. */

let beside: TestApp;
let tenant: Tenant;
let other: pg.Client;

beforeAll(async () => {
  beside = await startApp();
  tenant = await beside.createTenant();
  other = await openSession(beside.database.config().db.url ?? '');
  await other.query(misbehaviour);
});

afterEach(stopAll);

afterAll(async () => {
  stopAll();
  await other.end();
  await beside.close();
});

const clients = 8;
const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };

/** Reads over REST and GraphQL, and creates an event with every eighth request. Returns what went wrong. */
async function send(origin: string, index: number, agent: Agent): Promise<string | null> {
  const creates = index % 8 === 0;
  const [path, call] = creates
    ? (['/v1/events', { method: 'POST', body: { title: `Event ${index}`, ...times } }] as const)
    : index % 2 === 0
      ? (['/graphql', { method: 'POST', body: { query: '{ viewer { name } }' } }] as const)
      : (['/v1/events?per_page=1', {}] as const);
  return ask(origin, path, { ...call, as: tenant.as.key, agent }).then(
    ({ status, text }) => (status === (creates ? 201 : 200) ? null : `${path}: ${status} ${text.slice(0, 200)}`),
    (error: Error) => `${path}: ${error.message}`,
  );
}

/** Clients that send requests one after the other over connections which they keep, until `isOver`. */
async function load({ origin }: Workers, progress: { sent: number; isOver: boolean }): Promise<string[]> {
  const lost: string[] = [];
  const work = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!progress.isOver) {
      const fault = await send(origin, progress.sent++, agent);
      if (fault !== null) lost.push(fault);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, work));
  return lost;
}

const replaced = 'all workers were replaced';

test('SIGHUP replaces the workers one by one, and no request is lost', async () => {
  // A client of a busy machine may need a while for the request after which its connection is closed.
  const service = await startWorkers({
    ...workersEnv(beside.database),
    CALLBOARD_SHUTDOWN_TIMEOUT: '120000',
  });
  const before = [service.pidOf(1), service.pidOf(2)];
  const progress = { sent: 0, isOver: false };
  const loading = load(service, progress);
  const sendMore = async (count: number) => {
    const from = progress.sent;
    await until(() => progress.sent >= from + count);
  };
  await sendMore(500);
  process.kill(service.pid, 'SIGHUP');
  await until(() => service.output().includes(replaced));
  const after = [service.pidOf(1), service.pidOf(2)];
  await sendMore(500);
  progress.isOver = true;
  expect(await loading).toEqual([]);

  expect(new Set([...before, ...after]).size).toBe(4);
  const lines = service.lines();
  const since = lines.slice(lines.findIndex(({ msg }) => msg === replaced));
  const serving = new Set(since.flatMap(({ msg, pid }) => (msg === 'request' ? [pid] : [])));
  expect([...serving].sort()).toEqual([...after].sort());
  expect(lines.filter(({ level, outcome }) => level >= 40 || outcome === 'failed')).toEqual([]);
  const created = Array.from({ length: progress.sent }, (_, index) => index).filter((index) => index % 8 === 0).length;
  expect(await beside.prisma.event.count({ where: { businessId: tenant.business.id } })).toBe(created);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('SIGHUP with a worker that cannot start leaves the others as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-workers-'));
  const sign = join(folder, 'broken');
  const breaks = `
    const { existsSync } = process.getBuiltinModule('node:fs');
    if (process.env.WORKER_NUMBER && existsSync('${sign}')) process.exit(9);`;
  const service = await startWorkers({
    ...workersEnv(beside.database),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(breaks)}`,
  });
  const before = [service.pidOf(1), service.pidOf(2)];
  writeFileSync(sign, '');
  process.kill(service.pid, 'SIGHUP');
  await until(() => service.output().includes('a new worker did not become ready'));
  expect([service.pidOf(1), service.pidOf(2)]).toEqual(before);
  for (let sent = 0; sent < 4; sent++) expect((await ask(service.origin, '/readyz')).status).toBe(200);
  rmSync(folder, { recursive: true });
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

/** Whether so many statements of the service sleep in PostgreSQL. */
async function areSleeping(count: number): Promise<boolean> {
  const { rowCount } = await other.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
  );
  return rowCount === count;
}

const slowRequest = ({ origin }: Workers, title: string) =>
  ask(origin, '/v1/events', { method: 'POST', as: tenant.as.key, body: { title, ...times } }).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code,
  );

const longStatements = {
  CALLBOARD_DB_STATEMENT_TIMEOUT: '60000',
  CALLBOARD_DB_QUERY_TIMEOUT: '60000',
  CALLBOARD_DB_TRANSACTION_TIMEOUT: '60000',
  CALLBOARD_SHUTDOWN_TIMEOUT: '60000',
};

test('SIGTERM lets every worker finish its requests, and the service ends with 0', async () => {
  const service = await startWorkers({
    ...workersEnv(beside.database),
    ...longStatements,
    CALLBOARD_DRAIN_DELAY: '1000',
  });
  const slow = [slowRequest(service, 'sleep 4'), slowRequest(service, 'sleep 4')];
  await until(() => areSleeping(2));
  const end = service.stop('SIGTERM');
  expect(await Promise.all(slow)).toEqual([201, 201]);
  expect(await end).toEqual({ code: 0, signal: null });
  expect(service.workersThatSaid('SIGTERM: draining for 1000 ms, then closing').sort()).toEqual([1, 2]);
});

test('a second SIGTERM ends all workers at once, with 1', async () => {
  const service = await startWorkers({ ...workersEnv(beside.database), ...longStatements });
  const pids = [service.pidOf(1), service.pidOf(2)];
  const slow = [slowRequest(service, 'sleep 30'), slowRequest(service, 'sleep 30')];
  await until(() => areSleeping(2));
  const first = service.stop('SIGTERM');
  await until(() => service.workersThatSaid('SIGTERM: closing').length === 2);
  expect(await service.stop('SIGTERM')).toEqual({ code: 1, signal: null });
  expect(await Promise.all(slow)).toEqual(['ECONNRESET', 'ECONNRESET']);
  await first;
  await until(() => pids.every((pid) => !isAlive(pid)));
  await until(() => areSleeping(0));
});

test('SIGTERM ends a service whose workers are still starting', async () => {
  // It is back when the first worker listens: the second one starts then.
  const service = await startProcess(workersEnv(beside.database));
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('SIGINT to all processes, as Ctrl+C sends it, ends a service whose workers are still starting', async () => {
  const service = await startProcess(workersEnv(beside.database), [], { ...commandLine('serve'), isGroup: true });
  expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
});

test('workers end when the primary is killed', async () => {
  const service = await startWorkers(workersEnv(beside.database));
  const pids = [service.pidOf(1), service.pidOf(2)];
  process.kill(service.pid, 'SIGKILL');
  await until(() => pids.every((pid) => !isAlive(pid)));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
