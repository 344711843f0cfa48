import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startApp, type TestApp } from './support/app.ts';

let service: TestApp;
let origin: string;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
  origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => service.close());

/** Sent as GraphQL clients send it: with a header that no web page of another site can add unasked. */
const fetchFn = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...init.headers, 'apollo-require-preflight': 'true' } });

const audits = serverAudits({ url: () => `${origin}/graphql`, fetchFn });

test('there are the 61 audits of GraphQL over HTTP', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => ({ name: audit.name, id: audit.id, audit })))('$id: $name', async ({ audit }) => {
  const result = await audit.fn();
  expect(result).toMatchObject({ status: 'ok' });
});
