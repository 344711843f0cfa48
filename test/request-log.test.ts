import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { password } from './support/factories.ts';
import { sqlCount } from './support/sql-watch.ts';

// oxlint-disable-next-line no-explicit-any -- tests look into lines freely
type Line = any;

let written: string[] = [];

const service = useService({
  env: { CALLBOARD_ANSWER_CACHE: '0', LOG_LEVEL: 'trace', CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' },
  logTo: { write: (line) => void written.push(line) },
});

const tenant = useOneTenant(service);

beforeEach(() => {
  written = [];
});

const linesWith = (message: string): Line[] =>
  written.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);

/** The line of the only request since the test began. */
async function line(message = 'request'): Promise<Line> {
  for (let attempt = 0; attempt < 200 && linesWith(message).length === 0; attempt++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const lines = linesWith(message);
  expect(lines).toHaveLength(1);
  return lines[0];
}

const info = 30;
const debug = 20;
const byAdmin = () => ({ businessId: tenant.business.id, actor: 'user', actorId: tenant.admin.id });

test('a request leaves one log line with caller, operation, outcome, duration and cost', async () => {
  const { uuid } = await service.createEvent(tenant.business);
  const before = sqlCount();
  const { headers } = await service.call('GET', `/v1/events/${uuid}?_secret=hunter2`, { as: tenant.as.admin });
  expect(await line()).toEqual({
    level: info,
    time: expect.any(Number),
    pid: expect.any(Number),
    hostname: expect.any(String),
    msg: 'request',
    requestId: headers['x-request-id'],
    method: 'GET',
    route: '/v1/events/:uuid',
    status: 200,
    operation: 'events.get',
    outcome: 'ok',
    ...byAdmin(),
    durationMs: expect.any(Number),
    sql: sqlCount() - before,
  });
  expect(written.join('')).not.toMatch(new RegExp(`hunter2|${uuid}`));
});

test.each<[string, () => Promise<unknown>, () => object]>([
  [
    'with an API key',
    () => service.call('GET', '/api/v1/users', { as: tenant.as.key }),
    () => ({ actor: 'apiKey', actorId: tenant.apiKey.id, operation: 'users.list', outcome: 'ok' }),
  ],
  [
    'by nobody',
    () => service.call('POST', '/v1/auth/login', { body: { email: 'a@example.com', password: 'wrong' } }),
    () => ({ actor: 'anonymous', operation: 'tokens.login', outcome: 'refused', code: 'INVALID_CREDENTIALS' }),
  ],
  [
    'that the policy refuses',
    () => service.call('GET', '/api/v1/users', { as: tenant.as.staff }),
    () => ({ actorId: tenant.staff.id, status: 403, outcome: 'refused', code: 'FORBIDDEN' }),
  ],
  [
    'that is not valid',
    () => service.call('POST', '/v1/events', { as: tenant.as.admin, body: {} }),
    () => ({ ...byAdmin(), status: 422, outcome: 'refused', code: 'VALIDATION_FAILED' }),
  ],
  [
    'for nothing that there is',
    () => service.app.http.inject({ url: '/v2/hunter2?hunter2' }),
    () => ({ method: 'GET', route: null, operation: null, status: 404, outcome: 'refused', code: 'NOT_FOUND' }),
  ],
  [
    'with an address that cannot be read',
    () => service.app.http.inject({ url: '/v1/events/%E0%A4%A' }),
    () => ({ method: 'GET', status: 400, outcome: 'refused', code: 'BAD_REQUEST' }),
  ],
])('the log line shows a request %s', async (_what, send, expected) => {
  await send();
  expect(await line()).toMatchObject({ level: info, ...expected() });
  expect(written.join('')).not.toContain('hunter2');
});

test.each<[string, string, object]>([
  ['{ b: viewer { name } events { totalCount } a: viewer { name } }', 'query events viewer', { outcome: 'ok' }],
  ['query hunter2 { viewer { name } }', 'query viewer', { outcome: 'ok' }],
  ['fragment hunter2 on Query { users { totalCount } } { ...hunter2 }', 'query users', { outcome: 'ok' }],
  ['{ __schema { queryType { name } } }', 'query __schema', { outcome: 'ok' }],
  [
    'mutation hunter2 { updateUser(id: 2147483647, input: { name: "hunter2" }) { id } }',
    'mutation updateUser',
    { outcome: 'refused', code: 'NOT_FOUND', status: 200 },
  ],
  ['{ hunter2 }', 'graphql', { outcome: 'refused', code: 'GRAPHQL_VALIDATION_FAILED', status: 400 }],
  ['{ hunter2 "hunter2', 'graphql', { outcome: 'refused', code: 'GRAPHQL_PARSE_FAILED', status: 400 }],
])('in GraphQL, %s is logged as %s', async (query, operation, expected) => {
  await service.graphql(query, { as: tenant.as.admin });
  expect(await line()).toMatchObject({ route: '/graphql', operation, ...byAdmin(), ...expected });
  expect(written.join('')).not.toContain('hunter2');
});

test('an internal failure has outcome failed, in GraphQL also beside successful fields', async () => {
  await service.prisma.$executeRawUnsafe('ALTER TABLE positions RENAME TO away');
  try {
    await service.graphql('{ viewer { name } positions { id } }', { as: tenant.as.admin });
    expect(await line()).toMatchObject({ outcome: 'failed', code: 'UNAVAILABLE' });
  } finally {
    await service.prisma.$executeRawUnsafe('ALTER TABLE away RENAME TO positions');
  }
});

test('probes and assets are logged only at debug level', async () => {
  await service.app.http.inject({ url: '/healthz' });
  expect(await line()).toMatchObject({ level: debug, route: '/healthz', operation: null, sql: 0 });
});

test('statements are counted for their own request, however many run in parallel', async () => {
  const create = () => service.createEvent(tenant.business);
  const events = await Promise.all([create(), create(), create()]);
  const requests: Record<string, (id: string) => Promise<unknown>> = {
    'events.list': (id) => service.call('GET', '/v1/events', { as: tenant.as.admin, headers: { 'x-request-id': id } }),
    'events.get': (id) =>
      service.call('GET', `/v1/events/${events[0].uuid}`, { as: tenant.as.key, headers: { 'x-request-id': id } }),
    'users.create': (id) =>
      service.call('POST', '/api/v1/users', {
        as: tenant.as.admin,
        body: { email: `${randomUUID()}@example.com`, password, name: 'Robin', role: 'staff' },
        headers: { 'x-request-id': id },
      }),
    'query events': (id) =>
      service.graphql('{ events { nodes { title callTimes { uuid } workShifts { uuid } client { name } } } }', {
        as: tenant.as.admin,
        headers: { 'x-request-id': id },
      }),
    'query viewer': (id) =>
      service.graphql('{ viewer { name } }', { as: tenant.as.staff, headers: { 'x-request-id': id } }),
  };
  const alone = new Map<string, number>();
  for (const [operation, send] of Object.entries(requests)) {
    const before = sqlCount();
    await send(`alone-${operation.replace(' ', '-')}`);
    alone.set(operation, sqlCount() - before);
  }
  expect(new Set(alone.values()).size).toBeGreaterThan(2);
  const names = Array.from({ length: 12 }, () => Object.keys(requests)).flat();
  await Promise.all(names.map((operation, index) => requests[operation]!(`many-${index}`)));
  const told = linesWith('request').map(({ operation, sql }) => ({ operation, sql }));
  expect(told).toHaveLength(names.length + alone.size);
  for (const { operation, sql } of told) expect({ operation, sql }).toEqual({ operation, sql: alone.get(operation) });
});

test('a request that its client abandons has outcome aborted and no status', async () => {
  if (!service.app.http.server.listening) await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = ['POST /v1/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  socket.write(
    `${[...head, 'Content-Length: 500', '', ''].join('\r\n')}{"email": "a@example.com", "password": "hunter2`,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  expect(await line()).toMatchObject({ route: '/v1/auth/login', outcome: 'aborted', status: null });
  expect(written.join('')).not.toContain('hunter2');
});
