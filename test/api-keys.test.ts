import { beforeEach, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '../src/access/api-keys.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount } from './support/sql-watch.ts';

const start = new Date('2026-11-20T12:00:00.000Z');
let now = start;
let tenant: Tenant;

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' }, clock: () => now });

beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});

const create = async (name = 'Payroll export') => {
  const { body } = await service.call('POST', '/v1/tokens/business', { as: tenant.as.admin, body: { name } });
  return body.data as { id: string; key: string };
};
const list = async () => (await service.call('GET', '/v1/tokens/business', { as: tenant.as.admin })).body.data;
const revoke = (id: string, as = tenant.as.admin) => service.call('DELETE', `/v1/tokens/business/${id}`, { as });
const rest = async (key: string) => (await service.call('GET', '/v1/events', { as: key })).status;
const viewer = (key: string) =>
  service.graphql('{ viewer { user { databaseId } name email role business { databaseId } } }', { as: key });

describe('a business API key', () => {
  test('is shown once, when it is created', async () => {
    const answer = await service.call('POST', '/v1/tokens/business', {
      as: tenant.as.admin,
      body: { name: 'Payroll export' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
        name: 'Payroll export',
        last_four: expect.any(String),
        created_at: '2026-11-20 12:00:00',
        last_used_at: null,
        scopes: ['full'],
        expires_at: null,
        key: expect.stringMatching(/^cbk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/),
      },
      message: expect.stringMatching(/\S/),
    });
    const { id, key, last_four: lastFour } = answer.body.data;
    expect(key).toContain(`cbk_${id}_`);
    expect(key.slice(-4)).toBe(lastFour);
    expect(JSON.stringify(await list())).not.toContain(key.slice(17));
  });

  test('is stored only as a hash, with its creator', async () => {
    const { id, key } = await create();
    const stored = await service.prisma.apiKey.findUniqueOrThrow({ where: { publicId: id } });
    expect(stored).toMatchObject({ businessId: tenant.business.id, createdById: tenant.admin.id });
    expect(stored.secretHash).toHaveLength(32);
    expect(Object.values(stored).map(String).join()).not.toContain(key.slice(17, 49));
  });

  test('is different each time', () => {
    const keys = Array.from({ length: 500 }, generateApiKey);
    for (const part of ['key', 'publicId'] as const) expect(new Set(keys.map((made) => made[part])).size).toBe(500);
  });

  test('has the rights of an admin of its business in REST and GraphQL, but is not a user', async () => {
    const { key } = await create('Backend');
    expect(await rest(key)).toBe(200);
    expect((await viewer(key)).body.data.viewer).toEqual({
      user: null,
      name: 'Backend',
      email: null,
      role: 'ADMIN',
      business: { databaseId: tenant.business.id },
    });
  });

  test('records when it was last used, to the minute', async () => {
    const { id, key } = await create();
    const lastUsed = async () => (await list()).find((entry: { id: string }) => entry.id === id).last_used_at;
    expect(await lastUsed()).toBeNull();
    for (const [afterS, shown] of [
      [10, '2026-11-20 12:00:10'],
      [69, '2026-11-20 12:00:10'],
      [71, '2026-11-20 12:01:11'],
    ] as const) {
      now = new Date(start.getTime() + afterS * 1000);
      expect(await rest(key)).toBe(200);
      expect(await lastUsed()).toBe(shown);
    }
  });

  test.each([
    ['missing', {}, 'name'],
    ['null', { name: null }, 'name'],
    ['empty', { name: '' }, 'name'],
    ['blank', { name: ' \t ' }, 'name'],
    ['101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a number', { name: 7 }, 'name'],
    ['with NUL', { name: 'a\0b' }, 'name'],
    ['beside a secret of the own choice', { name: 'Key', secret: 'mine' }, 'secret'],
  ])('is not created when its name is %s', async (_what, body, field) => {
    const answer = await service.call('POST', '/v1/tokens/business', { as: tenant.as.admin, body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(await list()).toHaveLength(1);
  });

  test('counts the characters of its name by code points', async () => {
    const name = '\u{1F3AD}'.repeat(100);
    const { id } = await create(name);
    expect(await list()).toContainEqual(expect.objectContaining({ id, name }));
  });
});

describe('the list of API keys', () => {
  test('shows the active keys of the business in order of creation, without secret or hash', async () => {
    const stranger = await service.createTenant();
    const second = await create('Second');
    const third = await create('Third');
    await revoke(second.id);
    const keys = await list();
    expect(keys.map(({ id }: { id: string }) => id)).toEqual([tenant.apiKey.publicId, third.id]);
    const ofContract = ['id', 'name', 'last_four', 'created_at', 'last_used_at'];
    for (const key of keys) expect(Object.keys(key)).toEqual([...ofContract, 'scopes', 'expires_at']);
    expect(JSON.stringify(keys)).not.toContain(stranger.apiKey.publicId);
  });
});

describe('revoking', () => {
  test('one key takes effect at once and leaves the others active', async () => {
    const [first, second] = [await create(), await create()];
    expect(await rest(first.key)).toBe(200);
    const answer = await revoke(first.id);
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { revoked: 1 } } });
    expect(await rest(first.key)).toBe(401);
    expect((await viewer(first.key)).status).toBe(401);
    expect(await rest(second.key)).toBe(200);
  });

  test('a revoked, unknown, malformed or foreign key is answered as not found, each in the same way', async () => {
    const { id } = await create();
    await revoke(id);
    const stranger = await service.createTenant();
    const unknown = await revoke('A1b2C3d4E5f6');
    expect(unknown).toMatchObject({ status: 404, body: { success: false, data: null, code: 'NOT_FOUND' } });
    for (const name of [id, stranger.apiKey.publicId, 'x', '1', "'%20OR%201=1", 'A1b2C3d4E5f%C3%A9', 'A'.repeat(900)])
      expect({ name, ...(await revoke(name)) }).toMatchObject({ name, status: 404, body: unknown.body });
    expect(await rest(stranger.as.key)).toBe(200);
  });

  test('all keys affects only those of the business and returns their number', async () => {
    const stranger = await service.createTenant();
    const { key } = await create();
    const answer = await service.call('DELETE', '/v1/tokens/business', { as: tenant.as.admin });
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { revoked: 2 } } });
    expect([await rest(key), await rest(tenant.as.key), await rest(stranger.as.key)]).toEqual([401, 401, 200]);
    expect(await list()).toEqual([]);
    const again = await service.call('DELETE', '/v1/tokens/business', { as: tenant.as.admin });
    expect(again.body.data).toEqual({ revoked: 0 });
  });
});

