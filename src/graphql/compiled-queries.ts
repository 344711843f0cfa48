import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import {
  getVariableValues,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import type { Context } from './context.ts';
import { countTokens } from './documents.ts';
import { formatResult } from './failures.ts';
import { listRootFields } from './query-cost.ts';

/** Memory of a token in a compiled query; 30 to 1900 bytes were measured. */
const tokenBytes = 2048;

/**
 * Answers queries that come again by compiled code, which gives the result of graphql-js in a fraction of the time. Everything else is
 * left to Apollo: mutations, introspection, queries that are new or long, and invalid variables, so that the messages are
 * those of graphql-js. The plugin comes last of those that may answer an operation. `compileAfter` says how often a query is
 * interpreted before it is compiled. Performance notes: src/guide/performance.md#compiled-queries
 */
export function compiledQueries(schema: GraphQLSchema, compileAfter: number): ApolloServerPlugin<Context> {
  const findCompiled = createCompiler(schema, compileAfter);
  return {
    requestDidStart: async () => ({
      async responseForOperation({ document, operation, request: { variables = {} }, contextValue }) {
        if (operation?.operation !== OperationTypeNode.QUERY || !hasValidVariables(schema, operation, variables))
          return null;
        const compiled = findCompiled(document, operation);
        if (!compiled) return null;
        const { data = null, errors } = await compiled.query(undefined, contextValue, variables);
        // Apollo formats and reports no errors of a plugin.
        const singleResult: FormattedExecutionResult = errors
          ? formatResult({ data, errors: errors.map(toGraphQLError) }, contextValue)
          : { data };
        return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
      },
    }),
  };
}

/**
 * Counts how often each operation is executed, and compiles it in time. Null means that it is to be interpreted. The counts live as
 * long as their documents, which the document store bounds; compiled queries are bounded by the memory that they take.
 */
function createCompiler(schema: GraphQLSchema, compileAfter: number) {
  const counts = new WeakMap<OperationDefinitionNode, number>();
  const compiledByOperation = new LRUCache<OperationDefinitionNode, CompiledQuery>({
    maxSize: limits.graphqlCompiledBytes,
  });
  return (document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null => {
    const known = compiledByOperation.get(operation);
    if (known) return known;
    const count = counts.get(operation) ?? 0;
    counts.set(operation, count + 1);
    const tokens = countTokens(document.loc);
    if (count < compileAfter || tokens > limits.graphqlCompiledTokens || isIntrospection(document, operation))
      return null;
    // The version of graphql-jit is pinned to 0.8.7: src/guide/performance.md#graphql-jit-087
    const compiled = compileQuery(schema, document, operation.name?.value, { disablingCapturingStackErrors: true });
    if (!isCompiledQuery(compiled)) return null;
    compiledByOperation.set(operation, compiled, { size: tokenBytes * tokens });
    return compiled;
  };
}

function isIntrospection(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  return listRootFields(document, operation).some((name) => name.startsWith('__'));
}

/**
 * Null for a variable with a default counts as invalid: graphql-js finds out at the place of use whether null is allowed there, and
 * compiled queries do not.
 */
function hasValidVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): boolean {
  return (
    variableDefinitions.length === 0 ||
    (!variableDefinitions.some(({ variable, defaultValue }) => defaultValue && values[variable.name.value] === null) &&
      !getVariableValues(schema, variableDefinitions, values, { maxErrors: 1 }).errors)
  );
}

/** The errors of compiled queries are not instances of GraphQLError: this makes them so. */
function toGraphQLError({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError });
  return locations ? Object.defineProperty(error, 'locations', { value: locations, enumerable: true }) : error;
}
