import type { ApolloServerPlugin, HTTPGraphQLRequest } from '@apollo/server';
import { GraphQLError, type ExecutionResult, type FormattedExecutionResult, type GraphQLFormattedError } from 'graphql';
import { limits } from '../config/limits.ts';
import { type Failure, failureCodes, shorten } from '../errors.ts';
import { failureHeaders, statusByCode, toFailure } from '../http/failures.ts';
import { isOurFault } from '../http/request-log.ts';
import { serializeDetails } from './clashes-details.ts';
import type { Context } from './context.ts';
import { limitCode, refuseLongDocument } from './query-cost.ts';
import { withoutValues } from './redaction.ts';
import { toGraphqlErrors } from './row-ids.ts';

/** Error codes of invalid documents and variables. */
const documentCodes = new Set<unknown>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** The error codes that only GraphQL has: those of invalid documents and variables, and of requests that are not taken. */
export const graphqlCodes = new Set<unknown>([...documentCodes, 'PERSISTED_QUERY_NOT_SUPPORTED', limitCode]);
const ourCodes = new Set<unknown>(failureCodes);

/** Formats an error for the client. Unexpected errors are masked, and values that the client sent are left out. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const code = refusalCode(error);
  if (code) {
    const message = withoutValues(error as GraphQLError);
    const extensions = documentCodes.has(code) ? { code } : formatted.extensions;
    return refuseLongDocument(error) ?? { ...formatted, message, ...(extensions && { extensions }) };
  }
  const failure = failureOf(error);
  return {
    message: failure.message,
    ...(formatted.locations && { locations: formatted.locations }),
    ...(formatted.path && { path: formatted.path.map((key) => (typeof key === 'string' ? shorten(key) : key)) }),
    extensions: extensionsOf(failure),
  };
}

/**
 * Returns the code of a deliberate refusal; null for an error that was thrown while a field or a request was handled.
 */
function refusalCode(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return null;
  if (isAboutInput(error)) return 'BAD_USER_INPUT';
  const { code } = error.extensions;
  return !error.path && (graphqlCodes.has(code) || ourCodes.has(code)) ? code : null;
}

/** graphql-js reports invalid arguments during execution without a code; a custom scalar may add its own code. */
const isAboutInput = ({ message, originalError, path }: GraphQLError): boolean =>
  path
    ? originalError instanceof GraphQLError && /^Argument "\w+" /.test(message)
    : /^(Variable "\$\w+" |Argument "\w+" |Too many errors processing variables)/.test(message);

/** Returns the failure behind an error that is not about the document or its variables. */
function failureOf(error: unknown): Failure {
  const behind = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  return toFailure(behind);
}

export const extensionsOf = ({ code, errors, retryAfterS, details }: Failure) => ({
  code,
  ...(errors && { errors: toGraphqlErrors(errors) }),
  ...(retryAfterS !== undefined && { retryAfter: retryAfterS }),
  ...(details && serializeDetails(details)),
});

/** Refuses the whole request with the status that REST would use. */
export const refusal = (failure: Failure): GraphQLError =>
  new GraphQLError(failure.message, {
    extensions: {
      ...extensionsOf(failure),
      http: { status: statusByCode[failure.code], headers: new Map(Object.entries(failureHeaders(failure))) },
    },
  });

/**
 * GraphQL over HTTP: a client that accepts only application/json gets status 200 for an invalid document or invalid
 * variables, as older clients expect. All others get 400.
 */
const asksForPlainJson = (request: HTTPGraphQLRequest | undefined): boolean => {
  const accept = request?.headers.get('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('application/graphql-response+json');
};

/** The code by which a request with several errors is logged. */
function mostSevere(errors: readonly GraphQLFormattedError[]): string {
  const codes = errors.map(({ extensions }) => (extensions?.['code'] as string | undefined) ?? 'INTERNAL');
  return codes.find(isOurFault) ?? codes[0] ?? 'INTERNAL';
}

function logErrors(errors: readonly GraphQLError[], { log, record }: Pick<Context, 'log' | 'record'>): void {
  // The request is refused as a whole, for a reason of its caller's.
  if (record.answer.refusal) return;
  for (const error of errors) {
    if (refusalCode(error)) continue;
    const { code, cause, bound } = failureOf(error);
    record.bound ??= bound;
    if (code === 'INTERNAL') log.error({ err: cause }, 'resolver failed');
    else if (code === 'OUTCOME_UNKNOWN') log.error({ err: cause }, 'the outcome of a mutation is unknown');
    else if (code === 'UNAVAILABLE') log.warn({ err: cause }, 'resolver not served');
  }
}

/** Formats, logs and notes the errors of a result that Apollo does not compute. */
export function formatResult({ errors, ...result }: ExecutionResult, context: Context): FormattedExecutionResult {
  if (!errors) return result;
  logErrors(errors, context);
  const formatted = errors.map((error) => formatError(error.toJSON(), error));
  context.record.code = mostSevere(formatted);
  return { ...result, errors: formatted };
}

/** Logs internal errors; the client gets the request id that finds the log line. */
export const failureReports: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue }) {
        logErrors(errors, contextValue);
      },
      async willSendResponse({ request, response: { body, http }, contextValue: { requestId, record } }) {
        if (body.kind !== 'single' || !body.singleResult.errors) return;
        const [first] = body.singleResult.errors;
        record.code = mostSevere(body.singleResult.errors);
        if (documentCodes.has(first?.extensions?.['code']) && asksForPlainJson(request.http)) http.status = 200;
        const errors = body.singleResult.errors.slice(0, limits.graphqlAnswerErrorsMax);
        const moreErrors = body.singleResult.errors.length - errors.length;
        if (moreErrors > 0) body.singleResult.extensions = { ...body.singleResult.extensions, moreErrors };
        body.singleResult.errors = errors.map((error) =>
          error.extensions?.['code'] === 'INTERNAL'
            ? { ...error, extensions: { ...error.extensions, requestId } }
            : error,
        );
      },
    };
  },
};
