import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ApolloServerPlugin } from '@apollo/server';
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLFormattedError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  responsePathAsArray,
} from 'graphql';
import { limits, requestPointsMax } from '../config/limits.ts';
import { type AnswerLimit, AnswerTooLarge, type Failure } from '../errors.ts';
import { pointsOfObjects } from '../http/answer-memory.ts';
import { failureHeaders, statusByCode } from '../http/failures.ts';
import { mayExceed, writeJson } from '../http/json.ts';
import type { Context } from './context.ts';
import { extensionsOf } from './failures.ts';
import { createLoaders } from './loaders.ts';
import { limitCode } from './query-cost.ts';

const advice: Record<AnswerLimit, string> = {
  objects: 'Ask for smaller pages, or for fewer lists below one another.',
  rowBytes: 'Ask for smaller pages or fewer lists.',
  bytes: 'Ask for smaller pages, fewer fields or fewer aliases.',
};

/**
 * Refuses a request whose answer exceeds a limit as a whole: with half of an answer, nobody could tell what is missing. Changes are
 * made by then, so the answer to a mutation says that, and keeps the errors of the changes that failed.
 */
export const answerLimits: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body, http }, operation, contextValue }) {
        await payForObjects(contextValue);
        const { record } = contextValue;
        if (body.kind !== 'single') return;
        const { singleResult } = body;
        const refusal = findExcess(record.answer, singleResult.data);
        if (!refusal) return;
        const isChange = operation?.operation === OperationTypeNode.MUTATION;
        const failed = isChange ? (singleResult.errors ?? []).filter(({ path }) => path?.length === 1) : [];
        singleResult.data = null;
        singleResult.errors = [...failed, describeExcess(refusal, isChange)];
        if (isChange) return;
        delete singleResult.data;
        http.status = refusal instanceof AnswerTooLarge ? 400 : statusByCode[refusal.code];
        for (const [name, value] of Object.entries(failureHeaders(refusal))) http.headers.set(name, value);
      },
    };
  },
};

/** Takes the points of the objects of an answer, or of the rows that were read for it if these are more, also of one that is refused. */
async function payForObjects({ record, consume }: Context): Promise<void> {
  const { objects, rows } = record.answer;
  const points = Math.min(pointsOfObjects(Math.max(objects, rows)), requestPointsMax - record.points);
  if (points > 0) await consume(points, true);
}

/** Why an answer with this data is refused; null if it is not. */
export function findExcess(answer: Context['record']['answer'], data: unknown): Failure | null {
  if (answer.refusal) return answer.refusal;
  const isTooLong = mayExceed(data, answer.bytesMax) && writeJson(data, answer.bytesMax) === null;
  return isTooLong ? answer.refuseLength() : null;
}

export function describeExcess(refusal: Failure, isChange = false): GraphQLFormattedError {
  const made = isChange
    ? ' The changes were made, except those that other errors name; only the answer is left out.'
    : '';
  if (!(refusal instanceof AnswerTooLarge))
    return {
      message: `${refusal.message}${made}`,
      // Whoever sends the mutation again would make the changes twice.
      extensions: isChange ? { code: 'OUTCOME_UNKNOWN' } : extensionsOf(refusal),
    };
  const { limit, max, excess, hint } = refusal;
  return {
    message: `Too much in one answer: ${excess}. ${advice[limit]}${hint}${made}`,
    extensions: { code: limitCode, limit, max },
  };
}

type List = readonly unknown[];

/**
 * Makes every field that gives objects or a list count them for the answer, as often as they occur in it: rows are read once,
 * but an answer repeats them wherever they are asked for. Fields of other values need no count, because their number follows from
 * that of the objects. Once the answer has too many, fields give nothing instead of throwing: the request is refused as a whole
 * (`answerLimits`), and an error for each of thousands of fields would take longer than the answer.
 */
export function boundObjects(schema: GraphQLSchema): void {
  const mutation = schema.getMutationType();
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !isIntrospectionType(type))
      for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[])
        if (type === mutation || givesObjects(field)) field.resolve = countingResolver(field, type === mutation);
}

function givesObjects({ type }: GraphQLField<unknown, Context>): boolean {
  return isCompositeType(getNamedType(type)) || isListType(getNullableType(type));
}

/** A change is made in any case; only its result is left out. */
function countingResolver(
  { name, type, resolve }: GraphQLField<unknown, Context>,
  isChange: boolean,
): GraphQLFieldResolver<unknown, Context> {
  const read: GraphQLFieldResolver<unknown, Context> =
    resolve ?? ((source) => (source as Readonly<Record<string, unknown>>)[name]);
  const nothing = isListType(getNullableType(type)) ? [] : null;
  // An object that must be there is made of one that is counted already.
  const canBeNothing = nothing !== null || !isNonNullType(type);
  const take = (value: unknown, context: Context, info: GraphQLResolveInfo): unknown => {
    if (value === null || value === undefined) return value;
    const { answer } = context.record;
    if (Array.isArray(value) && answer.objects + value.length > limits.graphqlBatchObjects)
      return holdBack(value, info, context);
    const isCounted = answer.takeObjects(Array.isArray(value) ? value.length : 1, hintOf, info);
    return isCounted || !canBeNothing ? value : nothing;
  };
  return (source, args, context, info) => {
    // Root fields of a mutation run one after the other, and none may see rows as they were before an earlier one.
    if (isChange) context.loaders = createLoaders(context.scope);
    const { answer } = context.record;
    if (answer.refusal && canBeNothing && !isChange) return nothing;
    const found = read(source, args, context, info);
    if (!isPromise(found)) return take(found, context, info);
    return found.then(
      (value) => take(value, context, info),
      (error: unknown) => {
        if (answer.refusal && canBeNothing && !isChange) return nothing;
        throw error;
      },
    );
  };
}

/**
 * Holds a list of a large answer back until all that one batch has read are there. So the answer is refused for their number before
 * anything below their items is read.
 */
function holdBack(list: List, info: GraphQLResolveInfo, context: Context): Promise<List> {
  if (!context.heldLists) {
    context.heldLists = [];
    setImmediate(() => void handOut(context));
  }
  const { heldLists } = context;
  return new Promise((resolve) => heldLists.push({ list, info, handOut: resolve }));
}

/** Hands out the lists that are held back, empty if the answer has no room for all of them. Between them, the process serves others. */
async function handOut(context: Context): Promise<void> {
  const { heldLists = [], record } = context;
  delete context.heldLists;
  const { answer } = record;
  const [first] = heldLists.toSorted((one, other) => other.list.length - one.list.length);
  const count = heldLists.reduce((sum, { list }) => sum + list.length, answer.objects);
  if (first && count > limits.graphqlObjects) answer.refuseObjects(hintOf(first.info));
  let handedOut = 0;
  for (const held of heldLists) {
    held.handOut(answer.takeObjects(held.list.length, hintOf, held.info) ? held.list : []);
    handedOut += held.list.length;
    if (handedOut < limits.graphqlBatchObjects || answer.refusal) continue;
    handedOut = 0;
    await yieldToOthers();
  }
}

/** Names the field with which an answer becomes too large, and what to ask for in its place. */
function hintOf({ path, parentType, fieldName }: GraphQLResolveInfo): string {
  const names = responsePathAsArray(path).filter((key) => typeof key === 'string');
  const connection = `${fieldName}Connection`;
  const instead = connection in parentType.getFields() ? `; in its place, ask for ${connection}(first: …)` : '';
  return ` It becomes too much with ${names.join('.')}${instead}.`;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
