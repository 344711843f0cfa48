import {
  getNamedType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  Kind,
  OperationTypeNode,
  print,
  type ArgumentNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
  parseType,
} from 'graphql';
import { findOperation, parseQuery } from './operations.ts';

/* Changes a query by clicks: adds and removes single fields. */

/** Names of fields from the root down. */
export type FieldPath = readonly string[];

type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>;

export const hasFields = (type: unknown): type is GraphQLObjectType => isObjectType(type) || isInterfaceType(type);

/** The fields at a path, or null if there are none below it. */
export function listFieldsAt(schema: GraphQLSchema, path: FieldPath): Fields | null {
  let type: unknown = schema.getQueryType();
  for (const name of path) {
    if (!hasFields(type)) return null;
    const field = type.getFields()[name];
    type = field && getNamedType(field.type);
  }
  return hasFields(type) ? (type.getFields() as Fields) : null;
}

const isField =
  (name: string) =>
  (selection: SelectionNode): selection is FieldNode =>
    selection.kind === Kind.FIELD && selection.name.value === name;

/** The first query operation of the text; null if the text is not a query that clicks could change. */
export function readBuildable(query: string): { document: DocumentNode; operation: OperationDefinitionNode } | null {
  if (query.trim() === '') {
    const document = parseQuery('query MyQuery { __typename }')!.document;
    const operation = document.definitions[0] as OperationDefinitionNode;
    return { document, operation: { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: [] } } };
  }
  const document = parseQuery(query)?.document;
  const operation = findOperation({ query });
  return document && operation?.operation === OperationTypeNode.QUERY ? { document, operation } : null;
}

export function isSelected(operation: OperationDefinitionNode, path: FieldPath): boolean {
  let selections: readonly SelectionNode[] = operation.selectionSet.selections;
  return path.every((name) => {
    const field = selections.find(isField(name));
    selections = field?.selectionSet?.selections ?? [];
    return field !== undefined;
  });
}

/**
 * Adds the field with all fields around it, or removes it. Arguments that a field needs become variables of the
 * operation, so that the form asks for them. Comments of the query are lost. Returns null if nothing would be left.
 */
export function toggleField(query: string, schema: GraphQLSchema, path: FieldPath): string | null {
  const buildable = readBuildable(query);
  const root = schema.getQueryType();
  if (!buildable || !root) return query;
  const { document, operation } = buildable;
  const added: VariableDefinitionNode[] = [];
  const selectionSet = isSelected(operation, path)
    ? removeAt(operation.selectionSet, path)
    : addAt(operation.selectionSet, path, root, added);
  if (!selectionSet) return null;
  const own = operation.variableDefinitions ?? [];
  const names = new Set(own.map(({ variable }) => variable.name.value));
  const text = [print(selectionSet), ...document.definitions.filter(isFragment).map(print)].join(' ');
  const variableDefinitions = [...own, ...added.filter(({ variable }) => !names.has(variable.name.value))].filter(
    ({ variable }) => new RegExp(`\\$${variable.name.value}\\b`).test(text),
  );
  const changed: OperationDefinitionNode = { ...operation, selectionSet, variableDefinitions };
  const place = document.definitions.findIndex(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const definitions = document.definitions.with(place, changed);
  return print({ ...document, definitions });
}

const isFragment = ({ kind }: DefinitionNode): boolean => kind === Kind.FRAGMENT_DEFINITION;

function removeAt(set: SelectionSetNode, [name = '', ...below]: FieldPath): SelectionSetNode | null {
  const selections = set.selections.flatMap((selection): SelectionNode[] => {
    if (!isField(name)(selection)) return [selection];
    const inner = below.length > 0 && selection.selectionSet ? removeAt(selection.selectionSet, below) : null;
    return inner ? [{ ...selection, selectionSet: inner }] : [];
  });
  return selections.length > 0 ? { ...set, selections } : null;
}

function addAt(
  set: SelectionSetNode | undefined,
  [name = '', ...below]: FieldPath,
  parent: GraphQLObjectType,
  variables: VariableDefinitionNode[],
): SelectionSetNode {
  const selections = set?.selections ?? [];
  const field = parent.getFields()[name]!;
  const type = getNamedType(field.type);
  const present = selections.find(isField(name));
  const node: FieldNode = present ?? {
    kind: Kind.FIELD,
    name: nameNode(name),
    arguments: listNeeded(field, variables),
  };
  const inner = hasFields(type)
    ? addAt(node.selectionSet, below.length > 0 ? below : pickFirst(type, node), type, variables)
    : undefined;
  const next: FieldNode = inner ? { ...node, selectionSet: inner } : node;
  return {
    kind: Kind.SELECTION_SET,
    selections: present ? selections.map((each) => (each === present ? next : each)) : [...selections, next],
  };
}

/** An object needs at least one field: its nodes, or what names it best. */
function pickFirst(type: GraphQLObjectType, node: FieldNode): FieldPath {
  const first = node.selectionSet?.selections[0];
  if (first?.kind === Kind.FIELD) return [first.name.value];
  const fields = type.getFields();
  const preferred = ['nodes', 'title', 'name', 'label', 'local', 'id'].find((name) => name in fields);
  const leaf = Object.values(fields).find(
    ({ type: inner }) => isScalarType(getNamedType(inner)) || isEnumType(getNamedType(inner)),
  );
  return [preferred ?? leaf?.name ?? Object.keys(fields)[0]!];
}

const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const;

function listNeeded(field: GraphQLField<unknown, unknown>, variables: VariableDefinitionNode[]): ArgumentNode[] {
  return field.args.filter(isRequiredArgument).map(({ name, type }) => {
    const variable = { kind: Kind.VARIABLE, name: nameNode(name) } as const;
    variables.push({ kind: Kind.VARIABLE_DEFINITION, variable, type: parseType(String(type)) });
    return { kind: Kind.ARGUMENT, name: nameNode(name), value: variable } as const;
  });
}
