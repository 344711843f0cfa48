import { createHash, timingSafeEqual } from 'node:crypto';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { unauthenticated } from '../errors.ts';
import { failureHeaders, statusByCode, toFailure } from './failures.ts';
import { headerValues } from './headers.ts';
import type { Metrics } from './metrics.ts';

interface MetricsPageParts {
  readonly metrics: Metrics;
  /** What a reader must show; null: nothing. */
  readonly token: string | null;
}

/** `/metrics` for Prometheus. */
export async function metricsPage(app: FastifyInstance, { metrics, token }: MetricsPageParts): Promise<void> {
  const config = { entry: 'page', answer: 'secret' } as const;
  app.get('/metrics', { schema: { hide: true }, config }, async (request, reply) => {
    if (token !== null && !shows(request, token)) throw unauthenticated('The token of the metrics is needed.');
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** A server that has nothing but the metrics, for a port that the world does not see. */
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

/** Whether there is one, and where: on a port of its own, or among the pages. */
export const metricsAt = ({ port, token }: Config['metrics']): 'own port' | 'pages' | null =>
  port !== null ? 'own port' : token !== null ? 'pages' : null;

/** In the same time however much of it is right. */
function shows(request: FastifyRequest, token: string): boolean {
  const [value = '', ...more] = headerValues(request, 'authorization');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return more.length === 0 && timingSafeEqual(digest(value.replace(/^Bearer +/i, '')), digest(token));
}
