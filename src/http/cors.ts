import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { limits } from '../config/limits.ts';

const shared = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  allowedHeaders: [
    'Accept',
    'Apollo-Require-Preflight',
    'Authorization',
    'Baggage',
    'Cache-Control',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Last-Event-ID',
    'Sentry-Trace',
    'Traceparent',
    'Tracestate',
    'X-GraphQL-Cost',
    'X-Request-Id',
    'X-Requested-With',
  ],
  exposedHeaders: [
    'Callboard-Ignored-Parameters',
    'Callboard-Not-Executed',
    'Content-Disposition',
    'ETag',
    'Idempotency-Replayed',
    'Link',
    'Location',
    'Retry-After',
    'WWW-Authenticate',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  maxAge: limits.browserCacheS,
} satisfies FastifyCorsOptions;

/**
 * Lets pages of the configured origins call the API with a bearer credential that they hold themselves; no cookies are
 * involved. A preflight is answered before authentication, so it needs no credential and is not counted. Any other
 * OPTIONS request is handled like an ordinary one.
 */
export const cors = fp(async (app: FastifyInstance, { origins }: { origins: readonly string[] }) => {
  if (origins.length === 0) return;
  app.addHook('onRoute', (route) => {
    // This route belongs to @fastify/cors, which needs it to receive OPTIONS requests for every address.
    if (route.url === '*' && route.method === 'OPTIONS') route.config = { ...route.config, entry: 'nothing' };
  });
  await app.register(fastifyCors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
      done(null, {
        ...shared,
        allowedHeaders: [...shared.allowedHeaders, ...apolloHeaders(request)],
        origin: [...origins],
        preflight: isPreflight(request),
      }),
  });
});

/** The headers of Apollo's clients among those that a preflight asks for. Each of their products has some of its own. */
function apolloHeaders({ headers }: FastifyRequest): string[] {
  const asked = (headers['access-control-request-headers'] ?? '').split(',');
  return asked
    .map((name) => name.trim())
    .filter((name) => /^(x-apollo|apollographql-client)-[a-z-]{1,50}$/i.test(name));
}

/** Whether a browser asks what a page of another origin may do. */
export const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