describe('a bad API key is refused', () => {
  const replaced = (key: string, at: number) => key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);

  const mistyped: [string, (key: string) => string][] = [
    ['a letter of its secret is wrong', (key) => replaced(key, 20)],
    ['a letter of its public id is wrong', (key) => replaced(key, 6)],
    ['a letter of its checksum is wrong', (key) => replaced(key, key.length - 1)],
    ['its last letter is missing', (key) => key.slice(0, -1)],
    ['it has a letter more', (key) => `${key}x`],
    ['it is all but its checksum', (key) => key.slice(0, -6)],
    ['it is its prefix alone', () => 'cbk_'],
    ['it brings SQL', () => "cbk_'OR'1'='1_"],
  ];

  test.each(mistyped)('without a database query when %s', async (_what, mistype) => {
    const before = sqlCount();
    expect(await rest(mistype(tenant.as.key))).toBe(401);
    expect((await viewer(mistype(tenant.as.key))).status).toBe(401);
    expect(sqlCount()).toBe(before);
  });

  test('when it is well-formed but does not exist', async () => {
    expect(await rest(generateApiKey().key)).toBe(401);
  });

  test('when its public id is right but its secret is wrong', async () => {
    const { secretHash } = generateApiKey();
    const { key } = await service.createKey(tenant.business, { secretHash });
    expect(await rest(key)).toBe(401);
  });
});
