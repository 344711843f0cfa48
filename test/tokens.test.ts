import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';

let service: TestApp;
/** Another process of the service, on the same database. */
let second: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
  second = await startApp({ beside: service });
  tenant = await service.createTenant();
});

afterAll(async () => {
  await second.close();
  await service.close();
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

/** Both dialects refuse the credential. */
async function expectEnded(token: string): Promise<void> {
  const rest = await service.call('GET', '/v1/events', { as: token });
  expect(rest).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  expect(rest.body).toMatchObject({ success: false, data: null, code: 'UNAUTHENTICATED' });
  const graphql = await viewer(token);
  expect(graphql).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  expect(graphql.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
}

const expectAlive = async (token: string) => expect((await viewer(token)).body.errors).toBeUndefined();

describe('a personal token is revoked', () => {
  const twoTokens = async () => {
    const user = await service.createUser(tenant.business, 'staff');
    return { user, used: tokenFrom(await loginInRest(user.email)), other: tokenFrom(await loginInGraphql(user.email)) };
  };

  test('when it revokes itself; the others of its account stay valid', async () => {
    const { used, other } = await twoTokens();
    const answer = await service.call('DELETE', '/v1/tokens/personal', { as: used });
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { revoked: 1 } } });
    expect(answer.body.message).toMatch(/\S/);
    await expectEnded(used);
    await expectAlive(other);
    expect((await service.call('DELETE', '/v1/tokens/personal', { as: used })).status).toBe(401);
  });

  test('together with all others of the account; a log-in in the same second gives a valid one', async () => {
    const { user, used, other } = await twoTokens();
    const answer = await service.call('DELETE', '/v1/tokens/personal/all', { as: used });
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { revoked: 2 } } });
    const fresh = tokenFrom(await loginInRest(user.email));
    await expectEnded(used);
    await expectEnded(other);
    await expectAlive(fresh);
    await expectAlive(tenant.as.admin);
  });

  test('on every process of the service immediately', async () => {
    const { used } = await twoTokens();
    expect((await second.graphql('{ viewer { name } }', { as: used })).status).toBe(200);
    await service.call('DELETE', '/v1/tokens/personal', { as: used });
    expect((await second.graphql('{ viewer { name } }', { as: used })).status).toBe(401);
  });

  test('when its user is deleted directly in the database', async () => {
    const { user, used } = await twoTokens();
    await service.prisma.user.update({
      where: { businessId_id: { businessId: user.businessId, id: user.id } },
      data: { deletedAt: new Date(), emailKey: null },
    });
    await expectEnded(used);
  });

  test('not by a change of role: the next call has the new rights', async () => {
    const admin = await service.createUser(tenant.business, 'admin');
    const token = await service.tokenOf(admin);
    expect((await service.call('GET', '/v1/events', { as: token })).status).toBe(200);
    await service.call('PUT', `/api/v1/users/${admin.id}`, { as: tenant.as.admin, body: { role: 'client' } });
    const refused = await service.call('GET', '/v1/events', { as: token });
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await viewer(token)).body.data.viewer.role).toBe('CLIENT');
  });

  test('when its user moves to another business; a new one shows only that business', async () => {
    const from = await service.createTenant();
    const to = await service.createTenant();
    const event = await service.createEvent(from.business);
    const admin = await service.createUser(from.business, 'admin');
    const before = await service.tokenOf(admin);
    expect((await service.call('GET', `/v1/events/${event.uuid}`, { as: before })).status).toBe(200);
    await service.prisma.personalToken.deleteMany({ where: { userId: admin.id } });
    await service.prisma.$executeRaw`UPDATE users SET business_id = ${to.business.id} WHERE id = ${admin.id}`;
    await expectEnded(before);
    const after = tokenFrom(await loginInRest(admin.email));
    expect((await viewer(after)).body.data.viewer.business.databaseId).toBe(to.business.id);
    expect((await service.call('GET', `/v1/events/${event.uuid}`, { as: after })).status).toBe(404);
  });
});
