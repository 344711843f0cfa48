import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoPassword } from '../src/access/demo.ts';
import { createPasswords } from '../src/access/passwords.ts';
import { startApp, type TestApp } from './support/app.ts';

/* The pages for people, on a database with the demo and on one without. */

let plain: TestApp;
let demo: TestApp;
const passwords = () => createPasswords(demo.database.config().auth);

beforeAll(async () => {
  [plain, demo] = await Promise.all([startApp(), startApp({ isDemo: true })]);
  await plain.createTenant();
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
    expect(body).toContain('href="/app#demo=admin%40aurora.example">Open the demo</a>');
    for (const email of everyone) expect(body).toContain(`href="/app#demo=${encodeURIComponent(email)}"`);
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
    // It depends on the day whether the demo has events to come of theirs.
    await demo.call('DELETE', `/api/v1/users/${id}?events=keep`, { as: await demo.tokenOf(admin) });
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
    expect(body).toContain('href="/app">Log in</a>');
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

describe('files with fixed addresses', () => {
  test('/robots.txt lets search engines read the pages, and nothing that needs a credential', async () => {
    const { status, headers, body } = await page(plain, '/robots.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/^User-agent: \*\n(Disallow: \/\S+\n)+$/);
    for (const path of ['/v1/', '/api/']) expect(body).toContain(`Disallow: ${path}\n`);
  });

  test('/.well-known/security.txt names a contact, and when it expires', async () => {
    const at = { clock: () => new Date('2026-11-23T09:30:00Z'), beside: plain };
    const [unset, set] = await Promise.all([
      startApp(at),
      startApp({ ...at, env: { CALLBOARD_SECURITY_CONTACT: 'mailto:security@callboard.test' } }),
    ]);
    const read = async (service: TestApp) =>
      (await page(service, '/.well-known/security.txt', { host: 'callboard.test' })).body as string;
    expect(await read(set)).toBe(`Contact: mailto:security@callboard.test
Expires: 2027-05-22T00:00:00.000Z
Policy: http://callboard.test/guide/security
Preferred-Languages: en
Canonical: http://callboard.test/.well-known/security.txt
`);
    expect(await read(unset)).toContain('Contact: http://callboard.test/guide/security\n');
    expect((await page(unset, '/guide/security')).body).toContain('Report a weakness');
    await Promise.all([unset.close(), set.close()]);
  });

  test.each([
    ['/favicon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/vnd.microsoft.icon', '\0\0\u0001\0'],
    ['/apple-touch-icon.png', 'image/png', '\u0089PNG'],
  ])('%s is an icon', async (url, type, start) => {
    const { headers, rawPayload } = await plain.app.http.inject({ url });
    expect(headers['content-type']).toBe(type);
    expect(rawPayload.toString('latin1').startsWith(start)).toBe(true);
  });
});

describe('the console as an application of a phone', () => {
  test('has a manifest, and a worker that asks this service alone and is looked at anew each time', async () => {
    const manifest = await plain.app.http.inject({ url: '/app/manifest.webmanifest' });
    expect(manifest.headers['content-type']).toContain('application/manifest+json');
    expect(manifest.json()).toMatchObject({ start_url: '/app', scope: '/app', display: 'standalone' });
    const worker = await plain.app.http.inject({ url: '/app/sw.js' });
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
      'cache-control': 'no-cache',
      'service-worker-allowed': '/app',
    });
    expect(worker.body).toContain('fetch');
    expect((await page(plain, '/app')).body).toContain('<link rel="manifest" href="/app/manifest.webmanifest"');
  });
});

describe('every page', () => {
  const addresses = [
    '/',
    '/docs',
    '/schema',
    '/guide',
    '/guide/operators',
    '/app',
    '/board',
    '/playground',
    '/nowhere',
  ];

  test('has a title and a description of its own, and icons', async () => {
    const heads = await Promise.all(addresses.map(async (url) => (await page(plain, url)).body as string));
    const find = (pattern: RegExp) => heads.map((head) => pattern.exec(head)?.[1]);
    for (const found of [find(/<title>([^<]+)<\/title>/), find(/<meta name="description" content="([^"]{30,160})"/)])
      expect(new Set(found).size).toBe(addresses.length);
    for (const icon of ['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png'])
      expect(find(new RegExp(`<link rel="[a-z-]*icon" href="(${icon})"`))).toEqual(addresses.map(() => icon));
    expect(find(/<meta name="theme-color" content="(#\w+)"/)).toEqual(addresses.map(() => '#fff'));
  });

  test('loads only files with hashed names', async () => {
    for (const url of addresses) {
      const { body } = await page(plain, url);
      const loaded = [
        ...(body as string).matchAll(/<(?:script[^>]* src|link rel="(?:stylesheet|modulepreload)" href)="([^"]+)"/g),
      ];
      expect(loaded.length).toBeGreaterThan(2);
      for (const [, file = ''] of loaded) expect(file).toMatch(/^\/assets\/[\w.-]+-[\w-]{8}\.(js|css)$/);
    }
  });
});

describe('/docs and /schema', () => {
  test('show one version, that of the start page', async () => {
    const [start, docs] = await Promise.all(['/', '/docs'].map(async (url) => (await page(plain, url)).body as string));
    const version = /Callboard (\d+\.\d+\.\d+)/.exec(start!)?.[1];
    expect(/version (\d+\.\d+\.\d+)/.exec(docs!)?.[1]).toBe(version);
  });

  test('the schema page lists every type and field of the schema, roots first, and links lead somewhere', async () => {
    const { body } = (await page(plain, '/schema')) as { body: string };
    const { body: sdl } = (await page(plain, '/graphql/schema.graphql')) as { body: string };
    const named = [...sdl.matchAll(/^(?:type|input|enum|scalar|interface|union) (\w+)/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(100);
    const ids = new Set([...body.matchAll(/<article class="ref-item" id="([^"]+)"/g)].map(([, id]) => id!));
    expect(named.filter((name) => !ids.has(name))).toEqual([]);
    expect([...ids].slice(0, 2)).toEqual(['Query', 'Mutation']);
    const fields = [...sdl.matchAll(/^ {2}([a-z]\w*)[(:]/gm)].map(([, name]) => name!);
    expect(fields.filter((name) => !body.includes(`data-part="${name}"`))).toEqual([]);
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(targets.filter((id) => !body.includes(` id="${id}"`))).toEqual([]);
    expect(body).toContain('href="/graphql/schema.graphql" download');
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
