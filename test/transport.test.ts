import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { callerAt } from '../src/access/address.ts';
import { buildApp } from '../src/app.ts';
import type { Service } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';
import { borrowPackage, type PackagedService } from './support/package.ts';
import { exchange, written, type WireAnswer } from './support/wire.ts';

let direct: PackagedService;
let behindProxy: Service;
let production: Service;
let productionBehindProxy: Service;
let tenant: Tenant;
const ports = new Map<Service, number>();

beforeAll(async () => {
  direct = await borrowPackage({ CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' });
  tenant = await direct.createTenant();
  behindProxy = await direct.startBeside({ TRUST_PROXY: '127.0.0.1, 10.1.0.0/16, ::1' });
  production = await direct.startBeside({ NODE_ENV: 'production' });
  productionBehindProxy = await direct.startBeside({ NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1' });
  for (const app of [direct, behindProxy, production, productionBehindProxy])
    ports.set(app, Number(new URL(await app.listen()).port));
});

afterAll(async () => {
  for (const app of [behindProxy, production, productionBehindProxy]) await app.close();
});

const get = (app: Service, path: string, headers: Record<string, string> = {}, as?: string): Promise<WireAnswer> =>
  exchange(ports.get(app) ?? 0, written('GET', path, { as, headers }));

/** The payer of a call from there, recognized by its rate limit: two that share one see it go down. */
const left = async (app: Service, forwardedFor: string): Promise<number> =>
  Number((await get(app, '/nowhere', { 'x-forwarded-for': forwardedFor })).headers['x-ratelimit-remaining']);

const isSameCaller = async (app: Service, one: string, other: string): Promise<boolean> => {
  const before = await left(app, one);
  return (await left(app, other)) === before - 1;
};

describe('a caller that is not a trusted proxy', () => {
  test('cannot claim another address', async () => {
    expect(await isSameCaller(direct, '198.51.100.1', '198.51.100.2')).toBe(true);
  });

  test('cannot claim https or another host', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example', forwarded: 'proto=https' };
    const answer = await get(direct, '/', { ...headers, accept: 'text/html' });
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
    expect(answer.text).not.toContain('evil.example');
    expect(answer.text).toContain('http://localhost/v1/auth/login');
  });
});

describe('a trusted proxy', () => {
  test('reports the caller: the last address that is not a trusted proxy', async () => {
    expect(await isSameCaller(behindProxy, '198.51.100.10', '198.51.100.11')).toBe(false);
    expect(await isSameCaller(behindProxy, '203.0.113.1, 198.51.100.12', '203.0.113.2, 198.51.100.12')).toBe(true);
    expect(await isSameCaller(behindProxy, '198.51.100.13, 10.1.2.3', '198.51.100.13')).toBe(true);
    expect(await isSameCaller(behindProxy, '198.51.100.14, 10.2.0.1', '198.51.100.15, 10.2.0.1')).toBe(true);
  });

  test('reports the address of log-in attempts', async () => {
    const logIn = async (address: string, email: string) =>
      (
        await behindProxy.call('POST', '/v1/auth/login', {
          body: { email, password: 'not the password' },
          headers: { 'x-forwarded-for': address },
        })
      ).status;
    const { email } = tenant.client;
    for (let i = 0; i < 5; i++) expect(await logIn(`2001:db8:77:1::${i}`, email)).toBe(401);
    expect(await logIn('2001:db8:77:1:ffff::9', email)).toBe(429);
    expect(await logIn('2001:db8:77:2::1', email)).toBe(401);
  });

  test('reports whether the caller used https', async () => {
    const hsts = async (proto: string) =>
      (await get(behindProxy, '/healthz', { 'x-forwarded-proto': proto })).headers['strict-transport-security'];
    expect(await hsts('https')).toMatch(/^max-age=\d{8,}$/);
    expect(await hsts('HTTPS')).toMatch(/^max-age/);
    expect(await hsts('http')).toBeUndefined();
    expect(await hsts('https, http')).toBeUndefined();
  });
});

describe('callers are distinguished', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['203.0.113.7:50122', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::7%eth0', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::7]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
    ['_hidden', 'unknown'],
    ['1.2.3', 'unknown'],
  ])('%s is %s', (address, caller) => expect(callerAt(address)).toBe(caller));

  test('an IPv6 /64 network shares one limit, and an IPv4 address has one however it is written', async () => {
    expect(await isSameCaller(behindProxy, '2001:db8:5:6::1', '2001:db8:5:6:aaaa::2')).toBe(true);
    expect(await isSameCaller(behindProxy, '2001:db8:5:6::1', '2001:db8:5:7::1')).toBe(false);
    expect(await isSameCaller(behindProxy, '198.51.100.77', '::ffff:198.51.100.77')).toBe(true);
  });
});

describe('in production', () => {
  const listStatus = async (app: Service, headers: Record<string, string> = {}) =>
    (await get(app, '/v1/events', headers, tenant.as.admin)).status;

  test('a credential from this machine is accepted over plain http', async () => {
    for (const host of ['localhost', '127.0.0.1:4000', '[::1]:4000'])
      expect([host, await listStatus(production, { host })]).toEqual([host, 200]);
    expect(await listStatus(productionBehindProxy)).toBe(200);
  });

  test.each<Record<string, string>>([
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'callboard.example' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { host: 'callboard.example' },
  ])('a credential through an unknown proxy on this machine is refused: %j', async (headers) => {
    const answer = await get(production, '/v1/events', headers, tenant.as.admin);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('https') });
  });

  test('a trusted proxy on this machine reports the protocol of the caller', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    expect(await listStatus(productionBehindProxy, { ...from, 'x-forwarded-proto': 'https' })).toBe(200);
    expect(await listStatus(productionBehindProxy, { ...from, 'x-forwarded-proto': 'http' })).toBe(403);
    expect(await listStatus(productionBehindProxy, from)).toBe(403);
    expect(await listStatus(productionBehindProxy, { 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    expect(await listStatus(productionBehindProxy, { host: 'callboard.example' })).toBe(403);
  });

  test('a password is a credential too, in both dialects', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const body = { email: tenant.admin.email, password };
    const login = await production.call('POST', '/v1/auth/login', { body, headers });
    expect(login.status).toBe(403);
    const mutation = `mutation { login(email: "${body.email}", password: "${password}") { accessToken } }`;
    const graphql = await production.graphql(mutation, { headers });
    expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
    expect((await production.call('POST', '/v1/auth/login', { body })).status).toBe(200);
  });

  test('pages and probes answer over plain http', async () => {
    for (const path of ['/healthz', '/readyz', '/docs', '/'])
      expect([path, (await get(production, path, { host: 'callboard.example' })).status]).toEqual([path, 200]);
  });
});

describe('the id of a request', () => {
  const lines: string[] = [];

  test('is taken from the caller if it is well-formed, in the answer and in the log', async () => {
    const log = pino(new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }));
    const app = await buildApp(direct.database.config(), { log, database: direct.database.hooks });
    const ids = ['a', '7f3c.2_B-9', 'x'.repeat(128)];
    for (const id of ids) {
      const { headers } = await app.http.inject({ url: '/nowhere', headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toBe(id);
      expect(lines.some((line) => line.includes(`"${id}"`))).toBe(true);
    }
    await app.close();
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a,b', 'a\u00e9', '"a"', 'a\tb', '${jndi:ldap://x}', '<b>'])(
    '%j is replaced',
    async (id) => {
      const { headers } = await direct.call('GET', '/healthz', { headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('given twice is replaced', async () => {
    const wire = written('GET', '/healthz', { headers: { 'x-request-id': ['a', 'b'] } });
    expect((await exchange(ports.get(direct) ?? 0, wire)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is not taken from a trace', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { headers } = await direct.call('GET', '/healthz', { headers: { traceparent } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
