import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Failure } from '../errors.ts';
import { notFoundPage } from '../site/not-found.ts';
import { headersOf, statusByCode, toFailure } from './failures.ts';

/** Each surface has its own envelope, in failure too. */
export function failureBody({ code, message, errors }: Failure, url: string, id?: string) {
  if (/^\/graphql(\/|\?|$)/.test(url))
    return {
      errors: [
        { message, extensions: { code, ...(errors && { errors }), ...(code === 'INTERNAL' && { requestId: id }) } },
      ],
    };
  if (/^\/api\/v1(\/|\?|$)/.test(url)) return { message, code, ...(errors && { errors }) };
  return { success: false, data: null, message, code, ...(errors && { errors }) };
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error);
  request.record.code = failure.code;
  if (failure.code === 'INTERNAL') request.log.error({ err: failure.cause }, 'request failed');
  else if (failure.code === 'UNAVAILABLE') request.log.warn({ err: failure.cause }, 'request not served');
  return reply
    .code(statusByCode[failure.code])
    .headers(headersOf(failure))
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failureBody(failure, request.url, request.id));
}

/** Every failure of every route in the agreed body. */
export const failureReplies = fp(async (app: FastifyInstance) => {
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request))
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send(notFoundPage(request.url.split('?')[0] ?? '/'));
    return sendFailure(new Failure('NOT_FOUND', 'There is nothing at this address.'), request, reply);
  });
});

/** Only for who looks around in a browser: what is under the address of an API is read by programs. */
const wantsPage = (request: FastifyRequest): boolean =>
  !/^\/(v1|api\/v1|graphql)(\/|\?|$)/i.test(request.url) &&
  request.accepts().type(['application/json', 'text/html']) === 'text/html';

const commonVerbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** All that Node can read. */
const verbs = [...new Set([...commonVerbs, ...METHODS])].filter((verb) => verb !== 'CONNECT');

/** Answers 405 with `Allow` where an address is served, but not with this verb. Registered before the routes it watches. */
export const wrongVerbs = fp(async (app: FastifyInstance) => {
  for (const verb of verbs) if (!app.supportedMethods.includes(verb)) app.addHttpMethod(verb);
  const urls = new Set<string>();
  app.addHook('onRoute', ({ url }) => void urls.add(url));
  app.decorate('refuseWrongVerbs', () => {
    for (const url of [...urls].filter((candidate) => !candidate.includes('*'))) {
      const served = verbs.filter((method) => app.hasRoute({ method, url }));
      const allow = served.join(', ');
      app.route({
        url,
        method: verbs.filter((verb) => !served.includes(verb)),
        schema: { hide: true },
        config: { entry: 'nothing' },
        handler: (_request, reply) => {
          reply.header('allow', allow);
          throw new Failure('METHOD_NOT_ALLOWED', `This address takes ${allow}.`);
        },
      });
    }
  });
});

declare module 'fastify' {
  interface FastifyInstance {
    refuseWrongVerbs: () => void;
  }
}
