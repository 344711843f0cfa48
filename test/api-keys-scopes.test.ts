import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { startApp, type TestApp } from './support/app.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';

/* Keys with scopes and an expiry: made, listed, ended and revoked. What a scope allows is tested in credential-scopes. */

const start = new Date('2026-11-20T12:00:00.000Z');
const dayMs = 86_400_000;
let now = start;
let service: TestApp;
let another: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  service = await startApp({ clock: () => now });
  another = await startApp({ clock: () => now, beside: service });
});

beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});

afterAll(async () => {
  await another.close();
  await service.close();
});

const inMs = (ms: number) => new Date(start.getTime() + ms).toISOString();
const create = (body: object) =>
  service.call('POST', '/v1/tokens/business', { as: tenant.as.admin, body: { name: 'Key', ...body } });
const createInGraphql = (input: string) =>
  service.graphql(
    `mutation { it: createApiKey(input: { name: "Key", ${input} }) { key apiKey { id: publicId scopes expiresAt createdAt } } }`,
    { as: tenant.as.admin },
  );
const list = async () => (await service.call('GET', '/v1/tokens/business', { as: tenant.as.admin })).body.data;

describe('a key', () => {
  test('is made with scopes and an expiry in REST, and listed with them in both dialects', async () => {
    const made = await create({ scopes: ['staffing:write', 'read'], expires_at: '2027-02-18T13:30:00.250+01:00' });
    expect(made).toMatchObject({
      status: 201,
      body: { data: { scopes: ['read', 'staffing:write'], expires_at: '2027-02-18 12:30:00' } },
    });
    const { key: _, ...shown } = made.body.data;
    expect(await list()).toContainEqual(shown);
    const { body } = await service.graphql('{ apiKeys { id: publicId scopes expiresAt } }', { as: tenant.as.admin });
    expect(body.data.apiKeys).toEqual([
      { id: tenant.apiKey.publicId, scopes: ['FULL'], expiresAt: null },
      { id: shown.id, scopes: ['READ', 'STAFFING_WRITE'], expiresAt: '2027-02-18T12:30:00.250Z' },
    ]);
  });

  test('is made with scopes and an expiry in GraphQL', async () => {
    const { body } = await createInGraphql(`scopes: [EVENTS_WRITE], expiresAt: "${inMs(dayMs)}"`);
    expect(body.data.it.apiKey).toMatchObject({ scopes: ['EVENTS_WRITE'], expiresAt: inMs(dayMs) });
  });

  test.each([{}, { scopes: null, expires_at: null }, { scopes: ['read', 'full'] }])(
    'made with %j has all rights and no expiry',
    async (body) => {
      expect((await create(body)).body.data).toMatchObject({ scopes: ['full'], expires_at: null });
    },
  );

  test('that was stored before there were scopes has all rights and no expiry', async () => {
    const { key, apiKey } = await service.createKey(tenant.business);
    await service.prisma.$executeRaw`DELETE FROM api_keys WHERE public_id = ${apiKey.publicId}`;
    await service.prisma.$executeRaw`
      INSERT INTO api_keys (business_id, public_id, name, secret_hash, last_four)
      VALUES (${tenant.business.id}, ${apiKey.publicId}, 'Old', ${apiKey.secretHash}, ${apiKey.lastFour})`;
    const user = { email: `${apiKey.publicId}@old.example`, name: 'New', password: 'enough of it', role: 'staff' };
    expect((await service.call('POST', '/api/v1/users', { as: key, body: user })).status).toBe(201);
    expect(await list()).toContainEqual(expect.objectContaining({ name: 'Old', scopes: ['full'], expires_at: null }));
  });

  test.each([
    ['no scope', { scopes: [] }, 'scopes', /at least 1/],
    ['an unknown scope', { scopes: ['read', 'events'] }, 'scopes.1', /one of read, events:write, .*full$/],
    ['a scope twice', { scopes: ['read', 'read'] }, 'scopes', /twice/],
    ['scopes as text', { scopes: 'read' }, 'scopes', /array/],
    ['an expiry that is past', { expires_at: inMs(-1) }, 'expires_at', /^must be in the future$/],
    ['an expiry that is now', { expires_at: inMs(0) }, 'expires_at', /^must be in the future$/],
    [
      'an expiry too far away',
      { expires_at: inMs(limits.keyLifetimeDaysMax * dayMs + 1) },
      'expires_at',
      /^must be at most 3650 days from now$/,
    ],
    ['an expiry after the last year', { expires_at: '+012000-01-01T00:00:00Z' }, 'expires_at', /instant/],
    ['an expiry without a zone', { expires_at: '2027-02-18T12:30:00' }, 'expires_at', /instant/],
    ['an expiry on a day that does not exist', { expires_at: '2027-02-30T12:30:00Z' }, 'expires_at', /instant/],
    ['an expiry as a number', { expires_at: 1_900_000_000 }, 'expires_at', /instant/],
  ])('is not made with %s', async (_what, body, field, message) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors).toEqual({ [field]: [expect.stringMatching(message)] });
    expect(await list()).toHaveLength(1);
  });

  test('is made with an expiry as answers show it, in UTC', async () => {
    const { status, body } = await create({ expires_at: '2027-02-18 12:30:00' });
    expect({ status, shown: body.data.expires_at }).toEqual({ status: 201, shown: '2027-02-18 12:30:00' });
  });

  test('is not made in GraphQL with an expiry that is past, no scope or an unknown scope', async () => {
    for (const [input, code, errors] of [
      [`expiresAt: "${inMs(-1)}"`, 'VALIDATION_FAILED', { expiresAt: ['must be in the future'] }],
      ['scopes: []', 'VALIDATION_FAILED', { scopes: ['must have at least 1 item'] }],
      ['scopes: [EVERYTHING]', 'GRAPHQL_VALIDATION_FAILED', undefined],
    ] as const) {
      const { body } = await createInGraphql(input);
      expect({ code: body.errors[0].extensions.code, errors: body.errors[0].extensions.errors }).toEqual({
        code,
        errors,
      });
    }
  });

  test.each([['everything'], []])(
    'with the scopes %j is refused by the database, whoever stores it',
    async (...scopes) => {
      await expect(service.createKey(tenant.business, { scopes })).rejects.toThrow(/api_keys_scopes_check/);
    },
  );
});

