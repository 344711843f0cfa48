import type { ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import { requestPointsMax } from '../config/limits.ts';
import { AnswerTooLarge, type AnswerLimit, type Failure } from '../errors.ts';
import { pointsOfObjects } from '../http/answer-memory.ts';
import { failureHeaders, statusByCode } from '../http/failures.ts';
import { mayExceed, writeJson } from '../http/json-text.ts';
import type { Context } from './context.ts';
import { extensionsOf } from './failures.ts';
import { limitCode } from './limits.ts';

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

/** Takes the points of the objects of an answer, also of one that is refused. */
async function payForObjects({ record, consume }: Context): Promise<void> {
  const points = Math.min(pointsOfObjects(record.answer.objects), requestPointsMax - record.points);
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
