import type { FastifyBaseLogger } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { toFailure } from '../http/failures.ts';
import { readClashes } from '../services/staffing.ts';
import { ClashView, serializeClash } from './conflict-problems.ts';
import { spellErrors } from './dialect.ts';
import { textSchema } from './formats.ts';

/* The refusal of one of several things that a request asks for: an error body within an answer. */

export const eachByItself =
  'A refused one does not affect the others: each has a result of its own, in the order of the inputs.';
/** The end of a sentence, or of a part of one. */
export const costOfBatch = 'A batch costs 1 + rows / 25, rounded down, of the rate limit';

export const refusalProperties = {
  code: textSchema('Kind of failure, as in the body of an error.'),
  message: textSchema('What is wrong.'),
  errors: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Error messages by field.' }),
};

export const clashesProperty = {
  clashes: Type.Array(ClashView, { description: 'The rules that the assignment breaks and an override allows.' }),
};

/** Either the row or the refusal is null. */
export const outcomeOf = <R extends TSchema, E extends TSchema>(
  title: string,
  name: string,
  { row, refusal }: { row: R; refusal: E },
) =>
  Type.Object(
    {
      [name]: Type.Union([row, Type.Null()], { description: 'The new row; null if it was refused.' }),
      error: Type.Union([refusal, Type.Null()], { description: 'The refusal; null if there was none.' }),
    },
    { title },
  );

export interface InputNames {
  readonly errorNames?: Readonly<Record<string, string>>;
  /** Schema of what was sent for the one that is refused. */
  readonly input: TSchema;
}

export function serializeRefusal(error: unknown, log: FastifyBaseLogger, { errorNames, input }: InputNames) {
  const { code, message, errors = {}, cause } = toFailure(error);
  if (code === 'INTERNAL') log.error({ err: cause }, 'one of several changes failed');
  return { code, message, errors: spellErrors(errors, errorNames, input) };
}

export const serializeClashes = (error: unknown) => ({ clashes: readClashes(toFailure(error)).map(serializeClash) });
