import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { FastifyBaseLogger } from 'fastify';
import { headersOf, statusByCode, toFailure } from '../http/failures.ts';
import type { Failure } from '../errors.ts';

/** GraphQL's own refusals (syntax, unknown fields, variables) stay as they are; all others become one of our kinds. */
export const formatError =
  (log: FastifyBaseLogger) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const original = unwrapResolverError(error);
    if (original instanceof GraphQLError) return formatted;
    const failure = toFailure(original);
    if (failure.code === 'INTERNAL') log.error({ err: failure.cause }, 'resolver failed');
    const { message, code, errors, details } = failure;
    return {
      message,
      ...(formatted.locations && { locations: formatted.locations }),
      ...(formatted.path && { path: formatted.path }),
      extensions: { code, ...(errors && { errors }), ...details },
    };
  };

/** A request refused whole: it has the status that it would have in REST. */
export const refusal = (failure: Failure): GraphQLError =>
  new GraphQLError(failure.message, {
    extensions: {
      code: failure.code,
      http: { status: statusByCode[failure.code], headers: new Map(Object.entries(headersOf(failure))) },
    },
  });
