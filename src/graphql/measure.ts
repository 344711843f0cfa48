import {
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { limits } from '../config.ts';

/** What an operation asks for, its fragments written out. */
export interface Measure {
  /** Fields below one another, introspection aside. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Objects that may be read at the most: page sizes, as asked for or assumed, multiplied along each path. */
  readonly cost: number;
}

const nothing: Measure = { depth: 0, aliases: 0, directives: 0, cost: 0 };

/** Measures a valid operation in time linear in its length: each fragment once. */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Measure {
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const measuredFragments = new Map<string, Measure>();

  const ofSelections = ({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): Measure => {
    let total = nothing;
    for (const selection of selections) {
      const own = { ...nothing, directives: selection.directives?.length ?? 0 };
      if (selection.kind === Kind.FIELD) total = plus(plus(total, own), ofField(selection, parent));
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        total = plus(plus(total, own), ofFragment(selection.name.value));
      else {
        const type = selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : parent;
        total = plus(plus(total, own), ofSelections(selection.selectionSet, type));
      }
    }
    return total;
  };

  const ofFragment = (name: string): Measure => {
    const known = measuredFragments.get(name);
    const fragment = fragments.get(name);
    if (known || !fragment) return known ?? nothing;
    const measured = ofSelections(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    measuredFragments.set(name, measured);
    return measured;
  };

  const ofField = (node: FieldNode, parent: GraphQLNamedType | undefined): Measure => {
    const aliases = node.alias ? 1 : 0;
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!node.selectionSet || !field) {
      const inner = node.selectionSet ? ofSelections(node.selectionSet, undefined) : nothing;
      const isIntrospection = node.name.value.startsWith('__');
      return { ...inner, aliases: inner.aliases + aliases, depth: isIntrospection || !field ? 0 : 1, cost: inner.cost };
    }
    const inner = ofSelections(node.selectionSet, getNamedType(field.type));
    const rows = rowsOf(node, field, parent, variables, defaultsOf(operation));
    return { ...inner, aliases: inner.aliases + aliases, depth: inner.depth + 1, cost: rows + rows * inner.cost };
  };

  return ofSelections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

const plus = (a: Measure, b: Measure): Measure => ({
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
  directives: a.directives + b.directives,
  cost: a.cost + b.cost,
});

const defaultsOf = ({ variableDefinitions }: OperationDefinitionNode) =>
  new Map(variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]));

/** A connection reads its page; its `nodes` and `edges` are that page; any other list is as long as is assumed. */
function rowsOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLNamedType | undefined,
  variables: Record<string, unknown>,
  defaults: ReturnType<typeof defaultsOf>,
): number {
  const sizes = (node.arguments ?? [])
    .filter(({ name }) => name.value === 'first' || name.value === 'perPage')
    .map(({ value }) => {
      if (value.kind === Kind.INT) return Number(value.value);
      if (value.kind !== Kind.VARIABLE) return 0;
      const fallback = defaults.get(value.name.value);
      return Number(variables[value.name.value] ?? (fallback?.kind === Kind.INT ? fallback.value : 0));
    });
  const isPaged = field.args.some(({ name }) => name === 'first' || name === 'perPage');
  if (isPaged) return Math.max(...sizes.filter((size) => size > 0), 0) || limits.perPageDefault;
  const isPageItself = parent?.name.endsWith('Connection') ?? false;
  return isListType(getNullableType(field.type)) && !isPageItself ? limits.graphqlAssumedListLength : 1;
}
