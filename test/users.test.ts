import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

const start = new Date('2026-11-20T12:00:00.000Z');
let now = start;
let tenant: Tenant;

const service = useService({ clock: () => now });

beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});

let count = 0;
const unusedEmail = () => `new${++count}@example.com`;
const draft = (more: object = {}) => ({
  email: unusedEmail(),
  password: 'enough of a password',
  name: 'Robin van der Fields',
  role: 'staff',
  ...more,
});

const url = (id: number | string) => `/api/v1/users/${id}`;
const list = (query = '', as = tenant.as.admin) => service.call('GET', `/api/v1/users${query}`, { as });
const get = (id: number | string, as = tenant.as.admin) => service.call('GET', url(id), { as });
const create = (body: unknown, as = tenant.as.admin) => service.call('POST', '/api/v1/users', { as, body });
const update = (id: number | string, body: unknown, as = tenant.as.admin) => service.call('PUT', url(id), { as, body });
const remove = (id: number | string, as = tenant.as.admin) => service.call('DELETE', url(id), { as });
const stored = (id: number) => service.prisma.user.findFirstOrThrow({ where: { id } });
const login = (email: string, password: string) =>
  service.call('POST', '/v1/auth/login', { body: { email, password } });

/** No envelope here, in failure neither. */
const problem = (code: string, fields?: string[]) => ({
  message: expect.stringMatching(/\S/),
  code,
  ...(fields && { errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])) }),
});

describe('creating a user', () => {
  test.each(['admin', 'staff', 'client'])(
    'with role %s answers it without envelope, and it can log in',
    async (role) => {
      const body = draft({ role });
      const answer = await create(body);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        data: {
          id: expect.any(Number),
          name: body.name,
          email: body.email,
          role,
          created_at: '2026-11-20T12:00:00.000Z',
          updated_at: '2026-11-20T12:00:00.000Z',
        },
      });
      expect(Object.keys(answer.body.data)).toEqual(['id', 'name', 'email', 'role', 'created_at', 'updated_at']);
      expect((await get(answer.body.data.id)).body).toEqual(answer.body);
      expect((await login(body.email, body.password)).status).toBe(200);
    },
  );

  test('keeps name and e-mail as sent, and stores first and last name for shifts', async () => {
    const { body } = await create(draft({ email: 'Robin.Fields@Example.COM', name: ' Robin  van der Fields ' }));
    expect(body.data).toMatchObject({ email: 'Robin.Fields@Example.COM', name: ' Robin  van der Fields ' });
    expect(await stored(body.data.id)).toMatchObject({ firstName: 'Robin', lastName: 'van der Fields' });
  });

  test('stores the password only as an argon2id hash with the documented cost', async () => {
    const body = draft();
    const { passwordHash } = await stored((await create(body)).body.data.id);
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(passwordHash).not.toContain(body.password);
  });

  test('accepts passwords of 8 and of 1,024 bytes', async () => {
    for (const password of ['k7 # w~2', '\u00e9'.repeat(512)]) {
      const body = draft({ password });
      expect((await create(body)).status).toBe(201);
      expect((await login(body.email, password)).status).toBe(200);
    }
  });

  test('names every field that is missing', async () => {
    const answer = await create({});
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(problem('VALIDATION_FAILED', ['email', 'name', 'role', 'password']));
  });

  test.each<[string, object, string]>([
    ['a password of 7 bytes', { password: 'k7 # w~' }, 'password'],
    ['a password of 1,025 bytes', { password: `${'\u00e9'.repeat(512)}x` }, 'password'],
    ['a password in a list', { password: ['enough of a password'] }, 'password'],
    ['a number for a password', { password: 1234567890 }, 'password'],
    ['an object for a password', { password: {} }, 'password'],
    ['null for a password', { password: null }, 'password'],
    ['a Cyrillic letter in the e-mail', { email: '\u0430dmin@example.com' }, 'email'],
    ['a fullwidth letter in the e-mail', { email: '\uff41dmin@example.com' }, 'email'],
    ['a long s in the e-mail', { email: 'o\u017fcar@example.com' }, 'email'],
    ['a Kelvin sign in the e-mail', { email: '\u212aim@example.com' }, 'email'],
    ['a right-to-left override in the e-mail', { email: '\u202eadmin@example.com' }, 'email'],
    ['a zero-width space in the e-mail', { email: 'ad\u200bmin@example.com' }, 'email'],
    ['a space around the e-mail', { email: ' admin@example.com' }, 'email'],
    ['an e-mail without domain', { email: 'admin@' }, 'email'],
    ['an e-mail without dot in its domain', { email: 'admin@localhost' }, 'email'],
    ['two dots in the e-mail', { email: 'ad..min@example.com' }, 'email'],
    ['two e-mails', { email: 'a@example.com,b@example.com' }, 'email'],
    ['an e-mail with a line break', { email: 'admin@example.com\nbcc:b@example.com' }, 'email'],
    ['an e-mail of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, 'email'],
    ['an empty e-mail', { email: '' }, 'email'],
    ['a blank name', { name: ' \u00a0\t' }, 'name'],
    ['a name of 201 characters', { name: '\u{1F3AD}'.repeat(201) }, 'name'],
    ['a name with NUL', { name: 'Rob\0in' }, 'name'],
    ['a name with half a surrogate pair', { name: 'Robin \ud800' }, 'name'],
    ['a number for a name', { name: 7 }, 'name'],
    ['an unknown role', { role: 'owner' }, 'role'],
    ['a role in capitals', { role: 'ADMIN' }, 'role'],
    ['null for a role', { role: null }, 'role'],
    ['a business', { business_id: 1 }, 'business_id'],
    ['an id', { id: 1 }, 'id'],
    ['a hash', { password_hash: '$argon2id$' }, 'password_hash'],
  ])('is refused with %s and creates nothing', async (_what, more, field) => {
    const users = await service.prisma.user.count();
    const answer = await create(draft(more));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(answer.body).toEqual({ ...problem('VALIDATION_FAILED'), errors: answer.body.errors });
    expect(JSON.stringify(answer.body)).not.toContain('enough of a password');
    expect(await service.prisma.user.count()).toBe(users);
  });

  test('counts the characters of a name by code points', async () => {
    expect((await create(draft({ name: '\u{1F3AD}'.repeat(200) }))).status).toBe(201);
  });

  test.each([
    ['in the same business', () => tenant.staff.email],
    ['in other letters', () => tenant.staff.email.toUpperCase()],
    ['in another business', () => stranger.staff.email],
    ['in another business and in other letters', () => stranger.staff.email.toUpperCase()],
  ])('is refused with an e-mail that is taken %s', async (_where, taken) => {
    const answer = await create(draft({ email: taken() }));
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual(problem('CONFLICT', ['email']));
  });

  let stranger: Tenant;
  beforeAll(async () => {
    stranger = await service.createTenant();
  });

  test('with the e-mail of a deleted user creates a different user', async () => {
    const { email, id } = tenant.staff;
    expect((await remove(id)).status).toBe(200);
    const answer = await create(draft({ email }));
    expect(answer.status).toBe(201);
    expect(answer.body.data.id).not.toBe(id);
  });
});

