import {
  getNamedType,
  getVariableValues,
  Kind,
  OperationTypeNode,
  print,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { getArgumentValues } from 'graphql/execution/values.js';
import type { LimitedField } from '../../access/attempts.ts';
import { limits } from '../../config/limits.ts';
import type { AnswerSize } from '../../http/answer-memory.ts';
import { readInPages, readOnePage } from '../../http/csv-pages.ts';
import type { CsvCell } from '../../http/csv.ts';
import { measureQueryCost } from '../query-cost.ts';
import { pagedDocument, type PageStart } from './pages.ts';
import { NoTable, quoted, rowsOf, tableOf, type Fields, type List, type SubfieldsOf } from './table.ts';

/** Everything needed to execute one page. */
export interface Execution {
  readonly query: string;
  readonly operationName?: string;
  readonly variables: Record<string, unknown>;
}

/** How a query becomes a table. */
export interface CsvPlan {
  /** Response name of the root field. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The root field: its arguments, and what a resolver of it would be told about the query. */
  readonly root: Pick<LimitedField, 'args' | 'info'>;
  /** Largest number of rows per page. */
  readonly pageRowsMax: number;
  readonly pages: (
    size: AnswerSize,
    execute: (execution: Execution) => Promise<unknown>,
  ) => AsyncGenerator<CsvCell[][]>;
}

interface CsvRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Record<string, unknown>;
}

/** Plans a query as CSV. Throws `NoTable`, or GraphQL's own errors about the variables. */
export function planOf({ schema, document, operation, variables }: CsvRequest): CsvPlan {
  const query = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !query)
    throw new NoTable('Only queries can be answered as CSV: ask for JSON instead.');
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (errors) throw new AggregateError(errors);

  const fragments = fragmentsOf(document);
  const subfieldsOf: SubfieldsOf = (type, nodes) => collectSubfields(schema, fragments, coerced, type, nodes);
  const fields = collectFields(schema, fragments, coerced, query, operation.selectionSet);
  const roots = [...fields].filter(([, [node]]) => node?.name.value !== '__typename');
  const [root] = roots;
  if (!root || roots.length > 1)
    throw new NoTable(`CSV needs a query with one root field; this one has ${roots.length}.`);

  const saysWhichPage = ({ definition, nodes: [node] }: List): boolean => {
    const given = node ? getArgumentValues(definition, node, coerced) : {};
    return ['page', 'perPage', 'first', 'after'].some((name) => given[name] !== undefined && given[name] !== null);
  };
  const { table, columns } = tableOf(query, fields, subfieldsOf, (list) => {
    if (list.isConnection && !saysWhichPage(list))
      throw new NoTable(
        `In a row, ${quoted(list.name)} would be the first page of a list: say which page (page, perPage), or ask for the list itself.`,
      );
  });
  const { list } = table;
  if (!list) throw new NoTable(`CSV needs a list; ${quoted([root[0]])} returns none.`);

  const unsaid = table.cells.length > 0 ? 1 : list.name.length;
  const width = columns.names.length;
  const shared = {
    name: root[0],
    root: describeRoot({ schema, document, operation, variables: coerced }, query, root),
    columns: columns.names.map((name) => name.slice(unsaid).join('.') || name.at(-1) || ''),
  };

  if (!list.isConnection || saysWhichPage(list))
    return {
      ...shared,
      pageRowsMax: limits.perPageMax,
      pages: (size, execute) =>
        readOnePage(size, async () => {
          const named = operation.name && { operationName: operation.name.value };
          return rowsOf(table, width, await execute({ query: print(document), ...named, variables }));
        }),
    };

  const paged = pagedDocument(document, operation, levelsOf(query, fields, list, subfieldsOf), list);
  const costOf = (rows: number, itemsOfPlainList: number) => {
    const all = { ...variables, ...paged.variables(rows, undefined) };
    return measureQueryCost(schema, paged.document, paged.operation, all, itemsOfPlainList).cost;
  };
  const rowsMax = Math.min(
    rowsAPage(paged.largestPage, limits.graphqlObjects, (rows) => costOf(rows, limits.graphqlExpectedItems)),
    rowsAPage(paged.largestPage, limits.graphqlCost, (rows) => costOf(rows, limits.nestedListMax)),
  );
  const text = print(paged.document);
  return {
    ...shared,
    pageRowsMax: limits.csvPageRows,
    pages: (size, execute) =>
      readInPages<NonNullable<PageStart>>(size, rowsMax, async (most, place) => {
        const rows = paged.sizeAt(most, place);
        const result = await execute({ query: text, variables: { ...variables, ...paged.variables(rows, place) } });
        return { rows: rowsOf(table, width, result), next: paged.next(result, rows, place) ?? null };
      }),
  };
}

/** The arguments and the info that execution would give the resolver of the root field, as far as they are known before. */
function describeRoot(
  { schema, document, operation, variables: variableValues }: CsvRequest,
  parentType: GraphQLObjectType,
  [key, fieldNodes]: readonly [string, readonly FieldNode[]],
): CsvPlan['root'] {
  const [node] = fieldNodes;
  const field = node && parentType.getFields()[node.name.value];
  if (!field) throw new Error(`The query has no field ${key}.`);
  const path = { key, typename: parentType.name, prev: undefined };
  const about = { fieldName: field.name, fieldNodes, parentType, returnType: field.type, path };
  const query = { schema, operation, fragments: fragmentsOf(document), variableValues, rootValue: undefined };
  return { args: getArgumentValues(field, node, variableValues), info: { ...about, ...query } };
}

const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

/** The fields at each step of the path to the list. */
function levelsOf(query: GraphQLObjectType, fields: Fields, { field }: List, subfieldsOf: SubfieldsOf): Fields[] {
  const levels: Fields[] = [fields];
  let type = query;
  for (const response of field.slice(0, -1)) {
    const nodes = levels.at(-1)?.get(response) ?? [];
    const definition = type.getFields()[nodes[0]?.name.value ?? ''];
    type = getNamedType(definition?.type as GraphQLOutputType) as GraphQLObjectType;
    levels.push(subfieldsOf(type, nodes));
  }
  return levels;
}

/** As many rows as a page may have, or fewer if each row costs much. */
function rowsAPage(most: number, costMax: number, costOf: (rows: number) => number): number {
  const cost = costOf(most);
  return cost <= costMax ? most : Math.max(1, Math.floor((most * costMax) / cost));
}
