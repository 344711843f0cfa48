import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isOfRevision } from '../access/policy.ts';

/**
 * What an answer is to a cache and to a browser: 'secret', of which nothing is kept anywhere; 'revalidated', which its
 * caller may keep and asks about each time; 'document', public and for programs; a 'page', of which 'docs' and 'playground' are some; 'asset'.
 */
export type AnswerKind = 'secret' | 'revalidated' | 'document' | 'page' | 'docs' | 'playground' | 'asset';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of an answer that is no failure; otherwise told by its operation. */
    answer?: AnswerKind;
  }
}

const inert = "default-src 'none'; frame-ancestors 'none'";
const pagePolicy = (styles: string) =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const shown = { 'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' };

const onAll = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** THE table of headers, which a route's own ones go before. */
const byKind: Record<AnswerKind, Readonly<Record<string, string>>> = {
  secret: { 'content-security-policy': inert, 'cache-control': 'no-store' },
  revalidated: {
    'content-security-policy': inert,
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept',
  },
  document: { 'content-security-policy': inert, 'cache-control': 'no-cache' },
  page: { ...shown, 'content-security-policy': pagePolicy("'self'"), 'cache-control': 'no-store', vary: 'Accept' },
  // Swagger UI sets styles on its elements; its scripts and data are ours alone.
  docs: { ...shown, 'content-security-policy': pagePolicy("'self' 'unsafe-inline'"), 'cache-control': 'no-cache' },
  // So does its editor, which checks what is typed in workers.
  playground: {
    ...shown,
    'content-security-policy': `${pagePolicy("'self' 'unsafe-inline'")}; worker-src 'self'`,
    'cache-control': 'no-cache',
  },
  asset: { 'content-security-policy': inert },
};

/** The same, put together once. */
const given = Object.fromEntries(
  Object.entries(byKind).map(([kind, { vary, ...headers }]) => [
    kind,
    { vary, headers: Object.entries({ ...onAll, ...headers }) },
  ]),
) as { readonly [Kind in AnswerKind]: { readonly vary: string | undefined; readonly headers: [string, string][] } };

/** For a refusal that passes no hook. */
export const refusalHeaders = { ...onAll, ...byKind.secret };

/** Every answer says what a browser and a cache may do with it. */
export const answerHeaders = fp(async (app: FastifyInstance) => {
  app.addHook('onSend', async (request, reply) => {
    const { vary, headers } = given[kindOf(request, reply)];
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    if (vary) reply.header('vary', merged(vary, reply.getHeader('vary')));
  });
});

function kindOf(request: FastifyRequest, reply: FastifyReply): AnswerKind {
  const { answer, entry = 'nothing' } = request.routeOptions.config;
  if (reply.statusCode >= 400) return isHtml(reply) ? 'page' : 'secret';
  if (answer) return answer === 'page' && !isHtml(reply) ? 'document' : answer;
  if (entry === 'nothing' || entry === 'page') return 'secret';
  // In GraphQL the tag tells it: an answer of the revision has one.
  return (entry === 'graphql' ? reply.hasHeader('etag') : isOfRevision([entry])) ? 'revalidated' : 'secret';
}

const isHtml = (reply: FastifyReply): boolean => String(reply.getHeader('content-type')).startsWith('text/html');

function merged(ours: string, present: number | string | string[] | undefined): string {
  if (present === undefined) return ours;
  const names = [present, ours].flat().flatMap((part) => String(part).split(/\s*,\s*/));
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}
