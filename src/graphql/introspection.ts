import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getIntrospectionQuery,
  getNamedType,
  getVariableValues,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { limits } from '../config/limits.ts';
import { fragmentsOf } from './query-cost.ts';

/*
 * What an operation reads of the schema itself. graphql-js answers it in one go, outside of the resolvers that count objects, so its
 * objects are counted before: they follow from the schema alone.
 */

/** Objects of the schema at one place of a query, and how often each occurs there. */
interface Place {
  readonly path: string;
  readonly objects: ReadonlyMap<unknown, number>;
  readonly count: number;
}

const metaFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  [SchemaMetaFieldDef.name]: SchemaMetaFieldDef,
  [TypeMetaFieldDef.name]: TypeMetaFieldDef,
};

/** The objects below `__schema` and `__type`, in full introspections of the schema: 1 holds as many as one that asks for all. */
export function countIntrospections(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const full = countOfFull(schema);
  const count = countObjects(schema, document, operation, variables, limits.graphqlIntrospections * full);
  return Math.ceil((100 * count) / full) / 100;
}

const fullCounts = new WeakMap<GraphQLSchema, number>();

function countOfFull(schema: GraphQLSchema): number {
  const known = fullCounts.get(schema);
  if (known !== undefined) return known;
  const document = parse(getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true, oneOf: true }));
  const count = countObjects(schema, document, document.definitions[0] as OperationDefinitionNode, {}, Infinity);
  fullCounts.set(schema, count);
  return count;
}

/**
 * Counts the objects of a valid operation, each as often as it occurs. What occurs at equal places is found once, and nothing more is
 * looked for once there are more than `most`: the count is then some number above it.
 */
function countObjects(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  most: number,
): number {
  const { coerced: variables } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  // graphql-js refuses the variables, and reads nothing.
  if (!variables) return 0;
  const fragments = fragmentsOf(document);
  const places = new Map<string, Place>();
  const counts = new Map<string, number>();
  const root = schema.getQueryType();
  let found = 0;

  const follow = ({ path, objects }: Place, field: GraphQLField<unknown, unknown>, node: FieldNode): Place => {
    const args = getArgumentValues(field, node, variables);
    const to = `${path}/${field.name}${JSON.stringify(args)}`;
    const known = places.get(to);
    if (known) return known;
    const next = new Map<unknown, number>();
    let count = 0;
    if (found <= most)
      for (const [object, times] of objects) {
        const value: unknown = field.resolve?.(object, args, undefined, { schema } as GraphQLResolveInfo);
        for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
          if (each === null || each === undefined) continue;
          next.set(each, (next.get(each) ?? 0) + times);
          count += times;
        }
      }
    found += count;
    const place = { path: to, objects: next, count };
    places.set(to, place);
    return place;
  };

  const ofSelections = ({ selections }: SelectionSetNode, parent: GraphQLNamedType, at: Place): number =>
    selections.reduce((sum, selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + ofSelections(selection.selectionSet, parent, at);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + ofFragment(selection.name.value, parent, at);
      const { value: name } = selection.name;
      const field = parent === root ? metaFields[name] : isObjectType(parent) ? parent.getFields()[name] : undefined;
      if (!field || !selection.selectionSet) return sum;
      const below = follow(at, field, selection);
      return sum + below.count + ofSelections(selection.selectionSet, getNamedType(field.type), below);
    }, 0);

  const ofFragment = (name: string, parent: GraphQLNamedType, at: Place): number => {
    const key = `${name} ${at.path}`;
    const known = counts.get(key);
    const fragment = fragments.get(name);
    if (known !== undefined || !fragment) return known ?? 0;
    const count = ofSelections(fragment.selectionSet, parent, at);
    counts.set(key, count);
    return count;
  };

  if (!root || operation.operation !== OperationTypeNode.QUERY) return 0;
  const count = ofSelections(operation.selectionSet, root, { path: '', objects: new Map([[root, 1]]), count: 1 });
  return Math.min(Math.max(count, found), Number.MAX_SAFE_INTEGER);
}
