import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { buildApp, type App } from '../src/app.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { createLog } from '../src/log.ts';
import { startCluster, type Cluster } from './support/cluster.ts';
import { configOf } from './support/config.ts';

/* A process says why it cannot serve: at /readyz as JSON and as text, in its log, and in its metrics. Each fault is a real one. */

const token = 'a-token-of-the-metrics';
let cluster: Cluster;
let silent: Server;
const apps: App[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  const database = await openDatabase(configOf({ DATABASE_URL: cluster.url }).db);
  await database.migrate();
  await database.close();
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  await cluster.query(`CREATE ROLE without_connections LOGIN CONNECTION LIMIT 0`);
  await cluster.query(`CREATE ROLE without_log_in`);
  await cluster.query(`CREATE ROLE without_rights LOGIN`);
  await cluster.query(`CREATE DATABASE closed`);
  await cluster.query(`REVOKE CONNECT ON DATABASE closed FROM PUBLIC`);
  await cluster.query(`CREATE DATABASE empty`);
});

afterAll(async () => {
  for (const app of apps) await app.close();
  silent?.close();
  await cluster?.close();
});

/** A process on the database of this URL, with the lines that it logged. */
async function startOn(url: string): Promise<{ app: App; lines: Record<string, unknown>[] }> {
  const lines: Record<string, unknown>[] = [];
  const config = configOf({ DATABASE_URL: url, METRICS_TOKEN: token, LOG_LEVEL: 'info' });
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const app = await buildApp(config, { log: createLog(config, { write }) });
  apps.push(app);
  return { app, lines };
}

const ask = async ({ http }: App, accept?: string) =>
  http.inject({ url: '/readyz', headers: { ...(accept && { accept }) } });

async function readySeries({ http }: App): Promise<string[]> {
  const { body } = await http.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  return body.split('\n').filter((line) => line.startsWith('callboard_ready{'));
}

const edited = (change: (url: URL) => void): string => {
  const url = new URL(cluster.url);
  change(url);
  return url.href;
};

/** A URL that meets the fault, and a word of the sentence for operators. */
const faults: Record<string, readonly [url: () => string, says: RegExp]> = {
  refused: [() => edited((url) => (url.port = '1')), /refuses connections/],
  unknown_host: [() => edited((url) => (url.hostname = 'nowhere.invalid')), /host name .* is unknown/],
  no_answer: [() => edited((url) => (url.port = String((silent.address() as AddressInfo).port))), /not answer in time/],
  tls: [() => `${cluster.url}?sslmode=require`, /TLS/],
  too_many_connections: [() => edited((url) => (url.username = 'without_connections')), /no further connections/],
  log_in_refused: [() => edited((url) => (url.username = 'without_log_in')), /refuses the log-in/],
  no_database: [() => edited((url) => (url.pathname = '/nothing')), /does not exist/],
  permission: [
    () =>
      edited((url) => {
        url.username = 'without_rights';
        url.pathname = '/closed';
      }),
    /GRANT CONNECT ON DATABASE/,
  ],
  schema_behind: [() => edited((url) => (url.pathname = '/empty')), /schema is behind/],
  read_only: [() => `${cluster.url}?options=-c%20default_transaction_read_only%3Don`, /read-only/],
  session: [() => `${cluster.url}?options=-c%20session_replication_role%3Dreplica`, /session_replication_role/],
};

describe.each(Object.entries(faults))('a process whose database is %s', (reason, [urlOf, says]) => {
  test('says so as JSON, as text, in one line of its log, and in its metrics', async () => {
    if (reason === 'session') await cluster.query('ALTER ROLE callboard SUPERUSER');
    const url = urlOf();
    const { app, lines } = await startOn(url);
    for (let time = 0; time < 3; time++) {
      const { statusCode, headers, body } = await ask(app);
      expect({ statusCode, ...(JSON.parse(body) as object), wait: headers['retry-after'] }).toMatchObject({
        statusCode: 503,
        status: 'not ready',
        code: 'UNAVAILABLE',
        reason,
        message: expect.stringMatching(says),
        wait: '2',
      });
      const { hostname, port, username } = new URL(url);
      for (const secret of [hostname, port, username === 'callboard' ? 'without' : username])
        expect(body).not.toContain(secret);
    }
    const text = await ask(app, 'text/plain');
    expect(text.headers['content-type']).toMatch(/^text\/plain/);
    expect(text.body).toMatch(new RegExp(`^not ready: ${reason}: .*${says.source}.*\n$`));
    expect(await readySeries(app)).toEqual([`callboard_ready{reason="${reason}"} 0`]);
    const told = lines.filter(({ msg }) => String(msg).startsWith('not ready'));
    expect(told).toEqual([expect.objectContaining({ level: 40, reason })]);
    expect(lines.filter(({ msg }) => msg === 'request')).toEqual([]);
    if (reason === 'session') await cluster.query('ALTER ROLE callboard NOSUPERUSER');
  });
});

test('a database that stops, freezes and comes back is told as such, with a line when it is over', async () => {
  const { app, lines } = await startOn(cluster.url);
  const reasonOf = async () => ((await ask(app)).json() as { reason?: string; status: string }).reason ?? 'ready';
  const becomes = async (reason: string) => {
    for (let found = ''; found !== reason;) found = await reasonOf();
  };
  await becomes('ready');
  expect(await readySeries(app)).toEqual(['callboard_ready{reason="ready"} 1']);
  cluster.freeze();
  await becomes('no_answer');
  cluster.thaw();
  await becomes('ready');
  await cluster.stopFast();
  await becomes('refused');
  await cluster.start();
  await becomes('ready');
  const told = lines.flatMap(({ reason, msg }) =>
    reason !== undefined || msg === 'ready again' ? [(reason as string | undefined) ?? 'ready'] : [],
  );
  expect(told.filter((reason) => ['ready', 'refused'].includes(reason)).slice(-2)).toEqual(['refused', 'ready']);
  // A line only where the reason changes.
  expect(told.filter((reason, index) => reason === told[index - 1])).toEqual([]);
  app.drain();
  expect((await ask(app)).json()).toMatchObject({ reason: 'draining', message: 'The service is shutting down.' });
});

test('a database whose connections this process uses up is busy', async () => {
  const { app } = await startOn(cluster.url);
  const holder = new pg.Client(cluster.url);
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const wait = () => app.database.executeSql('SELECT pg_advisory_xact_lock(1)');
  // Two of them are refused a connection if this takes long.
  const waiting = Promise.allSettled(Array.from({ length: 12 }, wait));
  expect((await ask(app)).json()).toMatchObject({ reason: 'busy' });
  await holder.end();
  await waiting;
});
