import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { csvType } from './csv.ts';

/**
 * How caches and browsers may treat an answer. A 'secret' one is stored nowhere; a 'revalidated' one may be stored by its caller,
 * who asks each time whether it still holds; a 'document' is public and read by programs; 'page', 'guide' and 'playground' are pages
 * for browsers; an 'asset' is a file that belongs to a page.
 */
export type AnswerKind = 'secret' | 'revalidated' | 'document' | 'page' | 'guide' | 'playground' | 'asset';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kind of the answer unless it is a failure. Without it, the operation of the route decides. */
    answer?: AnswerKind;
    /** Media types that an address of REST answers in. Without them, it is JSON. */
    mediaTypes?: readonly string[];
  }
}

const inert = "default-src 'none'; frame-ancestors 'none'";
const pagePolicy = (styles: string) =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const pageHeaders = { 'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' };

const onEveryAnswer = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Table of headers by kind of answer. A header that a route sets itself takes precedence. */
const byKind: Record<AnswerKind, Readonly<Record<string, string>>> = {
  secret: { 'content-security-policy': inert, 'cache-control': 'no-store' },
  revalidated: {
    'content-security-policy': inert,
    'cache-control': 'private, no-cache',
    vary: 'Accept, Authorization',
  },
  document: { 'content-security-policy': inert, 'cache-control': 'no-cache' },
  page: {
    ...pageHeaders,
    'content-security-policy': pagePolicy("'self'"),
    'cache-control': 'no-store',
    vary: 'Accept',
  },
  // A guide, and what else is the same for everybody until the next build.
  guide: { ...pageHeaders, 'content-security-policy': pagePolicy("'self'"), 'cache-control': 'no-cache' },
  // The playground's editor sets styles on its elements, and checks what is typed in web workers.
  playground: {
    ...pageHeaders,
    'content-security-policy': `${pagePolicy("'self' 'unsafe-inline'")}; worker-src 'self'`,
    'cache-control': 'no-cache',
  },
  asset: { 'content-security-policy': inert },
};

/** Headers of a refusal that is sent before any hook runs. */
export const refusalHeaders = { ...onEveryAnswer, ...byKind.secret };

/** Sets on every answer the headers that tell browsers and caches how to treat it. */
export const answerHeaders = fp(async (app: FastifyInstance) => {
  app.addHook('onSend', async (request, reply) => {
    const { vary, ...headers } = byKind[classify(request, reply)];
    for (const [name, value] of Object.entries({ ...onEveryAnswer, ...headers }))
      if (!reply.hasHeader(name)) reply.header(name, value);
    if (vary) addVary(reply, vary);
  });
});

function classify(request: FastifyRequest, reply: FastifyReply): AnswerKind {
  const { answer, entry = 'nothing' } = request.routeOptions.config;
  if (reply.statusCode >= 400) return isHtml(reply) ? 'page' : 'secret';
  if (answer) return answer === 'page' && !isHtml(reply) ? 'document' : answer;
  if (entry === 'nothing' || entry === 'page') return 'secret';
  // A GraphQL answer may be stored if the response cache gave it an entity tag.
  return (entry === 'graphql' ? reply.hasHeader('etag') : entry.cacheable) ? 'revalidated' : 'secret';
}

function isHtml(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/html');
}

/** Adds names to `Vary`, in one order, so that an answer from the cache is the same as one made anew. */
export function addVary(reply: FastifyReply, added: string): void {
  const names = [reply.getHeader('vary') ?? [], added].flat().flatMap((part) => String(part).split(/\s*,\s*/));
  reply.header('vary', [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].toSorted().join(', '));
}

/** JSON media types that an address answers in, the default first. */
export type JsonTypes = readonly [string, ...string[]];

/**
 * Whether the client prefers CSV to JSON of these types; a client that accepts anything gets JSON. `Vary` tells caches that the
 * answer depends on `Accept`.
 */
export function negotiateCsv(reply: FastifyReply, jsonTypes: JsonTypes): boolean {
  const { request } = reply;
  addVary(reply, 'Accept');
  return request.headers.accept !== undefined && request.accepts().type([...jsonTypes, csvType]) === csvType;
}

export const eventType = 'text/event-stream';

/** Whether the client prefers a stream of events to JSON. A client that accepts anything gets JSON. */
export function prefersEvents(request: FastifyRequest): boolean {
  return (
    request.method !== 'HEAD' &&
    request.headers.accept?.includes(eventType) === true &&
    request.accepts().type(['application/json', 'application/graphql-response+json', eventType]) === eventType
  );
}
