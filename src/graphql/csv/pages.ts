import {
  Kind,
  parseValue,
  separateOperations,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { valueAt, type List } from './table.ts';

/** A document that reads one page of a list, from any cursor on. */
export interface PagedDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The variables that read a page of so many rows; undefined stands for the cursor of the first page. */
  readonly variables: (rows: number, after: string | undefined) => Record<string, unknown>;
  /** Returns the cursor of the next page; null after the last one. */
  readonly next: (result: unknown) => string | null;
}

export const pagingArguments = new Set(['page', 'perPage', 'first', 'after', 'last', 'before']);

const named = (value: string) => ({ kind: Kind.NAME as const, value });

const argument = (name: string, variable: string): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: named(name),
  value: parseValue(`$${variable}`),
});

const declared = (name: string, type: string): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: named(name) },
  type: { kind: Kind.NAMED_TYPE, name: named(type) },
});

const field = (name: string, selections: readonly SelectionNode[] = [], alias?: string): FieldNode => ({
  kind: Kind.FIELD,
  name: named(name),
  ...(alias !== undefined && { alias: named(alias) }),
  ...(selections.length > 0 && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
});

/**
 * Rewrites the operation so that the connection behind `list` is read page by page, by cursor. The nodes of that field stand for it
 * alone: a connection within a row has to say which page it shows, and then this one says so too.
 */
export function pageDocument(document: DocumentNode, operation: OperationDefinitionNode, list: List): PagedDocument {
  const alone = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const names = namesIn(alone);
  const [size, after, info] = [unused('csvRows', names), unused('csvAfter', names), unused('csvPage', names)];
  const pageInfo = field('pageInfo', [field('hasNextPage'), field('endCursor')], info);
  const paged = withoutUnusedVariables(
    visit(alone, {
      OperationDefinition: (node) => ({
        ...node,
        variableDefinitions: [...(node.variableDefinitions ?? []), declared(size, 'Int'), declared(after, 'String')],
      }),
      Field: (node) => {
        if (!list.nodes.includes(node) || !node.selectionSet) return undefined;
        const kept = (node.arguments ?? []).filter(({ name }) => !pagingArguments.has(name.value));
        return {
          ...node,
          arguments: [...kept, argument('first', size), argument('after', after)],
          selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, pageInfo] },
        };
      },
    }),
  );
  return {
    document: paged,
    operation: paged.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode,
    variables: (rows, from) => ({ [size]: rows, ...(from !== undefined && { [after]: from }) }),
    next: (result) => {
      const page = valueAt(result, [...list.field, info]);
      return valueAt(page, ['hasNextPage']) === true ? (valueAt(page, ['endCursor']) as string) : null;
    },
  };
}

/** The arguments that were left out may have been the only use of a variable, which no valid document declares in vain. */
function withoutUnusedVariables(document: DocumentNode): DocumentNode {
  const used = new Set<string>();
  visit(document, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) });
  return visit(document, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
}

function namesIn(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, { Name: ({ value }) => void names.add(value) });
  return names;
}

function unused(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? unused(`${name}_`, taken) : name;
}
