import { beforeAll, expect, test } from '@jest/globals';
import { useOneTenant, type TestAnswer } from './support/app.ts';
import { password } from './support/factories.ts';
import { usePackage } from './support/package.ts';

/* The headers that tell browsers and caches how to treat an answer. */

let uuid: string;

const service = usePackage();
const tenant = useOneTenant(service);

beforeAll(async () => {
  ({ uuid } = await service.createEvent(tenant.business));
});

const html = { accept: 'text/html' };
const inert = "default-src 'none'; frame-ancestors 'none'";

const get = (url: string, headers: Record<string, string> = {}) =>
  service.call('GET', url, { as: tenant.as.admin, headers });
const anyOf = (...answers: Promise<TestAnswer>[]) => Promise.all(answers);

test('every answer forbids content sniffing, framing and referrers', async () => {
  const answers = await anyOf(
    get('/v1/events'),
    get('/v1/events/nope'),
    get('/nowhere'),
    get('/nowhere', html),
    get('/%E0%A4%A'),
    get('/', html),
    get('/docs'),
    get('/favicon.svg'),
    get('/schema'),
    get('/robots.txt'),
    get('/openapi.json'),
    get('/healthz'),
    service.graphql('{ __typename }', { as: tenant.as.admin }),
    service.call('PATCH', '/v1/events', { as: tenant.as.admin }),
    service.call('POST', '/v1/events', { as: tenant.as.admin }),
  );
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('strict-transport-security');
  }
});

test('nothing may run in an answer of an API', async () => {
  const answers = await anyOf(
    get('/v1/events'),
    get('/nowhere'),
    get('/openapi.json'),
    get('/graphql/schema.graphql'),
    get('/demo.json'),
    service.graphql('{ __typename }', { as: tenant.as.admin }),
  );
  for (const { headers } of answers) expect(headers['content-security-policy']).toBe(inert);
});

test('a page runs scripts of this service only, and may use no device', async () => {
  const answers = await anyOf(get('/', html), get('/docs'), get('/schema'), get('/nowhere', html));
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(headers['permissions-policy']).toContain('geolocation=()');
  }
});

test('answers with credentials, data of one caller or failures may not be stored', async () => {
  const { as } = tenant;
  const answers = await anyOf(
    service.call('POST', '/v1/auth/login', { body: { email: tenant.admin.email, password } }),
    service.call('POST', '/v1/auth/login', { body: { email: tenant.admin.email, password: 'not the password' } }),
    get('/v1/tokens/business'),
    service.call('POST', '/v1/tokens/business', { as: as.admin, body: { name: 'Key' } }),
    get('/api/v1/users?page=0'),
    service.graphql('{ viewer { business { name } } }', { as: as.admin }),
    service.call('GET', '/graphql?query={viewer{business{name}}}', {
      as: as.admin,
      headers: { 'apollo-require-preflight': '1' },
    }),
    service.graphql('{ positions { title } event(id: "nope") { title } }', { as: as.admin }),
    service.graphql('{ positions { title } rateLimit { limit } }', { as: as.admin }),
    service.call('PUT', `/v1/events/${uuid}`, { as: as.admin, body: { title: 'Changed' } }),
    service.call('GET', '/v1/events'),
    get('/v1/events?page=0'),
    get('/v1/events/nope'),
    get('/demo.json'),
    get('/readyz'),
    get('/', html),
  );
  for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
});

test('cacheable answers may be stored by their caller only, who revalidates them each time', async () => {
  const answers = await anyOf(
    get('/v1/events'),
    get(`/v1/events/${uuid}`),
    get('/v1/objects/events'),
    get(`/v1/objects/events/${uuid}`),
    get(`/v1/work_shifts/event/${uuid}`),
    get('/api/v1/users'),
    get(`/api/v1/users/${tenant.staff.id}`),
    service.graphql('{ positions { title } }', { as: tenant.as.admin }),
  );
  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(String(headers['vary']).toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'accept']),
    );
  }
});

test('an answer has the headers that its description names', async () => {
  const { body } = await get('/openapi.json');
  const { headers: names } = body.paths['/v1/events'].get.responses[200] as { headers: object };
  const described = Object.keys(names).map((name) => name.toLowerCase());
  const { headers } = await get('/v1/events?per_page=1');
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining(described.filter((name) => !/^(content-disposition|callboard-)/.test(name))),
  );
});

test('an answer that depends on Accept says so in Vary', async () => {
  for (const accept of ['text/html', 'application/json'])
    expect(String((await get('/', { accept })).headers['vary']).split(', ')).toContain('Accept');
});

test('icons may be stored for an hour', async () => {
  for (const url of ['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png'])
    expect([url, (await get(url)).headers['cache-control']]).toEqual([url, 'public, max-age=3600']);
});

test('a HEAD has the headers of its GET', async () => {
  for (const url of ['/v1/events', '/', '/docs']) {
    const [head, full] = await Promise.all(
      (['HEAD', 'GET'] as const).map((method) =>
        service.inject({
          method,
          url,
          headers: { ...html, authorization: `Bearer ${tenant.as.admin}`, accept: '*/*' },
        }),
      ),
    );
    for (const name of ['cache-control', 'content-security-policy', 'vary'])
      expect([url, name, head?.headers[name]]).toEqual([url, name, full?.headers[name]]);
  }
});
