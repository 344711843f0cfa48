import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { createFactories, password } from './support/factories.ts';
import { startCollector, type Collector, type ReceivedSpan } from './support/otlp.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { redisUrl, serverUrl } from './support/template.ts';

/*
 * One real process that logs and traces as much as it can, in which every kind of secret is made and used, well and badly;
 * then what it wrote and sent is searched for each of them.
 */

const secrets: Record<string, string> = {
  'signing secret': 'signing-secret-Zx81-0123456789-0123456789',
  'password of the database': 'dbpass-Zx82',
  'password of Redis': 'redispass-Zx83',
  'token of the metrics': 'metrics-token-Zx84',
  'header for the collector': 'collector-Zx85',
  'password of a created user': 'created-Zx86-password',
  'password after a change': 'changed-Zx87-password',
  'password after a reset': 'reset-Zx88-password',
  'wrong password': 'wrong-Zx89-password',
  'password in a variable': 'variable-Zx90-password',
  'password in a document': 'literal-Zx91-password',
  'password of the wrong type': '9029029029',
  'password in a body that is cut off': 'broken-Zx92-password',
  'credential of another kind': 'Basic-Zx93-credential',
  'token in an address': 'query-Zx94-token',
  'token in a cookie': 'cookie-Zx95-token',
  'token in a path': 'path-Zx96-token',
  'what is no request': 'noise-Zx97-password',
  'password that met a failure': 'failed-Zx98-password',
  'name of an operation': 'operationZx99',
};
const secret = (name: keyof typeof secrets): string => secrets[name]!;

let collector: Collector;
let dataDir: string;
let database: TestDatabase | undefined;
let service: ServiceProcess;
let output = '';
let spans: ReceivedSpan[] = [];
let end: { code: number | null; signal: NodeJS.Signals | null };

