import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCluster, type Cluster } from './support/cluster.ts';
import { mailEnv } from './support/config.ts';
import { startMailServer } from './support/mails.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { until } from './support/webhooks.ts';
import { startProxy, type Proxy } from './support/proxies.ts';

/*
 * Two cells as the guide for operators describes them: two PostgreSQL servers, a process of the service on each, and nginx with the
 * example in .deploy, which knows the cell of a business by its host name. A business moves from one to the other, and goes on there.
 */

const program = fileURLToPath(new URL('../dist/bin/callboard.js', import.meta.url));
const guide = new URL('../src/guide/operators.md', import.meta.url);
const run = promisify(execFile);
const hosts = { moving: 'night-shift.callboard.example', staying: 'aurora.callboard.example' };
const password = 'a password for tests';

interface Cell {
  readonly cluster: Cluster;
  readonly env: Record<string, string>;
  readonly service: ServiceProcess;
}

const mailServer = await startMailServer();
let cells: readonly [Cell, Cell];
let proxy: Proxy;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-cells-'));
  cells = [await startCell(1), await startCell(2)];
  const [one, two] = cells.map(({ service }) => Number(new URL(service.origin).port)) as [number, number];
  proxy = await startProxy('cells', [one, two]);
});

afterAll(async () => {
  await proxy.close();
  for (const { service } of cells) await service.stop();
  stopAll();
  for (const { cluster } of cells) await cluster.close();
  await mailServer.close();
  await rm(folder, { recursive: true, force: true });
});

/** Each cell has secrets of its own, and numbers businesses in a range of its own. */
async function startCell(number: number): Promise<Cell> {
  const cluster = await startCluster({ fsync: 'off' });
  const env = {
    DATABASE_URL: cluster.url,
    JWT_SECRETS: `cell${number}:${randomBytes(32).toString('hex')}`,
    CALLBOARD_WEBHOOK_KEYS: `cell${number}:${randomBytes(32).toString('hex')}`,
    TRUST_PROXY: '127.0.0.1/32',
    ...mailEnv(mailServer.url),
    PUBLIC_URL: `https://cell${number}.callboard.example`,
  };
  const service = await startProcess(env);
  const from = number * 1_000_000;
  await cluster.query(
    `ALTER SEQUENCE businesses_id_seq MINVALUE ${from} MAXVALUE ${from + 999_999} START ${from} RESTART`,
  );
  return { cluster, env, service };
}