describe('the list of users', () => {
  test('has one page of the users of the business that are not deleted, oldest first', async () => {
    await remove((await service.createUser(tenant.business, 'staff')).id);
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'meta']);
    expect(body.meta).toEqual({ current_page: 1, per_page: 15, total: 3 });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([tenant.admin.id, tenant.staff.id, tenant.client.id]);
    expect(JSON.stringify(body)).not.toMatch(/password|argon2/);
  });

  test('shows everybody exactly once over its pages and ends with an empty page', async () => {
    for (let made = 0; made < 4; made++) await service.createUser(tenant.business, 'staff');
    const pages = [];
    for (const page of [1, 2, 3, 4, 5]) pages.push((await list(`?page=${page}&per_page=2`)).body);
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 2, 1, 0]);
    const ids = pages.flatMap(({ data }) => data.map(({ id }: { id: number }) => id));
    expect(new Set(ids).size).toBe(7);
    for (const [index, { meta }] of pages.entries())
      expect(meta).toEqual({ current_page: index + 1, per_page: 2, total: 7 });
  });

  test.each(['admin', 'staff', 'client'] as const)('can be filtered by role %s', async (role) => {
    const { body } = await list(`?role=${role}`);
    expect(body.meta.total).toBe(1);
    expect(body.data).toMatchObject([{ id: tenant[role].id, role }]);
  });
});

describe('a user', () => {
  const elsewhere = ['0', '-1', 'abc', '1.5', '2147483648', '99999999999999999999', '1e1', '0x1', '%20', '01'];

  test.each(elsewhere)('is not found at id %s, by any verb', async (id) => {
    for (const answer of [await get(id), await update(id, { name: 'Robin' }), await remove(id)]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(problem('NOT_FOUND'));
    }
  });

  test('is not found once deleted, by any verb', async () => {
    const { id } = tenant.staff;
    expect((await remove(id)).body).toEqual({ message: expect.stringMatching(/\S/) });
    for (const answer of [await get(id), await update(id, { name: 'Robin' }), await remove(id)])
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});
