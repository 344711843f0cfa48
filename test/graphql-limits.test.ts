import { beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { limits } from '../src/config/limits.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount } from './support/sql-watch.ts';

let tenant: Tenant;

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });

beforeAll(async () => {
  tenant = await service.createTenant();
  await service.createEvent(tenant.business);
});

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');

/** So many fields below one another. */
const deep = (depth: number) => {
  const turns = Math.floor((depth - 3) / 3);
  const last = ['id', 'event { id }', 'callTime { event { id } }'][depth % 3];
  const turn = 'event { workShiftsConnection(perPage: 1) { nodes { ';
  return `{ myShifts(perPage: 1) { nodes { ${turn.repeat(turns)} ${last} ${'} } } '.repeat(turns)} } } }`;
};

/** A hundred events with a hundred shifts, whose events have so many shifts. */
const costly = (perPage: number) => {
  const shifts = (below: string, size = 100) => `workShiftsConnection(perPage: ${size}) { nodes { ${below} } }`;
  return `{ events(perPage: 100) { nodes { ${shifts(`event { ${shifts('id', perPage)} }`)} } } }`;
};
/** Each shift costs itself, its event, the connection of that, and the page. */
const costOf = (perPage: number) => 1 + 100 * (2 + 100 * (3 + perPage));

/** By the limit: the operation that measures so much. */
const operations: Record<string, { max: number; of: (actual: number) => string }> = {
  characters: { max: limits.graphqlChars, of: (actual) => '{ __typename } #'.padEnd(actual, 'x') },
  rootFields: { max: limits.graphqlRootFields, of: (actual) => `{ ${times(actual, () => '__typename')} }` },
  depth: { max: limits.graphqlDepth, of: deep },
  aliases: {
    max: limits.graphqlAliases,
    of: (actual) => `{ viewer { ${times(actual, (index) => `a${index}: ${index % 2 ? '__typename' : 'name'}`)} } }`,
  },
  directives: {
    max: limits.graphqlRootFields,
    of: (actual) => `{ viewer { ${times(actual, () => 'name @skip(if: false)')} } }`,
  },
  tokens: { max: limits.graphqlTokens, of: (actual) => `{ viewer { ${times(actual - 5, () => 'name')} } }` },
};

const refusal = (limit: string, max: number, actual: number) => ({
  status: 400,
  body: {
    errors: [
      {
        message: expect.stringMatching(new RegExp(`\\b${actual}\\b.*\\b${max}\\b`)),
        extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, max, actual },
      },
    ],
  },
});

