import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  GraphQLError,
  type GraphQLField,
  type GraphQLFormattedError,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type Source,
  TokenKind,
  visit,
} from 'graphql';
import { limits } from '../config/limits.ts';
import { requestedPageSize } from '../paging/pages.ts';

/** The cost of an operation with its fragments expanded. */
export interface QueryCost {
  readonly rootFields: number;
  readonly depth: number;
  /** Number of aliases, including those on introspection fields and `__typename`. */
  readonly aliases: number;
  readonly directives: number;
  /**
   * Objects that are read if all pages are full: the page sizes, as requested or by default, multiplied along each
   * path.
   */
  readonly cost: number;
}

type PartCost = Omit<QueryCost, 'rootFields'>;
const noCost: PartCost = { depth: 0, aliases: 0, directives: 0, cost: 0 };

/** Nested fragments can exceed the largest safe number, and JSON cannot represent Infinity. */
const addBounded = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

const addCosts = (a: PartCost, b: PartCost): PartCost => ({
  depth: Math.max(a.depth, b.depth),
  aliases: addBounded(a.aliases, b.aliases),
  directives: addBounded(a.directives, b.directives),
  cost: addBounded(a.cost, b.cost),
});

interface Measured {
  /** Names of the variables that give page sizes. */
  readonly pageSizes: readonly string[];
  /** Their values, as JSON. */
  readonly values: string;
  readonly cost: QueryCost;
}

const lastMeasured = new WeakMap<OperationDefinitionNode, Measured>();

/**
 * Measures an operation, unless its last cost still holds: with the same page sizes, a document costs the same.
 * src/guide/performance.md#known-query-costs
 */
export function queryCostOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): QueryCost {
  const known = lastMeasured.get(operation);
  const pageSizes = known?.pageSizes ?? namePageSizes(document);
  const values = JSON.stringify(pageSizes.map((name) => variables[name]));
  if (known?.values === values) return known.cost;
  const cost = measureQueryCost(schema, document, operation, variables);
  // Invalid values come here too, and may be long.
  if (values.length <= limits.textChars) lastMeasured.set(operation, { pageSizes, values, cost });
  return cost;
}