const env = async (): Promise<Record<string, string>> => ({
  DATA_DIR: dataDir,
  JWT_SECRETS: `test:${secret('signing secret')}`,
  LOG_LEVEL: 'trace',
  METRICS_TOKEN: secret('token of the metrics'),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secret('header for the collector')}`,
  // Only what is sent while shutting down can arrive in time.
  OTEL_BSP_SCHEDULE_DELAY: '600000',
  // Nobody asked for a password here, or nobody is there at all: Redis refuses either way, and the service counts alone.
  REDIS_URL: withPassword(redisUrl ?? 'redis://127.0.0.1:9', secret('password of Redis')),
  ...(database && {
    DATABASE_URL: withPassword(database.config().db.url ?? '', secret('password of the database')),
  }),
});

const withPassword = (url: string, word: string): string => Object.assign(new URL(url), { password: word }).href;

interface Sent {
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

// oxlint-disable-next-line no-explicit-any -- answers are looked into freely
async function send(method: string, path: string, { as, body, headers = {} }: Sent = {}): Promise<any> {
  const answer = await fetch(service.origin + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  const isJson = answer.headers.get('content-type')?.includes('json');
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

const graphql = (query: string, variables: object = {}, as?: string) =>
  send('POST', '/graphql', { body: { query, variables }, ...(as !== undefined && { as }) });

const logIn = async (email: string, word: string): Promise<string> => {
  const { body } = await send('POST', '/v1/auth/login', { body: { email, password: word } });
  return body.data.access_token;
};

/** An admin to begin with: that of the demo data, or of a business made for the test. */
async function firstAdmin(): Promise<{ email: string; password: string }> {
  if (!database) return { email: 'admin@aurora.example', password: 'callboard-demo' };
  const { admin } = await createFactories(database.prisma, database.config(), () => new Date()).createTenant();
  return { email: admin.email, password };
}

const newUser = (email: string, word: string) => ({ email, password: word, name: 'Robin Fields', role: 'staff' });

async function useSecretsWell(): Promise<{ admin: string; key: string }> {
  const known = await firstAdmin();
  const first = await logIn(known.email, known.password);
  secrets['first token'] = first;
  const user = { ...newUser('zx@example.com', secret('password of a created user')), role: 'admin' };
  const { body: created } = await send('POST', '/api/v1/users', { as: first, body: user });
  const own = await logIn('zx@example.com', secret('password of a created user'));
  secrets['token of a created user'] = own;
  const changed = { current: secret('password of a created user'), next: secret('password after a change') };
  const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revoked } }';
  expect((await graphql(change, { input: changed }, own)).body.errors).toBeUndefined();
  const reset = `mutation { resetPassword(userId: ${created.data.id}, password: "${secret('password after a reset')}") { revoked } }`;
  expect((await graphql(reset, {}, first)).body.errors).toBeUndefined();
  secrets['token after a reset'] = await logIn('zx@example.com', secret('password after a reset'));
  const { body: made } = await send('POST', '/v1/tokens/business', {
    as: first,
    body: { name: 'Zx' },
    headers: { 'idempotency-key': 'k-1' },
  });
  secrets['API key'] = made.data.key ?? made.data.token ?? made.data.secret;
  expect(secrets['API key']).toMatch(/^cbk_/);
  secrets['secret part of the API key'] = secret('API key').split('_')[2]!;
  expect((await send('GET', '/v1/events?per_page=1', { as: secret('API key') })).status).toBe(200);
  const feed = await send('POST', '/v1/feeds', { as: first, body: { kind: 'business', name: 'Zx' } });
  const { path } = feed.body.data as { path: string };
  secrets['secret of a calendar feed'] = path.split('.')[1]!;
  for (const [url, status] of [
    [path, 200],
    [`${path}?cancelled=${secret('secret of a calendar feed')}`, 422],
    [`${path}x`, 404],
    [`/v1/feeds/${secret('secret of a calendar feed')}/x`, 404],
  ] as const)
    expect((await send('GET', url)).status).toBe(status);
  const metrics = await send('GET', '/metrics', { as: secret('token of the metrics') });
  expect(metrics.status).toBe(200);
  return { admin: first, key: secret('API key') };
}

async function useSecretsBadly({ admin, key }: { admin: string; key: string }): Promise<void> {
  const wrong = secret('wrong password');
  await send('POST', '/v1/auth/login', { body: { email: 'zx@example.com', password: wrong } });
  await send('POST', '/v1/auth/login', { body: { email: wrong, password: [wrong] } });
  await send('POST', '/v1/auth/login', {
    body: `{"email": "a@example.com", "password": "${secret('password in a body that is cut off')}`,
  });
  await send('POST', '/v1/auth/login', { body: `${secret('password in a body that is cut off')}{` });
  const login = 'mutation ($p: String!) { login(email: "a@example.com", password: $p) { tokenType } }';
  await graphql(login, { p: secret('password in a variable') });
  await graphql(login, { p: { a: secret('password in a variable') } });
  const named = secret('name of an operation');
  const literal = secret('password in a document');
  await graphql(`mutation ${named} { ${named}: login(email: "a@example.com", password: "${literal}") { tokenType } }`);
  await graphql(
    `mutation { login(email: "a@example.com", password: ${secret('password of the wrong type')}) { tokenType } }`,
  );
  await graphql(`mutation { login(email: "a@example.com", password: "${literal}`);
  for (const shown of [
    secret('credential of another kind'),
    `Basic ${secret('credential of another kind')}`,
    `Bearer ${key}x`,
    `Bearer ${admin} ${admin}`,
    `Bearer ${admin.slice(0, -2)}`,
  ])
    await send('GET', '/v1/events', { headers: { authorization: shown } });
  await send('GET', `/v1/events?token=${secret('token in an address')}&access_token=${admin}`);
  await send('GET', `/metrics?token=${secret('token in an address')}`);
  await send('GET', `/v1/events/${secret('token in a path')}`, { as: admin });
  await send('GET', `/${secret('token in a path')}`);
  await send('DELETE', `/v1/tokens/business/${key}`, { as: admin });
  await send('GET', '/v1/events', {
    headers: {
      cookie: `session=${secret('token in a cookie')}`,
      'x-request-id': `no id: ${secret('token in a cookie')}`,
    },
  });
  await noise(`GET / HTTP/1.1\r\nHost: a\r\nAuthorization: ${secret('what is no request')}\r\nBroken\r\n\r\n`);
  await noise(`${secret('what is no request')} / HTTP/1.1\r\n\r\n`);
}

