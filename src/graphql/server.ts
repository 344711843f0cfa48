import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance } from 'fastify';
import { printSchema } from 'graphql';
import { limits } from '../config.ts';
import { unavailable } from '../errors.ts';
import { admission } from './admission.ts';
import { createContext, type Context } from './context.ts';
import { failureReports, formatError, refusal } from './failures.ts';
import { createSchema } from './schema.ts';

/** GraphQL at /graphql: GET for queries, POST for everything. Its schema, which is no secret, beside it. */
export async function graphqlRoutes(app: FastifyInstance): Promise<void> {
  const schema = createSchema();
  const sdl = `${printSchema(schema)}\n`;
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    parseOptions: { maxTokens: limits.graphqlTokens },
    validationOptions: { maxErrors: limits.graphqlErrorsMax },
    formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      admission,
      failureReports,
    ],
  });
  await apollo.start();
  app.get('/graphql/schema.graphql', { schema: { hide: true }, config: { entry: 'page' } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(sdl),
  );
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { entry: 'graphql' },
    schema: { hide: true },
    handler: fastifyApolloHandler(apollo, {
      context: async (request) => {
        try {
          return createContext(request.scope, request.spend, request.id);
        } catch (error) {
          request.log.error({ err: error }, 'no context for the request');
          throw refusal(unavailable('The service cannot answer now.', 2, error));
        }
      },
    }),
  });
}
