import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

let service: TestApp;
let tenant: Tenant;
let port: number;

beforeAll(async () => {
  service = await startApp();
  tenant = await service.createTenant();
  port = Number(new URL(await service.app.http.listen({ host: '127.0.0.1', port: 0 })).port);
});

afterAll(() => service.close());

/** Sends bytes as they are and gives back all that comes. */
const exchange = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (/\r\n\r\n[^]*\}$/.test(received)) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

const envelope = (code: string) => ({ success: false, data: null, message: expect.any(String), code });

describe('an unknown address', () => {
  test.each([
    '/nope',
    '/v1',
    '/v1/events/',
    '/V1/events',
    '//v1/events',
    '/v1/events/a%00b',
    `/v1/events/${'a'.repeat(150)}`,
  ])('%s is 404', async (url) => {
    const { status, body } = await service.call('GET', url, { as: tenant.as.admin });
    expect(status).toBe(404);
    expect(body).toEqual(envelope('NOT_FOUND'));
  });

  test('a malformed one is 400', async () => {
    const { status, body } = await service.call('GET', '/%E0%A4%A', { as: tenant.as.admin });
    expect(status).toBe(400);
    expect(body).toEqual(envelope('BAD_REQUEST'));
  });
});

describe('an unsupported method', () => {
  test.each([
    ['PATCH', '/v1/events', 'GET, HEAD, POST'],
    ['DELETE', '/v1/events', 'GET, HEAD, POST'],
    ['POST', '/v1/events/743f33ae-84e8-4f12-a50f-c82bd84c61c1', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/v1/auth/login', 'POST'],
    ['PUT', '/graphql', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const)('%s %s is 405 and says what it takes', async (method, url, allow) => {
    const { status, headers } = await service.call(method, url, { as: tenant.as.admin });
    expect(status).toBe(405);
    expect(headers['allow']).toBe(allow);
  });

  test.each([
    ['PATCH', '/v1/positions/1', 'Send PUT: it changes only the fields that are sent.'],
    ['DELETE', '/v1/events', 'To delete one row, send DELETE to /v1/events/{uuid}.'],
    ['PATCH', '/v1/events', 'To change one row, send PUT to /v1/events/{uuid}.'],
    ['POST', '/v1/positions/1', 'To create one, send POST to /v1/positions.'],
    ['GET', '/v1/auth/login', 'but POST (log in).'],
    [
      'PUT',
      '/v1/events',
      'but GET (list events with their call times, active shifts and custom fields), POST (create an event).',
    ],
  ] as const)('%s %s is told what to send instead', async (method, url, hint) => {
    const { body } = await service.call(method, url, { as: tenant.as.admin });
    expect(body.message).toContain(`This address does not support ${method}, but `);
    expect(body.message).toContain(hint);
  });

  test('TRACE is 405 too', async () => {
    expect(await exchange('TRACE /v1/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405/,
    );
  });

  test('the users endpoints answer it without the envelope', async () => {
    const { body } = await service.call('PATCH', '/api/v1/users', { as: tenant.as.admin });
    expect(body).toEqual({ message: expect.any(String), code: 'METHOD_NOT_ALLOWED' });
  });
});

describe('a body', () => {
  const event = '{"title":"T","start_time":"2027-01-01 10:00:00","end_time":"2027-01-01 11:00:00","timezone":"UTC"}';
  const post = (payload: string, headers: Record<string, string>) =>
    service.app.http.inject({
      method: 'POST',
      url: '/v1/events',
      payload,
      headers: { authorization: `Bearer ${tenant.as.admin}`, ...headers },
    });
  const json = { 'content-type': 'application/json' };

  test.each([
    ['empty', '', json, 400, 'BAD_REQUEST'],
    ['broken', '{', json, 400, 'BAD_REQUEST'],
    ['null', 'null', json, 422, 'VALIDATION_FAILED'],
    ['an array', '[]', json, 422, 'VALIDATION_FAILED'],
    ['a text', '"x"', json, 422, 'VALIDATION_FAILED'],
    ['arrays 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000), json, 422, 'VALIDATION_FAILED'],
    ['with a __proto__ key', '{"__proto__":{"a":1}}', json, 400, 'BAD_REQUEST'],
    ['with a constructor.prototype key', '{"constructor":{"prototype":{}}}', json, 400, 'BAD_REQUEST'],
    ['too large', `{"title":"${'x'.repeat(300_000)}"}`, json, 413, 'PAYLOAD_TOO_LARGE'],
    ['plain text', event, { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of a type with a tab in it', event, { 'content-type': 'application/json\tx' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['compressed', event, { ...json, 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('that is %s is refused', async (_title, payload, headers, status, code) => {
    const reply = await post(payload, headers);
    expect({ status: reply.statusCode, body: reply.json() }).toMatchObject({ status, body: { success: false, code } });
  });

  test('with a byte order mark is read', async () => {
    expect((await post(`\uFEFF${event}`, json)).statusCode).toBe(201);
  });

  test('without a type is refused', async () => {
    const length = Buffer.byteLength(event);
    const request = `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.as.admin}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${event}`;
    expect(await exchange(request)).toMatch(/^HTTP\/1\.1 415/);
  });

  test('on a GET is ignored', async () => {
    const { status } = await service.call('GET', '/v1/events', { as: tenant.as.admin, body: { title: 1 } });
    expect(status).toBe(200);
  });

  test('may be missing on a DELETE that names JSON', async () => {
    const token = await service.tokenOf(tenant.admin);
    const { status } = await service.call('DELETE', '/v1/tokens/personal', {
      as: token,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
  });
});

describe('headers', () => {
  test.each(['', 'a b', '%%%'])('a Host of "%s" is 400, in GraphQL as well', async (host) => {
    for (const path of ['/v1/events', '/graphql?query={__typename}'])
      expect(await exchange(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 400/,
      );
  });

  test('without a Host it is 400', async () => {
    expect(await exchange('GET /v1/events HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
  });

  test('a client that does not accept JSON gets 406', async () => {
    const { status, body } = await service.call('GET', '/v1/events', {
      as: tenant.as.admin,
      headers: { accept: 'application/xml' },
    });
    expect(status).toBe(406);
    expect(body).toEqual(envelope('NOT_ACCEPTABLE'));
  });

  test('every answer has a request id', async () => {
    const [first, second] = [await service.call('GET', '/nope'), await service.call('GET', '/healthz')];
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test('X-Forwarded-For is ignored without a trusted proxy', async () => {
    const call = (address: string) =>
      service.call('GET', '/nope', { headers: { 'x-forwarded-for': address } }).then(({ headers }) => headers);
    const left = Number((await call('203.0.113.1'))['x-ratelimit-remaining']);
    expect(Number((await call('203.0.113.2'))['x-ratelimit-remaining'])).toBe(left - 1);
  });
});

describe('pages', () => {
  test('/ is a page for a browser and JSON for an API client', async () => {
    const page = await service.call('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const { body } = await service.call('GET', '/', { headers: { accept: 'application/json' } });
    expect(body).toMatchObject({ service: 'Callboard', docs: '/docs', graphql: '/graphql', health: '/healthz' });
  });

  test('/healthz, /readyz and the documents need no credential', async () => {
    for (const url of ['/healthz', '/readyz', '/openapi.json', '/docs', '/graphql/schema.graphql'])
      expect([url, (await service.call('GET', url)).status]).toEqual([url, 200]);
  });
});

describe('in production', () => {
  let production: TestApp;
  beforeAll(async () => {
    production = await startApp({ env: { NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1' } });
  });
  afterAll(() => production.close());

  const list = async (headers: Record<string, string>) => {
    const { as } = await production.createTenant();
    return (await production.call('GET', '/v1/events', { as: as.admin, headers })).status;
  };

  test('answers over https have Strict-Transport-Security', async () => {
    const proto = (name: string) => production.call('GET', '/healthz', { headers: { 'x-forwarded-proto': name } });
    expect((await proto('https')).headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/);
    expect((await proto('http')).headers['strict-transport-security']).toBeUndefined();
  });

  test('a credential over plain http is refused', async () => {
    expect(await list({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' })).toBe(403);
  });

  test('a credential is accepted over https behind a trusted proxy, and from loopback', async () => {
    expect(await list({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' })).toBe(200);
    expect(await list({})).toBe(200);
  });
});