async function callboard({ env }: Cell, args: readonly string[], stdin = ''): Promise<Record<string, unknown>> {
  const running = run(process.execPath, [program, ...args, '--json'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  running.child.stdin?.end(stdin);
  return JSON.parse((await running).stdout) as Record<string, unknown>;
}

const createBusiness = (cell: Cell, name: string, email: string) =>
  callboard(
    cell,
    [
      'business',
      'create',
      '--name',
      name,
      '--plan',
      'enterprise',
      '--admin-email',
      email,
      '--admin-name',
      'Ann Lee',
      '--password-stdin',
    ],
    password,
  ).then((made) => Number(made['business_id']));

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly body: any;
}

/** Sends a request to the host name of a business. */
async function ask(
  host: string,
  method: string,
  path: string,
  more: { as?: string; body?: object } = {},
): Promise<Answer> {
  const headers = {
    host,
    ...(more.as && { authorization: `Bearer ${more.as}` }),
    ...(more.body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  };
  const sent = request({
    port: proxy.port,
    host: '127.0.0.1',
    ca: proxy.ca,
    servername: '',
    agent: false,
    method,
    path,
    headers,
  });
  sent.end(more.body && JSON.stringify(more.body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers['retry-after'],
    body: isJson ? JSON.parse(text) : text,
  };
}

/** Gives somebody a shift of which they are reminded in a minute. */
async function remindSoon(as: string) {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ');
  const start_time = at(86_400_000 + 60_000);
  const end_time = at(86_400_000 + 3_600_000);
  const post = async (path: string, body: object) => {
    const { status, body: made } = await ask(hosts.moving, 'POST', path, { as, body });
    expect([path, status]).toEqual([path, 201]);
    return made.data ?? made;
  };
  const user = await post('/api/v1/users', { name: 'Bo Park', email: 'bo@night.example', role: 'staff', password });
  const position = await post('/v1/positions', { title: 'Usher', default_pay_rate: '20.00' });
  const event = await post('/v1/events', { title: 'Dinner', start_time, end_time, timezone: 'UTC' });
  const place = { event_uuid: event.uuid, position_id: position.id, start_time, end_time, staff_needed: 1 };
  const callTime = await post('/v1/call_times', place);
  await post('/v1/work_shifts', { call_time_uuid: callTime.uuid, user_id: user.id });
}

const map = (cell: 'one' | 'two' | 'moving') => proxy.mapCells(`${hosts.moving} ${cell};\n${hosts.staying} one;\n`);

test('a business moves to another cell: its people log in, its API keys and cursors go on, and others notice nothing', async () => {
  const [one, two] = cells;
  const moving = await createBusiness(one, 'Night Shift', 'ann@night.example');
  const staying = await createBusiness(one, 'Aurora', 'ann@aurora.example');
  const there = await createBusiness(two, 'There', 'ann@there.example');
  expect([moving, staying, there]).toEqual([1_000_000, 1_000_001, 2_000_000]);
  const keyOf = async (business: number) =>
    String((await callboard(one, ['key', 'create', '--business', String(business), '--name', 'Rota']))['key']);
  const [key, otherKey] = [await keyOf(moving), await keyOf(staying)];
  await map('one');
  expect((await ask('nobody.callboard.example', 'GET', '/v1/viewer')).status).toBe(421);

  const logIn = () => ask(hosts.moving, 'POST', '/v1/auth/login', { body: { email: 'ann@night.example', password } });
  const createEvent = (title: string) =>
    ask(hosts.moving, 'POST', '/v1/events', {
      as: key,
      body: { title, start_time: '2027-05-01 18:00:00', end_time: '2027-05-01 23:00:00', timezone: 'Europe/Berlin' },
    });
  const read = async (path: string) => (await ask(hosts.moving, 'GET', path, { as: key })).body as unknown;
  expect([(await logIn()).status, (await createEvent('Before')).status]).toEqual([200, 201]);
  await remindSoon(key);
  const events = await read('/v1/events');
  const cursor = ((await read('/v1/changes')) as { data: { next_cursor: string } }).data.next_cursor;

  // The steps of the guide.
  await map('moving');
  const refused = await createEvent('Meanwhile');
  expect([refused.status, refused.retryAfter, refused.body.code]).toEqual([503, '30', 'UNAVAILABLE']);
  expect((await ask(hosts.staying, 'GET', '/v1/viewer', { as: otherKey })).status).toBe(200);
  const [file, keyFile] = [join(folder, 'night-shift.business'), join(folder, 'file.key')];
  writeFileSync(keyFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await expect(callboard(one, ['business', 'export', String(moving), '--to', file])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--key-file or --without-secrets must say'),
  });
  await expect(callboard(one, ['business', 'export', '7', '--to', file, '--without-secrets'])).rejects.toMatchObject({
    code: 3,
  });
  const sent = await callboard(one, ['business', 'export', String(moving), '--to', file, '--key-file', keyFile]);
  const came = await callboard(two, ['business', 'import', file, '--key-file', keyFile]);
  expect(came['rows']).toEqual(sent['rows']);
  await map('two');

  expect(await read('/v1/events')).toEqual(events);
  const changes = (await read(`/v1/changes?after=${cursor}`)) as { data: { changes: object[] } };
  expect(changes.data.changes).toEqual([]);
  expect([(await logIn()).status, (await createEvent('After')).status]).toEqual([200, 201]);
  expect(JSON.stringify(await read(`/v1/changes?after=${cursor}`))).toContain('After');
  const titles = (cell: Cell) => cell.cluster.query<{ title: string }>('SELECT title FROM events ORDER BY id');
  expect((await titles(two)).map(({ title }) => title)).toEqual(['Before', 'Dinner', 'After']);
  expect((await titles(one)).map(({ title }) => title)).toEqual(['Before', 'Dinner']);
  // The copy that is left is closed by the command of the guide, and sends nothing.
  expect(readFileSync(guide, 'utf8').split('### Cells')[1]).toContain(`callboard business close ${moving}`);
  expect(await callboard(one, ['business', 'close', String(moving)])).toMatchObject({ closed_at: expect.any(String) });
  const left = await fetch(`${one.service.origin}/v1/viewer`, { headers: { authorization: `Bearer ${key}` } });
  expect([left.status, (await ask(hosts.staying, 'GET', '/v1/viewer', { as: otherKey })).status]).toEqual([401, 200]);
  // The reminder that was to come after the move comes once, from the other cell.
  await until(() => mailServer.to('bo@night.example').some(({ subject }) => subject?.startsWith('Reminder')));
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  const reminders = mailServer.to('bo@night.example').filter(({ subject }) => subject?.startsWith('Reminder'));
  expect(reminders.map(({ text = '' }) => /cell\d/.exec(text)?.[0])).toEqual(['cell2']);
  // New businesses have the numbers of their cell.
  expect(await createBusiness(two, 'Next', 'next@there.example')).toBe(2_000_001);
  const again = callboard(two, ['business', 'import', file, '--key-file', keyFile]);
  await expect(again).rejects.toMatchObject({
    code: 4,
    stderr: expect.stringContaining('has a business 1000000 already'),
  });
});
