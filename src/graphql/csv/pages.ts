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
import { valueAt, type Fields, type List } from './table.ts';

/** A document that reads one page of a list, from any cursor on. */
export interface PagedDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The variables that read a page of so many rows; undefined stands for the cursor of the first page. */
  readonly variables: (rows: number, after: string | undefined) => Record<string, unknown>;
  /** Returns the cursor of the next page; null after the last one. */
  readonly next: (result: unknown) => string | null;
}

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
 * Rewrites the document so that the connection behind `list` is read page by page, by cursor. Fragments on the path to
 * it are expanded; all other fields stay as they are.
 */
export function pagedDocument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  levels: readonly Fields[],
  list: List,
): PagedDocument {
  const names = namesIn(document);
  const [size, after, info] = [unused('csvRows', names), unused('csvAfter', names), unused('csvPage', names)];

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
    const page = [argument('first', variable(size)), argument('after', variable(after))];
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
      declared(after, 'String'),
    ],
  };
  return {
    document: { kind: Kind.DOCUMENT, definitions: [complete, ...fragments] },
    operation: complete,
    variables: (rows, from) => ({ [size]: rows, ...(from !== undefined && { [after]: from }) }),
    next: (result) => {
      const page = valueAt(result, [...list.field, info]);
      return valueAt(page, ['hasNextPage']) === true ? (valueAt(page, ['endCursor']) as string) : null;
    },
  };
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
