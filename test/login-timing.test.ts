import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';

/*
 * How long a refusal takes tells nothing about who is there. Compared are the fastest of many: what else a machine does makes an
 * answer slower, never faster, and a refusal that spared itself the hashing would show in each.
 */

let service: TestApp;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000', TRUST_PROXY: '127.0.0.1' } });
});

afterAll(() => service.close());

let calls = 0;

async function msOf(email: string): Promise<number> {
  calls += 1;
  const headers = { 'x-forwarded-for': `198.51.${Math.floor(calls / 250)}.${calls % 250}` };
  const startedAt = performance.now();
  const answer = await service.call('POST', '/v1/auth/login', { body: { email, password: 'wrong' }, headers });
  const ms = performance.now() - startedAt;
  expect(answer.status).toBe(401);
  return ms;
}

test('an unknown e-mail is refused in the same time as a wrong password', async () => {
  const { business, admin } = await service.createCast();
  const withoutPassword = await service.createUser(business, 'staff', { passwordHash: null });
  const emails = { known: admin.email, unknown: 'nobody@example.com', withoutPassword: withoutPassword.email };
  for (const email of Object.values(emails)) await msOf(email);

  const fastest = { known: Infinity, unknown: Infinity, withoutPassword: Infinity };
  const others = ['unknown', 'withoutPassword'] as const;
  const areAlike = () => others.every((who) => Math.abs(fastest[who] / fastest.known - 1) <= 0.1);
  const startedAt = performance.now();
  const isInTime = () => performance.now() - startedAt < 120_000;
  for (let turn = 0; turn < 31 || (isInTime() && !areAlike()); turn++)
    for (const who of ['known', ...others] as const) fastest[who] = Math.min(fastest[who], await msOf(emails[who]));
  for (const who of others) expect(Math.abs(fastest[who] / fastest.known - 1)).toBeLessThanOrEqual(0.1);
}, 180_000);
