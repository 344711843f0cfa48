import {
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/*
 * Cache settings of Apollo Client and of urql's Graphcache, as far as their defaults do not suit the schema. They follow
 * from its shape: what has an `id` is stored once, what has none is a part of another object, and connections have pages.
 */

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());

const hasId = (type: GraphQLObjectType) => 'id' in type.getFields();

const isConnection = (type: unknown): boolean =>
  isObjectType(type) && 'edges' in type.getFields() && 'pageInfo' in type.getFields();

/** Types that make up a connection, which the pagination functions of the client libraries know. */
const isPartOfConnection = ({ name }: GraphQLObjectType) => /(?:Connection|Edge)$|^PageInfo$/.test(name);

const isList = ({ type }: GraphQLField<unknown, unknown>) => isListType(getNullableType(type));

function objectTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter(({ name }) => !name.startsWith('__'))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Object types that a query can read; others occur in the results of mutations only, which no cache keeps. */
function readableTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  const found = new Set<unknown>();
  const visit = (type: unknown): void => {
    if (found.has(type)) return;
    found.add(type);
    if (isInterfaceType(type)) schema.getPossibleTypes(type).forEach(visit);
    if (isObjectType(type)) for (const field of fieldsOf(type)) visit(getNamedType(field.type));
  };
  visit(schema.getQueryType());
  return objectTypes(schema).filter((type) => found.has(type));
}

function possibleTypes(schema: GraphQLSchema): string {
  const entries = Object.values(schema.getTypeMap())
    .filter((type) => isInterfaceType(type))
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
  return `/** Types that implement each interface, for fragments on it. */
    export const possibleTypes = ${JSON.stringify(Object.fromEntries(entries))};`;
}

type SettingOf = (field: GraphQLField<unknown, unknown>) => string | undefined;

/** An object literal with the fields of a type that need a setting; null if none does. */
function fieldSettings(type: GraphQLObjectType, settingOf: SettingOf): string | null {
  const lines = fieldsOf(type).flatMap((field) => {
    const setting = settingOf(field);
    return setting === undefined ? [] : [`${field.name}: ${setting},`];
  });
  return lines.length > 0 ? `{\n${lines.join('\n')}\n}` : null;
}

/** Names of the types that are the value of a single field. */
function singleTypes(types: readonly GraphQLObjectType[]): Set<string> {
  const single = types.flatMap((type) => fieldsOf(type).filter((field) => !isList(field)));
  return new Set(single.map(({ type }) => getNamedType(type).name));
}

/** How Apollo Client merges what it reads into what it has. */
const mergeOf: SettingOf = (field) => {
  const type = getNamedType(field.type);
  if (isConnection(type)) {
    const names = field.args
      .map(({ name }) => name)
      .filter((name) => !['first', 'after', 'last', 'before'].includes(name));
    return `relayStylePagination(${JSON.stringify(names)})`;
  }
  return isList(field) && !isLeafType(type) ? '{ merge: false }' : undefined;
};

/** The module for Apollo Client's `InMemoryCache`. */
export function apolloSettings(schema: GraphQLSchema): string {
  const types = readableTypes(schema).filter((type) => !isPartOfConnection(type));
  const single = singleTypes(types);
  const policies = types.flatMap((type) => {
    const fields = fieldSettings(type, mergeOf);
    const isPart = !hasId(type) && single.has(type.name);
    const settings = [...(isPart ? ['merge: true,'] : []), ...(fields ? [`fields: ${fields},`] : [])];
    return settings.length > 0 ? [`${type.name}: { ${settings.join(' ')} },`] : [];
  });
  return `import type { TypePolicies } from '@apollo/client';
    import { relayStylePagination } from '@apollo/client/utilities';

    ${possibleTypes(schema)}

    /**
     * An object without an id is part of another one: fields that are read later join those that are there. Pages of a connection
     * make up one list for each filter and order. Other lists are replaced by what is read later.
     */
    export const typePolicies: TypePolicies = {
      ${policies.join('\n')}
    };
  `;
}

const takesId = ({ args }: GraphQLField<unknown, unknown>) => args.some(({ name }) => name === 'id');

/** The module for urql's Graphcache. */
export function graphcacheSettings(schema: GraphQLSchema): string {
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const keyless = objectTypes(schema).filter((type) => !roots.has(type) && !hasId(type) && !isPartOfConnection(type));
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const changes = mutations.filter(takesId).flatMap(({ name, type }) => {
    const result = getNullableType(type);
    return isObjectType(result) && hasId(result) ? [name] : [];
  });
  const resolvers = readableTypes(schema).flatMap((type) => {
    const fields = fieldSettings(type, (field) =>
      isConnection(getNamedType(field.type)) ? 'relayPagination()' : undefined,
    );
    return fields ? [`${type.name}: ${fields},`] : [];
  });
  return `import type { KeyingConfig, ResolverConfig, UpdatesConfig } from '@urql/exchange-graphcache';
    import { relayPagination } from '@urql/exchange-graphcache/extras';

    ${possibleTypes(schema)}

    /** Objects without an id are parts of the object that they are read from. */
    export const keys: KeyingConfig = {
      ${keyless.map(({ name }) => `${name}: () => null,`).join('\n')}
    };

    /**
     * These mutations change an object that exists, and their answer is all there is to store. Without this, Graphcache takes an
     * object that leaves its last list, such as a canceled shift, for a new one, and drops all objects of the type.
     */
    export const updates: UpdatesConfig = {
      Mutation: {
        ${changes.map((name) => `${name}: () => {},`).join('\n')}
      },
    };

    /** Pages of a connection make up one list for each filter and order. */
    export const resolvers: ResolverConfig = {
      ${resolvers.join('\n')}
    };
  `;
}
