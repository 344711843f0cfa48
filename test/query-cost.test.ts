import { describe, expect, test } from '@jest/globals';
import { buildSchema, executeSync, getIntrospectionQuery, parse, Kind, type OperationDefinitionNode } from 'graphql';
import { limits } from '../src/config/limits.ts';
import { countIntrospections } from '../src/graphql/introspection.ts';
import { measureQueryCost, queryCostOf } from '../src/graphql/query-cost.ts';
import { createSchema } from '../src/nouns.ts';

/** A schema with connections, plain lists and single objects, like the service's own. */
const schema = buildSchema(`
  type Query { me: Person  people(page: Int, perPage: Int, first: Int): PersonConnection!  team: [Person!]! }
  type PersonConnection { nodes: [Person!]! edges: [PersonEdge!]! totalCount: Int! pageInfo: PageInfo! }
  type PersonEdge { cursor: String! node: Person! }
  type PageInfo { page: Int }
  type Person { name: String  boss: Person  friends: [Person!]  known(perPage: Int, first: Int): PersonConnection! }
`);

function measureOf(query: string, variables: Record<string, unknown> = {}, of = schema) {
  const document = parse(query);
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  )!;
  return measureQueryCost(of, document, operation, variables);
}

const page = limits.perPageDefault;
const list = limits.graphqlExpectedItems;

