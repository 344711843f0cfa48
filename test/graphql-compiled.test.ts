import { expect, test } from '@jest/globals';
import {
  buildSchema,
  execute,
  GraphQLError,
  parse,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import { createExecutor } from '../src/graphql/execute.ts';

/* Compares the results of compiled queries with those of graphql-js. The suite itself runs with the switch on and off, too. */

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

const executeCompiled = createExecutor(schema, 0);

const describeResult = ({ data, errors }: { data?: unknown; errors?: readonly GraphQLError[] }) => ({
  data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
  errors: errors?.map((error) => ({
    isGraphqlError: error instanceof GraphQLError,
    ...error.toJSON(),
    // graphql-js wraps its own errors once more.
    cause: error.originalError?.constructor === Error ? undefined : error.originalError?.constructor.name,
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

test.each(documents)(
  '%s: a compiled query gives the result of graphql-js',
  async (_name, source, variableValues = {}) => {
    const document = parse(source);
    const run = async (executor: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>) =>
      describeResult(
        await executor({
          schema,
          document,
          variableValues,
          ...(source.startsWith('query A {') && { operationName: 'A' }),
        }),
      );
    const expected = await run(execute);
    expect(await run(executeCompiled)).toEqual(expected);
    expect(await run(executeCompiled)).toEqual(expected);
  },
);

test.each(['B', '', '__proto__'])(
  'a compiled query is not run by the name %j of another operation',
  async (operationName) => {
    for (const document of [parse('query A { events { uuid } }'), parse('{ events { uuid } }')]) {
      await executeCompiled({ schema, document });
      const expected = describeResult(await execute({ schema, document, operationName }));
      expect(expected.errors).toHaveLength(1);
      expect(describeResult(await executeCompiled({ schema, document, operationName }))).toEqual(expected);
    }
  },
);

test('a document is interpreted as often as the switch says, then compiled', async () => {
  const document: DocumentNode = parse('{ events { uuid } }');
  const executeSecond = createExecutor(schema, 1);
  const stackOf = async () => {
    let stack = '';
    schema.getQueryType()!.getFields()['events']!.resolve = () => {
      stack = new Error().stack ?? '';
      return [];
    };
    await executeSecond({ schema, document });
    return stack;
  };
  const [first, second] = [await stackOf(), await stackOf()];
  expect([first.includes('graphql/execution'), second.includes('graphql/execution')]).toEqual([true, false]);
});
