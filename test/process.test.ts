import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusedStart, startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/* The embedded database in a folder, as `npm start` uses it: whatever database the rest of the suite runs on. */

let dataDir: string;
let service: ServiceProcess;
const env = () => ({ DATA_DIR: dataDir });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-process-'));
  service = await startProcess(env());
});

afterAll(async () => {
  stopAll();
  await rm(dataDir, { recursive: true, force: true });
});

const logIn = async (origin: string): Promise<string> => {
  const answer = await post(origin, '/v1/auth/login', { email: 'admin@aurora.example', password: 'callboard-demo' });
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

const post = (origin: string, path: string, body: object, token?: string) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

const createEvent = async (origin: string, token: string, title: string): Promise<string> => {
  const body = { title, start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
  const answer = await post(origin, '/v1/events', body, token);
  if (answer.status !== 201) throw new Error(`not created: ${answer.status}`);
  return ((await answer.json()) as { data: { uuid: string } }).data.uuid;
};

const statusOf = async (origin: string, uuid: string, token: string): Promise<number> => {
  const answer = await fetch(`${origin}/v1/events/${uuid}`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
};

test('the first start fills the empty database, says how to go on, and listens on loopback only', async () => {
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
  expect(new URL(service.origin).hostname).toBe('127.0.0.1');
  const lines = service.output().split('\n');
  const told = lines.flatMap((line) => /"msg":"((?:first start|demo business|your data).*)"}$/.exec(line)?.[1] ?? []);
  expect(told).toEqual([
    `first start: open ${service.origin} in a browser. REST reference: /docs, GraphQL playground: /playground, guides: /guide`,
    expect.stringMatching(/Aurora Events.*: log in as admin@aurora\.example with the password callboard-demo$/),
    expect.stringMatching(/Harbor & Main Catering.*: log in as admin@harbor\.example/),
    `your data stay in ${dataDir}. Ctrl+C stops the service`,
  ]);
});

test('the built service refuses a query string that is not UTF-8', async () => {
  const token = await logIn(service.origin);
  for (const text of ['%FF', '%C0%AF', '%ED%A0%80', '%zz', '%']) {
    for (const path of [`/v1/events?city=${text}`, `/graphql?query={__typename}%20%23${text}`]) {
      const answer = await fetch(service.origin + path, { headers: { authorization: `Bearer ${token}` } });
      expect([path, answer.status, await answer.json()]).toEqual([path, 400, expect.anything()]);
    }
  }
});

test('the first start says at once what it does, and the last line after SIGTERM is that it has closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-first-'));
  const first = await startProcess({ DATA_DIR: folder });
  await first.stop('SIGTERM');
  const messages = first
    .output()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages.slice(0, 2)).toEqual([
    `creating the embedded database in ${folder}, which takes some seconds`,
    'filling it with two demo businesses',
  ]);
  expect(messages.at(-1)).toBe('closed');
  await rm(folder, { recursive: true });
});

test('production refuses a database that nobody has named, and makes no demo in a folder that somebody has', async () => {
  const refused = await refusedStart({ NODE_ENV: 'production' });
  expect(refused).toEqual({ code: 2, output: expect.stringContaining('DATABASE_URL is missing') });
  const misspelt = await refusedStart({ NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_ULR: 'postgres://a/x' });
  expect(misspelt).toEqual({ code: 2, output: expect.stringContaining('Did you mean DATABASE_URL?') });
  const folder = await mkdtemp(join(tmpdir(), 'callboard-production-'));
  const production = await startProcess({ NODE_ENV: 'production', DATA_DIR: folder, TRUST_PROXY: '0.0.0.0/0' });
  const answer = await post(production.origin, '/v1/auth/login', {
    email: 'admin@aurora.example',
    password: 'callboard-demo',
  });
  expect(answer.status).toBe(401);
  await production.stop();
  expect(production.output()).not.toMatch(/callboard-demo|demo business/);
  expect(production.output()).toContain('TRUST_PROXY trusts a large part of the internet');
  await rm(folder, { recursive: true });
});

test('only the owner can read the signing secret and the data', async () => {
  expect((await stat(join(dataDir, 'jwt-secret'))).mode & 0o777).toBe(0o600);
  expect((await stat(dataDir)).mode & 0o077).toBe(0);
});

test('a second process on the same folder fails with one line that names the first', async () => {
  const { code, output } = await refusedStart(env());
  expect(code).toBe(5);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(String(service.pid));
  expect(output).toContain(dataDir);
});

test('SIGTERM ends it with 0, and data and tokens survive the next start', async () => {
  const token = await logIn(service.origin);
  const uuid = await createEvent(service.origin, token, 'Kept over a restart');
  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  service = await startProcess(env());
  expect(await statusOf(service.origin, uuid, token)).toBe(200);
  expect(service.output()).not.toContain('callboard-demo');
});

test('kill -9 during writes loses no acknowledged write', async () => {
  const token = await logIn(service.origin);
  const acknowledged: string[] = [];
  const { origin } = service;
  const writer = async () => {
    for (let i = 0; i < 500; i++) acknowledged.push(await createEvent(origin, token, `Event ${i}`));
  };
  const writers = [writer(), writer(), writer()].map((work) => work.catch(() => undefined));
  while (acknowledged.length < 30) await new Promise((resolve) => setTimeout(resolve, 10));
  await service.stop('SIGKILL');
  await Promise.all(writers);

  service = await startProcess(env());
  const statuses = [];
  for (const uuid of acknowledged) statuses.push(await statusOf(service.origin, uuid, token));
  expect(statuses).toEqual(acknowledged.map(() => 200));
});

test.each([
  ['PORT', 'abc'],
  ['JWT_SECRETS', 'k1:too-short'],
  ['CALLBOARD_BODY_LIMITS', '1'],
  ['TRUST_PROXY', 'everyone'],
  ['DATABASE_ULR', 'postgres://db.example/callboard'],
])('%s=%s refuses to start with one line that names it', async (name, value) => {
  const { code, output } = await refusedStart({ ...env(), [name]: value });
  expect(code).toBe(2);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(name);
  if (name === 'JWT_SECRETS') expect(output).not.toContain('too-short');
});
