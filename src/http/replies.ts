import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { limits } from '../config/limits.ts';
import { endsWithSlash, Failure, noSuchAddress, outcomeUnknown, shorten, unavailable } from '../errors.ts';
import { isPreflight } from './cors.ts';
import { failureHeaders, statusByCode, toFailure } from './failures.ts';

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
  const failed = { message, code, ...(errors && { errors }), ...(details?.['conflict'] as object) };
  return /^\/api\/v1(\/|\?|$)/.test(url) ? failed : { success: false, data: null, ...failed };
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = withTrueOutcome(toFailure(error), request.record);
  request.record.code = failure.code;
  request.record.isPlanned = failure.isPlanned;
  request.record.bound = failure.bound;
  if (failure.code === 'INTERNAL') request.log.error({ err: failure.cause }, 'request failed');
  else if (failure.code === 'OUTCOME_UNKNOWN')
    request.log.error({ err: failure.cause }, 'the outcome of a write is unknown');
  else if (failure.code === 'UNAVAILABLE' && !failure.isPlanned)
    request.log.warn({ err: failure.cause }, 'request not served');
  return reply
    .code(statusByCode[failure.code])
    .headers(failureHeaders(failure))
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(serializeFailure(failure, request.url, request.id));
}

/** UNAVAILABLE tells the caller that nothing was written, and OUTCOME_UNKNOWN that something may have been. */
function withTrueOutcome(failure: Failure, { writes, operations }: FastifyRequest['record']): Failure {
  if (failure.code === 'UNAVAILABLE' && writes.count > 0) return outcomeUnknown(failure.cause ?? failure);
  // The use of a credential is noted before its request is carried out.
  if (failure.code === 'OUTCOME_UNKNOWN' && ![...operations].some((operation) => operation.writes))
    return unavailable('The service cannot reach its database.', 2, failure.cause);
  return failure;
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
    return sendFailure(noSuchAddress(request.url), request, reply);
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

/** The verbs of every address that is served, and what each of them does in words, if it is documented. */
type ServedVerbs = ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;

/**
 * Watches the routes that are registered from now on. Call the returned function after the last of them: it answers 405 with
 * `Allow` at every address that is served, but not with the verb of the request.
 */
export function watchVerbs(app: FastifyInstance): () => void {
  for (const verb of verbs) if (!app.supportedMethods.includes(verb)) app.addHttpMethod(verb);
  const served = new Map<string, Map<string, string | undefined>>();
  let isWatching = true;
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (!isWatching || url.includes('*')) return;
    const known = served.get(url) ?? new Map<string, string | undefined>();
    served.set(url, known);
    for (const verb of [method].flat()) known.set(verb, (schema as { summary?: string } | undefined)?.summary);
  });
  return function refuseWrongVerbs() {
    isWatching = false;
    for (const url of served.keys()) {
      const allowed = verbs.filter((method) => app.hasRoute({ method, url }));
      app.route({
        url,
        method: verbs.filter((verb) => !allowed.includes(verb)),
        schema: { hide: true },
        config: { entry: 'nothing' },
        handler: (request, reply) => {
          if (endsWithSlash(request.url)) throw noSuchAddress(request.url);
          reply.header('allow', allowed.join(', '));
          throw new Failure('METHOD_NOT_ALLOWED', describeWrongVerb(served, url, request));
        },
      });
    }
  };
}

/** Says that an address has no such verb, which it has, what they do, and what to send instead. */
function describeWrongVerb(served: ServedVerbs, url: string, request: FastifyRequest): string {
  const known = [...(served.get(url) ?? [])]
    .filter(([name]) => name !== 'HEAD')
    .map(([name, summary]) => (summary ? `${name} (${summary.charAt(0).toLowerCase()}${summary.slice(1)})` : name));
  const isRefusedPage = request.method === 'OPTIONS' && isPreflight(request);
  const advice = isRefusedPage ? explainPreflight(request) : findInstead(served, url, request.method);
  return `This address does not support ${request.method}, but ${known.join(', ')}.${advice ? ` ${advice}` : ''}`;
}

let quietUntil = 0;

/** A preflight comes here only if no origin is allowed. The log says so once in a while. */
function explainPreflight({ headers, log }: FastifyRequest): string {
  if (performance.now() >= quietUntil) {
    quietUntil = performance.now() + limits.resolutionS * 1000;
    log.warn(
      { origin: shorten(String(headers.origin)) },
      'a page of another origin was refused: CORS_ORIGINS is empty',
    );
  }
  return 'Pages of other origins may call it only if the setting CORS_ORIGINS lists their origin, and it is empty.';
}

function findInstead(served: ServedVerbs, url: string, verb: string): string | undefined {
  const has = (address: string, name: string) => served.get(address)?.has(name) === true;
  if (verb === 'PATCH' && has(url, 'PUT')) return 'Send PUT: it changes only the fields that are sent.';
  const ofOneRow = verb === 'PATCH' ? 'PUT' : verb;
  const row = [...served.keys()].find(
    (address) => address.startsWith(url) && /^\/:\w+$/.test(address.slice(url.length)) && has(address, ofOneRow),
  );
  if (row)
    return `To ${ofOneRow === 'DELETE' ? 'delete' : 'change'} one row, send ${ofOneRow} to ${spellAddress(row)}.`;
  const list = url.replace(/\/:\w+$/, '');
  if (verb === 'POST' && list !== url && has(list, 'POST')) return `To create one, send POST to ${spellAddress(list)}.`;
  return undefined;
}

/** `/v1/events/:uuid` -> `/v1/events/{uuid}`, as OpenAPI writes it. */
const spellAddress = (url: string) => url.replaceAll(/:(\w+)/g, '{$1}');
