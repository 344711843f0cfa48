import { createHash, timingSafeEqual } from 'node:crypto';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { unauthenticated } from '../errors.ts';
import { failureHeaders, statusByCode, toFailure } from '../http/failures.ts';
import { headerValues } from '../http/headers.ts';
import type { Metrics } from './metrics.ts';

interface MetricsPageParts {
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  /** The bearer token that a reader must send; null if none is needed. */
  readonly token: string | null;
}

/** Serves `/metrics` in the Prometheus text format. */
export async function metricsPage(app: FastifyInstance, { metrics, token }: MetricsPageParts): Promise<void> {
  const config = { entry: 'page', answer: 'secret' } as const;
  app.get('/metrics', { schema: { hide: true }, config }, async (request, reply) => {
    if (token !== null && !shows(request, token)) throw unauthenticated('The metrics need their own bearer token.');
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** Creates a server that serves only the metrics, for a port that is not public. */
export async function createMetricsServer(log: FastifyBaseLogger, parts: MetricsPageParts): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  app.setErrorHandler((error, _request, reply) => {
    const failure = toFailure(error);
    return reply
      .code(statusByCode[failure.code])
      .headers(failureHeaders(failure))
      .send({ message: failure.message, code: failure.code });
  });
  await app.register(metricsPage, parts);
  return app;
}

/** Whether metrics are served, and where: on a port of their own, or beside the pages. */
export const metricsAt = ({ port, token }: Config['metrics']): 'own port' | 'pages' | null =>
  port !== null ? 'own port' : token !== null ? 'pages' : null;

/** Compares in constant time, so that the time reveals nothing about the token. */
function shows(request: FastifyRequest, token: string): boolean {
  const [value = '', ...more] = headerValues(request, 'authorization');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return more.length === 0 && timingSafeEqual(digest(value.replace(/^Bearer +/i, '')), digest(token));
}
