import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { startApp, type TestApp } from './support/app.ts';
import { asker } from './support/ask.ts';
import { password, type Tenant } from './support/factories.ts';

/* Users, tokens and keys through GraphQL; other files test the same through REST. */

let service: TestApp;
let tenant: Tenant;
const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

beforeAll(async () => {
  service = await startApp();
});

beforeEach(async () => {
  tenant = await service.createTenant();
});

afterAll(() => service.close());

const user = '{ id: databaseId name email role createdAt updatedAt }';
const draft = (more: object = {}) => ({
  email: `New.${Math.random()}@Example.com`,
  name: 'Robin van der Fields',
  role: 'STAFF',
  password,
  ...more,
});
const create = (input: object, as = tenant.as.admin) =>
  mutate(as, `($input: CreateUserInput!) { it: createUser(input: $input) ${user} }`, { input });
const update = (id: number, input: object, as = tenant.as.admin) =>
  mutate(as, `($id: ID!, $input: UpdateUserInput!) { it: updateUser(id: $id, input: $input) ${user} }`, { id, input });
const remove = (id: number, as = tenant.as.admin) =>
  mutate(as, `($id: ID!) { it: deleteUser(id: $id) ${user} }`, { id });
const get = (id: number, as = tenant.as.admin) => query(as, `($id: ID!) { it: user(id: $id) ${user} }`, { id });
const list = (args = '', as = tenant.as.admin) =>
  query(as, `{ it: users${args} { totalCount pageInfo { page perPage lastPage hasNextPage } nodes ${user} } }`);
const isGood = async (as: string) => (await service.graphql('{ viewer { name } }', { as })).status === 200;

describe('a user', () => {
  test('is created, read, changed and deleted, and can log in meanwhile', async () => {
    const input = draft();
    const { it: made } = await create(input);
    const { password: _, ...told } = input;
    expect(made).toMatchObject({ ...told, id: expect.any(Number) });
    expect((await get(made.id)).it).toEqual(made);
    const login =
      '($email: String!, $password: String!) { it: login(email: $email, password: $password) { accessToken } }';
    const { it: token } = await mutate(undefined, login, input);
    const changed = await update(made.id, { name: 'Alex', role: 'CLIENT' });
    expect(changed.it).toEqual({ ...made, name: 'Alex', role: 'CLIENT', updatedAt: expect.any(String) });
    expect((await remove(made.id)).it).toEqual(changed.it);
    expect(await get(made.id)).toMatchObject({ code: 'NOT_FOUND', it: null });
    expect(await isGood(token.accessToken)).toBe(false);
  });

  test('is listed by id, by role and by page', async () => {
    const { it: all } = await list();
    expect(all).toMatchObject({ totalCount: 3, pageInfo: { page: 1, perPage: limits.perPageDefault, lastPage: 1 } });
    expect(all.nodes.map(({ id }: { id: number }) => id)).toEqual([tenant.admin.id, tenant.staff.id, tenant.client.id]);
    const second = await list('(page: 2, perPage: 2)');
    expect(second.it).toMatchObject({ totalCount: 3, pageInfo: { page: 2, lastPage: 2, hasNextPage: false } });
    expect(second.it.nodes).toEqual(all.nodes.slice(2));
    expect((await list('(role: STAFF, page: null)')).it).toMatchObject({
      totalCount: 1,
      nodes: [{ id: tenant.staff.id }],
    });
    const beyond = await list(`(page: 0, perPage: ${limits.perPageMax + 1})`);
    expect({ code: beyond.code, fields: Object.keys(beyond.errors) }).toEqual({
      code: 'VALIDATION_FAILED',
      fields: ['page', 'perPage'],
    });
  });

  test('is refused with all wrong fields at once, or with a taken e-mail, and the last admin cannot be demoted', async () => {
    const { errors } = await create({ email: 'x', name: ' ', role: 'STAFF', password: 'short' });
    expect(Object.keys(errors).sort()).toEqual(['email', 'name', 'password']);
    const taken = { code: 'CONFLICT', errors: { email: ['is taken'] } };
    expect(await create(draft({ email: tenant.client.email.toUpperCase() }))).toMatchObject(taken);
    expect(await update(tenant.staff.id, { email: tenant.client.email })).toMatchObject(taken);
    for (const answer of [await remove(tenant.admin.id), await update(tenant.admin.id, { role: 'STAFF' })])
      expect(answer.code).toBe('LAST_ADMIN');
    expect((await update(tenant.staff.id, { name: null })).errors).toEqual({ name: [expect.any(String)] });
  });

  test('of another business is not found; API keys cannot manage admins; staff and clients cannot manage users', async () => {
    const stranger = await service.createTenant();
    for (const answer of [
      await get(stranger.staff.id),
      await update(stranger.staff.id, { name: 'Mine' }),
      await remove(stranger.staff.id),
    ])
      expect(answer.code).toBe('NOT_FOUND');
    for (const answer of [
      await create(draft({ role: 'ADMIN' }), tenant.as.key),
      await update(tenant.admin.id, { name: 'Key' }, tenant.as.key),
      await remove(tenant.admin.id, tenant.as.key),
      await list('', tenant.as.staff),
      await get(tenant.staff.id, tenant.as.staff),
      await remove(tenant.staff.id, tenant.as.client),
    ])
      expect(answer.code).toBe('FORBIDDEN');
    expect((await create(draft(), tenant.as.key)).code).toBe('OK');
  });
});