/** Bytes that are no request. */
async function noise(bytes: string): Promise<void> {
  const { hostname, port } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume().end(bytes);
  await once(socket, 'close');
}

/** What fails on our side, with a secret in the request. */
async function failWithSecrets({ admin }: { admin: string }): Promise<void> {
  if (!database) return;
  const client = new pg.Client(database.config().db.url ?? '');
  await client.connect();
  const word = secret('password that met a failure');
  const create = () => send('POST', '/api/v1/users', { as: admin, body: newUser(`${word}@example.com`, word) });
  await client.query('ALTER TABLE users ADD CONSTRAINT zx CHECK (length(name) = 0) NOT VALID');
  expect((await create()).status).toBe(500);
  await client.query('ALTER TABLE users DROP CONSTRAINT zx; ALTER TABLE audit_entries RENAME TO away');
  expect((await create()).status).toBe(503);
  await graphql(
    `mutation { login(email: "zx@example.com", password: "${secret('password after a reset')}") { tokenType } }`,
  );
  await client.query('ALTER TABLE away RENAME TO audit_entries; ALTER TABLE personal_tokens RENAME TO away');
  expect((await send('GET', '/v1/events', { as: admin })).status).toBe(503);
  await client.query('ALTER TABLE away RENAME TO personal_tokens');
  await client.end();
}

