import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoPassword } from '../src/access/demo.ts';
import { createPasswords } from '../src/access/passwords.ts';
import { seedDemo } from '../src/bin/seed/demo.ts';
import { startApp, type TestApp } from './support/app.ts';

/* The pages for people, on a database with the demo and on one without. */

let plain: TestApp;
let demo: TestApp;
const passwords = () => createPasswords(demo.database.config().auth);

beforeAll(async () => {
  [plain, demo] = await Promise.all([startApp(), startApp()]);
  await plain.createTenant();
  await seedDemo(demo.prisma, new Date(), passwords().hash);
});

afterAll(() => Promise.all([plain.close(), demo.close()]));

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const page = (service: TestApp, url: string, headers: Record<string, string> = {}) =>
  service.call('GET', url, { headers: { ...browser, ...headers } });

const offered = async () => {
  const { body } = await demo.call('GET', '/demo.json');
  return (body as { logIns: { email: string }[] }).logIns.map(({ email }) => email);
};

const everyone = ['aurora', 'harbor'].flatMap((business) =>
  ['admin', 'staff', 'client'].map((role) => `${role}@${business}.example`),
);

describe('on a demo database', () => {
  test('/demo.json lists the log-ins of the seed, and each of them works', async () => {
    const { status, headers, body } = await demo.call('GET', '/demo.json');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.password).toBe(demoPassword);
    expect(await offered()).toEqual(everyone);
    expect(body.logIns[0]).toEqual({ email: 'admin@aurora.example', role: 'admin', business: 'Aurora Events' });
    for (const { email } of body.logIns) {
      const login = await demo.call('POST', '/v1/auth/login', { body: { email, password: body.password } });
      expect([email, login.status]).toEqual([email, 200]);
    }
  });

  test('other businesses are not shown, whatever their users are called', async () => {
    const { business } = await demo.createTenant();
    await demo.createUser(business, 'admin', {
      email: 'admin@night.example',
      passwordHash: await passwords().hash(demoPassword),
    });
    expect(await offered()).toEqual(everyone);
    expect(JSON.stringify((await demo.call('GET', '/demo.json')).body)).not.toContain(business.name);
  });

  test('a user with a changed password is no longer offered', async () => {
    const emailKey = 'staff@harbor.example';
    const { passwordHash } = await demo.prisma.user.findUniqueOrThrow({ where: { emailKey } });
    const change = (data: object) => demo.prisma.user.update({ where: { emailKey }, data });

    await change({ passwordHash: await passwords().hash('another one of these') });
    expect(await offered()).not.toContain(emailKey);
    await change({ passwordHash });
    expect(await offered()).toContain(emailKey);
  });

  test('the landing page offers each log-in with one click, and commands for the terminal', async () => {
    const { body } = await page(demo, '/', { host: 'callboard.test:4000' });
    expect(body).toContain('href="/playground#demo=admin%40aurora.example">Open the demo</a>');
    for (const email of everyone) expect(body).toContain(`href="/playground#demo=${encodeURIComponent(email)}"`);
    expect(body).toContain('Harbor &amp; Main Catering');
    expect(body).toContain('curl -s http://callboard.test:4000/v1/auth/login');
    expect(body).toContain(
      `{&quot;email&quot;: &quot;admin@aurora.example&quot;, &quot;password&quot;: &quot;${demoPassword}&quot;}`,
    );
  });

  test('a deleted user is no longer offered', async () => {
    const { businessId, id } = await demo.prisma.user.findUniqueOrThrow({
      where: { emailKey: 'client@harbor.example' },
    });
    const admin = await demo.prisma.user.findFirstOrThrow({ where: { businessId, role: 'admin' } });
    await demo.call('DELETE', `/api/v1/users/${id}`, { as: await demo.tokenOf(admin) });
    expect(await offered()).toEqual(everyone.slice(0, -1));
  });
});

describe('on a database without the demo', () => {
  test('/demo.json lists no log-ins', async () => {
    expect((await plain.call('GET', '/demo.json')).body).toEqual({ password: null, logIns: [] });
  });

  test('the landing page shows how to start instead of demo log-ins', async () => {
    const { body } = await page(plain, '/');
    expect(body).not.toMatch(/demo|aurora|harbor/i);
    expect(body).toContain('href="/playground">Open the playground</a>');
    expect(body).toContain('Quick start');
    expect(body).toContain('curl -s http://localhost:80/v1/auth/login');
  });
});

describe('the landing page', () => {
  test('names the service and its version', async () => {
    expect((await page(plain, '/')).body).toMatch(/Callboard \d+\.\d+\.\d+/);
  });

  test('shows no host name in commands that a shell would interpret', async () => {
    const proxied = await startApp({ env: { TRUST_PROXY: '127.0.0.1' }, beside: plain });
    const linesAt = async (host: string) =>
      (await page(proxied, '/', { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' })).body;
    expect(await linesAt('callboard.test')).toContain('curl -s https://callboard.test/v1/auth/login');
    for (const host of ['a$(id)', "a'b", 'a`b', 'a;b', 'a<b', 'a b'])
      expect(await linesAt(host)).toMatchObject({ code: 'BAD_REQUEST' });
    await proxied.close();
  });
});

describe('an unknown page', () => {
  test('is a 404 page with links for a browser', async () => {
    const { status, headers, body } = await page(plain, '/eventz?<script>');
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['vary']).toContain('Accept');
    for (const href of ['/', '/docs', '/playground']) expect(body).toContain(`href="${href}"`);
    expect(body).toContain('/eventz');
    expect(body).not.toContain('<script>');
  });

  test('shows the address escaped', async () => {
    expect((await page(plain, '/"><img src=x>')).body).not.toContain('<img src=x>');
    expect((await page(plain, `/${'a'.repeat(5000)}`)).body.length).toBeLessThan(4000);
  });

  test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
    'is JSON for who accepts %s',
    async (accept) => {
      const { status, body } = await plain.call('GET', '/eventz', { headers: accept ? { accept } : {} });
      expect(status).toBe(404);
      expect(body).toMatchObject({ success: false, code: 'NOT_FOUND' });
    },
  );

  test.each(['/v1/eventz', '/v1', '/api/v1/nope', '/graphql/nope'])('%s is JSON for a browser too', async (url) => {
    const { status, headers, body } = await page(plain, url);
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('application/json');
    expect(body.code ?? body.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});
