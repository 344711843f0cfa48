import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { printSchema, type GraphQLSchema } from 'graphql';
import { limits } from '../config/limits.ts';
import { Failure, unavailable } from '../errors.ts';
import { negotiateCsv, prefersEvents } from '../http/answer-headers.ts';
import type { EventStreams } from '../http/event-streams.ts';
import type { CsvExports } from '../http/exports.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { admission } from './admission.ts';
import { answerLimits } from './answer-limits.ts';
import { compiledQueries } from './compiled-queries.ts';
import { createContext, type Context } from './context.ts';
import { answerAsCsv, csvPlanning } from './csv/answer.ts';
import { createDocumentStore } from './documents.ts';
import { failureReports, formatError, refusal } from './failures.ts';
import { IntrospectionTexts } from './introspection-texts.ts';
import { limitCode, refuseLongText } from './query-cost.ts';
import { cacheQueries } from './response-cache.ts';
import { answerAsEvents } from './subscriptions.ts';

export interface GraphqlParts {
  readonly schema: GraphQLSchema;
  /** How often a query is interpreted before it is compiled; null: none is ever compiled. */
  readonly compileAfter: number | null;
  readonly responseCache: ResponseCache;
  readonly csvExports: CsvExports;
  readonly eventStreams: EventStreams;
}

/** Serves GraphQL at /graphql (GET for queries, POST for everything) and, because it is public, the schema beside it. */
export async function graphqlRoutes(
  app: FastifyInstance,
  { schema, compileAfter, responseCache, csvExports, eventStreams }: GraphqlParts,
): Promise<void> {
  const sdl = `${printSchema(schema)}\n`;
  const texts = new IntrospectionTexts();
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    // `requireOwnPage` takes its place.
    csrfPrevention: false,
    documentStore: createDocumentStore(),
    parseOptions: { maxTokens: limits.graphqlTokens },
    validationOptions: { maxErrors: limits.graphqlErrorsMax },
    executionOptions: { maxCoercionErrors: limits.graphqlAnswerErrorsMax },
    formatError,
    // Apollo's default appends a line break, which copies a long answer: src/guide/performance.md#stringifyresult
    stringifyResult: texts.stringify,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      admission(texts),
      csvPlanning,
      texts.plugin,
      ...(compileAfter === null ? [] : [compiledQueries(schema, compileAfter)]),
      answerLimits,
      failureReports,
    ],
  });
  await apollo.start();
  const answerJson = fastifyApolloHandler(apollo, { context: contextOf });
  const answerEvents = answerAsEvents(schema, eventStreams, contextOf);
  const answerCsv = answerAsCsv(apollo, csvExports, contextOf);
  app.get(
    '/graphql/schema.graphql',
    { schema: { hide: true }, config: { entry: 'page', answer: 'document' } },
    (_request, reply) => reply.type('text/plain; charset=utf-8').send(sdl),
  );
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { entry: 'graphql' },
    schema: { hide: true },
    handler: cacheQueries(app, responseCache, async (request, reply) => {
      requireOwnPage(request);
      if (prefersEvents(request)) return answerEvents(request, reply);
      return negotiateCsv(reply, ['application/json', 'application/graphql-response+json'])
        ? answerCsv(request, reply)
        : answerJson.call(app, request, reply);
    }),
  });
}

/**
 * Throws if a browser says that a page of another site sends this query, unless the page was allowed to by a preflight. Nothing is
 * lost where a browser does not say so: only a header can carry a credential, and no query by GET changes anything.
 */
function requireOwnPage({ method, headers }: FastifyRequest): void {
  const { authorization, origin, 'sec-fetch-site': site = origin === undefined ? 'none' : 'cross-site' } = headers;
  const isPreflighted = [authorization, headers['apollo-require-preflight'], headers['x-apollo-operation-name']].some(
    Boolean,
  );
  if (method !== 'POST' && !isPreflighted && site !== 'same-origin' && site !== 'none')
    throw new Failure(
      'BAD_REQUEST',
      'A page of another site needs the header apollo-require-preflight to send a query by GET.',
    );
}

/** Apollo makes the context before it reads the query, so a query that is too long is refused here. */
async function contextOf(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
  const { query } = ((request.method === 'GET' ? request.query : request.body) ?? {}) as { query?: unknown };
  const tooLong = refuseLongText(query);
  if (tooLong) {
    request.record.code = limitCode;
    throw tooLong;
  }
  try {
    return createContext(request, reply);
  } catch (error) {
    if (error instanceof Failure) throw refusal(error);
    request.log.error({ err: error }, 'no context for the request');
    request.record.code = 'UNAVAILABLE';
    throw refusal(unavailable('The service cannot answer now: try again.', 2, error));
  }
}
