import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';

/* Whether a new password may be a common one is a setting. The contract has no such rule, so the default is that it may. */

let open: TestApp;
let strict: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  open = await startApp();
  strict = await startApp({ beside: open, env: { CALLBOARD_REFUSE_COMMON_PASSWORDS: 'true' } });
  tenant = await open.createTenant();
});

afterAll(async () => {
  await strict.close();
  await open.close();
});

let count = 0;
const create = (service: TestApp, secret: string, more: object = {}) =>
  service.call('POST', '/api/v1/users', {
    as: tenant.as.admin,
    body: { email: `common${++count}@example.com`, name: 'Robin', role: 'staff', password: secret, ...more },
  });

test('by default, a common password is accepted and can be used to log in', async () => {
  const { status, body } = await create(open, 'password123');
  expect(status).toBe(201);
  const { email } = body.data;
  expect(await open.call('POST', '/v1/auth/login', { body: { email, password: 'password123' } })).toMatchObject({
    status: 200,
  });
  // Only new passwords are judged.
  expect(await strict.call('POST', '/v1/auth/login', { body: { email, password: 'password123' } })).toMatchObject({
    status: 200,
  });
});

test.each(['password123', 'SUNSHINE'])('with the setting, %s is refused wherever a password is set', async (secret) => {
  const errors = { password: ['is among the most common passwords'] };
  expect(await create(strict, secret)).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', errors } });
  const reset = await strict.graphql(
    'mutation ($id: ID!, $to: String!) { resetPassword(userId: $id, password: $to) { revoked } }',
    { as: tenant.as.admin, variables: { id: tenant.staff.id, to: secret } },
  );
  expect(reset.body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors } }]);
  const change = await strict.graphql(
    'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revoked } }',
    { as: tenant.as.staff, variables: { input: { current: password, next: secret } } },
  );
  expect(change.body.errors).toMatchObject([{ extensions: { errors: { next: errors.password } } }]);
  expect(await create(strict, 'not a common one')).toMatchObject({ status: 201 });
});

test('it is named beside the other faults of the input', async () => {
  const { body } = await create(strict, 'password123', { role: 'owner', colour: 'red' });
  expect(Object.keys(body.errors).sort()).toEqual(['colour', 'password', 'role']);
});
