import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';

const start = new Date('2026-11-20T12:00:00.000Z');
let now = start;
let tenant: Tenant;

const service = useService({ clock: () => now });

beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});

const url = (id: number) => `/api/v1/users/${id}`;
const update = (id: number, body: unknown, as = tenant.as.admin) => service.call('PUT', url(id), { as, body });
const remove = (id: number, as = tenant.as.admin) => service.call('DELETE', url(id), { as });
const stored = (id: number) => service.prisma.user.findFirstOrThrow({ where: { id } });
const login = (email: string) => service.call('POST', '/v1/auth/login', { body: { email, password } });

describe('changing a user', () => {
  beforeEach(() => {
    now = new Date(start.getTime() + 90_000);
  });

  test.each([
    { name: 'Alex Stage' },
    { email: 'Alex.Stage@example.com' },
    { role: 'client' },
    { name: 'Alex', email: 'alex@example.com', role: 'admin' },
  ])('changes only the fields sent and updated_at: %j', async (changes) => {
    const before = (await service.call('GET', url(tenant.staff.id), { as: tenant.as.admin })).body.data;
    const { status, body } = await update(tenant.staff.id, changes);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { ...before, ...changes, updated_at: '2026-11-20T12:01:30.000Z' } });
    expect((await service.call('GET', url(tenant.staff.id), { as: tenant.as.admin })).body).toEqual(body);
    expect(await stored(tenant.staff.id)).toMatchObject({ passwordHash: tenant.staff.passwordHash });
  });

  test('without fields changes nothing, not even updated_at', async () => {
    const before = await stored(tenant.staff.id);
    const { status, body } = await update(tenant.staff.id, {});
    expect(status).toBe(200);
    expect(body.data.updated_at).toBe(before.updatedAt.toISOString());
    expect(await stored(tenant.staff.id)).toEqual(before);
  });

  test('moves the log-in to the new e-mail, and keeps it when only the case changes', async () => {
    const { id, email } = tenant.staff;
    expect((await update(id, { email: email.toUpperCase() })).body.data.email).toBe(email.toUpperCase());
    expect((await login(email)).status).toBe(200);
    await update(id, { email: `moved-${email}` });
    expect((await login(email)).status).toBe(401);
    expect((await login(`moved-${email}`)).status).toBe(200);
  });

  test('is refused with an e-mail that is taken here or elsewhere, in any case', async () => {
    const stranger = await service.createTenant();
    for (const taken of [tenant.client.email, stranger.client.email, stranger.client.email.toUpperCase()]) {
      const before = await stored(tenant.staff.id);
      const answer = await update(tenant.staff.id, { email: taken, name: 'Not to be stored' });
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT', errors: { email: ['is taken'] } } });
      expect(await stored(tenant.staff.id)).toEqual(before);
    }
  });

  test.each<[object, string]>([
    [{ name: null }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ email: null }, 'email'],
    [{ email: 'nowhere' }, 'email'],
    [{ role: 'ADMIN' }, 'role'],
    [{ role: '' }, 'role'],
    [{ password: 'another good password' }, 'password'],
    [{ id: 7 }, 'id'],
    [{ business_id: 7 }, 'business_id'],
    [{ created_at: '2020-01-01T00:00:00Z' }, 'created_at'],
    [{ deleted_at: null }, 'deleted_at'],
    [{ emailKey: 'x' }, 'emailKey'],
  ])('is refused with %j', async (changes, field) => {
    const before = await stored(tenant.staff.id);
    const answer = await update(tenant.staff.id, { role: 'client', ...changes });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', message: expect.any(String) });
    expect(answer.body).not.toHaveProperty('success');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(await stored(tenant.staff.id)).toEqual(before);
  });
});

