import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';

/* How long a refusal takes tells nothing about who is there: medians, taken in turn so that a busy machine slows all alike. */

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

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('an e-mail that nobody has is refused in the time that a wrong password takes', async () => {
  const { business, admin } = await service.createCast();
  const withoutPassword = await service.createUser(business, 'staff', { passwordHash: null });
  const emails = { known: admin.email, unknown: 'nobody@example.com', withoutPassword: withoutPassword.email };
  for (const email of Object.values(emails)) await msOf(email);

  // A machine may stumble: one good round of three is proof, as a real difference would show in each.
  let ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    const ms: Record<string, number[]> = { known: [], unknown: [], withoutPassword: [] };
    for (let turn = 0; turn < 31; turn++)
      for (const [who, email] of Object.entries(emails)) ms[who]?.push(await msOf(email));
    ratios = ['unknown', 'withoutPassword'].map((who) => median(ms[who] ?? []) / median(ms['known'] ?? []));
    if (ratios.every((ratio) => Math.abs(ratio - 1) <= 0.1)) break;
  }
  for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.1);
}, 60_000);
