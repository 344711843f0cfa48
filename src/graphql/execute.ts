import {
  HeaderMap,
  type ApolloServerOptionsWithGateway,
  type ApolloServerOptionsWithSchema,
  type ApolloServerPlugin,
} from '@apollo/server';
import {
  execute,
  getVariableValues,
  GraphQLBoolean,
  GraphQLError,
  GraphQLID,
  GraphQLString,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLScalarType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import { formatIso } from '../time/instant-memo.ts';
import type { Context } from './context.ts';
import { countTokens } from './documents.ts';
import { listRootFields } from './query-cost.ts';

/**
 * THE switch of compiled queries. A number: how often a query is interpreted before it is compiled. Null is off: Apollo gets the
 * schema and executes by itself, with no code of this file.
 */
export type CompileAfter = number | null;

type Gateway = NonNullable<ApolloServerOptionsWithGateway<Context>['gateway']>;

/** Starts the execution of a valid and admitted operation. */
export type StartExecution = (
  document: DocumentNode,
  request: OperationRequest,
  context: Context,
) => Promise<ExecutionResult>;

interface Execution {
  /** The part of Apollo's options that decides who executes. */
  readonly options: Pick<ApolloServerOptionsWithSchema<Context>, 'schema'> | { readonly gateway: Gateway };
  /** They come last of those that may answer an operation. */
  readonly plugins: readonly ApolloServerPlugin<Context>[];
  /** Null if Apollo executes by itself. */
  readonly start: StartExecution | null;
}

export function createExecution(schema: GraphQLSchema, compileAfter: CompileAfter): Execution {
  return compileAfter === null
    ? { options: { schema }, plugins: [], start: null }
    : executeCompiled(schema, compileAfter);
}

/**
 * Executes for Apollo: a query that comes again is compiled, which gives the same result in a fraction of the time. Mutations,
 * introspection and documents of several operations are interpreted. Notes: src/guide/performance.md#compiled-queries
 *
 * A plugin executes. Apollo's interface for an executor is the gateway, but for each call of it Apollo creates an object with
 * accessors, and V8 keeps that object, with all of the request that it reaches, until the next full collection. So the gateway
 * only hands failed results to Apollo, which formats and reports the errors of an executor and not those of a plugin.
 * Notes: src/guide/performance.md#a-plugin-executes
 */
function executeCompiled(schema: GraphQLSchema, compileAfter: number): Execution {
  const run = createExecutor(schema, compileAfter);
  const start: StartExecution = (document, { variables, operationName }, contextValue) =>
    run({
      schema,
      document,
      contextValue,
      ...(variables && { variableValues: variables }),
      // Also an empty name, which no operation has.
      ...(typeof operationName === 'string' && { operationName }),
    });
  const plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      responseForOperation: async ({ document, operation, request, contextValue }) => {
        if (!operation) return null;
        contextValue.execution ??= start(document, request, contextValue);
        const result = await contextValue.execution.catch(() => null);
        if (!result || result.errors) return null;
        const { data = null } = result;
        return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult: { data } } };
      },
    }),
  };
  const gateway: Gateway = {
    onSchemaLoadOrUpdate: (listener) => {
      listener({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({
      executor: async ({ document, request, context }) => {
        const contextValue = context as Context;
        return contextValue.execution ?? start(document, request, contextValue);
      },
    }),
    stop: async () => undefined,
  };
  return { options: { gateway }, plugins: [plugin], start };
}

interface OperationRequest {
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | null | undefined;
}

/** Executes like graphql-js, by a compiled query if there is one. */
export function createExecutor(schema: GraphQLSchema, compileAfter: number) {
  const findCompiled = createCompiler(schema, compileAfter);
  return async (args: ExecutionArgs): Promise<ExecutionResult> => {
    const { document, contextValue } = args;
    const variableValues = args.variableValues ?? {};
    const operation = findOnlyQuery(document);
    const isMeant = operation && (args.operationName ?? operation.name?.value) === operation.name?.value;
    if (!isMeant || !hasValidVariables(schema, operation, variableValues)) return execute(args);
    const compiled = findCompiled(document, operation);
    if (!compiled) return execute(args);
    const result = await compiled.query(undefined, contextValue, variableValues);
    return result.errors ? { ...result, errors: result.errors.map(toGraphQLError) } : result;
  };
}

/**
 * Counts how often each document is executed, and compiles it in time. Null means that it is to be interpreted. The counts live as
 * long as their documents, which the document store bounds; compiled queries are bounded by the memory that they take.
 */
function createCompiler(schema: GraphQLSchema, compileAfter: number) {
  const counts = new WeakMap<DocumentNode, number>();
  const compiledQueries = new LRUCache<DocumentNode, CompiledQuery>({
    maxSize: limits.graphqlCompiledBytes,
    sizeCalculation: (_query, { loc }) => limits.graphqlCompiledTokenBytes * countTokens(loc),
  });
  return (document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null => {
    const known = compiledQueries.get(document);
    if (known) return known;
    const count = counts.get(document) ?? 0;
    if (count < compileAfter || !isWorthCompiling(document, operation)) {
      counts.set(document, count + 1);
      return null;
    }
    // The version of graphql-jit is pinned to 0.8.7: src/guide/performance.md#graphql-jit-087
    const compiled = compileQuery(schema, document, undefined, {
      disablingCapturingStackErrors: true,
      customSerializers,
    });
    if (!isCompiledQuery(compiled)) return null;
    compiledQueries.set(document, compiled);
    return compiled;
  };
}

/** Introspection is rare, and a long query takes too long to compile. */
function isWorthCompiling(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  if (countTokens(document.loc) > limits.graphqlCompiledTokens) return false;
  return !listRootFields(document, operation).some((name) => name.startsWith('__'));
}

/** Skips the serializer for a value that has the right type already: src/guide/performance.md#compiled-queries */
const unlessOfType =
  (kind: 'string' | 'boolean', { serialize }: GraphQLScalarType) =>
  (value: unknown) =>
    typeof value === kind ? value : serialize(value);

const customSerializers = {
  [GraphQLString.name]: unlessOfType('string', GraphQLString),
  [GraphQLID.name]: unlessOfType('string', GraphQLID),
  [GraphQLBoolean.name]: unlessOfType('boolean', GraphQLBoolean),
  [GraphQLDateTimeISO.name]: (value: unknown) =>
    value instanceof Date ? formatIso(value) : GraphQLDateTimeISO.serialize(value),
};

/** The query of a document that holds nothing else to execute. */
export function findOnlyQuery({ definitions }: DocumentNode): OperationDefinitionNode | null {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  return operations.length === 1 && operation?.operation === OperationTypeNode.QUERY ? operation : null;
}

/**
 * Invalid variables go to graphql-js, so that its error messages are used. So does null for a variable with a default: graphql-js
 * finds out at the place of use whether null is allowed there.
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
