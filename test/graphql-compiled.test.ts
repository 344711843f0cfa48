import { expect, test } from '@jest/globals';
import { buildSchema, GraphQLError, parse, type DocumentNode } from 'graphql';
import { createExecutor } from '../src/graphql/execute.ts';

/* What compiled queries answer is held against graphql-js's own answers; the suite itself runs in both modes besides. */

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

const compiled = createExecutor(schema, 0);
const interpreted = createExecutor(schema, null);

const told = ({ data, errors }: { data?: unknown; errors?: readonly GraphQLError[] }) => ({
  data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
  errors: errors?.map((error) => ({
    isOfGraphQl: error instanceof GraphQLError,
    ...error.toJSON(),
    // graphql-js wraps its own complaints once more.
    behind: error.originalError?.constructor === Error ? undefined : error.originalError?.constructor.name,
  })),
});

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

test.each(documents)('%s: the same from both', async (_name, source, variableValues = {}) => {
  const document = parse(source);
  const run = async (execute: typeof compiled) =>
    told(
      await execute({
        schema,
        document,
        variableValues,
        ...(source.startsWith('query A {') && { operationName: 'A' }),
      }),
    );
  const expected = await run(interpreted);
  expect(await run(compiled)).toEqual(expected);
  expect(await run(compiled)).toEqual(expected);
});

test('a document is interpreted as often as is asked for, then compiled', async () => {
  const document: DocumentNode = parse('{ events { uuid } }');
  const execute = createExecutor(schema, 1);
  const stackOf = async () => {
    let stack = '';
    schema.getQueryType()!.getFields()['events']!.resolve = () => {
      stack = new Error().stack ?? '';
      return [];
    };
    await execute({ schema, document });
    return stack;
  };
  const [first, second] = [await stackOf(), await stackOf()];
  expect([first.includes('graphql/execution'), second.includes('graphql/execution')]).toEqual([true, false]);
});
