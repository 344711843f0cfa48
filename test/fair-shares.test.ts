import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* One business that asks for much beside one that asks for little. */

let service: TestApp;
let busy: Tenant;
let other: Tenant;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_DB_POOL: '1' } });
  [busy, other] = [await service.createTenant(), await service.createTenant()];
  for (const { business } of [busy, other]) await service.createEvent(business);
});

afterAll(() => service.close());

const reads = (count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: events(first: 1, filter: { text: "${index}" }) { totalCount nodes { uuid } }`).join(' ')} }`;

const writes = (count: number) =>
  `mutation { ${Array.from({ length: count }, (_, index) => `a${index}: createSkillLevel(input: { name: "Level ${index} ${count}" }) { id }`).join(' ')} }`;

test.each([
  ['reads', reads],
  ['writes', writes],
] as const)('a business with many %s on the only connection does not hold up the others', async (_kind, ask) => {
  let answered = 0;
  const requests = Array.from({ length: 4 }, async (_, index) => {
    const answer = await service.graphql(ask(25 + index), { as: busy.as.admin });
    answered++;
    return answer;
  });
  // Its credential is looked up while statements of the busy business wait.
  const list = await service.call('GET', '/v1/events', { as: other.as.admin });
  expect(list.status).toBe(200);
  const created = await service.call('POST', '/v1/events', {
    as: other.as.admin,
    body: {
      title: 'Short',
      start_time: '2026-12-01 10:00:00',
      end_time: '2026-12-01 11:00:00',
      timezone: 'UTC',
    },
  });
  expect(created.status).toBe(201);
  expect(answered).toBe(0);
  for (const { status, body } of await Promise.all(requests)) expect([status, body.errors]).toEqual([200, undefined]);
});

test('an export that begins right after another one is answered', async () => {
  const headers = { accept: 'text/csv' };
  const origin = await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  for (let round = 0; round < 10; round++) {
    const answer = await fetch(`${origin}/v1/events`, {
      headers: { ...headers, authorization: `Bearer ${busy.as.admin}` },
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('\r\n')]);
  }
  const exports = [busy, other, busy, other].map(async ({ as }) => {
    const answer = await fetch(`${origin}/v1/events`, { headers: { ...headers, authorization: `Bearer ${as.key}` } });
    return [answer.status, await answer.text()];
  });
  for (const answer of await Promise.all(exports)) expect(answer).toEqual([200, expect.stringContaining('\r\n')]);
});
