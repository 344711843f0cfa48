import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { isIdName, type Id } from './ids.ts';
import { mustBeGiven, makeSample } from './samples.ts';

/* These functions build GraphQL documents and variables from a schema alone and ask for everything it has. */

export type SchemaField = GraphQLField<unknown, unknown>;
type Input = GraphQLArgument | GraphQLInputField;

/** An argument, or a field of an input at any depth, that holds the id of a row. */
export interface IdArgument {
  /** path such as `id`, `input.clientId` or `inputs.callTimeId`; lists add no level. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isNumber: boolean;
}

const deepestInput = 4;

/** Finds the id arguments of a field. Strings may hold ids of external systems, so only the types ID and Int count. */
export function findIdArguments(inputs: readonly Input[], prefix = '', isRequired = true, depth = 0): IdArgument[] {
  return inputs.flatMap((input) => {
    const { name, type, description } = input;
    const path = prefix ? `${prefix}.${name}` : name;
    const needed = isRequired && mustBeGiven(input);
    const inner = getNamedType(type);
    if (isInputObjectType(inner))
      return depth === deepestInput ? [] : findIdArguments(Object.values(inner.getFields()), path, needed, depth + 1);
    const names = isIdName(name) && (inner.name === 'ID' || inner.name === 'Int');
    return names
      ? [{ path, name, description: description ?? '', isRequired: needed, isNumber: inner.name === 'Int' }]
      : [];
  });
}

/**
 * Builds variables with the ids at their paths and sample values for everything else that is required, or for
 * everything possible.
 */
export function buildVariables(
  inputs: readonly Input[],
  ids: ReadonlyMap<string, Id>,
  samples: 'needed' | 'all' = 'needed',
  prefix = '',
): Record<string, unknown> {
  const isGiven = (input: Input, path: string) =>
    mustBeGiven(input) ||
    [...ids.keys()].some((each) => each === path || each.startsWith(`${path}.`)) ||
    (samples === 'all' && isLeafType(getNamedType(input.type)) && !isIdName(input.name));
  const valueAt = (input: Input, path: string): unknown => {
    const inner = getNamedType(input.type);
    const id = ids.get(path);
    if (id === undefined && !isInputObjectType(inner)) return makeSample(input);
    const value = isInputObjectType(inner)
      ? buildVariables(Object.values(inner.getFields()), ids, samples, path)
      : inner.name === 'ID'
        ? String(id)
        : id;
    return isListType(getNullableType(input.type)) ? [value] : value;
  };
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const path = prefix ? `${prefix}.${input.name}` : input.name;
      return isGiven(input, path) ? [[input.name, valueAt(input, path)]] : [];
    }),
  );
}

/** How much of an answer is requested. */
export interface Extent {
  readonly depth: number;
  readonly perPage: number;
}

/** Selects all fields without required arguments, down to a depth; '' if the type is not an object. */
export function buildSelection(type: GraphQLOutputType, { depth, perPage }: Extent): string {
  const parent = getNamedType(type);
  if (!isObjectType(parent) && !isInterfaceType(parent)) return '';
  const parts = Object.values(parent.getFields()).flatMap((field) => {
    if (field.args.some(mustBeGiven)) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    const inner = depth > 1 || isPage(field) ? buildSelection(field.type, { depth: depth - 1, perPage }) : '';
    return inner ? [`${field.name}${pageArgument(field, perPage)} ${inner}`] : [];
  });
  return `{ ${parts.length > 0 ? parts.join(' ') : '__typename'} }`;
}

const isPage = ({ name }: SchemaField) => ['nodes', 'pageInfo'].includes(name);
const pageArgument = ({ args }: SchemaField, perPage: number) =>
  args.some(({ name }) => name === 'perPage') ? `(perPage: ${perPage})` : '';

export const isId = ({ name, type }: Pick<SchemaField, 'name' | 'type'>): boolean =>
  isIdName(name) && ['ID', 'Int'].includes(getNamedType(type).name);

/** Builds a document that requests the last of a chain of nested fields, each with its variables. */
export function buildDocument(
  kind: 'query' | 'mutation',
  chain: readonly { readonly field: SchemaField; readonly variables: Record<string, unknown> }[],
  selection: string,
): { query: string; variables: Record<string, unknown> } {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const calls = chain.map(({ field, variables: own }, level) => {
    const given = Object.entries(own).map(([name, value]) => {
      const type = field.args.find((arg) => arg.name === name)?.type as GraphQLInputType;
      variables[`${name}${level}`] = value;
      declared.push(`$${name}${level}: ${String(type)}`);
      return `${name}: $${name}${level}`;
    });
    return given.length > 0 ? `${field.name}(${given.join(', ')})` : field.name;
  });
  const head = declared.length > 0 ? `${kind}(${declared.join(', ')})` : kind;
  const body = calls.reduceRight((inner, call) => `{ ${call} ${inner} }`, selection);
  return { query: `${head} ${body}`, variables };
}

/** Finds the shortest path from the readable queries to each object type, using only fields without required ids. */
export function findPaths(
  schema: GraphQLSchema,
  isReadable: (field: SchemaField) => boolean,
): Map<GraphQLNamedType, SchemaField[]> {
  const ways = new Map<GraphQLNamedType, SchemaField[]>();
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {});
  let level: SchemaField[][] = roots.filter(isReadable).map((field) => [field]);
  while (level.length > 0) {
    const next: SchemaField[][] = [];
    for (const way of level) {
      const field = way.at(-1)!;
      const type = getNamedType(field.type);
      if (findIdArguments(field.args).some(({ isRequired }) => isRequired) || !isObjectType(type) || ways.has(type))
        continue;
      ways.set(type, way);
      next.push(...Object.values(type.getFields()).map((inner) => [...way, inner]));
    }
    level = next;
  }
  return ways;
}
