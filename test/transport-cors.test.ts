import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Service } from './support/app.ts';
import { borrowPackage, type PackagedService } from './support/package.ts';

const ours = 'https://board.example';
const theirs = 'https://elsewhere.example';

let service: PackagedService;
let closed: PackagedService;

beforeAll(async () => {
  service = await borrowPackage({ CORS_ORIGINS: `${ours}, http://localhost:5173` });
  closed = await service.startBeside({});
});

afterAll(() => closed.close());

const names = (value: unknown) =>
  String(value)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .sort();

const preflight = (app: Service, url: string, origin: string, method = 'PUT') =>
  app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('a page of a named origin', () => {
  test.each(['/v1/events', '/v1/events/743f33ae-84e8-4f12-a50f-c82bd84c61c1', '/api/v1/users', '/graphql'])(
    'may ask for %s with all that our clients send',
    async (url) => {
      const { statusCode, headers, body } = await preflight(service, url, ours);
      expect([statusCode, body]).toEqual([204, '']);
      expect(headers['access-control-allow-origin']).toBe(ours);
      expect(names(headers['access-control-allow-methods'])).toEqual(['delete', 'get', 'head', 'post', 'put']);
      expect(names(headers['access-control-allow-headers'])).toEqual([
        'accept',
        'apollo-require-preflight',
        'authorization',
        'baggage',
        'cache-control',
        'content-type',
        'idempotency-key',
        'if-match',
        'if-none-match',
        'last-event-id',
        'sentry-trace',
        'traceparent',
        'tracestate',
        'x-graphql-cost',
        'x-request-id',
        'x-requested-with',
      ]);
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
      expect(names(headers['vary'])).toContain('origin');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  test('may read every answer with its headers, refusals too', async () => {
    const { as } = await service.createTenant();
    for (const [credential, status] of [
      [as.admin, 200],
      ['wrong', 401],
    ] as const) {
      const answer = await service.call('GET', '/v1/events', { as: credential, headers: { origin: ours } });
      expect(answer.status).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe(ours);
      expect(names(answer.headers['vary'])).toContain('origin');
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(names(answer.headers['access-control-expose-headers'])).toEqual(
        expect.arrayContaining(
          ['ETag', 'Retry-After', 'X-Request-Id', 'Content-Disposition', 'Idempotency-Replayed', 'WWW-Authenticate']
            .concat('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
            .map((name) => name.toLowerCase()),
        ),
      );
    }
    const graphql = await service.graphql('{ __typename }', { as: as.admin, headers: { origin: ours } });
    expect([graphql.status, graphql.headers['access-control-allow-origin']]).toEqual([200, ours]);
  });

  test('is charged for its calls, not for preflights', async () => {
    const left = async () =>
      Number((await service.call('GET', '/nowhere', { headers: { origin: ours } })).headers['x-ratelimit-remaining']);
    const before = await left();
    for (let i = 0; i < 5; i++) {
      const { headers } = await preflight(service, '/v1/events', ours);
      expect(headers).not.toHaveProperty('x-ratelimit-remaining');
    }
    expect(await left()).toBe(before - 1);
  });
});

test('the headers of Apollo clients are allowed as they are asked for, and no others are', async () => {
  const asked = [
    'apollographql-client-name',
    'apollographql-client-version',
    'x-apollo-operation-name',
    'X-Apollo-Cache-Key',
    'x-apolloo',
    'x-other',
  ];
  const { headers } = await service.inject({
    method: 'OPTIONS',
    url: '/graphql',
    headers: {
      origin: ours,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked.join(', '),
    },
  });
  const allowed = names(headers['access-control-allow-headers']);
  for (const name of asked.slice(0, 4)) expect(allowed).toContain(name.toLowerCase());
  for (const name of asked.slice(4)) expect(allowed).not.toContain(name);
});

describe('a page of another origin', () => {
  test.each([theirs, `${ours}.evil.example`, 'https://board.example:8443', 'http://board.example', 'null'])(
    '%s is named by no answer',
    async (origin) => {
      const asked = await preflight(service, '/v1/events', origin);
      expect(asked.headers).not.toHaveProperty('access-control-allow-origin');
      const answer = await service.call('GET', '/v1/events', { headers: { origin } });
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(names(answer.headers['vary'])).toContain('origin');
    },
  );
});

describe('an OPTIONS request that is not a preflight', () => {
  test('is an unsupported method: 405 for known addresses, 404 for unknown ones', async () => {
    for (const app of [service, closed])
      for (const headers of [{}, { origin: ours }] as Record<string, string>[]) {
        const served = await app.inject({ method: 'OPTIONS', url: '/v1/events', headers });
        expect([served.statusCode, served.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
        const nothing = await app.inject({ method: 'OPTIONS', url: '/nowhere', headers });
        expect(nothing.statusCode).toBe(404);
      }
  });
});

describe('without the setting', () => {
  test('no origin is allowed, and no answer varies by it', async () => {
    const asked = await preflight(closed, '/v1/events', ours);
    expect(asked.statusCode).toBe(405);
    expect(asked.json()).toMatchObject({ message: expect.stringMatching(/CORS_ORIGINS/) });
    const answer = await closed.call('GET', '/healthz', { headers: { origin: ours } });
    for (const { headers } of [asked, answer])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(names(answer.headers['vary'])).not.toContain('origin');
  });

  test('the log names the page and the setting, and not once for each preflight', async () => {
    for (let i = 0; i < 3; i++) await preflight(closed, '/v1/events', ours);
    const lines = (await closed.readLog()).map((line) => JSON.parse(line) as { origin: string; msg: string });
    expect(lines.filter(({ msg }) => msg.includes('CORS_ORIGINS'))).toEqual([
      expect.objectContaining({ origin: ours }),
    ]);
  });
});
