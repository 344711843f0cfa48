import { HeaderMap, type ApolloServer, type ApolloServerPlugin, type HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { CallScope } from '../../access/scope.ts';
import { Failure, type FailureCode } from '../../errors.ts';
import type { CsvExports } from '../../http/exports.ts';
import { failureHeaders, statusByCode } from '../../http/failures.ts';
import * as definitions from '../../services/custom-field-definitions.ts';
import * as exports from '../../services/exports.ts';
import { nullIfForbidden } from '../../services/parts.ts';
import { withLoaders, type Context } from '../context.ts';
import { formatError } from '../failures.ts';
import { planOf, type CsvPlan, type Execution } from './plan.ts';
import { NoTable } from './table.ts';

/** If the client asked for CSV, an admitted operation is planned instead of executed. */
export const csvPlanning: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async responseForOperation({ schema, document, operation, request, contextValue: { csv, scope } }) {
        if (!csv) return null;
        const headers = new HeaderMap();
        try {
          const customFieldNames = request.query?.includes('customFields') ? await readFieldNames(scope) : null;
          csv.plan = planOf({ schema, document, operation, variables: request.variables ?? {}, customFieldNames });
          return { http: { headers }, body: { kind: 'single', singleResult: { data: null } } };
        } catch (error) {
          return {
            http: { status: 400, headers },
            body: { kind: 'single', singleResult: { errors: refusalsOf(error) } },
          };
        }
      },
    };
  },
};

/** Names of the custom fields, in the order of the form; null for a caller who may not list them. */
async function readFieldNames(scope: CallScope): Promise<string[] | null> {
  const fields = await nullIfForbidden(definitions.list(scope, {}));
  return fields && fields.map(({ name }) => name);
}

function refusalsOf(error: unknown): GraphQLFormattedError[] {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((each) => {
    if (each instanceof NoTable) return { message: each.message, extensions: { code: 'BAD_REQUEST' } };
    return formatError(each instanceof GraphQLError ? each.toJSON() : { message: '' }, each);
  });
}

/** Answers a GraphQL request as CSV. A query that cannot be a table gets a JSON error. */
export const answerAsCsv =
  (
    apollo: ApolloServer<Context>,
    csvExports: CsvExports,
    contextOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Context>,
  ) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const csv: { plan?: CsvPlan } = {};
    let context: Context | undefined;
    const told = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method,
        headers: new HeaderMap([...headersFor(request), ['accept', 'application/graphql-response+json']]),
        search: new URL(request.url, 'http://localhost').search,
        body: request.body,
      },
      context: async () => (context = { ...(await contextOf(request, reply)), csv }),
    });
    if (!csv.plan || !context) return tell(reply, told);
    const { plan } = csv;
    const { scope } = context;
    const page = pageOf(apollo, context);
    try {
      await csvExports.send(reply, {
        name: plan.name,
        openSnapshot: () => exports.open(scope, { pageRowsMax: plan.pageRowsMax }),
        read: async (snapshot) => ({
          columns: plan.columns,
          pages: plan.pages(request.record.answer, (execution) => page(snapshot, execution)),
        }),
      });
    } catch (error) {
      if (!(error instanceof FailedPage)) throw error;
      return reply
        .code(error.status)
        .headers(error.headers)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ errors: error.errors, data: null }));
    }
    return reply;
  };

const headersFor = ({ headers }: FastifyRequest): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]);

function tell(reply: FastifyReply, { status = 200, headers, body }: HTTPGraphQLResponse): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(body.kind === 'complete' ? body.string : '');
}

/** A page that came back with errors; none of its rows are sent. */
class FailedPage extends Error {
  readonly errors: readonly GraphQLFormattedError[];
  /** The REST status of the first error, because the request is refused as a whole. */
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(errors: readonly GraphQLFormattedError[]) {
    const [first] = errors;
    super(first?.message);
    this.errors = errors;
    const { code = '', retryAfter } = (first?.extensions ?? {}) as { code?: string; retryAfter?: number };
    const isOurs = Object.hasOwn(statusByCode, code);
    this.status = isOurs ? statusByCode[code as FailureCode] : 400;
    this.headers = isOurs
      ? failureHeaders(
          new Failure(code as FailureCode, '', retryAfter === undefined ? {} : { retryAfterS: retryAfter }),
        )
      : {};
  }
}

/** Executes one page with loaders of its own. The request was counted when it was admitted. */
const pageOf =
  (apollo: ApolloServer<Context>, { requestId, record, log }: Context) =>
  async (scope: CallScope, request: Execution): Promise<unknown> => {
    const { body } = await apollo.executeOperation(request, {
      contextValue: withLoaders({ scope, consume: async () => undefined, requestId, record, log }),
    });
    if (body.kind !== 'single') throw new Error('A page comes in one piece.');
    const { data, errors } = body.singleResult;
    // Locations refer to the rewritten document, not to the one that the client sent.
    if (errors) throw new FailedPage(errors.map(({ locations: _locations, ...error }) => error));
    return data;
  };
