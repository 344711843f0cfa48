import fc, { type Arbitrary } from 'fast-check';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import * as values from './random-values.ts';
import type { Pool } from './random-values.ts';

/* Random operations of GraphQL, made from the schema's root fields and the types of their arguments. */

/** Nobody guesses a cursor or a version, and a page is not asked for by number and by cursor at once. */
const mostlyNull = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const byScalar: Record<string, (name: string, pool: Pool) => Arbitrary<unknown>> = {
  Int: (name, pool) =>
    /id$/i.test(name)
      ? values.id(pool, name)
      : /\.(first|last|page|perPage|version|otherVersion)$/.test(name)
        ? mostlyNull(fc.integer({ min: 1, max: 20 }))
        : fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 2000 })),
  Float: () => fc.double({ min: 0, max: 1, noNaN: true }),
  Boolean: () => fc.boolean(),
  ID: (name, pool) => values.rowId(pool, name.replace(/freeFor$/, 'callTimeId')),
  DateTimeISO: values.instantFor,
  LocalDate: () => values.date,
  Decimal: () => values.money,
  String: (name) => {
    if (/\.(after|before)$/.test(name)) return mostlyNull(values.visibleText(50));
    if (/pattern.*\.(start|end)Time$/i.test(name)) return values.timeOfDay;
    if (/\.(start|end)\w*$/i.test(name)) return values.wallTime;
    if (/\.valid(From|Until)$/.test(name)) return values.date;
    if (/^payroll\.(from|to)$/.test(name)) return values.wallTime.map((time) => time.slice(0, 10));
    if (/timezone$/i.test(name)) return values.zone;
    if (/email$/i.test(name)) return values.email;
    if (/password$/i.test(name)) return values.password;
    if (name.endsWith('.url')) return values.receiverUrl;
    if (name.endsWith('.code')) return values.screenCode;
    if (name.endsWith('.secret')) return values.screenSecret;
    if (/rate$/i.test(name)) return values.money;
    if (name.endsWith('itude')) return values.degrees;
    return values.visibleText(50);
  },
};

/** A value that mostly fits the type; any part of it may be nonsense. */
export function valueOf(type: GraphQLInputType, name: string, pool: Pool): Arbitrary<unknown> {
  const inner = getNullableType(type);
  const fitting = (): Arbitrary<unknown> => {
    if (isListType(inner)) return fc.array(valueOf(inner.ofType as GraphQLInputType, name, pool), { maxLength: 4 });
    if (isEnumType(inner)) return fc.constantFrom(...inner.getValues().map((value) => value.name));
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields());
      return fc.record(
        Object.fromEntries(
          fields.map((field) => [field.name, valueOf(field.type, `${name}.${field.name}`, pool)]),
        ) as Record<string, Arbitrary<unknown>>,
        { requiredKeys: fields.filter(({ type: of }) => isNonNullType(of)).map((field) => field.name) },
      );
    }
    return (byScalar[inner.toString()] ?? byScalar['String']!)(name, pool);
  };
  return fc.oneof(
    { weight: 25, arbitrary: fitting() },
    { weight: 1, arbitrary: values.nonsense },
    { weight: isNonNullType(type) ? 0 : 1, arbitrary: fc.constant(null) },
  );
}

/** Variables for all arguments of a field; those that may be missing sometimes are, and rarely one that may not. */
export function variablesOf(
  { name: of, args }: GraphQLField<unknown, unknown>,
  pool: Pool,
): Arbitrary<Record<string, unknown>> {
  const all = fc.record(
    Object.fromEntries(args.map(({ name, type }) => [name, valueOf(type, `${of}.${name}`, pool)])) as Record<
      string,
      Arbitrary<unknown>
    >,
    { requiredKeys: args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name) },
  );
  return fc
    .tuple(all, fc.nat(29), fc.nat(9))
    .map(([variables, dice, which]) =>
      dice > 0 ? variables : Object.fromEntries(Object.entries(variables).filter((_, index) => index !== which)),
    );
}

/** The operation that asks for one root field, called `it`, and for all that its type shows without arguments. */
export function operationOf(kind: 'query' | 'mutation', { name, args, type }: GraphQLField<unknown, unknown>): string {
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  return `${kind} ${declared && `(${declared})`} { it: ${name}${passed && `(${passed})`} ${selectionOf(type)} }`;
}

function selectionOf(type: GraphQLOutputType, levels = 2): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named) && !isInterfaceType(named)) return '{ __typename }';
  const shown = Object.values(named.getFields())
    .filter((field) => field.args.every((arg) => !isNonNullType(arg.type)))
    .flatMap((field) => {
      if (isLeafType(getNamedType(field.type))) return [field.name];
      return levels > 0 && ['nodes', 'pageInfo', 'start', 'end', 'client', 'event'].includes(field.name)
        ? [`${field.name} ${selectionOf(field.type, levels - 1)}`]
        : [];
    });
  return `{ ${['__typename', ...shown].join(' ')} }`;
}
