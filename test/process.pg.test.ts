import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrationNames } from '../src/db/migrations/migrations.ts';
import { freePort } from './support/cluster.ts';
import { signingSecret } from './support/config.ts';
import { onServer } from './support/database.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { databasePrefix, serverTemplate, serverUrl, urlOf } from './support/template.ts';

/* Processes of the service on a PostgreSQL database that none of them has migrated. */

let name: string;
const env = (url = urlOf(name)) => ({ DATABASE_URL: url, JWT_SECRETS: `test:${signingSecret}` });

beforeEach(async () => {
  name = `${databasePrefix}${randomUUID().slice(0, 8)}`;
  await onServer(serverUrl ?? '', `CREATE DATABASE ${name}`);
});

afterEach(stopAll);
afterAll(stopAll);

const statusOf = async ({ origin }: ServiceProcess, path: string): Promise<number> => {
  const answer = await fetch(origin + path);
  await answer.arrayBuffer();
  return answer.status;
};

const becomesReady = async (service: ServiceProcess): Promise<boolean> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if ((await statusOf(service, '/readyz')) === 200) return true;
    await wait(100);
  }
  return false;
};

test('two processes that start together on an empty database both become ready, and each migration is applied once', async () => {
  const services = await Promise.all([startProcess(env()), startProcess(env())]);
  expect(await Promise.all(services.map(becomesReady))).toEqual([true, true]);
  const client = new pg.Client(urlOf(name));
  await client.connect();
  const { rows } = await client.query(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM _prisma_migrations ORDER BY migration_name`,
  );
  await client.end();
  expect(rows).toEqual((await migrationNames()).map((each) => ({ name: each, done: true })));
  const ends = await Promise.all(services.map((service) => service.stop('SIGTERM')));
  expect(ends).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
});

test('while PostgreSQL is down the process runs, is not ready, and recovers by itself', async () => {
  const port = await freePort();
  const url = Object.assign(new URL(urlOf(name)), { port: String(port), hostname: '127.0.0.1' });
  const service = await startProcess(env(url.href));
  expect(await statusOf(service, '/healthz')).toBe(200);
  expect(await statusOf(service, '/readyz')).toBe(503);

  const login = await fetch(`${service.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.example', password: 'whatever it is' }),
  });
  expect(login.status).toBe(503);
  expect(Number(login.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await login.json()).toMatchObject({ success: false, code: 'UNAVAILABLE' });

  const tunnel = tunnelTo(new URL(serverUrl ?? ''), port);
  await once(tunnel, 'listening');
  expect(await becomesReady(service)).toBe(true);
  await service.stop('SIGTERM');
  tunnel.close();
});

test('a process that meets a later version only when PostgreSQL comes back stays not ready, and logs why', async () => {
  await onServer(serverUrl ?? '', `DROP DATABASE ${name}`);
  await onServer(serverUrl ?? '', `CREATE DATABASE ${name} TEMPLATE ${serverTemplate}`);
  const client = new pg.Client(urlOf(name));
  await client.connect();
  await client.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
                      VALUES ('later', 'none', '29990101000000_later', now(), 1)`);
  await client.end();

  const port = await freePort();
  const url = Object.assign(new URL(urlOf(name)), { port: String(port), hostname: '127.0.0.1' });
  const service = await startProcess(env(url.href));
  const tunnel = tunnelTo(new URL(serverUrl ?? ''), port);
  await once(tunnel, 'listening');
  while (!service.output().includes('the database was not migrated')) await wait(100);
  // The answer of before is kept for a moment.
  const answer = async () => (await (await fetch(`${service.origin}/readyz`)).json()) as { message: string };
  while (!(await answer()).message.includes('later version')) await wait(100);
  const response = await fetch(`${service.origin}/readyz`);
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 503,
    body: { message: 'The database schema is of a later version: it has the migration 29990101000000_later.' },
  });
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  tunnel.close();
});

/** PostgreSQL, seen through another port: up from when this listens. */
function tunnelTo({ hostname, port }: URL, from: number): Server {
  return createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  }).listen(from, '127.0.0.1');
}
