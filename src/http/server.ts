import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type IncomingMessage } from 'node:http';
import accepts from '@fastify/accepts';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
} from 'fastify';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { refusalHeaders } from './answer-headers.ts';
import { AnswerMemory } from './answer-memory.ts';
import { boundConnections } from './connections.ts';
import { isHttps, requireReadable, simplifyAccept } from './headers.ts';
import { readText, withPlainNumbers } from './json.ts';
import { sendFailure } from './replies.ts';
import { requestLog, type FinishedRequest } from './request-log.ts';
import { refuseUnreadableRequest, routeNodeRefusals } from './unread.ts';

/** Makes a Fastify instance with our bounds and our own parsing of JSON. It neither checks nor coerces input. */
export async function createServer(
  config: Config,
  logger: FastifyBaseLogger,
  onFinished?: (finished: FinishedRequest) => void,
  answerMemory = new AnswerMemory(config.answers),
): Promise<FastifyInstance> {
  const { http } = config;
  const options = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => wellFormedId(headers['x-request-id']) ?? randomUUID(),
    requestIdHeader: false,
    frameworkErrors: (error, request, reply) => {
      app.beginRecord(request, reply);
      void sendFailure(error, request, reply.headers({ 'x-request-id': request.id, ...refusalHeaders }));
    },
    clientErrorHandler: refuseUnreadableRequest,
    return503OnClosing: false,
    // An empty parameter is not given, in GraphQL as in REST; Apollo would read it as JSON.
    rewriteUrl: ({ url = '' }: IncomingMessage) =>
      url.startsWith('/graphql?')
        ? url.replaceAll(/(?<=[?&])(?:variables|extensions|operationName)=(?:&|$)/g, '')
        : url,
    trustProxy: http.trustProxy.length > 0 ? http.trustProxy.flatMap(rangesOf) : false,
    bodyLimit: http.bodyLimitBytes,
    requestTimeout: http.requestTimeoutMs,
    connectionTimeout: http.stallTimeoutMs,
    keepAliveTimeout: http.keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildSerializer: compileLater } },
    // No request line that Node accepts is longer: Fastify's own limit would answer 414.
    routerOptions: { maxParamLength: maxHeaderSize },
  } satisfies FastifyServerOptions;
  const timeouts = {
    headersTimeout: http.headersTimeoutMs,
    connectionsCheckingInterval: limits.checkMs,
    requireHostHeader: false,
  };
  const app: FastifyInstance = http.tls
    ? (Fastify({
        ...options,
        https: {
          ...http.tls,
          handshakeTimeout: http.headersTimeoutMs,
          ...timeouts,
        },
      }) as unknown as FastifyInstance)
    : Fastify({ ...options, http: timeouts });

  await app.register(requestLog, { answerMemory, onFinished });
  routeNodeRefusals(app);
  boundConnections(app, http);

  await app.register(accepts);
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = readText(request, body);
    const isInput = request.routeOptions.schema?.body !== undefined;
    if (text === '' && !isInput) return done(null, undefined);
    return parseJson(request, text, (error, value) => {
      if (error || !isInput) return done(error, value);
      const plain = withPlainNumbers(text);
      return done(null, plain === text ? value : JSON.parse(plain));
    });
  });

  // The schemas of routes describe their input for the OpenAPI document. Operations check it, once and for all adapters.
  app.setValidatorCompiler(() => () => true);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (isHttps(request)) reply.header('strict-transport-security', `max-age=${limits.hstsMaxAgeS}`);
    requireReadable(request, reply);
    const { accept } = request.headers;
    if (accept?.includes(';')) request.headers.accept = simplifyAccept(accept);
    // Balancers ask so whether the server is there (RFC 9110, 9.3.7).
    if (request.method === 'OPTIONS' && request.url === '*') return reply.code(204).send();
  });
  return app;
}

/** A well-formed request id of the caller is used in the log and the answer; any other is replaced. */
const wellFormedId = (id: unknown): string | undefined =>
  typeof id === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : undefined;

/** Compiles each serializer for the first answer of its kind: src/guide/performance.md#compiled-on-first-use */
const compileLater: ReturnType<typeof SerializerSelector> = (schemas, options) => (route) => {
  let serialize: ((answer: unknown) => string) | undefined;
  return (answer) => (serialize ??= SerializerSelector()(schemas, options)(route))(answer);
};

/** Fastify knows no range of all addresses, only its halves. */
function rangesOf(entry: string): string[] {
  if (!/\/0+$/.test(entry)) return [entry];
  return entry.includes(':') ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1'];
}
