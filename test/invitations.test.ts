import { beforeEach, describe, expect, test } from '@jest/globals';
import { attemptLimits, limits } from '../src/config/limits.ts';
import { useService, useTenant } from './support/app.ts';
import { password as usual } from './support/factories.ts';

/* Links with which people set their first password. */

const start = new Date('2026-12-05T12:00:00.000Z');
let now = start;
let from: Record<string, string>;
let address = 0;

const service = useService({
  env: {
    CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
    TRUST_PROXY: '127.0.0.1',
    CALLBOARD_REFUSE_COMMON_PASSWORDS: 'true',
  },
  clock: () => now,
});
/** Failures are counted by address, so each test has its own. */
beforeEach(() => {
  now = start;
  from = { 'x-forwarded-for': `203.0.113.${++address}` };
});
const tenant = useTenant(service);
const password = 'the first of mine';

const createUser = async (role = 'staff', more: object = {}) => {
  const inputs = [{ email: `${crypto.randomUUID()}@example.com`, name: 'Robin', role, password: null, ...more }];
  const { body } = await service.call('POST', '/api/v1/users/batch', { as: tenant.as.admin, body: { inputs } });
  const [{ user, error }] = body.data as [{ user: { id: number; email: string }; error: { errors: object } | null }];
  return { user, error };
};
const invite = (id: number, as = tenant.as.admin) => service.call('POST', `/api/v1/users/${id}/invitation`, { as });
const secretOf = ({ body }: { body: { data: { path: string } } }) => body.data.path.split('#')[1]!;
const claim = (secret: string, chosen: unknown = password) =>
  service.call('POST', '/v1/invitations/claims', { body: { secret, password: chosen }, headers: from });
const logIn = (email: string, secret = password) =>
  service.call('POST', '/v1/auth/login', { body: { email, password: secret }, headers: from });
const update = (id: number, body: object) => service.call('PUT', `/api/v1/users/${id}`, { as: tenant.as.admin, body });

describe('a user', () => {
  test('may be created without a password among many, and cannot log in', async () => {
    const { user, error } = await createUser();
    expect(error).toBeNull();
    expect((await logIn(user.email)).body.code).toBe('INVALID_CREDENTIALS');
    const inputs = [{ password: null }, {}].map((sent) => ({
      ...{ email: `${crypto.randomUUID()}@example.com`, name: 'Kim', role: 'STAFF' },
      ...sent,
    }));
    const { body: made } = await service.graphql(
      'mutation ($inputs: [CreateUserInput!]!) { createUsers(inputs: $inputs) { user { canLogIn } error { message } } }',
      { as: tenant.as.admin, variables: { inputs } },
    );
    expect(made).toEqual({ data: { createUsers: inputs.map(() => ({ user: { canLogIn: false }, error: null })) } });
    expect((await createUser('staff', { password: undefined })).error).toBeNull();
    expect((await createUser('staff', { password: 'short' })).error).toMatchObject({
      errors: { password: [expect.any(String)] },
    });
  });

  test.each([{}, { password: null }])('is not created alone with %j for a password, in both dialects', async (sent) => {
    const input = { email: `${crypto.randomUUID()}@example.com`, name: 'Kim', ...sent };
    const rest = await service.call('POST', '/api/v1/users', {
      as: tenant.as.admin,
      body: { ...input, role: 'staff' },
    });
    expect(rest).toMatchObject({ status: 422, body: { errors: { password: [expect.any(String)] } } });
    const { body } = await service.graphql(
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { name } }',
      { as: tenant.as.admin, variables: { input: { ...input, role: 'STAFF' } } },
    );
    expect(body.errors[0].extensions.errors).toEqual({ password: [expect.any(String)] });
  });
});

