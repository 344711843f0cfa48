import type { ApolloServerPlugin } from '@apollo/server';
import * as graphql from 'graphql';
import {
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { OperationRecord } from '../access/operation-record.ts';
import { limits } from '../config/limits.ts';
import { Failure, unauthenticated } from '../errors.ts';
import { pickKeys } from '../validation/compile.ts';
import type { Context } from './context.ts';
import { refusal } from './failures.ts';
import { countIntrospections } from './introspection.ts';
import type { IntrospectionTexts } from './introspection-texts.ts';
import { listRootFields, queryCostOf, refuseAboveLimits, serializeQueryCost } from './query-cost.ts';

/** Request header that asks for `extensions.cost` in the answer. */
const costHeader = 'x-graphql-cost';

/**
 * Runs before any resolver. It checks the query against the limits, takes one point of the rate limit for each root field,
 * and refuses a whole request without a credential if all of its root fields need one.
 */
export const admission = (texts: IntrospectionTexts): ApolloServerPlugin<Context> => ({
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw refusal(notAsEvents());
        const { variables, operationName } = request;
        await admitOperation({ schema, document, operation, operationName, variables, texts }, contextValue);
      },
      async willSendResponse({ request, response: { body }, contextValue: { cost } }) {
        if (!cost || body.kind !== 'single' || request.http?.headers.get(costHeader) !== '1') return;
        body.singleResult.extensions = { ...body.singleResult.extensions, cost: serializeQueryCost(cost) };
      },
    };
  },
});

interface Admitted {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly operationName?: string | undefined;
  readonly variables?: Record<string, unknown> | null | undefined;
  /** The answers in memory, from which an operation may be answered. */
  readonly texts?: IntrospectionTexts;
}

/** Throws the refusal of a valid operation that may not run. Otherwise its points are taken. The context gets its cost in both cases. */
export async function admitOperation(
  { schema, document, operation, operationName, variables, texts }: Admitted,
  context: Context,
): Promise<void> {
  const root = schema.getRootType(operation.operation);
  if (!root) throw refusal(new Failure('BAD_REQUEST', `This service has no ${operation.operation}s.`));
  // The schema's own strings: those of the document would keep its whole text in memory.
  const fields = listRootFields(document, operation).map((name) => root.getFields()[name]?.name ?? name);
  context.record.graphql = { type: operation.operation, fields: [...new Set(fields)].sort() };
  const isOneMutation =
    operation.operation === OperationTypeNode.MUTATION && fields.filter((name) => !name.startsWith('__')).length === 1;
  if (context.scope.call.idempotency && !isOneMutation) throw refusal(keyOfMany());
  if (variables) cutWrongVariables(schema, operation, variables);
  const isIntrospection = fields.every((name) => name.startsWith('__'));
  const key = isIntrospection && !context.csv ? texts?.keyFor({ document, operationName, variables }) : null;
  if (key) context.introspection = key;
  context.cost = {
    ...queryCostOf(schema, document, operation, variables ?? {}),
    introspections: countIntrospections(schema, document, operation, variables ?? {}),
  };
  const exceeded = refuseAboveLimits(context.cost);
  if (exceeded) throw exceeded;
  try {
    const isKnown = key && texts?.has(key);
    await admit(fields, root, isKnown ? 0 : context.cost.introspections * limits.introspectionPoints, context);
  } catch (error) {
    throw error instanceof Failure ? refusal(error) : error;
  }
}

const keyOfMany = () =>
  new Failure(
    'BAD_REQUEST',
    'The header Idempotency-Key is for a document with one mutation. Give each of several its argument idempotencyKey, and queries none.',
  );

const notAsEvents = () =>
  new Failure('NOT_ACCEPTABLE', 'A subscription is answered as a stream: send `Accept: text/event-stream`.');

async function admit(
  names: readonly string[],
  root: GraphQLObjectType | null | undefined,
  introspectionPoints: number,
  { scope, consume }: Context,
): Promise<void> {
  const operationOf = operationsOf(root);
  const records = names.map(operationOf);
  const paid = records.filter((record) => record?.isFree !== true);
  const light = paid.filter((record) => record?.isLight === true).length;
  // The point of the request is taken already. Free fields alone give nothing of it back.
  const points = Math.max(paid.length - light + light / limits.rateLimitParts, Math.ceil(introspectionPoints));
  if (points > 1 || light > 0) await consume(points - 1);
  const isOpen = (name: string) => name.startsWith('__') || operationOf(name)?.roles === 'anyone';
  if (scope.actor.kind === 'anonymous' && names.length > 0 && !names.some(isOpen)) throw unauthenticated();
}

/**
 * The record of the operation behind a root field, where the field names it with `@Extensions({ calls })`. Fields for
 * operations that are open to anyone or free name it; all others need a credential and cost a point.
 */
const operationsOf =
  (root: GraphQLObjectType | null | undefined) =>
  (name: string): OperationRecord | undefined => {
    const { calls } = (root?.getFields()[name]?.extensions ?? {}) as { calls?: { operation: OperationRecord } };
    return calls?.operation;
  };

/**
 * Cuts wrong variables to what their refusal needs, in place: graphql-js writes each object that has a fault into a message, once for
 * each of its faults. What is cut stays wrong, and right variables stay as they are.
 */
export function cutWrongVariables(
  schema: graphql.GraphQLSchema,
  { variableDefinitions = [] }: graphql.OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  for (const { variable, type: node } of variableDefinitions) {
    const type = graphql.typeFromAST(schema, node as graphql.NamedTypeNode);
    const { value: name } = variable.name;
    if (graphql.isInputType(type) && Object.hasOwn(variables, name)) variables[name] = cut(variables[name], type);
  }
}

function cut(value: unknown, type: graphql.GraphQLInputType): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (graphql.isNonNullType(type)) return cut(value, type.ofType);
  if (graphql.isListType(type))
    return Array.isArray(value) ? value.map((item) => cut(item, type.ofType)) : cut(value, type.ofType);
  // No scalar of an input takes an object or a list.
  if (Array.isArray(value)) return [];
  if (!graphql.isInputObjectType(type)) return {};
  const fields = type.getFields();
  const known = Object.keys(fields);
  const hasMany = Object.keys(value).length > known.length + limits.errorFieldsMax;
  const sent = hasMany ? pickKeys(value as Record<string, unknown>, known) : (value as Record<string, unknown>);
  for (const name of known) if (Object.hasOwn(sent, name)) sent[name] = cut(sent[name], fields[name]!.type);
  return sent;
}