describe('a personal token', () => {
  const logout = '{ it: logout { revoked } }';
  const logoutEverywhere = '{ it: logoutEverywhere { revoked } }';

  test.each(['admin', 'staff', 'client'] as const)(
    'of %s is revoked by logout alone, or together with all others',
    async (role) => {
      const [second, third] = [await service.tokenOf(tenant[role]), await service.tokenOf(tenant[role])];
      expect((await mutate(tenant.as[role], logout)).it).toEqual({ revoked: 1 });
      expect(await Promise.all([tenant.as[role], second, third].map(isGood))).toEqual([false, true, true]);
      expect((await mutate(second, logoutEverywhere)).it).toEqual({ revoked: 2 });
      expect(await Promise.all([second, third].map(isGood))).toEqual([false, false]);
    },
  );

  test('cannot be revoked with an API key', async () => {
    for (const mutation of [logout, logoutEverywhere])
      expect((await mutate(tenant.as.key, mutation)).code).toBe('FORBIDDEN');
    expect(await isGood(tenant.as.key)).toBe(true);
  });
});

describe('a business API key', () => {
  const shown = 'id publicId name lastFour createdAt lastUsedAt';
  const make = (name: string, as = tenant.as.admin) =>
    mutate(as, `($name: String!) { it: createApiKey(input: { name: $name }) { apiKey { ${shown} } key } }`, { name });
  const keys = async () => (await query(tenant.as.admin, `{ it: apiKeys { ${shown} } }`)).it;
  const revoke = (id: string, as = tenant.as.admin) =>
    mutate(as, '($id: ID!) { it: revokeApiKey(id: $id) { revoked } }', { id });
  const revokeAll = (as = tenant.as.admin) => mutate(as, '{ it: revokeAllApiKeys { revoked } }');

  test('is shown once, works until it is revoked, and is listed without its secret', async () => {
    const { it } = await make('Payroll');
    const { key, apiKey: record } = it;
    expect(record).toMatchObject({ name: 'Payroll', lastFour: key.slice(-4), lastUsedAt: null });
    expect((await keys()).at(-1)).toEqual(record);
    expect(await isGood(key)).toBe(true);
    expect((await keys()).at(-1)).toEqual({ ...record, lastUsedAt: expect.any(String) });
    expect((await revoke(record.id)).it).toEqual({ revoked: 1 });
    expect(await isGood(key)).toBe(false);
    for (const id of [record.id, record.publicId, 'unknown', '']) expect((await revoke(id)).code).toBe('NOT_FOUND');
    expect(await keys()).toHaveLength(1);
  });

  test('can be revoked together with all others', async () => {
    const { it } = await make('Payroll');
    expect((await revokeAll()).it).toEqual({ revoked: 2 });
    expect(await Promise.all([it.key, tenant.as.key].map(isGood))).toEqual([false, false]);
    expect(await keys()).toEqual([]);
  });

  test('is managed only by admins of its business, not with an API key', async () => {
    const stranger = await service.createTenant();
    const { it } = await make('Payroll');
    for (const id of [it.apiKey.id, it.apiKey.publicId])
      expect((await revoke(id, stranger.as.admin)).code).toBe('NOT_FOUND');
    for (const as of [tenant.as.key, tenant.as.staff, tenant.as.client])
      for (const answer of [await make('Mine', as), await revoke(it.apiKey.publicId, as), await revokeAll(as)])
        expect(answer.code).toBe('FORBIDDEN');
    expect(await make(' '.repeat(101))).toMatchObject({ errors: { name: [expect.any(String), expect.any(String)] } });
    expect(await isGood(it.key)).toBe(true);
  });
});
