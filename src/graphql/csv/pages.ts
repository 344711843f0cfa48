import {
  Kind,
  OperationTypeNode,
  visit,
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { limits } from '../../config/limits.ts';
import { valueAt, type Fields, type List } from './table.ts';

/** A document that reads one page of a list, from any position. */
export interface PagedDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Largest number of rows per page. */
  readonly largestPage: number;
  /** Largest size of a page that can be read at a place, of at most so many rows. */
  readonly sizeAt: (rows: number, place: PageStart) => number;
  readonly variables: (size: number, place: PageStart) => Record<string, unknown>;
  /** Returns the position of the next page; null after the last one. */
  readonly next: (result: unknown, size: number, place: PageStart) => PageStart | null;
}

/** A cursor, or the number of rows before the page; undefined for the first page. */
export type PageStart = string | number | undefined;

const pagingArguments = new Set(['page', 'perPage', 'first', 'after']);

/** Finds a name that is not taken. */
const unused = (name: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? unused(`${name}_`, taken) : name;

const named = (value: string) => ({ kind: Kind.NAME as const, value });
const variable = (name: string) => ({ kind: Kind.VARIABLE as const, name: named(name) });
const fieldOf = (name: string, selections: SelectionNode[] = [], alias?: string): FieldNode => ({
  kind: Kind.FIELD,
  name: named(name),
  ...(alias && { alias: named(alias) }),
  ...(selections.length > 0 && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
});
const argument = (name: string, value: ValueNode) => ({ kind: Kind.ARGUMENT as const, name: named(name), value });
const declared = (name: string, type: string): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: variable(name),
  type: { kind: Kind.NAMED_TYPE, name: named(type) },
});

/**
 * Rewrites the document so that the connection behind `list` is read page by page, by cursor where the connection has
 * one. Fragments on the path to it are expanded; all other fields stay as they are.
 */
export function pagedDocument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  levels: readonly Fields[],
  list: List,
): PagedDocument {
  const takes = new Set(list.definition.args.map(({ name }) => name));
  const byCursor = takes.has('after');
  const names = namesIn(document);
  const [size, from, info] = [unused('csvRows', names), unused('csvFrom', names), unused('csvPage', names)];

  const selectionsAt = (level: number): SelectionNode[] =>
    [...(levels[level] ?? [])].flatMap(([response, nodes]) =>
      response === list.field[level] ? [onTheWay(response, nodes, level)] : nodes,
    );
  const onTheWay = (response: string, nodes: readonly FieldNode[], level: number): FieldNode => {
    const [node] = nodes as [FieldNode];
    const isList = level === list.field.length - 1;
    const below = isList
      ? [
          ...nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []),
          fieldOf('pageInfo', [fieldOf('hasNextPage'), fieldOf('endCursor')], info),
        ]
      : selectionsAt(level + 1);
    const kept = node.arguments?.filter(({ name }) => !isList || !pagingArguments.has(name.value)) ?? [];
    const page = [
      argument(byCursor ? 'first' : 'perPage', variable(size)),
      argument(byCursor ? 'after' : 'page', variable(from)),
    ];
    return { ...fieldOf(node.name.value, below, response), arguments: isList ? [...kept, ...page] : kept };
  };

  const rewritten: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    selectionSet: { kind: Kind.SELECTION_SET, selections: selectionsAt(0) },
  };
  const fragments = fragmentsUsed(rewritten, document.definitions);
  const used = variablesIn([rewritten, ...fragments]);
  const complete: OperationDefinitionNode = {
    ...rewritten,
    variableDefinitions: [
      ...(operation.variableDefinitions ?? []).filter(({ variable: { name } }) => used.has(name.value)),
      declared(size, 'Int'),
      declared(from, byCursor ? 'String' : 'Int'),
    ],
  };
  return {
    document: { kind: Kind.DOCUMENT, definitions: [complete, ...fragments] },
    operation: complete,
    largestPage: byCursor ? limits.csvPageRows : limits.perPageMax,
    sizeAt: (rows, place) => (typeof place === 'number' ? largestDivisor(place, rows) : rows),
    variables: (rows, place) => ({
      [size]: rows,
      ...(place !== undefined && { [from]: typeof place === 'number' ? place / rows + 1 : place }),
    }),
    next: (result, rows, place) => {
      const page = valueAt(result, [...list.field, info]);
      if (valueAt(page, ['hasNextPage']) !== true) return null;
      return byCursor ? (valueAt(page, ['endCursor']) as string) : Number(place ?? 0) + rows;
    },
  };
}

/** A page by number begins at a multiple of its size. */
function largestDivisor(number: number, most: number): number {
  let divisor = most;
  while (number % divisor !== 0) divisor--;
  return divisor;
}

function namesIn(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, { Name: ({ value }) => void names.add(value) });
  return names;
}

function variablesIn(nodes: readonly ASTNode[]): Set<string> {
  const names = new Set<string>();
  for (const node of nodes) visit(node, { Variable: ({ name }) => void names.add(name.value) });
  return names;
}

/** The fragments that the operation uses, directly or through other fragments. */
function fragmentsUsed(operation: OperationDefinitionNode, definitions: readonly DefinitionNode[]) {
  const used = new Set<FragmentDefinitionNode>();
  const follow = (node: ASTNode): void =>
    void visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = definitions.find(
          (definition): definition is FragmentDefinitionNode =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name.value,
        );
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        follow(fragment);
      },
    });
  follow(operation);
  return [...used];
}
