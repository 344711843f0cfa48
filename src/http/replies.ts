import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Failure } from '../errors.ts';
import { isPreflight } from './cors.ts';
import { failureHeaders, statusByCode, toFailure } from './failures.ts';
import { describeWrongVerb } from './wrong-verbs.ts';

/** The body of a failure. REST, its earlier version and GraphQL each have their own envelope. */
export function serializeFailure({ code, message, errors, retryAfterS, details }: Failure, url: string, id?: string) {
  if (/^\/graphql(\/|\?|$)/.test(url))
    return {
      errors: [
        {
          message,
          extensions: {
            code,
            ...(errors && { errors }),
            ...(retryAfterS !== undefined && { retryAfter: retryAfterS }),
            ...(code === 'INTERNAL' && { requestId: id }),
            ...details,
          },
        },
      ],
    };
  if (/^\/api\/v1(\/|\?|$)/.test(url)) return { message, code, ...(errors && { errors }) };
  return { success: false, data: null, message, code, ...(errors && { errors }), ...(details?.['conflict'] as object) };
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error);
  request.record.code = failure.code;
  request.record.isPlanned = failure.isPlanned;
  if (failure.code === 'INTERNAL') request.log.error({ err: failure.cause }, 'request failed');
  else if (failure.code === 'UNAVAILABLE' && !failure.isPlanned)
    request.log.warn({ err: failure.cause }, 'request not served');
  return reply
    .code(statusByCode[failure.code])
    .headers(failureHeaders(failure))
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(serializeFailure(failure, request.url, request.id));
}

interface FailureRepliesParts {
  /** Renders the page for browsers at an address where nothing is. */
  readonly notFoundPage: (path: string) => string;
}

/** Answers every failure of every route in the documented body. */
export const failureReplies = fp(async (app: FastifyInstance, { notFoundPage }: FailureRepliesParts) => {
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((request, reply) => {
    if (prefersPage(request))
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send(notFoundPage(request.url.split('?')[0] ?? '/'));
    return sendFailure(new Failure('NOT_FOUND', 'This address does not exist.'), request, reply);
  });
});

/** Browsers get a page, except below the addresses of an API, which programs read. */
function prefersPage(request: FastifyRequest): boolean {
  return (
    !/^\/(v1|api\/v1|graphql)(\/|\?|$)/i.test(request.url) &&
    request.accepts().type(['application/json', 'text/html']) === 'text/html'
  );
}

const commonVerbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Every verb that Node can read. */
const verbs = [...new Set([...commonVerbs, ...METHODS])].filter((verb) => verb !== 'CONNECT');

/**
 * Watches the routes that are registered from now on. Call the returned function after the last of them: it answers 405 with
 * `Allow` at every address that is served, but not with the verb of the request.
 */
export function watchVerbs(app: FastifyInstance): () => void {
  for (const verb of verbs) if (!app.supportedMethods.includes(verb)) app.addHttpMethod(verb);
  const urls = new Map<string, Map<string, string | undefined>>();
  app.addHook('onRoute', ({ url, method, schema }) => {
    const known = urls.get(url) ?? new Map<string, string | undefined>();
    urls.set(url, known);
    for (const verb of [method].flat()) known.set(verb, (schema as { summary?: string } | undefined)?.summary);
  });
  return function refuseWrongVerbs() {
    // A copy: the routes that are added below are no verbs of their addresses.
    const served = new Map([...urls].flatMap(([url, known]) => (url.includes('*') ? [] : [[url, new Map(known)]])));
    for (const url of served.keys()) {
      const allowed = verbs.filter((method) => app.hasRoute({ method, url }));
      app.route({
        url,
        method: verbs.filter((verb) => !allowed.includes(verb)),
        schema: { hide: true },
        config: { entry: 'nothing' },
        handler: (request, reply) => {
          reply.header('allow', allowed.join(', '));
          const described = describeWrongVerb(served, url, request.method);
          throw new Failure('METHOD_NOT_ALLOWED', `${described}${adviceFor(request)}`);
        },
      });
    }
  };
}

/** A preflight comes here only if no origin is allowed. */
const adviceFor = (request: FastifyRequest): string =>
  request.method === 'OPTIONS' && isPreflight(request)
    ? ' Pages of other origins may call it only if the setting CORS_ORIGINS lists their origin, and it is empty.'
    : '';
