import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { buildSchema, getVariableValues, parse, type OperationDefinitionNode } from 'graphql';
import Type, { type TSchema } from 'typebox';
import { limits } from '../src/config/limits.ts';
import { cutWrongVariables } from '../src/graphql/admission.ts';
import { compileJudge } from '../src/validation/compile.ts';
import { formats } from '../src/validation/formats.ts';
import { closed, idOf, nullable } from '../src/validation/schemas.ts';

/* The search for faults of an input: all of them where there are few, and no more than an error names where there are many. */

const line = Type.Object(
  { name: Type.String({ minLength: 2 }), count: Type.Optional(nullable(Type.Integer({ minimum: 0 }))) },
  closed,
);
const input = Type.Object(
  {
    title: Type.String({ maxLength: 5 }),
    day: Type.Optional(Type.String({ format: 'local-date' })),
    row: Type.Optional(idOf('row')),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 2 }), { maxItems: 4, uniqueItems: true })),
    inner: Type.Optional(line),
    lines: Type.Optional(nullable(Type.Array(line, { minItems: 1, maxItems: 100 }))),
  },
  closed,
);

/** The paths of all faults, as Ajv itself finds them. */
function findAll(schema: TSchema): (sent: unknown) => string[] {
  const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true });
  addFormats.default(ajv, ['date-time']);
  for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);
  ajv.addKeyword({ keyword: 'identifies', schemaType: 'string' });
  const check = ajv.compile(schema);
  return (sent) => {
    check(sent);
    const paths = (check.errors ?? []).map(({ instancePath, params }) => {
      const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
      const own = missingProperty ?? additionalProperty;
      return [...instancePath.split('/').slice(1), ...(own === undefined ? [] : [own])].join('.') || 'input';
    });
    return [...new Set(paths)].toSorted();
  };
}

const judge = compileJudge(input);
const named = (sent: unknown): string[] => {
  const { errors, unknownRows } = judge(sent);
  return [...Object.keys(errors), ...Object.keys(unknownRows)].toSorted();
};
const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const keys = (count: number) => Object.fromEntries(many(count, (at) => [`k${at}`, at]));

test('finds what Ajv finds, in any input with few faults', () => {
  const oddly = fc.oneof(fc.constantFrom('a', 'ab', 'abcdef', 1, -1, 1.5, null, true, '2030-02-30'), fc.constant([]));
  const maybe = <T>(values: fc.Arbitrary<T>) => fc.oneof(values, values, oddly);
  const anyLine = fc.record(
    { name: maybe(fc.constant('Ann')), count: maybe(fc.nat(3)), other: oddly },
    { requiredKeys: [] },
  );
  const sent = maybe(
    fc.record(
      {
        title: maybe(fc.constant('ok')),
        day: maybe(fc.constant('2030-01-01')),
        row: maybe(fc.nat(5)),
        // A wrong item hides that another one comes twice.
        tags: maybe(
          fc.oneof(fc.array(fc.constantFrom('x', 'y'), { maxLength: 6 }), fc.uniqueArray(oddly, { maxLength: 4 })),
        ),
        inner: maybe(anyLine),
        lines: maybe(fc.array(maybe(anyLine), { maxLength: 3 })),
        other: oddly,
      },
      { requiredKeys: [] },
    ),
  );
  const all = findAll(input);
  fc.assert(
    fc.property(sent, (value) => {
      expect(named(value)).toEqual(all(value));
    }),
    { seed: 20_261_125, numRuns: 300 },
  );
});

