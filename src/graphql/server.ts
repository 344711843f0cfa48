import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { printSchema, type GraphQLSchema } from 'graphql';
import { limits } from '../config/limits.ts';
import { unavailable } from '../errors.ts';
import { negotiateCsv } from '../http/csv.ts';
import type { CsvExports } from '../http/exports.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { admission } from './admission.ts';
import { createContext, type Context } from './context.ts';
import { answerAsCsv, csvPlanning } from './csv/answer.ts';
import { createExecution, type CompileAfter } from './execute.ts';
import { failureReports, formatError, refusal } from './failures.ts';
import { cacheQueries } from './response-cache.ts';

export interface GraphqlParts {
  readonly schema: GraphQLSchema;
  readonly compileAfter: CompileAfter;
  readonly responseCache: ResponseCache;
  readonly csvExports: CsvExports;
}

/** Serves GraphQL at /graphql (GET for queries, POST for everything) and, because it is public, the schema beside it. */
export async function graphqlRoutes(
  app: FastifyInstance,
  { schema, compileAfter, responseCache, csvExports }: GraphqlParts,
): Promise<void> {
  const sdl = `${printSchema(schema)}\n`;
  const { plugins, ...execution } = createExecution(schema, compileAfter);
  const apollo = new ApolloServer<Context>({
    ...execution,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    parseOptions: { maxTokens: limits.graphqlTokens },
    validationOptions: { maxErrors: limits.graphqlErrorsMax },
    formatError,
    // Apollo's default appends a line break, which copies a long answer: src/guide/performance.md#stringifyresult
    stringifyResult: JSON.stringify,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      admission,
      csvPlanning,
      ...plugins,
      failureReports,
    ],
  });
  await apollo.start();
  const execute = fastifyApolloHandler(apollo, { context: contextOf });
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
    handler: cacheQueries(app, responseCache, async (request, reply) =>
      negotiateCsv(reply, ['application/json', 'application/graphql-response+json'])
        ? answerCsv(request, reply)
        : execute.call(app, request, reply),
    ),
  });
}

async function contextOf(request: FastifyRequest): Promise<Context> {
  try {
    return createContext(request);
  } catch (error) {
    request.log.error({ err: error }, 'no context for the request');
    throw refusal(unavailable('The service cannot answer now: try again.', 2, error));
  }
}
