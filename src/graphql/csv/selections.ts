import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The fields below one or more others, by response name: fragments expanded, `@skip` and `@include` applied. */
export type Fields = ReadonlyMap<string, readonly FieldNode[]>;

export type CollectFields = (type: GraphQLObjectType, parents: readonly HasSelections[]) => Fields;

interface HasSelections {
  readonly selectionSet?: SelectionSetNode | undefined;
}

/** Returns a function that collects the fields that a valid document selects of an object. */
export function createCollector(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): CollectFields {
  const findFragment = (name: string) =>
    definitions.find(
      (definition): definition is FragmentDefinitionNode =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    );

  const isSelected = (node: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;

  const isAbout = (
    type: GraphQLObjectType,
    { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  ): boolean => {
    if (!typeCondition || typeCondition.name.value === type.name) return true;
    const condition = schema.getType(typeCondition.name.value);
    return isAbstractType(condition) && schema.isSubType(condition, type);
  };

  return (type, parents) => {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const collect = ({ selectionSet }: HasSelections): void => {
      for (const node of selectionSet?.selections ?? []) {
        if (!isSelected(node)) continue;
        if (node.kind === Kind.FIELD) {
          const name = (node.alias ?? node.name).value;
          fields.set(name, [...(fields.get(name) ?? []), node]);
        } else {
          if (node.kind === Kind.FRAGMENT_SPREAD && spread.has(node.name.value)) continue;
          if (node.kind === Kind.FRAGMENT_SPREAD) spread.add(node.name.value);
          const fragment = node.kind === Kind.FRAGMENT_SPREAD ? findFragment(node.name.value) : node;
          if (fragment && isAbout(type, fragment)) collect(fragment);
        }
      }
    };
    parents.forEach(collect);
    return fields;
  };
}
