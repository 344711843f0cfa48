import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance } from 'fastify';
import { limits } from '../config.ts';
import { admission } from './admission.ts';
import { createContext, type Context } from './context.ts';
import { formatError } from './failures.ts';
import { createSchema } from './schema.ts';

/** GraphQL at /graphql: GET for queries, POST for everything. */
export async function graphqlRoutes(app: FastifyInstance): Promise<void> {
  const apollo = new ApolloServer<Context>({
    schema: createSchema(),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    parseOptions: { maxTokens: limits.graphqlTokens },
    formatError: formatError(app.log),
    plugins: [ApolloServerPluginCacheControlDisabled(), ApolloServerPluginLandingPageDisabled(), admission],
  });
  await apollo.start();
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { entry: 'graphql' },
    schema: { hide: true },
    handler: fastifyApolloHandler(apollo, {
      context: async ({ scope, spend }) => createContext(scope, spend),
    }),
  });
}