describe('an expired key', () => {
  const expiring = async () => {
    const { body } = await create({ expires_at: inMs(1000) });
    return body.data as { id: string; key: string };
  };
  const calls = (as: string) => [
    service.call('GET', '/v1/events', { as }),
    another.call('GET', '/v1/events', { as }),
    service.graphql('{ events { totalCount } }', { as }),
    another.graphql('{ viewer { name } }', { as }),
  ];

  test('is refused from the very instant on, on every node and in both dialects', async () => {
    const { key } = await expiring();
    now = new Date(start.getTime() + 999);
    for (const answer of await Promise.all(calls(key))) expect(answer.status).toBe(200);
    now = new Date(start.getTime() + 1000);
    for (const answer of await Promise.all(calls(key)))
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });

  test('is no longer listed, and is not found when it is revoked', async () => {
    const { id } = await expiring();
    expect(await list()).toHaveLength(2);
    now = new Date(start.getTime() + 1000);
    expect((await list()).map((key: { id: string }) => key.id)).toEqual([tenant.apiKey.publicId]);
    const { status } = await service.call('DELETE', `/v1/tokens/business/${id}`, { as: tenant.as.admin });
    expect(status).toBe(404);
    const { body } = await service.call('DELETE', '/v1/tokens/business', { as: tenant.as.admin });
    expect(body.data).toEqual({ revoked: 1 });
  });

  test('that was revoked before stays refused', async () => {
    const { id, key } = await expiring();
    await service.call('DELETE', `/v1/tokens/business/${id}`, { as: tenant.as.admin });
    expect((await service.call('GET', '/v1/events', { as: key })).status).toBe(401);
  });
});

test('the audit trail says what a new key may do and when it ends', async () => {
  const { body } = await create({ scopes: ['users:write'], expires_at: inMs(dayMs) });
  const where = { businessId: tenant.business.id, action: 'apiKeys.create' };
  const { details } = await service.prisma.auditEntry.findFirstOrThrow({ where });
  expect(details).toEqual({ keyId: body.data.id, name: 'Key', scopes: ['users:write'], expiresAt: inMs(dayMs) });
});

test('the CSV of keys has their scopes in one cell', async () => {
  await create({ scopes: ['read', 'webhooks'], expires_at: inMs(dayMs) });
  const { header, rows } = await askCsv(service, '/v1/tokens/business', { as: tenant.as.admin });
  expect(header).toEqual('id name last_four created_at last_used_at scopes expires_at'.split(' '));
  expect(rows.map((row) => row.slice(-2))).toEqual([
    ['full', ''],
    ['read webhooks', '2026-11-21 12:00:00'],
  ]);
});
