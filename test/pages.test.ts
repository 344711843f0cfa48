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
  await plain.createCast();
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
  test('/demo.json tells the log-ins that the seed made, and each of them works', async () => {
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

  test('a business that is no demo is not shown beside it, whatever its users are called', async () => {
    const { business } = await demo.createCast();
    await demo.createUser(business, 'admin', {
      email: 'admin@night.example',
      passwordHash: await passwords().hash(demoPassword),
    });
    expect(await offered()).toEqual(everyone);
    expect(JSON.stringify((await demo.call('GET', '/demo.json')).body)).not.toContain(business.name);
  });

  test('who was given another password is not offered any more', async () => {
    const emailKey = 'staff@harbor.example';
    const { passwordHash } = await demo.prisma.user.findUniqueOrThrow({ where: { emailKey } });
    const change = (data: object) => demo.prisma.user.update({ where: { emailKey }, data });

    await change({ passwordHash: await passwords().hash('another one of these') });
    expect(await offered()).not.toContain(emailKey);
    await change({ passwordHash });
    expect(await offered()).toContain(emailKey);
  });

  test('the landing page offers each log-in with one click, and a line for the terminal', async () => {
    const { body } = await page(demo, '/', { host: 'callboard.test:4000' });
    for (const email of everyone) expect(body).toContain(`href="/playground#demo=${encodeURIComponent(email)}"`);
    expect(body).toContain('Harbor &amp; Main Catering');
    expect(body).toContain('curl -s http://callboard.test:4000/v1/auth/login');
    expect(body).toContain(
      `{&quot;email&quot;: &quot;admin@aurora.example&quot;, &quot;password&quot;: &quot;${demoPassword}&quot;}`,
    );
  });

  test('who is deleted is not offered any more', async () => {
    const { businessId, id } = await demo.prisma.user.findUniqueOrThrow({
      where: { emailKey: 'client@harbor.example' },
    });
    const admin = await demo.prisma.user.findFirstOrThrow({ where: { businessId, role: 'admin' } });
    await demo.call('DELETE', `/api/v1/users/${id}`, { as: await demo.tokenOf(admin) });
    expect(await offered()).toEqual(everyone.slice(0, -1));
  });
});

describe('on a database without the demo', () => {
  test('/demo.json has nothing to tell', async () => {
    expect((await plain.call('GET', '/demo.json')).body).toEqual({ password: null, logIns: [] });
  });

  test('the landing page shows no trace of it, but how to start', async () => {
    const { body } = await page(plain, '/');
    expect(body).not.toMatch(/demo|aurora|harbor/i);
    expect(body).toContain('Quick start');
    expect(body).toContain('curl -s http://localhost:80/v1/auth/login');
  });
});

describe('the landing page', () => {
  test('says what runs', async () => {
    expect((await page(plain, '/')).body).toMatch(/Callboard \d+\.\d+\.\d+/);
  });

  test('puts no name of a host into its lines that a shell would read otherwise', async () => {
    const proxied = await startApp({ env: { TRUST_PROXY: '127.0.0.1' }, beside: plain });
    const linesAt = async (host: string) =>
      (await page(proxied, '/', { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' })).body;
    expect(await linesAt('callboard.test')).toContain('curl -s https://callboard.test/v1/auth/login');
    for (const host of ['a$(id)', "a'b", 'a`b', 'a;b', 'a<b', 'a b'])
      expect(await linesAt(host)).toMatchObject({ code: 'BAD_REQUEST' });
    await proxied.close();
  });
});

describe('an address with nothing at it', () => {
  test('is a page with ways on for a browser, still 404', async () => {
    const { status, headers, body } = await page(plain, '/eventz?<script>');
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['vary']).toContain('Accept');
    for (const href of ['/', '/docs', '/playground']) expect(body).toContain(`href="${href}"`);
    expect(body).toContain('/eventz');
    expect(body).not.toContain('<script>');
  });

  test('shows the address without letting it be markup', async () => {
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
