import {
  getNamedType,
  isObjectType,
  Kind,
  OperationTypeNode,
  print,
  visit,
  type ArgumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { GraphQLRequest } from '../application/service.ts';
import { findOperation, parseQuery } from './operations.ts';

/* Reads on in the lists of a result, page by page. */

/** Facts about the list under a root field: how long it is and where to read on. */
interface PageFacts {
  readonly total: number;
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** By the key of the root field in the result. */
export type Pages = ReadonlyMap<string, PageFacts>;

const totalAlias = 'callboardTotal';
const pageAlias = 'callboardPage';
const facts = ` ${totalAlias}: totalCount ${pageAlias}: pageInfo { hasNextPage endCursor }`;

type Data = Record<string, unknown>;
interface Connection extends Data {
  readonly nodes?: readonly unknown[] | null;
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/**
 * Asks for the length of each list beside its rows. The text is inserted without a line break, so that the places in
 * error messages still fit the user's query.
 */
export function askForPages(request: GraphQLRequest, schema: GraphQLSchema | null): string {
  const operation = findOperation(request);
  if (!schema || operation?.operation !== OperationTypeNode.QUERY) return request.query;
  let text = request.query;
  for (const field of listConnections(operation, schema).toReversed()) {
    const at = (field.selectionSet?.loc?.start ?? 0) + 1;
    text = text.slice(0, at) + facts + text.slice(at);
  }
  return text;
}

/** Root fields that select the nodes of a list with pages. */
function listConnections({ selectionSet }: OperationDefinitionNode, schema: GraphQLSchema): FieldNode[] {
  const root = schema.getQueryType();
  return selectionSet.selections.filter((field): field is FieldNode => {
    if (field.kind !== Kind.FIELD || !root) return false;
    const type = root.getFields()[field.name.value]?.type;
    const selections = field.selectionSet?.selections ?? [];
    const hasNodes = selections.some((inner) => inner.kind === Kind.FIELD && keyOf(inner) === 'nodes');
    return hasNodes && type !== undefined && isConnection(getNamedType(type) as GraphQLObjectType);
  });
}

const isConnection = (type: GraphQLObjectType): boolean =>
  isObjectType(type) && ['nodes', 'totalCount', 'pageInfo'].every((name) => name in type.getFields());

/** Takes the added fields out of the data. */
export function takePages(data: Data | null | undefined): { data: Data | null | undefined; pages: Pages } {
  const pages = new Map<string, PageFacts>();
  if (!data) return { data, pages };
  const kept = Object.entries(data).map(([key, value]): [string, unknown] => {
    if (typeof value !== 'object' || value === null || !(totalAlias in value)) return [key, value];
    const { [totalAlias]: total, [pageAlias]: page, ...rest } = value as Data;
    pages.set(key, { total: Number(total), ...(page as Omit<PageFacts, 'total'>) });
    return [key, rest];
  });
  return { data: Object.fromEntries(kept), pages };
}

/** The request for the following rows of one list; the other root fields are skipped. */
export function requestNextPage(request: GraphQLRequest, key: string, first: number, after: string): GraphQLRequest {
  const document = parseQuery(request.query)?.document;
  const operation = findOperation(request);
  if (!document || !operation) return request;
  const selections = operation.selectionSet.selections.map((field) =>
    field.kind === Kind.FIELD && keyOf(field) === key ? readOn(field, first, after) : skip(field),
  );
  const changed = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const used = new Set<string>();
  const definitions = document.definitions.filter((each) => each.kind !== Kind.OPERATION_DEFINITION);
  visit(
    { ...document, definitions: [{ ...changed, variableDefinitions: [] }, ...definitions] },
    { Variable: ({ name }) => void used.add(name.value) },
  );
  const variableDefinitions = (operation.variableDefinitions ?? []).filter(({ variable }) =>
    used.has(variable.name.value),
  );
  const query = print({ ...document, definitions: [{ ...changed, variableDefinitions }, ...definitions] });
  const variables = Object.fromEntries(Object.entries(request.variables ?? {}).filter(([name]) => used.has(name)));
  return { query, variables, operationName: request.operationName };
}

function readOn(field: FieldNode, first: number, after: string): FieldNode {
  const others = (field.arguments ?? []).filter(
    ({ name }) => !['page', 'perPage', 'first', 'after', 'last', 'before'].includes(name.value),
  );
  return {
    ...field,
    arguments: [
      ...others,
      argument('first', { kind: Kind.INT, value: String(first) }),
      argument('after', { kind: Kind.STRING, value: after }),
    ],
  };
}

const argument = (name: string, value: ArgumentNode['value']): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: name },
  value,
});

const skip = (field: OperationDefinitionNode['selectionSet']['selections'][number]): typeof field => ({
  ...field,
  directives: [
    ...(field.directives ?? []),
    {
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: 'skip' },
      arguments: [argument('if', { kind: Kind.BOOLEAN, value: true })],
    },
  ],
});

/** Appends the rows of the next page to those before. */
export function appendPage(data: Data, next: Data, key: string): Data {
  const [before, after] = [data, next].map((each) => (each[key] ?? {}) as Connection);
  return { ...data, [key]: { ...before, nodes: [...(before?.nodes ?? []), ...(after?.nodes ?? [])] } };
}
