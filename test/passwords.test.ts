import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { User } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import { password, type Tenant } from './support/factories.ts';

const start = new Date('2026-11-20T12:00:00.000Z');
const next = 'another one for tests';
let now = start;
let tenant: Tenant;
const mutate = asker(() => service, 'mutation');

const service = useService({ clock: () => now });

beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});

const change = (as: string | undefined, input: object) =>
  mutate(as, '($input: ChangePasswordInput!) { it: changePassword(input: $input) { revoked } }', { input });
const reset = (as: string | undefined, userId: number, to = next) =>
  mutate(as, '($userId: ID!, $to: String!) { it: resetPassword(userId: $userId, password: $to) { revoked } }', {
    userId,
    to,
  });
const login = async ({ email }: User, with_: string) =>
  (await service.call('POST', '/v1/auth/login', { body: { email, password: with_ } })).status;
/** Whether the credential is good for anything. */
const isGood = async (as: string) => (await service.graphql('{ viewer { name } }', { as })).status === 200;

describe('changePassword', () => {
  test.each(['admin', 'staff', 'client'] as const)(
    'gives %s the new password, and ends all personal tokens but the one used',
    async (role) => {
      const others = [await service.tokenOf(tenant[role]), await service.tokenOf(tenant[role])];
      now = new Date(start.getTime() + 60_000);
      expect(await change(tenant.as[role], { current: password, next })).toMatchObject({
        code: 'OK',
        it: { revoked: 2 },
      });
      expect(await isGood(tenant.as[role])).toBe(true);
      for (const other of others) expect(await isGood(other)).toBe(false);
      expect(await login(tenant[role], password)).toBe(401);
      expect(await login(tenant[role], next)).toBe(200);
      const user = await service.prisma.user.findFirstOrThrow({ where: { id: tenant[role].id } });
      expect(user).toMatchObject({ updatedAt: now, passwordHash: expect.stringMatching(/^\$argon2id\$/) });
      // Nobody else has noticed.
      for (const bystander of (['admin', 'staff', 'client'] as const).filter((other) => other !== role)) {
        expect(await isGood(tenant.as[bystander])).toBe(true);
        expect(await login(tenant[bystander], password)).toBe(200);
      }
    },
  );

  test('is refused without the current password, and nothing changes', async () => {
    const other = await service.tokenOf(tenant.staff);
    expect(await change(tenant.as.staff, { current: 'not mine', next })).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { current: ['is not your password'] },
    });
    expect(await isGood(other)).toBe(true);
    expect(await login(tenant.staff, password)).toBe(200);
  });

  test('is refused to a user without a password', async () => {
    const user = await service.createUser(tenant.business, 'staff', { passwordHash: null });
    const { errors } = await change(await service.tokenOf(user), { current: password, next });
    expect(errors).toEqual({ current: ['is not your password'] });
  });

  test.each<[string, object, string[]]>([
    ['short', { next: 'k7 # w~' }, ['next']],
    ['long', { next: 'x'.repeat(limits.passwordMaxBytes + 1) }, ['next']],
    ['short, beside an empty one', { current: '', next: 'x' }, ['current', 'next']],
  ])('refuses a new password that is %s, without repeating it', async (_, input, fields) => {
    const answer = await change(tenant.as.staff, { current: password, ...input });
    expect({ code: answer.code, fields: Object.keys(answer.errors) }).toEqual({ code: 'VALIDATION_FAILED', fields });
    expect(JSON.stringify(answer)).not.toContain(password);
  });
});

describe('resetPassword', () => {
  test.each(['admin', 'key'] as const)('by %s sets a new password and revokes all tokens of the user', async (who) => {
    await service.tokenOf(tenant.staff);
    expect(await reset(tenant.as[who], tenant.staff.id)).toMatchObject({ code: 'OK', it: { revoked: 2 } });
    expect(await isGood(tenant.as.staff)).toBe(false);
    expect(await login(tenant.staff, password)).toBe(401);
    expect(await login(tenant.staff, next)).toBe(200);
    expect(await isGood(tenant.as[who])).toBe(true);
  });

  test('of an admin can be done by another admin, not by an API key or the admin themselves', async () => {
    const other = await service.createUser(tenant.business, 'admin');
    expect((await reset(tenant.as.key, other.id)).code).toBe('FORBIDDEN');
    expect((await reset(tenant.as.admin, tenant.admin.id)).code).toBe('FORBIDDEN');
    expect((await reset(tenant.as.admin, other.id)).code).toBe('OK');
    expect([await login(other, next), await login(tenant.admin, password)]).toEqual([200, 200]);
  });

  test('gives a log-in to a user without a password', async () => {
    const user = await service.createUser(tenant.business, 'client', { passwordHash: null });
    expect((await reset(tenant.as.admin, user.id)).it).toEqual({ revoked: 0 });
    expect(await login(user, next)).toBe(200);
  });

  test('does not find deleted users or users of another business', async () => {
    const stranger = await service.createTenant();
    const gone = await service.createUser(tenant.business, 'staff');
    await service.call('DELETE', `/api/v1/users/${gone.id}`, { as: tenant.as.admin });
    for (const id of [stranger.staff.id, stranger.admin.id, gone.id, limits.int4Max, 0])
      expect((await reset(tenant.as.admin, id)).code).toBe('NOT_FOUND');
    expect((await reset(tenant.as.key, stranger.admin.id)).code).toBe('NOT_FOUND');
    expect(await isGood(stranger.as.staff)).toBe(true);
  });

  test('follows the rules of a new password and is forbidden to staff and clients', async () => {
    expect(await reset(tenant.as.admin, tenant.staff.id, 'passwor')).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { password: [expect.any(String)] },
    });
    for (const as of [tenant.as.staff, tenant.as.client])
      expect((await reset(as, tenant.client.id)).code).toBe('FORBIDDEN');
  });
});