describe('the cost of an operation counts the objects of full pages, and ten for each list without pages', () => {
  test.each([
    ['{ __typename }', 0],
    ['{ me { name } }', 1],
    ['{ me { name boss { name boss { name } } } }', 3],
    ['{ team { name } }', list],
    ['{ team { friends { friends { name } } } }', list + list ** 2 + list ** 3],
    ['{ people { totalCount } }', 1],
    ['{ people { totalCount pageInfo { page } } }', 1],
    ['{ people { nodes { name } } }', 1 + page],
    ['{ people(perPage: 7) { nodes { name } } }', 1 + 7],
    ['{ people(first: 7) { edges { cursor node { name } } } }', 1 + 7],
    ['{ people(first: 7) { nodes { name } edges { node { name } } } }', 1 + 14],
    ['{ people(first: 2, perPage: 7) { nodes { name } } }', 1 + 7],
    ['{ people(perPage: 7) { nodes { boss { name } } } }', 1 + 7 * 2],
    [
      '{ people(perPage: 7) { nodes { known(first: 5) { nodes { friends { name } } } } } }',
      1 + 7 * (2 + 5 * (1 + list)),
    ],
    ['{ a: people(perPage: 3) { nodes { name } } b: people(perPage: 4) { nodes { name } } }', 2 + 3 + 4],
    ['{ people(perPage: null) { nodes { name } } }', 1 + page],
    ['{ people(perPage: -5) { nodes { name } } }', 1 + page],
    ['{ people(perPage: 2147483647) { nodes { name } } }', 1 + limits.perPageMax],
    ['{ people { ...on PersonConnection { ...all } } } fragment all on PersonConnection { nodes { name } }', 1 + page],
    ['{ ...twice ...twice } fragment twice on Query { me { name } }', 2],
  ])('%s: %d', (query, cost) => {
    expect(measureOf(query).cost).toBe(cost);
  });

  test.each([
    ['query ($n: Int) { people(perPage: $n) { nodes { name } } }', { n: 40 }, 40],
    ['query ($n: Int = 30) { people(perPage: $n) { nodes { name } } }', {}, 30],
    ['query ($n: Int = 30) { people(perPage: $n) { nodes { name } } }', { n: 40 }, 40],
    ['query ($n: Int) { people(perPage: $n) { nodes { name } } }', {}, page],
    ['query ($n: Int) { people(perPage: $n) { nodes { name } } }', { n: null }, page],
    ['query ($n: Int) { people(perPage: $n) { nodes { name } } }', { n: 'many' }, page],
    ['query ($n: Int) { people(perPage: $n) { nodes { name } } }', { n: 1e300 }, limits.perPageMax],
  ])('%s with %j: pages of %d', (query, variables, size) => {
    expect(measureOf(query, variables).cost).toBe(1 + size);
  });

  test('never exceeds the largest safe number, whatever nested fragments stand for', () => {
    const chain = Array.from(
      { length: 150 },
      (_, index) => `fragment f${index} on Person { ...f${index + 1} ...f${index + 1} }`,
    );
    const query = `{ team { ...f0 } } ${chain.join(' ')} fragment f150 on Person { a: friends { friends { name } } }`;
    const { cost, aliases } = measureOf(query);
    expect([cost, aliases]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
  });
});

test('four plain lists below eight events are within the limit', () => {
  const query =
    '{ events(first: 8) { nodes { workShifts { user { shifts { event { callTimes { staffNeeded } } } } } } } }';
  expect(measureOf(query, {}, createSchema()).cost).toBeLessThan(limits.graphqlCost / 10);
});

describe('the depth, aliases, directives and root fields of an operation', () => {
  test.each([
    ['{ __typename }', { rootFields: 1, depth: 0, aliases: 0, directives: 0 }],
    ['{ a: __typename b: __typename }', { rootFields: 2, depth: 0, aliases: 2, directives: 0 }],
    ['{ me { name } }', { rootFields: 1, depth: 2, aliases: 0, directives: 0 }],
    ['{ me { b: boss { b: boss { n: name } } } me { name } }', { rootFields: 2, depth: 4, aliases: 3, directives: 0 }],
    [
      '{ me { ...p } } fragment p on Person { boss { ... { x: name @skip(if: false) @include(if: true) } } }',
      { rootFields: 1, depth: 3, aliases: 1, directives: 2 },
    ],
    [
      '{ ...r ...r @skip(if: true) } fragment r on Query { me { n: name } team { name } }',
      { rootFields: 2, depth: 2, aliases: 2, directives: 1 },
    ],
    [
      '{ __schema { t: types { fields { type { ofType { name } } } } } }',
      { rootFields: 1, depth: 0, aliases: 1, directives: 0 },
    ],
  ])('%s', (query, expected) => {
    expect(measureOf(query)).toMatchObject(expected);
  });
});

test('the cost follows the page sizes of the variables, also where the document was measured before', () => {
  const document = parse(`query ($n: Int = 30, $m: Int, $other: Int) {
    people(perPage: $n, page: $other) { nodes { known(first: $m) { nodes { name } } } } }`);
  const operation = document.definitions[0] as OperationDefinitionNode;
  for (const variables of [
    {},
    { n: 5 },
    { n: 5 },
    { n: 5, other: 2 },
    { m: 5 },
    { n: 5, m: 7 },
    { n: 1, m: 7 },
    { n: true },
    { n: 'true' },
    { n: [5] },
    { n: 'x'.repeat(10_000) },
    { n: null },
    {},
  ])
    expect([variables, queryCostOf(schema, document, operation, variables)]).toEqual([
      variables,
      measureQueryCost(schema, document, operation, variables),
    ]);
});

describe('introspections count the objects of the schema as graphql-js answers them', () => {
  const countsIn = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const below = Object.values(value).reduce<number>((sum, each) => sum + countsIn(each), 0);
    return Array.isArray(value) ? below : 1 + below;
  };
  const answered = (query: string, variableValues: Record<string, unknown>) =>
    countsIn(executeSync({ schema, document: parse(query), variableValues }).data) - 1;
  const full = getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true, oneOf: true });

  test.each<[string, Record<string, unknown>]>([
    ['{ __typename me { name } }', {}],
    ['{ __schema { types { name } } }', {}],
    [
      '{ __schema { types { fields { args { type { ofType { name } } } type { name ofType { ofType { name } } } } } } }',
      {},
    ],
    [
      '{ __schema { types { ...t } queryType { ...t } } } fragment t on __Type { fields { name type { ...u } } } fragment u on __Type { name possibleTypes { name } }',
      {},
    ],
    ['query ($of: String!) { __type(name: $of) { fields { type { fields { name } } } } }', { of: 'Person' }],
    ['query ($of: String = "Query") { __type(name: $of) { ... on __Type { fields { args { name } } } } }', {}],
    ['{ __type(name: "Nothing") { fields { name } } }', {}],
    [
      'query ($all: Boolean!) { __schema { types { fields(includeDeprecated: $all) { name } } directives { args { name } } } }',
      { all: true },
    ],
  ])('%s with %j', (query, variables) => {
    const document = parse(query);
    const count = countIntrospections(schema, document, document.definitions[0] as OperationDefinitionNode, variables);
    const expected =
      (100 * (query.includes('__schema') || query.includes('__type(') ? answered(query, variables) : 0)) /
      answered(full, {});
    expect(count).toBe(Math.ceil(expected) / 100);
  });

  test('a full one of our schema is 1', () => {
    const document = parse(full);
    const operation = document.definitions[0] as OperationDefinitionNode;
    expect(countIntrospections(createSchema(), document, operation, {})).toBe(1);
  });
});
