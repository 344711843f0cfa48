import { randomUUID } from 'node:crypto';
import accepts from '@fastify/accepts';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { limits, type Config } from '../config.ts';
import { Failure } from '../errors.ts';
import { compile } from '../validation.ts';
import { readQuery } from './query.ts';
import { sendFailure } from './replies.ts';

/** Fastify with our bounds, and with our own reading of bodies and queries instead of its coercing one. */
export async function createServer(config: Config, logger: FastifyBaseLogger): Promise<FastifyInstance> {
  const { http } = config;
  const options = {
    loggerInstance: logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply),
    trustProxy: http.trustProxy.length > 0 ? [...http.trustProxy] : false,
    bodyLimit: http.bodyLimitBytes,
    requestTimeout: http.requestTimeoutMs,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: limits.pathParameterChars },
  } satisfies FastifyServerOptions;
  const timeouts = { headersTimeout: http.headersTimeoutMs, connectionsCheckingInterval: limits.connectionsCheckMs };
  const app: FastifyInstance = http.tls
    ? (Fastify({ ...options, https: { ...http.tls, ...timeouts } }) as unknown as FastifyInstance)
    : Fastify({ ...options, http: timeouts });

  await app.register(accepts);
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body).replace(/^\uFEFF/, '');
    if (text === '' && !request.routeOptions.schema?.body) return done(null, undefined);
    return parseJson(request, text, done);
  });

  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'params' || httpPart === 'headers') return (value: unknown) => ({ value });
    const parse = compile(schema as Parameters<typeof compile>[0]);
    const read =
      httpPart === 'querystring' ? readQuery(schema as Parameters<typeof readQuery>[0]) : (value: unknown) => value;
    return (value: unknown) => {
      try {
        return { value: parse(read(value)) };
      } catch (error) {
        return { error: error as Failure };
      }
    };
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${limits.hstsMaxAgeS}`);
    const host = request.headers.host;
    if (host !== undefined && !URL.canParse(`http://${host}`))
      throw new Failure('BAD_REQUEST', 'The Host header is malformed.');
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.');
  });
  return app;
}