/** Of the audit trail, from before the service starts. */
async function leaveOldEntry({ prisma }: TestDatabase): Promise<void> {
  const { id: businessId } = await prisma.business.create({ data: { name: 'Old', plan: 'free' } });
  const entry = { businessId, action: 'old', outcome: 'done', actorKind: 'operator' };
  await prisma.auditEntry.createMany({
    data: [
      { ...entry, at: new Date('2020-01-01T00:00:00Z') },
      { ...entry, action: 'new' },
    ],
  });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-telemetry-'));
  collector = await startCollector();
  if (serverUrl) database = await openTestDatabase();
  if (database) await leaveOldEntry(database);
  service = await startProcess(await env());
  const credentials = await useSecretsWell();
  await useSecretsBadly(credentials);
  await failWithSecrets(credentials);
  // The two that the traces are looked at by.
  await send('GET', '/v1/events?per_page=2&secret=1', { as: credentials.admin, headers: { 'x-request-id': 'rest-1' } });
  await send('POST', '/graphql', {
    as: credentials.admin,
    body: { query: 'query Mine { events(perPage: 2) { nodes { title callTimes { uuid } } } }' },
    headers: { 'x-request-id': 'graphql-1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  });
  end = await service.stop('SIGTERM');
  output = service.output();
  spans = collector.spans();
});

afterAll(async () => {
  stopAll();
  collector.close();
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('no secret is', () => {
  test('in the output of the process, at the most verbose log level', () => {
    expect(output).toContain('"operation":"apiKeys.create"');
    expect(output).toContain('"outcome":"refused"');
    if (database) expect(output).toContain('"outcome":"failed"');
    expect(Object.keys(secrets).filter((name) => output.includes(secret(name)))).toEqual([]);
    expect(output).not.toMatch(/\$argon2|"stack"/);
  });

  test('in the traces sent to the collector', () => {
    const sent = collector.bytes().toString('latin1');
    expect(sent.length).toBeGreaterThan(5000);
    expect(Object.keys(secrets).filter((name) => sent.includes(secret(name)))).toEqual([]);
    expect(sent).not.toContain('argon2');
  });
});

test('only audit entries older than their retention are deleted', async () => {
  const entries = await database?.prisma.auditEntry.findMany({ where: { action: { in: ['old', 'new'] } } });
  expect((entries ?? [{ action: 'new' }]).map(({ action }) => action)).toEqual(['new']);
});

describe('traces', () => {
  const lineOf = (requestId: string): Record<string, unknown> =>
    output
      .split('\n')
      .filter((line) => line.includes(`"requestId":"${requestId}"`) && line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)[0] ?? {};
  const traceOf = (requestId: string) => spans.filter(({ traceId }) => traceId === lineOf(requestId)['trace_id']);
  const scopes = (trace: ReceivedSpan[]) => new Set(trace.map(({ scope }) => scope.split('/').at(-1)));

  test('are sent during shutdown, which succeeds', () => {
    expect(end).toEqual({ code: 0, signal: null });
    expect(spans.length).toBeGreaterThan(50);
  });

  test('contain a REST request under its route pattern, with its SQL, in one trace that its log line names', () => {
    const trace = traceOf('rest-1');
    const [root] = trace.filter(({ parentId }) => parentId === '');
    expect(root).toMatchObject({ name: 'GET /v1/events', scope: '@fastify/otel' });
    expect(lineOf('rest-1')['span_id']).toBe(root!.spanId);
    expect(scopes(trace)).toContain(database ? 'instrumentation-pg' : 'prisma');
    const ids = new Set(trace.map(({ spanId }) => spanId));
    expect(trace.filter(({ parentId }) => parentId !== '' && !ids.has(parentId))).toEqual([]);
  });

  test('contain a GraphQL request with its execution and SQL, in the trace of the caller', () => {
    const trace = traceOf('graphql-1');
    expect(lineOf('graphql-1')['trace_id']).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(trace.find(({ parentId }) => parentId === 'b7ad6b7169203331')).toMatchObject({ name: 'POST /graphql' });
    expect(trace.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['graphql.parse', 'graphql.validate', 'graphql.execute query']),
    );
    expect(scopes(trace)).toContain(database ? 'instrumentation-pg' : 'prisma');
  });

  test('contain no names that a client chose', () => {
    // The digest in the name of a prepared statement may have any letters.
    const names = spans.map(({ name }) => name.replace(/callboard_[\w-]{22}/, ''));
    expect(names.filter((name) => /Mine|Zx|Token|secret/.test(name))).toEqual([]);
  });
});

/** Parts that only traces and metrics need, and one that every process loads. */
const parts = ['/@opentelemetry/sdk-trace-node/', '/@fastify/otel/', '/chunks/metrics-', '/dist/main.js'];

/** Has Node write down at the end of a process which files it has loaded. */
const notesFiles = () => ({ NODE_V8_COVERAGE: join(dataDir, 'loaded') });

async function readLoadedParts(): Promise<string[]> {
  const folder = join(dataDir, 'loaded');
  const notes = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  await rm(folder, { recursive: true });
  const urls = notes.flatMap((note) =>
    (JSON.parse(note) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  return parts.filter((part) => urls.some((url) => url.includes(part)));
}

test('without traces and metrics, their packages are not loaded', async () => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, METRICS_TOKEN: __, ...plain } = await env();
  service = await startProcess({ ...plain, ...notesFiles(), LOG_LEVEL: 'info' });
  await service.stop('SIGTERM');
  expect(await readLoadedParts()).toEqual(['/dist/main.js']);
});

test('a collector that never answers delays neither requests nor the shutdown', async () => {
  const deaf = await startCollector({ isDeaf: true });
  service = await startProcess({
    ...(await env()),
    ...notesFiles(),
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: deaf.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  for (let count = 0; count < 50; count++) expect((await send('GET', '/healthz')).status).toBe(200);
  expect(deaf.bytes().length).toBeGreaterThan(0);
  while (!service.output().includes('does not accept traces')) await new Promise((resolve) => setTimeout(resolve, 100));
  expect(service.output().match(/the trace collector does not accept traces/g)).toHaveLength(1);
  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(await readLoadedParts()).toEqual(parts);
  deaf.close();
});