describe('an invitation', () => {
  test('lets the user set their first password, once, and log in', async () => {
    const { id, email } = (await createUser()).user;
    const made = await invite(id);
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          path: expect.stringMatching(/^\/app\/invitation#[\w-]{43}$/),
          expires_at: new Date(start.getTime() + limits.invitationS * 1000).toISOString(),
        },
      },
    });
    const [stored] = await service.prisma.$queryRaw<{ text: string }[]>`
      SELECT string_agg(i::text, ' ') AS text FROM invitations i`;
    expect(stored!.text).not.toContain(secretOf(made));
    expect(await claim(secretOf(made))).toMatchObject({ status: 200, body: { data: { email } } });
    expect((await logIn(email)).status).toBe(200);
    expect(await claim(secretOf(made), 'another of mine')).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS' },
    });
    expect(await service.prisma.invitation.count({ where: { userId: id } })).toBe(0);
  });

  test('is made and claimed through GraphQL as well', async () => {
    const { id, email } = (await createUser()).user;
    const { body } = await service.graphql('mutation ($id: ID!) { inviteUser(id: $id) { path expiresAt } }', {
      as: tenant.as.admin,
      variables: { id: String(id) },
    });
    const variables = { secret: body.data.inviteUser.path.split('#')[1], password };
    const document =
      'mutation ($secret: String!, $password: String!) { claimInvitation(secret: $secret, password: $password) { email } }';
    expect((await service.graphql(document, { variables })).body).toEqual({ data: { claimInvitation: { email } } });
    expect((await service.graphql(document, { variables })).body.errors[0].extensions.code).toBe('INVALID_CREDENTIALS');
  });

  test('is claimed once by five who try at the same time', async () => {
    const { secret } = await service.createInvitation(tenant.business);
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(secret)));
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('ends after three days', async () => {
    const { secret } = await service.createInvitation(tenant.business);
    now = new Date(start.getTime() + limits.invitationS * 1000);
    expect((await claim(secret)).status).toBe(401);
    now = new Date(now.getTime() - 1000);
    expect((await claim(secret)).status).toBe(200);
  });

  test.each<[string, (id: number) => Promise<{ status: number }>]>([
    ['a new link', (id) => invite(id).then(({ status }) => ({ status: status - 1 }))],
    ['a change of the e-mail', (id) => update(id, { email: `${crypto.randomUUID()}@example.com` })],
    ['a change of the role', (id) => update(id, { role: 'client' })],
    ['the deletion of the user', (id) => service.call('DELETE', `/api/v1/users/${id}`, { as: tenant.as.admin })],
    [
      'a password that an admin sets',
      (id) => service.call('PUT', `/v1/passwords/users/${id}`, { as: tenant.as.admin, body: { password } }),
    ],
  ])('is void after %s', async (_, does) => {
    const { userId, secret } = await service.createInvitation(tenant.business);
    expect((await does(userId)).status).toBe(200);
    expect((await claim(secret)).status).toBe(401);
  });

  test('stays good after another change of the user, and after a password that is refused', async () => {
    const { userId, secret } = await service.createInvitation(tenant.business);
    await update(userId, { name: 'Another Name' });
    for (const refused of ['short', 'password123', 1, null])
      expect(await claim(secret, refused)).toMatchObject({
        status: 422,
        body: { errors: { password: expect.anything() } },
      });
    expect((await claim(secret)).status).toBe(200);
  });

  test('is refused for a user who has a password, and names what sets another one', async () => {
    expect(await invite(tenant.staff.id)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('passwords.reset') },
    });
    expect((await logIn(tenant.staff.email, usual)).status).toBe(200);
  });

  test('is for admins, with the right to make such a user, and for their own business', async () => {
    const { id } = (await createUser()).user;
    const { id: adminId } = (await createUser('admin')).user;
    const stranger = await service.createTenant();
    expect((await invite(id, tenant.as.key)).status).toBe(201);
    for (const [invited, as, status] of [
      [id, tenant.as.staff, 403],
      [id, tenant.as.client, 403],
      [id, await service.tokenOf(tenant.admin, ['read']), 403],
      [adminId, tenant.as.key, 403],
      [adminId, await service.tokenOf(tenant.admin, ['users:write']), 403],
      [id, stranger.as.admin, 404],
      [limits.int4Max, tenant.as.admin, 404],
    ] as const)
      expect((await invite(invited, as)).status).toBe(status);
    expect((await invite(adminId)).status).toBe(201);
  });

  test('is made for many at once: who has a password or is not there has a refusal of their own, in both dialects', async () => {
    const [one, other] = [(await createUser()).user, (await createUser('client')).user];
    const user_ids = [one.id, tenant.staff.id, limits.int4Max, other.id];
    const rest = await service.call('POST', '/v1/invitations/batch', { as: tenant.as.admin, body: { user_ids } });
    expect(rest).toMatchObject({
      status: 201,
      body: {
        data: [
          { invitation: { path: expect.any(String) }, error: null },
          { invitation: null, error: { code: 'CONFLICT' } },
          { invitation: null, error: { code: 'NOT_FOUND' } },
          { invitation: { path: expect.any(String) }, error: null },
        ],
      },
    });
    const { body } = await service.graphql(
      'mutation ($ids: [ID!]!) { it: inviteUsers(userIds: $ids) { invitation { path } error { code } } }',
      { as: tenant.as.admin, variables: { ids: user_ids.map(String) } },
    );
    expect(body.data.it).toMatchObject(
      rest.body.data.map(({ error }: { error: { code: string } | null }) => ({
        invitation: error ? null : { path: expect.any(String) },
        error: error && { code: error.code },
      })),
    );
    const secretIn = (path: string) => path.split('#')[1]!;
    expect((await claim(secretIn(rest.body.data[0].invitation.path))).status).toBe(401);
    expect((await claim(secretIn(body.data.it[0].invitation.path))).status).toBe(200);
    for (const [userIds, field] of [
      [[one.id, one.id], 'user_ids'],
      [[one.id, 0], 'user_ids.1'],
    ] as const) {
      const wrong = { as: tenant.as.admin, body: { user_ids: userIds } };
      expect(await service.call('POST', '/v1/invitations/batch', wrong)).toMatchObject({
        status: 422,
        body: { errors: { [field]: [expect.any(String)] } },
      });
    }
  });

  test('is for those whom the API says cannot log in yet, and it says so to admins only', async () => {
    const { secret, user } = await service.createInvitation(tenant.business);
    const seenBy = async (as: string, id: number) =>
      (await service.graphql(`{ node(id: "${await globalIdOf(id)}") { ... on User { canLogIn } } }`, { as })).body.data
        .node;
    const globalIdOf = async (id: number) =>
      (await service.graphql(`{ user(id: ${id}) { id } }`, { as: tenant.as.admin })).body.data.user.id as string;
    const inStaff = async () =>
      (await service.call('GET', '/v1/staff?per_page=100', { as: tenant.as.admin })).body.data.data.find(
        ({ id }: { id: number }) => id === user.id,
      ).can_log_in;
    expect(await seenBy(tenant.as.admin, user.id)).toEqual({ canLogIn: false });
    expect(await inStaff()).toBe(false);
    expect(await seenBy(tenant.as.staff, tenant.staff.id)).toEqual({ canLogIn: null });
    await claim(secret);
    expect(await seenBy(tenant.as.admin, user.id)).toEqual({ canLogIn: true });
    expect(await inStaff()).toBe(true);
  });

  test('is guessed at only so often, by link and by address', async () => {
    const [byLink, byAddress] = attemptLimits.claimInvitation;
    for (let attempt = 0; attempt < byLink.max; attempt++) expect((await claim('one guess')).status).toBe(401);
    expect(await claim('one guess')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    for (let attempt = byLink.max; attempt < byAddress.max; attempt++)
      expect((await claim(`guess ${attempt}`)).status).toBe(401);
    const { secret } = await service.createInvitation(tenant.business);
    expect((await claim(secret)).status).toBe(429);
  });
});
