import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CredentialScope } from '../src/config/credential-scopes.ts';
import { startApp, type Request, type TestAnswer, type TestApp } from './support/app.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';

/* Answers that are stored, or held by the client: none is given to a credential that may not read it. */

const start = new Date('2026-11-20T12:00:00.000Z');
let now = start;
let service: TestApp;
let tenant: Tenant;
let uuid: string;

beforeAll(async () => {
  service = await startApp({ clock: () => now });
});

beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
  ({ uuid } = await service.createEvent(tenant.business, { title: 'Secret gala' }));
});

afterAll(() => service.close());

const query = '{ events { nodes { title callTimes { uuid } } } }';
type Call = (request: Request) => Promise<TestAnswer>;
const reads: readonly [string, Call][] = [
  ['the list in REST', (request) => service.call('GET', '/v1/events', request)],
  ['one event in REST', (request) => service.call('GET', `/v1/events/${uuid}`, request)],
  ['users in REST', (request) => service.call('GET', '/api/v1/users', request)],
  ['a query by POST', ({ as, headers = {} }) => service.graphql(query, { as, headers })],
  [
    'a query by GET',
    ({ as, headers = {} }) =>
      service.call('GET', `/graphql?query=${encodeURIComponent(query)}`, {
        as,
        headers: { 'apollo-require-preflight': '1', ...headers },
      }),
  ],
];

const keyOf = async (scopes: CredentialScope[], expiresAt: Date | null = null) =>
  (await service.createKey(tenant.business, { scopes, createdAt: new Date(0), expiresAt })).key;

/** Asks twice, so that the answer is stored, and returns its tag. */
async function store(call: Call, as: string): Promise<string> {
  const [, second] = [await call({ as }), await call({ as })];
  expect(second.status).toBe(200);
  return second.headers['etag'] as string;
}

const expectNothing = ({ status, headers, body }: TestAnswer) => {
  expect(status === 304 || (body && JSON.stringify(body).includes('Secret'))).toBe(false);
  expect(headers['etag']).toBeUndefined();
};

describe.each(reads)('a stored answer to %s', (_name, call) => {
  test('is not given to a key or token that may not read, nor is its tag', async () => {
    const etag = await store(call, tenant.as.key);
    await store(call, tenant.as.admin);
    for (const as of [await keyOf(['webhooks']), await service.tokenOf(tenant.admin, ['webhooks'])])
      for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }]) {
        const answer = await call({ as, headers });
        expect(JSON.stringify(answer.body)).toContain('FORBIDDEN');
        expectNothing(answer);
      }
  });

  test('is the same for a key that reads and for one that writes too', async () => {
    const full = await call({ as: tenant.as.key });
    for (const scopes of [['read'], ['events:write'], ['users:write', 'webhooks']] as const) {
      const as = await keyOf([...scopes]);
      const etag = await store(call, as);
      expect((await call({ as })).body).toEqual(full.body);
      expect((await call({ as, headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });

  test('is not given once the key has expired, been revoked or been narrowed', async () => {
    const as = await keyOf(['read'], new Date(start.getTime() + 1000));
    const etag = await store(call, as);
    now = new Date(start.getTime() + 1000);
    for (const headers of [{}, { 'if-none-match': etag }]) {
      const answer = await call({ as, headers });
      expect(answer.status).toBe(401);
      expectNothing(answer);
    }
    now = start;
    const where = { businessId: tenant.business.id, NOT: { id: tenant.apiKey.id } };
    await service.prisma.apiKey.updateMany({ where, data: { scopes: ['webhooks'] } });
    expectNothing(await call({ as, headers: { 'if-none-match': etag } }));
    await service.prisma.apiKey.updateMany({ where, data: { scopes: ['read'], revokedAt: now } });
    expect((await call({ as, headers: { 'if-none-match': etag } })).status).toBe(401);
  });
});

describe('CSV', () => {
  test.each([
    ['a list in REST', '/v1/events'],
    ['a query', { query: '{ events { nodes { title } } }' }],
  ])('of %s is written for a key that reads, and refused to others', async (_name, what) => {
    for (const scope of ['read', 'events:write'] as const) {
      const { status, text } = await askCsv(service, what, { as: await keyOf([scope]) });
      expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('Secret gala') });
    }
    const refused = await askCsv(service, what, { as: await keyOf(['webhooks']) });
    expect(refused.headers['content-type']).toContain('json');
    expect(refused.text).toContain('FORBIDDEN');
    expect(refused.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="read"');
    if (typeof what === 'object') expect(refused.text).toContain('"missingScopes":["read"]');
    expect((await askCsv(service, what, { as: await keyOf(['read'], start) })).status).toBe(401);
  });
});
