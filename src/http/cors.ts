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
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-GraphQL-Cost',
    'X-Request-Id',
  ],
  exposedHeaders: [
    'Content-Disposition',
    'ETag',
    'Idempotency-Replayed',
    'Link',
    'Retry-After',
    'WWW-Authenticate',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  maxAge: limits.corsMaxAgeS,
} satisfies FastifyCorsOptions;

/**
 * Lets pages of the named origins call, with a bearer credential that they hold themselves: cookies play no part. A
 * preflight is answered before the gate, so it needs and costs nothing; any other OPTIONS meets what is served.
 */
export const cors = fp(async (app: FastifyInstance, { origins }: { origins: readonly string[] }) => {
  if (origins.length === 0) return;
  app.addHook('onRoute', (route) => {
    // The package's own, by which an OPTIONS of any address comes as far as its hook.
    if (route.url === '*' && route.method === 'OPTIONS') route.config = { ...route.config, entry: 'nothing' };
  });
  await app.register(fastifyCors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
      done(null, { ...shared, origin: [...origins], preflight: isPreflight(request) }),
  });
});

const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
