import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import argon2 from 'argon2';
import { useOneTenant, useService, type TestAnswer } from './support/app.ts';
import { password } from './support/factories.ts';

const hashesAtATime = 2;
const hashQueue = 20;

const service = useService({
  env: {
    CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
    TRUST_PROXY: '127.0.0.1',
    CALLBOARD_HASH_CONCURRENCY: String(hashesAtATime),
    CALLBOARD_HASH_QUEUE: String(hashQueue),
  },
});

const tenant = useOneTenant(service);

afterEach(() => void jest.restoreAllMocks());

test('60 parallel log-ins do not delay other calls: surplus log-ins are refused', async () => {
  const users = await Promise.all(Array.from({ length: 60 }, () => service.createUser(tenant.business, 'staff')));
  // No hash is finished before the other calls are answered.
  const verify = argon2.verify;
  let finishHashes = () => {};
  const mayFinish = new Promise<void>((resolve) => (finishHashes = resolve));
  let [runningCount, highestRunningCount] = [0, 0];
  jest.spyOn(argon2, 'verify').mockImplementation(async (...args) => {
    highestRunningCount = Math.max(highestRunningCount, ++runningCount);
    await mayFinish;
    return verify(...args).finally(() => runningCount--);
  });

  const refusals: TestAnswer[] = [];
  const logIns = users.map(async ({ email }, index) => {
    // One address alone would reach the limit of its attempts.
    const headers = { 'x-forwarded-for': `198.51.100.${index}` };
    const answer = await service.call('POST', '/v1/auth/login', { body: { email, password }, headers });
    if (answer.status !== 200) refusals.push(answer);
    return answer;
  });
  while (refusals.length < 60 - hashesAtATime - hashQueue) await nextTurn();
  for (let call = 0; call < 20; call++)
    expect((await service.call('GET', '/v1/events', { as: tenant.as.admin })).status).toBe(200);
  expect(runningCount).toBe(hashesAtATime);

  finishHashes();
  await Promise.all(logIns);
  expect(highestRunningCount).toBe(hashesAtATime);
  expect(refusals.length).toBeLessThan(60 - hashesAtATime);
  for (const { status, headers, body } of refusals)
    expect({ status, headers, body }).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
      body: { success: false, data: null, code: 'UNAVAILABLE' },
    });
});

test('a log-in from another address gets through a flood from few addresses', async () => {
  const { email } = await service.createUser(tenant.business, 'staff');
  const verify = argon2.verify;
  let finishHashes = () => {};
  const mayFinish = new Promise<void>((resolve) => (finishHashes = resolve));
  jest.spyOn(argon2, 'verify').mockImplementation(async (...args) => {
    await mayFinish;
    return verify(...args);
  });
  const logIn = (who: string, secret: string, address: string) =>
    service.call('POST', '/v1/auth/login', {
      body: { email: who, password: secret },
      headers: { 'x-forwarded-for': address },
    });
  const refused: number[] = [];
  const flood = Array.from({ length: 60 }, async (_, index) => {
    const { status } = await logIn(`nobody${index}@example.com`, 'wrong password', `203.0.113.${index % 4}`);
    if (status === 503) refused.push(status);
    return status;
  });
  while (refused.length < 60 - hashesAtATime - hashQueue) await nextTurn();
  const right = [1, 2, 3].map((number) => logIn(email, password, `192.0.2.${number}`));
  // Each takes the place of one of the flood.
  while (refused.length < 60 - hashesAtATime - hashQueue + right.length) await nextTurn();
  finishHashes();
  expect((await Promise.all(right)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
});
