import { getNamedType, isObjectType, type GraphQLNamedType, type GraphQLOutputType, type GraphQLSchema } from 'graphql';
import type { Probe } from './probe.ts';
import {
  buildDocument,
  isId,
  findIdArguments,
  buildSelection,
  buildVariables,
  findPaths,
  type Extent,
  type SchemaField,
  type IdArgument,
} from './documents.ts';
import { nounOf, type Id, type Ids } from './ids.ts';
import { graphqlCall, type GraphQLBody, type Instance } from './instance.ts';

const none: ReadonlyMap<string, Id> = new Map();
const pagesMax = 20;
/** From large to small, because an instance limits what one request may ask for. */
const extents: readonly Extent[] = [
  { depth: 4, perPage: 10 },
  { depth: 3, perPage: 20 },
  { depth: 2, perPage: 50 },
  { depth: 2, perPage: 10 },
  { depth: 1, perPage: 10 },
];

/** Finds the queries that can be read without an id. */
export const findReads = (schema: GraphQLSchema): SchemaField[] =>
  Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    ({ args }) => !findIdArguments(args).some(({ isRequired }) => isRequired),
  );

/**
 * Reads everything that a business sees through a query, down to a depth of nested fields. Collects ids by `Type.field`
 * and returns one text per page; null if the business may not read it.
 */
export async function readAll(
  instance: Instance,
  field: SchemaField,
  depth: number,
  ids: Ids,
): Promise<string[] | null> {
  const takesPages =
    field.args.some(({ name }) => name === 'page') && field.args.some(({ name }) => name === 'perPage');
  for (const extent of extents.filter((each) => each.depth <= depth)) {
    const selection = buildSelection(field.type, extent);
    const pages: string[] = [];
    for (let page = 1; page <= pagesMax; page++) {
      const paging = takesPages ? { page, perPage: extent.perPage * 2 } : {};
      const variables = { ...buildVariables(field.args, none), ...paging };
      const made = buildDocument('query', [{ field, variables }], selection);
      const { data, errors } = await instance.query(made.query, made.variables);
      const value = data?.[field.name];
      if (value === undefined || value === null) {
        if (isTooMuch(errors)) break;
        return null;
      }
      collectIds(value, field.type, ids);
      pages.push(JSON.stringify(value));
      const { pageInfo } = value as { pageInfo?: { hasNextPage?: boolean } };
      if (!takesPages || pageInfo?.hasNextPage !== true) return pages;
    }
    if (pages.length > 0) return pages;
  }
  return null;
}

const isTooMuch = (errors: GraphQLBody['errors'] = []): boolean =>
  errors.some(({ extensions }) => /LIMIT|PARSE|COMPLEX|DEPTH/.test(extensions?.code ?? ''));

/** Collects the ids in an answer by `Type.field`. */
export function collectIds(value: unknown, type: GraphQLOutputType, ids: Ids): void {
  const parent = getNamedType(type);
  if (Array.isArray(value)) for (const item of value) collectIds(item, type, ids);
  else if (isObjectType(parent) && typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      const field = parent.getFields()[name];
      if (!field) continue;
      if (isId(field)) for (const id of [inner].flat()) ids.add(`${parent.name}.${name}`, id);
      collectIds(inner, field.type, ids);
    }
}

/**
 * Returns a function that lists where ids for an argument can be found, the most likely place first. `near` is a noun
 * or the type that the argument belongs to.
 */
export function createPlaceFinder(schema: GraphQLSchema, ids: Ids) {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
  const isNamed = (text: string) => (type: GraphQLNamedType) => type.name.toLowerCase() === text.toLowerCase();
  return (name: string, near: string, description = ''): string[] => {
    const singular = name.replace(/s$/, '');
    const noun = nounOf(name);
    // A number of REST is `databaseId` in GraphQL.
    const parts = /uuid$/i.test(singular) ? ['uuid'] : ['id', 'databaseId'];
    const placesIn = (type: GraphQLNamedType) => parts.map((part) => `${type.name}.${part}`);
    const within = types.filter(({ name: type }) => near.toLowerCase().includes(type.toLowerCase()));
    const longestFirst = within.sort((one, other) => other.name.length - one.name.length);
    const spoken = types
      .map((type) => ({
        type,
        at: description.toLowerCase().lastIndexOf(type.name.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase()),
      }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => other.at - one.at || other.type.name.length - one.type.name.length)
      .map(({ type }) => type);
    const exact = types.filter(isNamed(noun === '' ? near : noun));
    const candidates = [...exact, ...(noun === '' ? longestFirst : []), ...spoken];
    const elsewhere = noun === '' ? [] : ids.places().filter((place) => place.endsWith(`.${singular}`));
    return [...candidates.slice(0, exact.length).flatMap(placesIn), ...elsewhere, ...candidates.flatMap(placesIn)];
  };
}

/** Creates one probe for each id argument of queries, mutations and nested fields that B can get to. */
export function graphqlProbes(
  schema: GraphQLSchema,
  a: Ids,
  b: Ids,
  isReadable: (field: SchemaField) => boolean,
): Probe[] {
  const placesFor = createPlaceFinder(schema, a);
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  const probesOf = (kind: 'query' | 'mutation', way: readonly SchemaField[], target: string): Probe[] => {
    const field = way.at(-1)!;
    const namings = findIdArguments(field.args);
    const returned = getNamedType(field.type).name;
    const places = ({ name, description }: IdArgument) => {
      const own = nounOf(name) === '' ? placesFor(name, returned, description) : [];
      return [...own, ...placesFor(name, field.name, description)];
    };
    const idFrom = (ids: Ids, others: Ids, naming: IdArgument): Id | null =>
      places(naming)
        .flatMap((place) => ids.at(place).filter((id) => !others.has(place, id)))
        .find((id) => (typeof id === 'number') === naming.isNumber) ?? null;
    const selection = buildSelection(field.type, { depth: kind === 'query' ? 2 : 3, perPage: 5 });
    return namings.map((naming) => ({
      surface: 'GraphQL',
      target,
      argument: naming.path,
      writes: kind === 'mutation',
      foreign: idFrom(a, b, naming),
      others: namings.filter(({ isRequired, path }) => !isRequired && path !== naming.path).map(({ path }) => path),
      call: (id, beside) => {
        const own = namings
          .filter(({ isRequired, path }) => path !== naming.path && (isRequired || beside.named.includes(path)))
          .flatMap((each) => {
            const known = idFrom(b, a, each);
            return known === null ? [] : [[each.path, known] as const];
          });
        const given = new Map([...own, [naming.path, id] as const]);
        const chain = way.map((each, level) => ({
          field: each,
          variables:
            level === way.length - 1
              ? buildVariables(each.args, given, beside.samples ? 'all' : 'needed')
              : buildVariables(each.args, none),
        }));
        const { query, variables } = buildDocument(kind, chain, selection);
        return graphqlCall(query, variables);
      },
    }));
  };
  const ofRoots = (['query', 'mutation'] as const).flatMap((kind) =>
    Object.values(roots[kind]?.getFields() ?? {}).flatMap((field) => probesOf(kind, [field], field.name)),
  );
  const ofFields = [...findPaths(schema, isReadable)].flatMap(([type, way]) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap((field) =>
          probesOf('query', [...way, field], `${type.name}.${field.name}`),
        )
      : [],
  );
  return [...ofRoots, ...ofFields];
}