function namePageSizes(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Argument: ({ name, value }) => {
      if (isPageSize(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/**
 * Measures a valid operation in time linear in its length: each fragment is visited once. A list without a page size counts as
 * `graphqlExpectedItems`.
 */
export function measureQueryCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): QueryCost {
  const fragments = fragmentsOf(document);
  const measured = new Map<string, PartCost>();
  const pageSizeOf = readPageSizes(operation, variables);

  const ofSelections = ({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): PartCost =>
    selections.map((selection) => ofSelection(selection, parent)).reduce(addCosts, noCost);

  const ofSelection = (selection: SelectionNode, parent: GraphQLNamedType | undefined): PartCost => {
    const own = { depth: 0, aliases: 0, directives: selection.directives?.length ?? 0, cost: 0 };
    if (selection.kind === Kind.FIELD) return addCosts(own, ofField(selection, parent));
    if (selection.kind === Kind.FRAGMENT_SPREAD) return addCosts(own, ofFragment(selection.name.value));
    const type = selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : parent;
    return addCosts(own, ofSelections(selection.selectionSet, type));
  };

  const ofFragment = (name: string): PartCost => {
    const known = measured.get(name);
    const fragment = fragments.get(name);
    if (known || !fragment) return known ?? noCost;
    const part = ofSelections(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    measured.set(name, part);
    return part;
  };

  const ofField = (node: FieldNode, parent: GraphQLNamedType | undefined): PartCost => {
    const field =
      (isObjectType(parent) || isInterfaceType(parent)) && !isIntrospectionType(parent)
        ? parent.getFields()[node.name.value]
        : undefined;
    const inner = node.selectionSet ? ofSelections(node.selectionSet, field && getNamedType(field.type)) : noCost;
    const aliases = addBounded(inner.aliases, node.alias ? 1 : 0);
    const { directives } = inner;
    if (!field) return { depth: inner.depth, aliases, directives, cost: inner.cost };
    const { own, each } = node.selectionSet
      ? countObjects(field, parent, pageSizeOf(node, field))
      : { own: 0, each: 0 };
    return { depth: inner.depth + 1, aliases, directives, cost: addBounded(own, each * inner.cost) };
  };

  return {
    rootFields: listRootFields(document, operation).length,
    ...ofSelections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined),
  };
}

/** Names of the root fields. Each fragment is visited once, as in execution. */
export function listRootFields(document: DocumentNode, operation: OperationDefinitionNode): string[] {
  const unseen = fragmentsOf(document);
  const fieldsOf = ({ selections }: SelectionSetNode): string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection.name.value];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
      const fragment = unseen.get(selection.name.value);
      unseen.delete(selection.name.value);
      return fragment ? fieldsOf(fragment.selectionSet) : [];
    });
  return fieldsOf(operation.selectionSet);
}

export const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

/**
 * Returns how many objects a field itself returns and how often the fields below it may be read. A connection or a page is one
 * object whose `nodes` and `edges` have as many items as its page; its other fields, and the node of an edge, add
 * nothing.
 */
function countObjects(
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLNamedType | undefined,
  pageSize: number | null,
): { own: number; each: number } {
  const isList = isListType(getNullableType(field.type));
  if (/(?:Connection|Page)$/.test(parent?.name ?? '')) return { own: isList ? 1 : 0, each: 1 };
  if (parent?.name.endsWith('Edge') && field.name === 'node') return { own: 0, each: 1 };
  const items = pageSize ?? limits.graphqlExpectedItems;
  if (isList) return { own: items, each: items };
  return { own: 1, each: pageSize ?? 1 };
}

/**
 * Returns a function that finds the page size requested for a field, in the document or its variables; null for a field
 * without pages.
 */
function readPageSizes(operation: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>) {
  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );
  return ({ arguments: given = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): number | null => {
    if (!args.some(({ name }) => isPageSize(name))) return null;
    const asked = given
      .filter(({ name }) => isPageSize(name.value))
      .map(({ name, value }) => {
        // A page size above the limit is refused by the service, as in REST, so it is not counted here.
        const most = name.value === 'first' || name.value === 'last' ? limits.pageRows : limits.perPageMax;
        if (value.kind !== Kind.VARIABLE) return value.kind === Kind.INT ? Math.min(Number(value.value), most) : 0;
        const fallback = defaults.get(value.name.value);
        const size = Number(variables[value.name.value] ?? (fallback?.kind === Kind.INT ? fallback.value : 0));
        return Math.min(size, most);
      });
    const sizes = asked.filter((size) => size > 0);
    return requestedPageSize(sizes.length > 0 ? { perPage: Math.max(...sizes) } : {});
  };
}

const isPageSize = (argument: string) => argument === 'perPage' || argument === 'first' || argument === 'last';

export const limitCode = 'GRAPHQL_LIMIT_EXCEEDED';

/** The cost of an operation, and what it reads of the schema itself, in full introspections. */
export type OperationCost = QueryCost & { readonly introspections: number };

type Limited = keyof OperationCost | 'characters' | 'tokens';

/** The limits of an operation, with the noun that error messages use. */
const bounds: Record<Limited, { max: number; says: string }> = {
  characters: { max: limits.graphqlChars, says: 'characters of the document' },
  tokens: { max: limits.graphqlTokens, says: 'tokens of the document' },
  rootFields: { max: limits.graphqlRootFields, says: 'root fields' },
  depth: { max: limits.graphqlDepth, says: 'fields below one another' },
  aliases: { max: limits.graphqlAliases, says: 'aliases' },
  directives: { max: limits.graphqlRootFields, says: 'directives' },
  cost: { max: limits.graphqlCost, says: 'objects that may be read' },
  introspections: { max: limits.graphqlIntrospections, says: 'full introspections' },
};

/** Returns the refusal of an operation that exceeds a limit, for the first one it exceeds; null if it exceeds none. */
export function refuseAboveLimits(measured: OperationCost): GraphQLError | null {
  const limit = (Object.keys(measured) as (keyof OperationCost)[]).find((name) => measured[name] > bounds[name].max);
  return limit ? refuseExceeded(limit, measured[limit]) : null;
}

/** Returns the refusal of a document that is too long to be parsed and remembered; null for any other. */
export function refuseLongText(query: unknown): GraphQLError | null {
  if (typeof query !== 'string' || query.length <= bounds.characters.max) return null;
  return refuseExceeded('characters', query.length);
}

function refuseExceeded(limit: Limited, actual: number): GraphQLError {
  const { message, extensions } = describeExceeded(limit, actual);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 400, headers: new Map() } } });
}

/** Actual and largest allowed value of each part of the query cost. */
export const serializeQueryCost = (measured: OperationCost) =>
  Object.fromEntries(
    (Object.keys(measured) as (keyof OperationCost)[]).map((name) => [
      name,
      { actual: measured[name], max: bounds[name].max },
    ]),
  );

/** Replaces the parser's error about too many tokens with our own; returns null for any other error. */
export function refuseLongDocument(error: unknown): GraphQLFormattedError | null {
  if (!(error instanceof GraphQLError) || !error.source) return null;
  if (!/^Syntax Error: Document contains more that \d+ tokens/.test(error.message)) return null;
  return describeExceeded('tokens', countTokensOfText(error.source));
}

function describeExceeded(limit: Limited, actual: number) {
  const { max, says } = bounds[limit];
  return {
    message: `Too much in one operation: ${actual} ${says}; at most ${max} are allowed.`,
    extensions: { code: limitCode, limit, max, actual },
  };
}

/** Counts the tokens up to the end, or up to the first syntax error. */
function countTokensOfText(source: Source): number {
  const lexer = new Lexer(source);
  let count = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      count++;
      // Tokens form a linked list; without the link back, each can be freed as soon as it is counted.
      (lexer.token as { prev: null }).prev = null;
    }
  } catch {
    // A syntax error ends the count.
  }
  return count;
}
