import { afterEach, expect, jest, test } from '@jest/globals';
import argon2 from 'argon2';
import { useService } from './support/app.ts';

/*
 * The time that a refusal takes must not tell whether somebody has the e-mail. Nearly all of it is the password hash, so these
 * tests count hashes and compare their cost, which unlike times do not depend on the machine.
 */

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });

afterEach(() => void jest.restoreAllMocks());

/** Algorithm, version and cost of a hash in PHC format: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
const costOf = (hash: string): string => hash.split('$').slice(0, 4).join('$');

/** Work done for a refused log-in. */
async function measureRefusal(email: string) {
  const verify = jest.spyOn(argon2, 'verify');
  const hash = jest.spyOn(argon2, 'hash');
  const answer = await service.call('POST', '/v1/auth/login', { body: { email, password: 'wrong' } });
  expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  const work = {
    verified: verify.mock.calls.map(([stored]) => costOf(stored)),
    hashed: hash.mock.calls.length,
  };
  jest.restoreAllMocks();
  return work;
}

test('an unknown e-mail is refused after the same work as a wrong password', async () => {
  const { business, admin } = await service.createTenant();
  const withoutPassword = await service.createUser(business, 'staff', { passwordHash: null });
  // The hash that unknown e-mails are compared with is made once.
  await measureRefusal('nobody@example.com');

  const refused = await measureRefusal(admin.email);
  expect(refused).toEqual({ verified: ['$argon2id$v=19$m=19456,t=2,p=1'], hashed: 0 });
  for (const email of ['nobody@example.com', withoutPassword.email]) {
    expect({ email, ...(await measureRefusal(email)) }).toEqual({ email, ...refused });
  }
});
