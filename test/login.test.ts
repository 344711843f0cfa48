import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService, type TestAnswer } from './support/app.ts';
import { password } from './support/factories.ts';

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
const tenant = useOneTenant(service);

beforeAll(async () => {
  await service.createUser(tenant.business, 'staff', { email: 'kim@example.com' });
});

const loginInRest = (email: unknown, secret: unknown = password) =>
  service.call('POST', '/v1/auth/login', { body: { email, password: secret } });

const loginInGraphql = (email: unknown, secret: unknown = password) =>
  service.graphql(
    `mutation ($email: String!, $password: String!) {
       login(email: $email, password: $password) { accessToken tokenType expiresIn }
     }`,
    { variables: { email, password: secret } },
  );

const viewer = (as: string) =>
  service.graphql('{ viewer { user { databaseId } role business { databaseId } } }', { as });

const tokenFrom = ({ body }: TestAnswer): string => body.data.access_token ?? body.data.login.accessToken;

describe('a log-in', () => {
  test('returns a bearer token for 24 hours, in REST and in GraphQL', async () => {
    const rest = await loginInRest(tenant.admin.email);
    expect(rest.status).toBe(200);
    expect(rest.body).toEqual({
      success: true,
      data: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400 },
      message: expect.stringMatching(/\S/),
    });
    const graphql = await loginInGraphql(tenant.admin.email);
    expect(graphql.body).toEqual({
      data: { login: { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 86_400 } },
    });
    for (const token of [tokenFrom(rest), tokenFrom(graphql)])
      expect((await viewer(token)).body.data.viewer).toEqual({
        user: { databaseId: tenant.admin.id },
        role: 'ADMIN',
        business: { databaseId: tenant.business.id },
      });
  });

  test.each(['admin', 'staff', 'client'] as const)('is open to a user with role %s', async (role) => {
    expect((await loginInRest(tenant[role].email)).status).toBe(200);
  });

  test('accepts the e-mail in any case', async () => {
    await service.createUser(tenant.business, 'staff', { email: 'Mixed.Case@Example.com' });
    for (const email of ['Mixed.Case@Example.com', 'mixed.case@example.com', 'MIXED.CASE@EXAMPLE.COM']) {
      expect((await loginInRest(email)).status).toBe(200);
      expect((await loginInGraphql(email)).body.errors).toBeUndefined();
    }
  });

  test('ignores a credential that comes with it', async () => {
    const answer = await service.call('POST', '/v1/auth/login', {
      as: 'no-credential-at-all',
      body: { email: tenant.admin.email, password },
    });
    expect(answer.status).toBe(200);
  });

  test('answers a wrong password, an unknown e-mail, a deleted user and unusable hashes with the same bytes', async () => {
    const business = await service.createBusiness();
    const of = async (more: object) => (await service.createUser(business, 'admin', more)).email;
    const emails = [
      'nobody@example.com',
      await of({ passwordHash: null }),
      await of({ passwordHash: '$argon2id$' }),
      await of({ passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$AAAA' }),
      await of({ passwordHash: '$argon2id$v=19$m=99999999999,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g' }),
    ];
    const deleted = await service.createUser(business, 'staff');
    const admin = await service.tokenOf(await service.createUser(business, 'admin'));
    expect((await service.call('DELETE', `/api/v1/users/${deleted.id}`, { as: admin })).status).toBe(200);
    const answers = [await loginInRest(tenant.admin.email, `${password}!`)];
    for (const email of [...emails, deleted.email]) answers.push(await loginInRest(email));
    for (const { status, body, headers } of answers) {
      expect({ status, challenge: headers['www-authenticate'] }).toEqual({ status: 401, challenge: 'Bearer' });
      expect(body).toEqual(answers[0]!.body);
    }
    expect(answers[0]!.body).toMatchObject({ success: false, data: null, code: 'INVALID_CREDENTIALS' });
    for (const email of emails)
      expect((await loginInGraphql(email)).body.errors).toMatchObject([
        { message: answers[0]!.body.message, extensions: { code: 'INVALID_CREDENTIALS' } },
      ]);
  });

  test('leaves neither password nor token in the database', async () => {
    const user = await service.createUser(tenant.business, 'staff');
    const token = tokenFrom(await loginInRest(user.email));
    const rows = await service.prisma.personalToken.findMany({ where: { userId: user.id } });
    expect(rows).toHaveLength(1);
    const stored = JSON.stringify([rows, await service.prisma.user.findMany()]);
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(token.split('.')[2]);
  });
});
