import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { AnswerSize } from '../http/answer-memory.ts';
import type { Context } from './context.ts';

/**
 * Makes every field that gives objects or a list count them for the answer, as often as they occur in it: rows are read once,
 * but an answer repeats them wherever they are asked for. Fields of other values need no count, because their number follows from
 * that of the objects. Once the answer has too many, fields give nothing instead of throwing: the request is refused as a whole
 * (answer-limits.ts), and an error for each of thousands of fields would take longer than the answer.
 */
export function boundObjects(schema: GraphQLSchema): void {
  const mutation = schema.getMutationType();
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !isIntrospectionType(type))
      for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[])
        if (givesObjects(field)) field.resolve = countingResolver(field, type === mutation);
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
  return (source, args, context, info) => {
    const { answer } = context.record;
    if (answer.refusal && canBeNothing && !isChange) return nothing;
    const found = read(source, args, context, info);
    if (!isPromise(found)) return isCounted(answer, found) ? found : canBeNothing ? nothing : found;
    return found.then(
      (value) => (isCounted(answer, value) || !canBeNothing ? value : nothing),
      (error: unknown) => {
        if (answer.refusal && canBeNothing && !isChange) return nothing;
        throw error;
      },
    );
  };
}

function isCounted(answer: AnswerSize, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return answer.takeObjects(Array.isArray(value) ? value.length : 1);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
