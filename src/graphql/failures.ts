import type { ApolloServerPlugin, HTTPGraphQLRequest } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type Failure, failureCodes } from '../errors.ts';
import { failureHeaders, statusByCode, toFailure } from '../http/failures.ts';
import { isOurFault } from '../http/request-log.ts';
import type { Context } from './context.ts';
import { limitCode, refuseLongDocument } from './limits.ts';
import { withoutValues } from './redaction.ts';

/** Those about the document and its variables. */
const documentCodes = new Set<unknown>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** GraphQL's own refusals: of syntax, unknown fields, variables, and of requests that are none. */
const graphqlCodes = new Set<unknown>([
  ...documentCodes,
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  limitCode,
]);
const ourCodes = new Set<unknown>(failureCodes);

/** Every error as a client may see it. What is neither ours nor GraphQL's is masked, and values are left out. */
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
    ...(formatted.path && { path: formatted.path }),
    extensions: extensionsOf(failure),
  };
}

/** The code of a refusal that was made as one; null for what was thrown behind a field or a request. */
function refusalCode(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return null;
  if (isAboutInput(error)) return 'BAD_USER_INPUT';
  const { code } = error.extensions;
  return !error.path && (graphqlCodes.has(code) || ourCodes.has(code)) ? code : null;
}

/** Arguments are read in execution, where graphql-js blames them without a code; a scalar may put in one of its own. */
const isAboutInput = ({ message, originalError, path }: GraphQLError): boolean =>
  path
    ? originalError instanceof GraphQLError && /^Argument "\w+" /.test(message)
    : /^(Variable "\$\w+" |Argument "\w+" |Too many errors processing variables)/.test(message);

/** What is behind an error that no client caused by its words. */
function failureOf(error: unknown): Failure {
  const behind = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  return toFailure(behind);
}

const extensionsOf = ({ code, errors, retryAfterS, details }: Failure) => ({
  code,
  ...(errors && { errors }),
  ...(retryAfterS !== undefined && { retryAfterS }),
  ...details,
});

/** A request refused whole: it has the status that it would have in REST. */
export const refusal = (failure: Failure): GraphQLError =>
  new GraphQLError(failure.message, {
    extensions: {
      ...extensionsOf(failure),
      http: { status: statusByCode[failure.code], headers: new Map(Object.entries(failureHeaders(failure))) },
    },
  });

/**
 * GraphQL over HTTP: who asks for application/json in so many words, as clients of old do, is told by 200 that the request
 * was understood; all others, by 400, that its document or variables are not valid.
 */
const asksForPlainJson = (request: HTTPGraphQLRequest | undefined): boolean => {
  const accept = request?.headers.get('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('application/graphql-response+json');
};

/** The code by which a request with several errors is known. */
function gravest(errors: readonly GraphQLFormattedError[]): string {
  const codes = errors.map(({ extensions }) => (extensions?.['code'] as string | undefined) ?? 'INTERNAL');
  return codes.find(isOurFault) ?? codes[0] ?? 'INTERNAL';
}

/** What went wrong here goes to the log; the client gets the id that finds it there. */
export const failureReports: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue: { scope } }) {
        for (const error of errors) {
          if (refusalCode(error)) continue;
          const { code, cause } = failureOf(error);
          if (code === 'INTERNAL') scope.log.error({ err: cause }, 'resolver failed');
          else if (code === 'UNAVAILABLE') scope.log.warn({ err: cause }, 'resolver not served');
        }
      },
      async willSendResponse({ request, response: { body, http }, contextValue: { requestId, record } }) {
        if (body.kind !== 'single' || !body.singleResult.errors) return;
        const [first] = body.singleResult.errors;
        record.code = gravest(body.singleResult.errors);
        if (documentCodes.has(first?.extensions?.['code']) && asksForPlainJson(request.http)) http.status = 200;
        body.singleResult.errors = body.singleResult.errors.map((error) =>
          error.extensions?.['code'] === 'INTERNAL'
            ? { ...error, extensions: { ...error.extensions, requestId } }
            : error,
        );
      },
    };
  },
};
