import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { createParameterDecorator, ID } from 'type-graphql';
import { nodeTypes, type NodeType } from '../fields/node-types.ts';
import type { FieldErrors } from '../errors.ts';
import { readRowKey } from '../model/global-ids.ts';
import type { RowIdFacts } from '../model/row-ids.ts';
import type { Context } from './context.ts';

/*
 * Arguments name rows by global id, or by the name that REST has for them; the services know them by their keys. A text that names
 * no row goes on as a key that the input of no operation takes: each operation refuses it together with all other faults.
 */

const alsoTakes = { uuid: ' or uuid', number: ' or databaseId', 'public id': ' or public id' } as const;

/** An argument that names a row of a type. The method gets the key of the row: a number or a uuid. */
export function RowId(
  type: NodeType,
  { name = 'id', description, nullable = false }: { name?: string; description?: string; nullable?: boolean } = {},
): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ args }) => toKey(type, args[name]), {
    arg: { name, typeFunc: () => ID, options: { nullable, description: description ?? describeRowId(type) } },
  });
}

function describeRowId(type: NodeType): string {
  const { noun, otherName } = nodeTypes[type];
  return `Id${otherName === null ? '' : alsoTakes[otherName]} of the ${noun}.`;
}

type Convert = (value: unknown) => unknown;

/** Makes every field of the schema get the keys of the rows that its inputs name. */
export function readRowIds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type))
      for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[]) {
        const convert = converterOf(field.args);
        const { resolve, subscribe } = field;
        if (convert && resolve)
          field.resolve = (source, args, context, info) =>
            resolve(source, convert(args) as typeof args, context, info) as unknown;
        if (convert && subscribe)
          field.subscribe = (source, args, context, info) =>
            subscribe(source, convert(args) as typeof args, context, info) as unknown;
      }
}

/** Null if none of the fields names a row. */
function converterOf(fields: readonly (GraphQLArgument | GraphQLInputField)[]): Convert | null {
  const converters = fields.flatMap(({ name, type, extensions }): [string, Convert][] => {
    const { rowType } = extensions as Partial<RowIdFacts>;
    const convert: Convert | null = rowType ? (value) => toKey(rowType, value) : converterOfInput(type);
    return convert ? [[name, isListType(getNullableType(type)) ? eachOf(convert) : convert]] : [];
  });
  if (converters.length === 0) return null;
  return (input) => {
    if (input === null || input === undefined) return input;
    const converted: Record<string, unknown> = { ...input };
    for (const [name, convert] of converters)
      if (converted[name] !== undefined) converted[name] = convert(converted[name]);
    return converted;
  };
}

function converterOfInput(type: GraphQLInputType): Convert | null {
  const named = getNamedType(type);
  return isInputObjectType(named) ? converterOf(Object.values(named.getFields())) : null;
}

const eachOf =
  (convert: Convert): Convert =>
  (values) =>
    Array.isArray(values) ? values.map(convert) : values;

/** No row has this number. A text that is no uuid needs no such key. */
const noNumber = 0;

function toKey(type: NodeType, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const key = readRowKey(type, value);
  return nodeTypes[type].key === 'number' ? Number(key ?? noNumber) : (key ?? value);
}

/** Names of rows in GraphQL, and in the services, which know some rows by uuid. */
type ServiceName<K> = K extends 'eventId'
  ? 'eventUuid'
  : K extends 'callTimeId'
    ? 'callTimeUuid'
    : K extends 'fieldId'
      ? 'fieldUuid'
      : K extends 'fieldIds'
        ? 'fieldUuids'
        : K;

type ServiceNames<T> = T extends readonly unknown[] | Date
  ? T
  : T extends object
    ? { [K in keyof T as ServiceName<K>]: ServiceNames<T[K]> }
    : T;

/** Gives the ids in an input the names that the services have for them: those of rows with a uuid. */
export function toServiceNames<T extends object>(input: T): ServiceNames<T> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replace(/^(event|callTime|field)Id(s?)$/, '$1Uuid$2'),
      isInput(value) ? toServiceNames(value) : value,
    ]),
  ) as ServiceNames<T>;
}

const isInput = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Errors of an input with the names that GraphQL has for its fields. */
export function toGraphqlErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => {
      const name = toGraphqlName(field);
      return [
        name,
        messages.map((message) => (isRowId.test(name) ? describeWrongId(message) : toGraphqlName(message))),
      ];
    }),
  );
}

function toGraphqlName(text: string): string {
  return text
    .replaceAll(/\b(event|callTime|field)Uuid(s?)\b/g, '$1Id$2')
    .replace(/^filter\.(actor|row)Id$/, 'filter.$1DatabaseId');
}

const isRowId = /(?<!Database)Id(s\.\d+)?$/;

/** The services speak of numbers and uuids, which callers of GraphQL need not know. */
function describeWrongId(message: string): string {
  return /^must be (at least 1|a valid uuid)$/.test(message)
    ? 'must be the id of a row of this type'
    : toGraphqlName(message);
}
