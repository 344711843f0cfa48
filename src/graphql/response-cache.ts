import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import { readText } from '../http/json.ts';
import type { RequestRecord } from '../http/request-log.ts';
import type { CacheHit, RequestKey, ResponseCache } from '../http/response-cache.ts';

/** The cost and the log fields of a query. Both follow from the query alone, not from the stored rows. */
type QueryFacts = Required<Pick<RequestRecord, 'graphql' | 'points'>>;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A query whose response is cached: it is neither parsed nor run. Stands for the body of a request until the handler takes it. */
class CachedQuery {
  readonly facts: QueryFacts;
  readonly hit: CacheHit;

  constructor(facts: QueryFacts, hit: CacheHit) {
    this.facts = facts;
    this.hit = hit;
  }
}

/** Equal mutations are made each for itself. */
const changesSomething = /\b(mutation|subscription)\b/;

/** The headers that Apollo and the admission read. */
const headers = [
  'accept',
  'content-type',
  'x-apollo-operation-name',
  'apollo-require-preflight',
  'x-graphql-cost',
  'idempotency-key',
];

/**
 * Puts the response cache in front of a GraphQL handler. Queries are identified by the text of their request. A hit
 * costs as many points as a miss and is logged with the same fields.
 */
export function cacheQueries(app: FastifyInstance, cache: ResponseCache, handle: Handler): Handler {
  const factsByDigest = new LRUCache<string, QueryFacts>({ max: limits.remembered });
  const parseJson = app.getDefaultJsonParser('error', 'error');

  const identify = (request: FastifyRequest, text: string): RequestKey | null => {
    const { method, url } = request;
    return cache.identify(request, [method, url, ...headers.map((name) => String(request.headers[name] ?? '')), text]);
  };

  const findCached = (request: FastifyRequest, key: RequestKey | null): CachedQuery | null => {
    const facts = key && factsByDigest.get(key.digest);
    const hit = facts && cache.find(request, key);
    return hit ? new CachedQuery(facts, hit) : null;
  };

  const findAfterEqual = async (request: FastifyRequest, key: RequestKey | null): Promise<CachedQuery | null> =>
    key && (await cache.waitForEqual(request, key)) ? findCached(request, key) : null;

  const findGet = (request: FastifyRequest) => {
    const key = identify(request, '');
    return findCached(request, key) ?? findAfterEqual(request, key);
  };

  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = readText(request, body);
    const key = identify(request, text);
    const use = (cached: CachedQuery | null): void => {
      if (cached) done(null, cached);
      else if (text === '') done(null, undefined);
      else void parseJson(request, text, done);
    };
    const cached = findCached(request, key);
    if (cached || changesSomething.test(text)) use(cached);
    else void findAfterEqual(request, key).then(use);
  });

  return async (request, reply) => {
    const { record, body } = request;
    const cached = request.method === 'GET' ? await findGet(request) : body instanceof CachedQuery ? body : null;
    if (cached) {
      const { facts, hit } = cached;
      record.graphql = facts.graphql;
      if (facts.points > record.points) await request.consume(facts.points - record.points);
      return cache.sendCached(reply, hit);
    }
    const json = await handle(request, reply);
    const { graphql, points, code } = record;
    // The changes of a mutation are made: its answer is sent in any case.
    if (typeof json === 'string' && graphql?.type === 'query') record.answer.takeText(json);
    if (typeof json !== 'string' || graphql?.type !== 'query' || code !== undefined) return json;
    if (request.requestKey && reply.statusCode === 200)
      factsByDigest.set(request.requestKey.digest, { graphql, points });
    return cache.sendAndStore(reply, json);
  };
}
