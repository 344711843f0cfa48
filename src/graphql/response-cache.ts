import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import { withoutMark } from '../http/json.ts';
import type { RequestRecord } from '../http/request-log.ts';
import type { Known } from '../http/response-cache.ts';

/** What a query that was answered once comes to, whatever is stored. */
type Query = Required<Pick<RequestRecord, 'graphql' | 'points'>>;

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a query whose answer is known: it is neither parsed nor run. */
    recognised: { readonly query: Query; readonly known: Known } | null;
  }
}

/** All of a request that Apollo looks at beside its body. */
const headers = ['accept', 'content-type', 'x-apollo-operation-name', 'apollo-require-preflight', 'x-graphql-cost'];

/**
 * Answers a query from what is known of it, found by the very text that it was sent in. It costs, and the log says, what it
 * would have otherwise.
 */
export function answeringKnown(app: FastifyInstance, answer: Answer): Answer {
  const queries = new LRUCache<string, Query>({ max: limits.operationsRemembered });
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('recognised', null);

  const recognise = (request: FastifyRequest, text: string) => {
    const { method, url } = request;
    const asked = request.ask([method, url, ...headers.map((name) => String(request.headers[name] ?? '')), text]);
    const query = asked && queries.get(asked.digest);
    const known = query && request.findKnown(asked);
    if (known) request.recognised = { query, known };
  };

  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = withoutMark(String(body));
    recognise(request, text);
    if (request.recognised || text === '') done(null, undefined);
    else void parseJson(request, text, done);
  });

  return async (request, reply) => {
    if (request.method === 'GET') recognise(request, '');
    const { record, recognised } = request;
    if (recognised) {
      const { query, known } = recognised;
      record.graphql = query.graphql;
      if (query.points > record.points) await request.spend(query.points - record.points);
      return reply.sendKnown(known);
    }
    const json = await answer(request, reply);
    const { graphql, points, code } = record;
    if (typeof json !== 'string' || graphql?.type !== 'query' || code !== undefined) return json;
    if (request.asked && reply.statusCode === 200) queries.set(request.asked.digest, { graphql, points });
    return reply.sendFound(json);
  };
}