describe('an operation', () => {
  test.each(Object.keys(operations))('up to the limit of %s is answered', async (limit) => {
    const { max, of } = operations[limit]!;
    const { status, body } = await service.graphql(of(max), { as: tenant.as.staff });
    // As many equal fields as tokens allow are more than graphql-js compares.
    if (limit === 'tokens') expect(body.errors[0].extensions.code).not.toBe('GRAPHQL_LIMIT_EXCEEDED');
    else expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

  test.each(Object.keys(operations))(
    'one above the limit of %s is refused before anything runs, and told why',
    async (limit) => {
      const { max, of } = operations[limit]!;
      await service.graphql('{ viewer { name } }', { as: tenant.as.staff });
      const before = sqlCount();
      expect(await service.graphql(of(max + 1), { as: tenant.as.staff })).toMatchObject(refusal(limit, max, max + 1));
      // The credential is read, and nothing else.
      expect(sqlCount() - before).toBe(1);
    },
  );

  test('may read as many objects as the limit of cost says', async () => {
    const last = Math.floor((limits.graphqlCost - costOf(0)) / (costOf(1) - costOf(0)));
    const answer = await service.graphql(costly(last), { as: tenant.as.admin });
    expect(answer.body.errors).toBeUndefined();
    expect(await service.graphql(costly(last + 1), { as: tenant.as.admin })).toMatchObject(
      refusal('cost', limits.graphqlCost, costOf(last + 1)),
    );
  });

  test('is measured with its variables, their defaults and fragments', async () => {
    const nested =
      'fragment shifts on Event { workShiftsConnection(perPage: $n) { nodes { user { shifts { event { workShiftsConnection(perPage: $n) { nodes { user { shifts { id } } } } } } } } } }';
    for (const [declared, variables] of [
      ['$n: Int', { n: 100 }],
      ['$n: Int = 100', {}],
    ] as const) {
      const query = `query (${declared}) { events(perPage: $n) { nodes { ...shifts } } } ${nested}`;
      const { status, body } = await service.graphql(query, { as: tenant.as.admin, variables });
      expect({ status, limit: body.errors[0].extensions.limit }).toEqual({ status: 400, limit: 'cost' });
      const small = await service.graphql(query, { as: tenant.as.admin, variables: { n: 5 } });
      expect(small.body.errors).toBeUndefined();
    }
  });

  test('that is refused costs one point of the rate limit', async () => {
    const left = async (query: string) =>
      Number((await service.graphql(query, { as: tenant.as.admin })).headers['x-ratelimit-remaining']);
    const before = await left('{ viewer { name } }');
    expect(await left(`{ ${times(51, (index) => `v${index}: viewer { name }`)} }`)).toBe(before - 1);
  });

  test.each([
    ['3,000 fields deep', `${'{ viewer '.repeat(3000)}${'}'.repeat(3000)}`, 'tokens'],
    ['of 3,900 fields, and no end', `{ ${'name '.repeat(3900)}`, 'tokens'],
    ['of 50,000 fields, and no end', `{ ${'name '.repeat(50_000)}`, 'characters'],
    ['of 1,200 directives', `{ __typename ${'@skip(if: true) '.repeat(1200)} }`, 'tokens'],
    ['of 200,000 braces', '{'.repeat(200_000), 'characters'],
    ['of 101 aliases', `{ ${times(101, (index) => `a${index}: __typename`)} }`, 'rootFields'],
  ])('%s is refused', async (_what, query, limit) => {
    const { status, body } = await service.graphql(query, { as: tenant.as.staff });
    expect({ status, errors: body.errors.map(({ extensions }: { extensions: object }) => extensions) }).toEqual({
      status: 400,
      errors: [expect.objectContaining({ code: 'GRAPHQL_LIMIT_EXCEEDED', limit })],
    });
  });

  test('of 1,000 braces is refused as a syntax error', async () => {
    const { status, body } = await service.graphql('{'.repeat(1000));
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'GRAPHQL_PARSE_FAILED' });
  });

  test('larger than the body limit is refused unread', async () => {
    const answer = await service.graphql('{'.repeat(500_000));
    expect(answer).toMatchObject({ status: 413, body: { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] } });
  });

  test.each([
    ['500 equal fields', `{ viewer { ${times(500, () => 'name')} } }`],
    ['600 inline fragments in one another', `{ ${'... { '.repeat(600)} __typename ${'} '.repeat(600)} }`],
    [
      '150 fragments that each stand for the next one twice',
      `{ ...f0 } ${times(150, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`)} fragment f150 on Query { __typename }`,
    ],
  ])('%s end in an answer', async (_what, query) => {
    expect([200, 400]).toContain((await service.graphql(query, { as: tenant.as.admin })).status);
  });

  test('with full introspection is answered, even without a credential', async () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true, oneOf: true });
    const { status, body } = await service.graphql(query);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

  const types = 'types { name fields { name args { name type { name } } type { kind name ofType { name } } } }';
  const schemaTimes = (count: number) => `{ ${times(count, (index) => `a${index}: __schema { ${types} }`)} }`;

  test.each([
    ['aliases of __schema', schemaTimes(18)],
    ['aliases below one __schema', `{ __schema { ${times(18, (index) => `a${index}: ${types}`)} } }`],
    [
      'aliases of __type',
      `query ($type: String!) { ${times(40, (index) => `a${index}: __type(name: $type) { fields { type { fields { args { type { name } } type { name } } } } }`)} }`,
    ],
    [
      'fragments that each stand for the next one twice',
      `{ __schema { types { ...f0 } } } ${times(80, (index) => `fragment f${index} on __Type { a${index}: fields { type { name } } ...f${index + 1} }`)} fragment f80 on __Type { name }`,
    ],
  ])('that reads the schema more than twice, by %s, is refused before it runs', async (_what, query) => {
    for (const as of [undefined, tenant.as.staff]) {
      const { status, body } = await service.graphql(query, { ...(as && { as }), variables: { type: 'Query' } });
      expect([status, body.data]).toEqual([400, undefined]);
      const { code, limit, max, actual } = body.errors[0].extensions;
      expect([code, limit, max]).toEqual(['GRAPHQL_LIMIT_EXCEEDED', 'introspections', 2]);
      expect(actual).toBeGreaterThan(2);
    }
  });

  test('that reads the schema costs points once, and is answered from memory where only comments differ', async () => {
    const query = schemaTimes(2).replace('types', 'types # once\n');
    const remaining = async (text: string) => {
      const { headers, body } = await service.graphql(text);
      return { left: Number(headers['x-ratelimit-remaining']), body };
    };
    const before = await remaining('{ __typename }');
    const first = await remaining(query);
    const again = await remaining(`  ${query} # ${'x'.repeat(100)}`);
    expect(first.body.data.a1.types.length).toBeGreaterThan(100);
    expect(again.body).toEqual(first.body);
    expect(before.left - first.left).toBeGreaterThan(2);
    // The aliases cost a point each, as any root fields.
    expect(first.left - again.left).toBe(2);
    const priced = await service.graphql(`${query} # priced`, { headers: { 'x-graphql-cost': '1' } });
    expect(priced.body.data).toEqual(first.body.data);
    expect(priced.body.extensions.cost.introspections.actual).toBeGreaterThan(0.5);
    const other = await remaining(query.replace('a1', 'b1'));
    expect(Object.keys(other.body.data)).toEqual(['a0', 'b1']);
  });

  test.each([
    ['circular introspection', '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }'],
    [
      'a fragment that contains itself',
      '{ viewer { ...a } } fragment a on Viewer { name ...b } fragment b on Viewer { ...a }',
    ],
    ['900 unknown directives', `{ __typename ${times(900, (index) => `@d${index}`)} }`],
    ['900 unknown fields', `{ ${times(900, (index) => `f${index}`)} }`],
  ])('with %s is invalid and gets only a few errors', async (_what, query) => {
    const { status, body } = await service.graphql(query, { as: tenant.as.admin });
    expect(status).toBe(400);
    expect(body.errors.length).toBeLessThanOrEqual(limits.graphqlErrorsMax + 1);
    expect(body.errors[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });
});