describe('deleting a user', () => {
  test('keeps the row, its name and its shifts, while log-in and tokens are revoked', async () => {
    const times = { start: '2026-11-01 16:00:00', end: '2026-11-01 23:00:00' };
    const event = await service.createEvent(tenant.business, times);
    const shift = await service.createShift(event, tenant.staff, times);
    const answer = await remove(tenant.staff.id);
    expect(answer).toMatchObject({ status: 200, body: { message: expect.stringMatching(/\S/) } });
    expect(await stored(tenant.staff.id)).toMatchObject({ deletedAt: now, emailKey: null, name: tenant.staff.name });
    const shifts = await service.call('GET', `/v1/work_shifts/event/${event.uuid}`, { as: tenant.as.admin });
    expect(shifts.body.data.data).toMatchObject([{ uuid: shift.uuid, first_name: tenant.staff.firstName }]);
    expect((await login(tenant.staff.email)).status).toBe(401);
    expect((await service.graphql('{ viewer { name } }', { as: tenant.as.staff })).status).toBe(401);
  });

  test('oneself is possible while there is another admin', async () => {
    await service.createUser(tenant.business, 'admin');
    expect((await remove(tenant.admin.id)).status).toBe(200);
    expect((await remove(tenant.staff.id)).status).toBe(401);
  });
});

describe('the last admin', () => {
  const refusals: Record<string, (id: number, as: string) => ReturnType<typeof remove>> = {
    deleted: remove,
    'demoted to staff': (id, as) => update(id, { role: 'staff' }, as),
    'demoted to client, a new name beside': (id, as) => update(id, { role: 'client', name: 'Alex' }, as),
  };

  test.each(Object.keys(refusals))('cannot be %s', async (what) => {
    // Neither another business's admins nor deleted ones count.
    await service.createTenant();
    const gone = await service.createUser(tenant.business, 'admin');
    expect((await remove(gone.id)).status).toBe(200);
    const before = await stored(tenant.admin.id);
    const answer = await refusals[what]!(tenant.admin.id, tenant.as.admin);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ message: expect.stringMatching(/\S/), code: 'LAST_ADMIN' });
    expect(await stored(tenant.admin.id)).toEqual(before);
    expect((await service.call('GET', '/v1/events', { as: tenant.as.admin })).status).toBe(200);
  });

  test('can be renamed, also with the role that it has', async () => {
    const answer = await update(tenant.admin.id, { role: 'admin', name: 'Alex Stage' });
    expect(answer).toMatchObject({ status: 200, body: { data: { role: 'admin', name: 'Alex Stage' } } });
  });

  test('can be demoted once there is another admin', async () => {
    expect((await update(tenant.client.id, { role: 'admin' })).status).toBe(200);
    expect((await update(tenant.admin.id, { role: 'staff' })).status).toBe(200);
    expect((await remove(tenant.client.id, tenant.as.client)).status).toBe(409);
  });
});

describe('an API key', () => {
  const asKey = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    service.call(method, path, { as: tenant.as.key, ...(body && { body }) });
  const draft = (role: string) => ({ email: `${role}.by.key@example.com`, password: 'enough of it', name: 'K', role });

  test.each(['staff', 'client'])('manages users with role %s', async (role) => {
    const { status, body } = await asKey('POST', '/api/v1/users', draft(role));
    expect(status).toBe(201);
    expect((await asKey('PUT', url(body.data.id), { name: 'L' })).status).toBe(200);
    expect((await asKey('DELETE', url(body.data.id))).status).toBe(200);
  });

  test('can read admins, but not create, change, delete, promote or demote them', async () => {
    const second = await service.createUser(tenant.business, 'admin');
    expect((await asKey('GET', url(second.id))).status).toBe(200);
    const before = await service.prisma.user.findMany({ orderBy: { id: 'asc' } });
    const answers = [
      await asKey('POST', '/api/v1/users', draft('admin')),
      await asKey('PUT', url(second.id), { name: 'Changed' }),
      await asKey('PUT', url(second.id), { role: 'staff' }),
      await asKey('PUT', url(tenant.staff.id), { role: 'admin' }),
      await asKey('DELETE', url(second.id)),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ message: expect.stringMatching(/\S/), code: 'FORBIDDEN' });
    }
    expect(await service.prisma.user.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
  });
});
