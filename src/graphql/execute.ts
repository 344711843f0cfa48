import {
  HeaderMap,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type GraphQLRequest,
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
import type { Context } from './context.ts';
import { rootFieldsOf } from './query-cost.ts';

type Gateway = NonNullable<ApolloServerOptionsWithGateway<Context>['gateway']>;

/** How often a query is interpreted before it is compiled; null: it always is. */
export type CompileAfter = number | null;

/**
 * Executes for Apollo: queries that come again are compiled, which answers the same in a fraction of the time. Mutations,
 * introspection and documents of several operations are interpreted.
 *
 * A gateway is Apollo's way to an executor of one's own. For each call of it Apollo makes an object with accessors, which gets
 * a hidden class of its own: V8 keeps that, and all of the request that the accessors reach, until it collects its whole heap.
 * So a plugin executes, and the gateway only hands Apollo what failed: the errors that an executor gives are formatted and
 * reported, those of a plugin are not.
 */
export function executing(schema: GraphQLSchema, compileAfter: CompileAfter) {
  const run = createExecutor(schema, compileAfter);
  const start = (document: DocumentNode, { variables, operationName }: Asked, contextValue: Context) =>
    run({
      schema,
      document,
      contextValue,
      ...(variables && { variableValues: variables }),
      ...(operationName && { operationName }),
    });
  const plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      responseForOperation: async ({ document, operation, request, contextValue }) => {
        if (!operation) return null;
        contextValue.execution = start(document, request, contextValue);
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
  return { plugin, gateway };
}

type Asked = Pick<GraphQLRequest, 'variables' | 'operationName'>;

export function createExecutor(schema: GraphQLSchema, compileAfter: CompileAfter) {
  const compiledOf = compiling(schema, compileAfter);
  return async (args: ExecutionArgs): Promise<ExecutionResult> => {
    const { document, contextValue } = args;
    const variableValues = args.variableValues ?? {};
    const operation = onlyQuery(document);
    if (!operation || !hasGoodVariables(schema, operation, variableValues)) return execute(args);
    const compiled = compiledOf(document, operation);
    if (!compiled) return execute(args);
    const result = await compiled.query(undefined, contextValue, variableValues);
    return result.errors ? { ...result, errors: result.errors.map(asInterpreted) } : result;
  };
}

/** Null: to be interpreted. */
function compiling(schema: GraphQLSchema, compileAfter: CompileAfter) {
  const seen = new LRUCache<DocumentNode, number | CompiledQuery>({ max: limits.graphqlCompiledMax });
  return (document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null => {
    const known = seen.get(document) ?? 0;
    if (typeof known !== 'number') return known;
    const isIntrospective = () => rootFieldsOf(document, operation).some((name) => name.startsWith('__'));
    if (compileAfter === null || known < compileAfter || isIntrospective()) {
      seen.set(document, known + 1);
      return null;
    }
    // graphql-jit stays at 0.8.7: later ones allocate what an error would say for every leaf, a tenth of a board's time.
    const compiled = compileQuery(schema, document, undefined, {
      disablingCapturingStackErrors: true,
      customSerializers,
    });
    if (!isCompiledQuery(compiled)) return null;
    seen.set(document, compiled);
    return compiled;
  };
}

/** What was printed last: a row that never changed has its stamp twice. */
let latest = { instant: new Date(0), text: '' };

/** What a row holds in the right type needs no second look. */
const unlessAlready =
  (kind: 'string' | 'boolean', { serialize }: GraphQLScalarType) =>
  (value: unknown) =>
    typeof value === kind ? value : serialize(value);

const customSerializers = {
  [GraphQLString.name]: unlessAlready('string', GraphQLString),
  [GraphQLID.name]: unlessAlready('string', GraphQLID),
  [GraphQLBoolean.name]: unlessAlready('boolean', GraphQLBoolean),
  [GraphQLDateTimeISO.name]: (value: unknown) => {
    if (!(value instanceof Date)) return GraphQLDateTimeISO.serialize(value);
    if (value !== latest.instant) latest = { instant: value, text: value.toISOString() };
    return latest.text;
  },
};

function onlyQuery({ definitions }: DocumentNode): OperationDefinitionNode | null {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  return operations.length === 1 && operation?.operation === OperationTypeNode.QUERY ? operation : null;
}

/**
 * Bad ones are for the interpreter to blame, in its words. So is a null instead of a default, which may stand where none is
 * allowed: that is found out where it is used.
 */
const hasGoodVariables = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  variableDefinitions.length === 0 ||
  (!variableDefinitions.some(({ variable, defaultValue }) => defaultValue && values[variable.name.value] === null) &&
    !getVariableValues(schema, variableDefinitions, values, { maxErrors: 1 }).errors);

/** Errors of compiled queries only look like GraphQL's own. */
function asInterpreted({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError });
  return locations ? Object.defineProperty(error, 'locations', { value: locations, enumerable: true }) : error;
}
