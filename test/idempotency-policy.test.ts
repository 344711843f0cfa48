import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createKeyedDigests } from '../src/access/keyed-digests.ts';
import { registeredOperations } from '../src/access/operation-record.ts';
import { startApp, useService, type TestApp } from './support/app.ts';
import { createScene, creates, newKey, type Scene } from './support/creates.ts';
import type { Tenant } from './support/factories.ts';

/* A stored answer is given again only to a caller who may do the same now, with the same secrets. */

const secret = (kid: string) => `${kid}:${kid.repeat(40)}`;
let scene: Scene;
let tenant: Tenant;

const service = useService({ env: { JWT_SECRETS: secret('one'), CALLBOARD_ANONYMOUS_PER_MINUTE: '1000' } });

const rolesOf = (name: string) => {
  const { roles } = registeredOperations().find((operation) => operation.name === creates[name]!.operation)!;
  return roles === 'anyone' ? {} : roles;
};
/** A claim is one of the staff member, who alone can make it. */
const ofAdmins = Object.keys(creates).filter((name) => rolesOf(name).admin !== undefined);

beforeEach(async () => {
  scene = await createScene(service);
  ({ tenant } = scene);
});

const withAdmin = (admin: string): Scene => ({ ...scene, tenant: { ...tenant, as: { ...tenant.as, admin } } });
const send = (name: string, key: string, as: string) => creates[name]!.send(service, withAdmin(as), key);

const isRefused = ({ code }: { code: string }) => ['UNAUTHENTICATED', 'FORBIDDEN'].includes(code);

const newUser = (more: object = {}) => ({
  email: `new-${tenant.business.id}@example.com`,
  name: 'Robin Fields',
  role: 'staff',
  password: 'enough of a password',
  ...more,
});

/** Both ways to create a user under a key. */
const ways: Record<
  string,
  (body: ReturnType<typeof newUser>, key: string, as: string, on?: TestApp) => Promise<string>
> = {
  REST: async (body, key, as, on = service) => {
    const reply = await on.call('POST', '/api/v1/users', { as, body, headers: { 'idempotency-key': key } });
    return reply.headers['idempotency-replayed'] === 'true' ? 'replayed' : (reply.body.code ?? 'OK');
  },
  GraphQL: async ({ role, ...body }, key, as, on = service) => {
    const before = await on.prisma.user.count();
    const { body: answer } = await on.graphql(
      'mutation ($key: String!, $input: CreateUserInput!) { createUser(idempotencyKey: $key, input: $input) { id } }',
      { as, variables: { key, input: { ...body, role: role.toUpperCase() } } },
    );
    if (answer.errors) return answer.errors[0].extensions.code;
    return (await on.prisma.user.count()) > before ? 'OK' : 'replayed';
  },
};

describe.each(ofAdmins)('a repeated %s', (name) => {
  test('is refused for the callers for whom the first call would be refused', async () => {
    const key = newKey();
    const second = await service.createUser(tenant.business, 'admin');
    const asSecond = await service.tokenOf(second);
    expect((await send(name, key, asSecond)).code).toBe('OK');
    for (const as of [tenant.as.staff, tenant.as.client, tenant.as.key, 'nothing'])
      expect({ as, isRefused: isRefused(await send(name, key, as)) }).toEqual({
        as,
        isRefused: isRefused(await send(name, newKey(), as)),
      });

    await service.prisma.user.updateMany({ where: { id: second.id }, data: { role: 'staff' } });
    // What staff may do at all is answered again to the same caller only.
    const expected = rolesOf(name).staff ? 'IDEMPOTENCY_KEY_REUSED' : 'FORBIDDEN';
    expect((await send(name, key, asSecond)).code).toBe(expected);
    await service.prisma.user.updateMany({ where: { id: second.id }, data: { role: 'admin' } });
    await service.prisma.personalToken.updateMany({ where: { userId: second.id }, data: { revokedAt: new Date() } });
    expect((await send(name, key, asSecond)).code).toBe('UNAUTHENTICATED');
  });
});

describe.each(Object.keys(ways))('a user created again in %s', (way) => {
  const create = ways[way]!;

  test('as an admin is refused for an API key, whose own call would be refused', async () => {
    const key = newKey();
    const body = newUser({ role: 'admin' });
    expect(await create(body, key, tenant.as.admin)).toBe('OK');
    expect(await create(body, key, tenant.as.key)).toBe('FORBIDDEN');
    expect(await create(body, key, tenant.as.admin)).toBe('replayed');
    // The refusal is in the audit trail, as that of a first call.
    const refused = { action: 'users.create', outcome: 'refused', businessId: tenant.business.id };
    expect(await service.prisma.auditEntry.count({ where: refused as never })).toBe(1);
  });

  test('with another password is refused, because the first one holds', async () => {
    const key = newKey();
    expect(await create(newUser(), key, tenant.as.admin)).toBe('OK');
    expect(await create(newUser({ password: 'another password' }), key, tenant.as.admin)).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await create(newUser({ password: 'enough of a Password' }), key, tenant.as.admin)).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await create(newUser(), key, tenant.as.admin)).toBe('replayed');
  });
});

test('every operation that can be repeated names the passwords in its input as secrets', () => {
  const repeatable = registeredOperations().filter(({ idempotent }) => idempotent);
  expect(repeatable.length).toBeGreaterThan(5);
  for (const { name, input, idempotent } of repeatable) {
    const { properties = {} } = input as { properties?: Record<string, { maxBytes?: number }> };
    // Only passwords are measured in bytes.
    const passwords = Object.keys(properties).filter(
      (field) => properties[field]!.maxBytes !== undefined || (field === 'inputs' && name.startsWith('users.')),
    );
    expect({ name, secrets: idempotent?.secrets ?? [] }).toEqual({ name, secrets: passwords });
  }
  expect(repeatable.flatMap(({ idempotent }) => idempotent?.secrets ?? [])).toEqual(['password', 'inputs']);
});

describe('the digest of a password', () => {
  const stored = async () => {
    const [row] = await service.prisma.idempotencyKey.findMany({ where: { businessId: tenant.business.id } });
    return Buffer.from(row!.fingerprint).toString('hex');
  };
  const text = (body: Record<string, string>) =>
    JSON.stringify(['users.create', Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))]);

  test('needs a secret of the service', async () => {
    const body = newUser();
    await ways['REST']!(body, newKey(), tenant.as.admin);
    const { password: _, ...open } = body;
    for (const plain of [text(body), text(open), body.password])
      expect(await stored()).not.toBe(createHash('sha256').update(plain).digest('hex'));
    const [, key = ''] = secret('one').split(':');
    expect([await stored()]).toEqual(createKeyedDigests([{ kid: 'one', secret: key }], 'idempotency keys')(text(body)));
  });

  test('is recognized while the secrets of the service are rotated', async () => {
    const key = newKey();
    const body = newUser();
    expect(await ways['REST']!(body, key, tenant.as.admin)).toBe('OK');
    const rotated = await startApp({
      beside: service,
      env: { JWT_SECRETS: `${secret('two')},${secret('one')}` },
    });
    expect(await ways['REST']!(body, key, tenant.as.admin, rotated)).toBe('replayed');
    expect(await ways['REST']!({ ...body, password: 'another password' }, key, tenant.as.admin, rotated)).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    await rotated.close();
  });
});