describe('an answer contains its query cost on request', () => {
  const query = '{ viewer { n: name } events(perPage: 3) { nodes { id } } }';
  const cost = {
    rootFields: { actual: 2, max: limits.graphqlRootFields },
    depth: { actual: 3, max: limits.graphqlDepth },
    aliases: { actual: 1, max: limits.graphqlAliases },
    directives: { actual: 0, max: limits.graphqlRootFields },
    cost: { actual: 5, max: limits.graphqlCost },
    introspections: { actual: 0, max: limits.graphqlIntrospections },
  };

  test('by the header x-graphql-cost, and not otherwise', async () => {
    const asked = await service.graphql(query, { as: tenant.as.admin, headers: { 'x-graphql-cost': '1' } });
    expect(asked.body.extensions).toEqual({ cost });
    expect(asked.body.data.viewer.n).toEqual(expect.any(String));
    for (const headers of [{}, { 'x-graphql-cost': '0' }]) {
      const { body } = await service.graphql(query, { as: tenant.as.admin, headers });
      expect(body).not.toHaveProperty('extensions');
    }
  });

  test('also if the cost was too high', async () => {
    const { body } = await service.graphql(deep(20), { as: tenant.as.staff, headers: { 'x-graphql-cost': '1' } });
    expect(body.extensions.cost.depth).toEqual({ actual: 20, max: limits.graphqlDepth });
    expect(body.errors[0].extensions.limit).toBe('depth');
  });
});
