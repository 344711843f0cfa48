import { describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { useService, useTenant } from './support/app.ts';
import { password } from './support/factories.ts';

/* A log-in that asks for a token which may do less than its user. */

const service = useService();
const tenant = useTenant(service);

const logIn = (more: object = {}) =>
  service.call('POST', '/v1/auth/login', { body: { email: tenant.admin.email, password, ...more } });
const logInByGraphql = (scope?: string | null) =>
  service.graphql(
    `mutation ($email: String!, $password: String!, $scope: String) {
       login(email: $email, password: $password, scope: $scope) { accessToken tokenType expiresIn scope } }`,
    { variables: { email: tenant.admin.email, password, ...(scope !== undefined && { scope }) } },
  );
const narrowTo = async (scope: string) => (await logIn({ scope })).body.data.access_token as string;
const scopesOf = async (as: string) =>
  (await service.graphql('{ viewer { scopes } }', { as })).body.data.viewer.scopes as string[];

describe('a log-in', () => {
  test.each([{}, { scope: null }])('with %j answers as the contract says, and the token is full', async (more) => {
    const { body } = await logIn(more);
    const { access_token: token } = body.data;
    expect(JSON.stringify(body)).toBe(
      `{"success":true,"data":{"access_token":"${token}","token_type":"Bearer","expires_in":${limits.credentialLifetimeS}},"message":"Logged in."}`,
    );
    expect(await scopesOf(token)).toEqual(['FULL']);
  });

  test.each([
    ['read', 'read', ['READ']],
    ['staffing:write read staffing:write', 'read staffing:write', ['READ', 'STAFFING_WRITE']],
    ['read full', 'full', ['FULL']],
  ])('that asks for "%s" gets a token with the scopes "%s"', async (asked, granted, names) => {
    const { status, body } = await logIn({ scope: asked });
    expect({ status, scope: body.data.scope }).toEqual({ status: 200, scope: granted });
    expect(await scopesOf(body.data.access_token)).toEqual(names);
    const inGraphql = await logInByGraphql(asked);
    expect(inGraphql.body.data.login).toMatchObject({ tokenType: 'Bearer', scope: granted });
    expect(await scopesOf(inGraphql.body.data.login.accessToken)).toEqual(names);
  });

  test('in GraphQL without a scope gets a full token', async () => {
    for (const scope of [undefined, null])
      expect((await logInByGraphql(scope)).body.data.login).toMatchObject({ scope: 'full' });
  });

  test.each(['', ' ', 'read ', 'read  events:write', 'read,events:write', 'READ', 'everything', 'x'.repeat(5000)])(
    'that asks for "%s" is refused, before the password is checked',
    async (scope) => {
      const answer = await logIn({ scope, password: 'wrong' });
      expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
      expect(Object.keys(answer.body.errors)).toEqual(['scope']);
      const [error] = (await logInByGraphql(scope)).body.errors;
      expect(error.extensions).toEqual({ code: 'VALIDATION_FAILED', errors: answer.body.errors });
    },
  );

  test('with a scope of the wrong type is refused', async () => {
    for (const scope of [['read'], 7, true, {}]) {
      const { status, body } = await logIn({ scope });
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['scope'] });
    }
  });

  test('that was narrowed is in the audit trail with its scopes', async () => {
    await logIn();
    await logIn({ scope: 'read' });
    const entries = await service.prisma.auditEntry.findMany({
      where: { businessId: tenant.business.id, action: 'tokens.login' },
      orderBy: { id: 'asc' },
      select: { details: true },
    });
    expect(entries).toEqual([{ details: null }, { details: { scopes: ['read'] } }]);
  });
});

describe('a narrowed token', () => {
  test('however wide short of full, makes no wider one and ends no other', async () => {
    const as = await narrowTo('read events:write staffing:write users:write webhooks');
    const mutations = [
      `changePassword(input: { current: "${password}", next: "another one entirely" }) { revoked }`,
      `resetPassword(userId: ${tenant.staff.id}, password: "another one entirely") { revoked }`,
      'logoutEverywhere { revoked }',
      'createApiKey(input: { name: "Wider" }) { key }',
      'createApiKey(input: { name: "Equal", scopes: [READ] }) { key }',
      'revokeAllApiKeys { revoked }',
      `revokeApiKey(id: "${tenant.apiKey.publicId}") { revoked }`,
      `updateUser(id: ${tenant.admin.id}, input: { email: "other@narrow.example" }) { id }`,
    ];
    for (const mutation of mutations) {
      const { body } = await service.graphql(`mutation { it: ${mutation} }`, { as });
      expect({ mutation, ...body.errors?.[0].extensions }).toEqual({
        mutation,
        code: 'FORBIDDEN',
        missingScopes: ['full'],
      });
    }
    for (const query of ['{ apiKeys { id } }', '{ auditEntries { totalCount } }'])
      expect((await service.graphql(query, { as })).body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await scopesOf(tenant.as.admin)).toEqual(['FULL']);
  });
});
