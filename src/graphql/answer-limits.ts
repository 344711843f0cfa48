import type { ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import { AnswerTooLarge, type AnswerLimit, type Failure } from '../errors.ts';
import { failureHeaders, statusByCode } from '../http/failures.ts';
import { measureJson } from '../http/json-size.ts';
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
      async willSendResponse({ response: { body, http }, operation, contextValue: { record } }) {
        if (body.kind !== 'single') return;
        const { singleResult } = body;
        const refusal = findExcess(record.answer, singleResult.data);
        if (!refusal) return;
        const isChange = operation?.operation === OperationTypeNode.MUTATION;
        const failed = isChange ? (singleResult.errors ?? []).filter(({ path }) => path?.length === 1) : [];
        singleResult.data = null;
        singleResult.errors = [...failed, describe(refusal, isChange)];
        if (isChange) return;
        delete singleResult.data;
        http.status = refusal instanceof AnswerTooLarge ? 400 : statusByCode[refusal.code];
        for (const [name, value] of Object.entries(failureHeaders(refusal))) http.headers.set(name, value);
      },
    };
  },
};

/** Why an answer with this data is refused; null if it is not. */
export function findExcess(answer: Context['record']['answer'], data: unknown): Failure | null {
  if (answer.refusal) return answer.refusal;
  return measureJson(data, answer.bytesMax) > answer.bytesMax ? answer.refuseLength() : null;
}

function describe(refusal: Failure, isChange: boolean): GraphQLFormattedError {
  const made = isChange
    ? ' The changes were made, except those that other errors name; only the answer is left out.'
    : '';
  if (!(refusal instanceof AnswerTooLarge))
    return { message: `${refusal.message}${made}`, extensions: extensionsOf(refusal) };
  const { limit, max, excess } = refusal;
  return {
    message: `Too much in one answer: ${excess}. ${advice[limit]}${made}`,
    extensions: { code: limitCode, limit, max },
  };
}