describe('stops one field after those that an error names', () => {
  const most = limits.errorFieldsMax + 1;
  test.each<[string, unknown]>([
    ['unknown keys', { title: 'ok', ...keys(20_000) }],
    ['unknown keys of an inner object', { title: 'ok', inner: { name: 'Ann', ...keys(20_000) } }],
    ['unknown keys of the objects of a list', { title: 'ok', lines: many(100, () => keys(200)) }],
    ['wrong objects of a list', { title: 'ok', lines: many(100, () => ({ name: '' })) }],
    ['texts with NUL', { title: 'ok', ...Object.fromEntries(many(20_000, (at) => [`k${at}`, '\0'])) }],
    ['negative zeros', { title: 'ok', x: many(20_000, () => -0) }],
  ])('where there are thousands of %s', (_title, sent) => {
    const { errors, isComplete } = judge(sent);
    expect([Object.keys(errors).length, isComplete]).toEqual([most, false]);
  });

  test('and looks at no item beyond the length of a list', () => {
    const sent = { title: 'ok', tags: many(50_000, (at) => at) };
    expect(named(sent)).toEqual(['tags', 'tags.0', 'tags.1', 'tags.2', 'tags.3']);
  });

  test('but goes on behind fields that are all right', () => {
    const sent = {
      title: 'ok',
      lines: [...many(98, () => ({ name: 'Ann' })), { name: '' }, { name: 'Ann', count: -1 }],
    };
    expect(named(sent)).toEqual(['lines.98.name', 'lines.99.count']);
  });

  test('and a key with an odd name is as unknown as any other', () => {
    const sent = JSON.parse('{"title":"ok","__proto__":{"title":1},"constructor":1,"toString":2}') as unknown;
    expect(named(sent)).toEqual(['__proto__', 'constructor', 'toString']);
  });
});

describe('wrong variables of GraphQL', () => {
  const schema = buildSchema(`
    type Query { ask(input: Ask, inputs: [Ask!], ids: [ID!], flag: Boolean): Int }
    enum Kind { A B }
    input Ask { title: String!, count: Int = 3, kind: Kind, inner: Ask, list: [Ask], ids: [[ID!]!] }
  `);
  const { definitions } = parse(
    'query ($a: Ask!, $b: [Ask!], $c: [ID!], $d: Boolean) { ask(input: $a, inputs: $b, ids: $c, flag: $d) }',
  );
  const operation = definitions[0] as OperationDefinitionNode;
  const check = (variables: Record<string, unknown>) =>
    getVariableValues(schema, operation.variableDefinitions!, variables);

  test('stay wrong when they are cut, and right ones stay as they are', () => {
    const { ask } = fc.letrec((tie) => ({
      odd: fc.oneof(
        fc.constantFrom<unknown>(null, 'A', 'x', 1, 1.5, true, [], {}, [[]], [['a']], { x: 1 }),
        fc.constant(keys(40)),
      ),
      ask: fc.oneof(
        { maxDepth: 2 },
        tie('odd'),
        fc.record(
          {
            title: fc.oneof(fc.constant<unknown>('ok'), tie('odd')),
            count: fc.oneof(fc.constant<unknown>(1), tie('odd')),
            kind: fc.oneof(fc.constant<unknown>('A'), tie('odd')),
            inner: tie('ask'),
            list: fc.oneof(fc.array(tie('ask'), { maxLength: 2 }), tie('ask')),
            ids: fc.oneof(fc.constant<unknown>([['a'], 'b']), tie('odd')),
          },
          { requiredKeys: ['title'] },
        ),
        fc.constant<unknown>({ title: 'ok', ...keys(30) }),
      ),
    }));
    const variables = fc.record({
      a: ask,
      b: fc.oneof(fc.array(ask, { maxLength: 2 }), ask),
      c: ask,
      d: fc.oneof(fc.boolean(), ask),
    });
    fc.assert(
      fc.property(variables, (values) => {
        const sent = structuredClone(values) as Record<string, unknown>;
        const before = check(values);
        cutWrongVariables(schema, operation, sent);
        const after = check(sent);
        expect(after.errors === undefined).toBe(before.errors === undefined);
        if (!before.errors) expect(sent).toEqual(values);
        expect(after.coerced).toEqual(before.coerced);
      }),
      { seed: 20_261_125, numRuns: 60 },
    );
  });

  test('are cut to what the refusal names', () => {
    const sent = {
      a: { title: keys(20_000), inner: { title: 'x', ...keys(20_000) }, kind: many(20_000, () => 1) },
      b: keys(20_000),
      d: { x: keys(20_000) },
    };
    cutWrongVariables(schema, operation, sent);
    expect(JSON.stringify(sent).length).toBeLessThan(1000);
    expect(check(sent).errors?.length).toBeGreaterThan(limits.graphqlAnswerErrorsMax);
  });
});
