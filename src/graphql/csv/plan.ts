import {
  getArgumentValues,
  getVariableValues,
  OperationTypeNode,
  print,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { limits } from '../../config/limits.ts';
import type { AnswerSize } from '../../http/answer-memory.ts';
import { readInPages, readOnePage } from '../../http/csv-pages.ts';
import type { CsvCell } from '../../http/csv.ts';
import { measureQueryCost } from '../query-cost.ts';
import { pageDocument, pagingArguments } from './pages.ts';
import { createCollector } from './selections.ts';
import { NoTable, quoted, rowsOf, tableOf, type List } from './table.ts';

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
  /** Names of the custom fields that are columns; null where their values are rows. */
  readonly customFieldNames: readonly string[] | null;
}

/** Plans a query as CSV. Throws `NoTable`, or GraphQL's own errors about the variables. */
export function planOf({ schema, document, operation, variables, customFieldNames }: CsvRequest): CsvPlan {
  const query = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !query)
    throw new NoTable('Only queries can be answered as CSV: ask for JSON instead.');
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: limits.graphqlAnswerErrorsMax,
  });
  if (errors) throw new AggregateError(errors);

  const collectFields = createCollector(schema, document, coerced);
  const fields = collectFields(query, [operation]);
  const roots = [...fields].filter(([, [node]]) => node?.name.value !== '__typename');
  const [root] = roots;
  if (!root || roots.length > 1)
    throw new NoTable(`CSV needs a query with one root field; this one has ${roots.length}.`);

  const saysWhichPage = ({ definition, nodes: [node] }: List): boolean => {
    const given = node ? getArgumentValues(definition, node, coerced) : {};
    return [...pagingArguments].some((name) => given[name] !== undefined && given[name] !== null);
  };
  const { table, columns } = tableOf(
    query,
    fields,
    collectFields,
    (list) => {
      if (list.isConnection && !saysWhichPage(list))
        throw new NoTable(
          `In a row, ${quoted(list.name)} would be the first page of a list: say which page (page, perPage), or ask for the list itself.`,
        );
    },
    customFieldNames,
  );
  const { list } = table;
  if (!list) throw new NoTable(`CSV needs a list; ${quoted([root[0]])} returns none.`);

  const unsaid = table.cells.length > 0 ? 1 : list.name.length;
  const width = columns.names.length;
  const shared = {
    name: root[0],
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

  const paged = pageDocument(document, operation, list);
  const costOf = (rows: number) => {
    const all = { ...variables, ...paged.variables(rows, undefined) };
    return measureQueryCost(schema, paged.document, paged.operation, all).cost;
  };
  const rowsMax = rowsAPage(limits.pageRows, limits.graphqlObjects, costOf);
  const text = print(paged.document);
  return {
    ...shared,
    pageRowsMax: limits.pageRows,
    pages: (size, execute) =>
      readInPages<string>(size, rowsMax, async (rows, after) => {
        const result = await execute({ query: text, variables: { ...variables, ...paged.variables(rows, after) } });
        return { rows: rowsOf(table, width, result), next: paged.next(result) };
      }),
  };
}

/** As many rows as a page may have, or fewer if each row costs much. */
function rowsAPage(most: number, costMax: number, costOf: (rows: number) => number): number {
  const cost = costOf(most);
  return cost <= costMax ? most : Math.max(1, Math.floor((most * costMax) / cost));
}
