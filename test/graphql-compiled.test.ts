import { ApolloServer, type ApolloServerPlugin, type GraphQLRequest } from '@apollo/server';
import { afterAll, expect, test } from '@jest/globals';
import { buildSchema, GraphQLError } from 'graphql';
import { compiledQueries } from '../src/graphql/compiled-queries.ts';
import type { Context } from '../src/graphql/context.ts';
import { failureReports, formatError } from '../src/graphql/failures.ts';

/* Compares the answers by compiled queries with those of graphql-js. The suite itself runs with the switch on and off, too. */

const schema = buildSchema(`
  type Query {
    event(uuid: ID!): Event
    events(first: Int = 2): [Event!]!
    broken: Event
    strict: Event!
  }
  type Mutation { rename(title: String!): Event }
  type Event { uuid: ID! title: String later: String shifts: [Shift] mustHave: String! }
  type Shift { name: String rate: Float! }
`);

const eventOf = (uuid: string) => ({
  uuid,
  title: `event ${uuid}`,
  mustHave: uuid === 'hollow' ? null : 'here',
  shifts: [{ name: 'Ann', rate: 20 }, null, { name: 'Bo', rate: uuid === 'unpaid' ? null : 25 }],
});
const fields = {
  event: (_source: unknown, { uuid }: { uuid: string }) => (uuid === 'none' ? null : eventOf(uuid)),
  events: (_source: unknown, { first }: { first: number }) => Array.from({ length: first }, (_, i) => eventOf(`${i}`)),
  broken: () => {
    throw new GraphQLError('no', { extensions: { code: 'CONFLICT' } });
  },
  strict: async () => {
    throw new TypeError('gone');
  },
};
for (const [name, resolve] of Object.entries(fields))
  schema.getQueryType()!.getFields()[name]!.resolve = resolve as (source: unknown, args: unknown) => unknown;
(schema.getType('Event') as unknown as { getFields(): Record<string, { resolve?: unknown }> }).getFields()[
  'later'
]!.resolve = async ({ title }: { title: string }) => `${title}, later`;
schema.getMutationType()!.getFields()['rename']!.resolve = (_source, { title }) => ({ ...eventOf('1'), title });

const serve = (...plugins: ApolloServerPlugin<Context>[]) =>
  new ApolloServer<Context>({ schema, formatError, plugins: [...plugins, failureReports] });
const interpreted = serve();
const compiled = serve(compiledQueries(schema, 0));
const compiledSecond = serve(compiledQueries(schema, 1));
afterAll(() => Promise.all([interpreted, compiled, compiledSecond].map((server) => server.stop())));

/** Sends a request, and returns its answer with what it left in the log. */
async function ask(server: ApolloServer<Context>, request: GraphQLRequest) {
  const logged: unknown[] = [];
  const log = (...line: unknown[]) => logged.push(line);
  const record = { answer: {} } as Context['record'];
  const contextValue = { log: { error: log, warn: log }, record, requestId: 'one' } as unknown as Context;
  const { body, http } = await server.executeOperation(request, { contextValue });
  return { body: JSON.parse(JSON.stringify(body)) as unknown, status: http.status, code: record.code, logged };
}

const documents: [string, string, Record<string, unknown>?][] = [
  ['a nested list', '{ events { uuid title later shifts { name rate } } }'],
  [
    'an alias, a fragment and __typename',
    'query A { a: event(uuid: "1") { ...E __typename } } fragment E on Event { title }',
  ],
  ['a variable', 'query ($n: Int!) { events(first: $n) { uuid } }', { n: 3 }],
  ['a default that is taken', 'query ($n: Int = 1) { events(first: $n) { uuid } }'],
  ['@skip and @include', 'query ($y: Boolean!) { events { uuid @skip(if: $y) title @include(if: $y) } }', { y: true }],
  ['null where nothing is', '{ event(uuid: "none") { uuid } }'],
  ['null that goes up to where it may be', '{ event(uuid: "hollow") { uuid mustHave } }'],
  ['null that goes up within a list', '{ event(uuid: "unpaid") { shifts { name rate } } }'],
  ['an error of ours', '{ broken { uuid } event(uuid: "1") { uuid } }'],
  ['an error that leaves no data', '{ strict { uuid } event(uuid: "1") { uuid } }'],
  ['a variable of another type', 'query ($n: Int!) { events(first: $n) { uuid } }', { n: 'three' }],
  ['a variable that is missing', 'query ($n: Int!) { events(first: $n) { uuid } }'],
  ['null instead of a default', 'query ($y: Boolean = true) { events { uuid @skip(if: $y) } }', { y: null }],
  ['two operations', 'query A { events { uuid } } query B { broken { uuid } }'],
  ['a mutation', 'mutation { rename(title: "new") { title } }'],
  ['introspection', '{ __schema { queryType { name } } }'],
];

test.each(documents)('%s: a compiled query gives the answer of graphql-js', async (_name, query, variables = {}) => {
  const request = { query, variables, ...(query.includes('query A {') && { operationName: 'A' }) };
  const expected = await ask(interpreted, request);
  expect(await ask(compiled, request)).toEqual(expected);
  expect(await ask(compiled, request)).toEqual(expected);
});

test.each(['B', '', '__proto__'])(
  'a compiled query is not run by the name %j of another operation',
  async (operationName) => {
    for (const query of ['query A { events { uuid } }', '{ events { uuid } }']) {
      await ask(compiled, { query });
      const expected = await ask(interpreted, { query, operationName });
      expect(expected.code).toBeDefined();
      expect(await ask(compiled, { query, operationName })).toEqual(expected);
    }
  },
);

test('each operation of a document is compiled for itself', async () => {
  const query = 'query A { events { uuid } } query B { events { title } }';
  for (const operationName of ['A', 'B', 'A'])
    expect(await ask(compiled, { query, operationName })).toEqual(await ask(interpreted, { query, operationName }));
});

test('a query is interpreted as often as the switch says, then compiled', async () => {
  const stackOf = async () => {
    let stack = '';
    schema.getQueryType()!.getFields()['events']!.resolve = () => {
      stack = new Error().stack ?? '';
      return [];
    };
    await ask(compiledSecond, { query: '{ events { uuid } }' });
    return stack;
  };
  const [first, second] = [await stackOf(), await stackOf()];
  expect([first.includes('graphql/execution'), second.includes('graphql/execution')]).toEqual([true, false]);
});
