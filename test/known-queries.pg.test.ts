import { ApolloServer } from '@apollo/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';

/* Queries that came before are answered without Apollo, with the same answers. */

let service: TestApp;
beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
});
afterAll(() => service?.close());

let apollo: jest.SpiedFunction<ApolloServer['executeHTTPGraphQLRequest']>;
beforeEach(() => {
  apollo = jest.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest');
});
afterEach(() => void jest.restoreAllMocks());

/** Headers that are the same for equal requests. */
function comparable({ status, body, headers }: TestAnswer) {
  const {
    date: _,
    'x-request-id': _id,
    'x-ratelimit-remaining': _left,
    'x-ratelimit-reset': _reset,
    ...same
  } = headers;
  return { status, body: withoutRequestId(body), headers: same };
}

const withoutRequestId = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'requestId' ? '' : value)));

const remainingOf = ({ headers }: TestAnswer) => Number(headers['x-ratelimit-remaining']);

/** Asks three times: the first two answers are Apollo's. Returns the first and the last one, and the points of each. */
async function askThrice(ask: () => Promise<TestAnswer>) {
  const first = await ask();
  const second = await ask();
  apollo.mockClear();
  const last = await ask();
  return {
    first: comparable(first),
    last: comparable(last),
    points: [remainingOf(first) - remainingOf(second), remainingOf(second) - remainingOf(last)],
    byApollo: apollo.mock.calls.length,
  };
}

test.each([undefined, '*/*', 'application/json', 'application/graphql-response+json, application/json;q=0.9'])(
  'a query that came before is answered alike without Apollo for Accept %p',
  async (accept) => {
    const { business, as } = await service.createTenant();
    const event = await service.createEvent(business);
    const query = 'query One($id: ID!) { event(id: $id) { uuid title } twice: event(id: $id) { title } }';
    const request = { as: as.admin, variables: { id: event.uuid }, ...(accept && { headers: { accept } }) };
    const { first, last, points, byApollo } = await askThrice(() => service.graphql(query, request));
    expect(last).toEqual(first);
    expect(last).toMatchObject({ status: 200, body: { data: { event: { uuid: event.uuid } } } });
    expect(points).toEqual([2, 2]);
    expect(byApollo).toBe(0);
  },
);

interface Odd {
  readonly variables?: object;
  readonly operationName?: string;
}

test.each<[string, string, Odd]>([
  ['an error of a resolver', '{ event(id: "00000000-0000-4000-8000-000000000000") { title } }', {}],
  ['invalid variables', 'query One($id: ID!) { event(id: $id) { title } }', { variables: { id: { no: 'id' } } }],
  ['an operation that is not there', 'query One { rateLimit { limit } }', { operationName: 'Other' }],
  ['a query with too many root fields', `{ ${rootFields(limits.graphqlRootFields + 1)} }`, {}],
])('%s is answered by Apollo, for the same points', async (_case, query, odd) => {
  const { as } = await service.createTenant();
  const ask = async () => {
    const { statusCode, headers, body } = await service.app.http.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${as.admin}`, 'content-type': 'application/json', accept: '*/*' },
      payload: { query, ...odd },
    });
    return { status: statusCode, headers, body: JSON.parse(body) as unknown };
  };
  const { first, last, points, byApollo } = await askThrice(ask);
  expect(last).toEqual(first);
  expect(last).toMatchObject({ body: { errors: [{}] } });
  expect(points[1]).toBe(points[0]);
  expect(byApollo).toBe(1);
});

function rootFields(count: number): string {
  return Array.from({ length: count }, (_, number) => `a${number}: rateLimit { limit }`).join(' ');
}

test('the cost of a query and mutations are left to Apollo', async () => {
  const { as } = await service.createTenant();
  const query = '{ events { nodes { id } } }';
  const headers = { 'x-graphql-cost': '1' };
  const { last, byApollo } = await askThrice(() => service.graphql(query, { as: as.admin, headers }));
  expect(last).toMatchObject({ body: { extensions: { cost: {} } } });
  expect(byApollo).toBe(1);
  const mutation = 'mutation { createSkillLevel(input: { title: "A" }) { id } }';
  expect((await askThrice(() => service.graphql(mutation, { as: as.admin }))).byApollo).toBe(1);
});
