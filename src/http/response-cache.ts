import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { rightsOf } from '../access/actor.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { digestBuild } from '../version.ts';
import { digestParts, includesTag, isAnyTag } from './entity-tags.ts';

/** Memory that a cached response takes in addition to its bytes. */
const entryBytes = 512;

/**
 * The response cache: finished JSON answers to reads, in the memory of this process, and 304 for clients that hold them.
 *
 * Why no answer is ever stale. The answer of a cacheable operation follows from the stored rows of one business, the rights of
 * the caller, the request, and the code that runs. The last three are in the digest of the request key. The rows are
 * represented by the revision of the business, which the database changes with every committed write of one of those rows, and
 * never uses again. The revision is read with the credential, before anything else of a request, and a response is stored under
 * the revision that its own request has read: it was computed from that revision or a later one. A later request that reads the
 * same revision proves that no transaction was committed in between, on this node or any other, so it would compute the same.
 * The same holds for an entity tag made of the revision, which a client shows again. Nothing is ever invalidated: responses of
 * earlier revisions are never found again, and make room for others.
 *
 * A replica can show a commit a moment before the primary does. So an answer of a later revision than the one that the request
 * has read is not stored and has no tag, if it comes from a replica.
 *
 * Performance notes: src/guide/performance.md#response-cache
 */
export interface ResponseCache {
  /**
   * Makes the key of a request, and remembers it for `sendAndStore`. The parts are everything in the request that its answer
   * depends on; only the last one may hold line breaks. Null for anonymous callers, whose answers are not cached.
   */
  identify(request: FastifyRequest, parts: readonly string[]): RequestKey | null;
  /** Finds the response of an identified request, or that the client holds it already; null is a miss. */
  find(request: FastifyRequest, key: RequestKey): CacheHit | null;
  /**
   * If an equal request is being answered, resolves with true when its response can be found, or when it is clear that it cannot be:
   * the request failed, took too long, or its response is not stored. False if this request is the first one.
   */
  waitForEqual(request: FastifyRequest, key: RequestKey): Promise<boolean>;
  sendCached(reply: FastifyReply, hit: CacheHit): FastifyReply;
  /**
   * Sends the JSON that was computed after a miss, or 304 to a client that holds it, and stores it. If a part of it comes from
   * an operation that is not cacheable, it is sent without tag and not stored. Without an `etag` it gets one made of the revision.
   */
  sendAndStore(reply: FastifyReply, json: string, etag?: string): FastifyReply;
}

export interface RequestKey {
  /** Build, business, rights and request: all that the answer depends on, except the rows. */
  readonly digest: string;
  /** Data version of the business. Changes with every committed write and is never reused. */
  readonly revision: string;
  /** Weak entity tag made of both. It identifies the answer before that is computed. */
  readonly etag: string;
  /** Lets those go on who wait for the answer to this request. */
  onAnswered?: () => void;
}

interface StoredResponse {
  readonly revision: string;
  readonly etag: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface CacheHit {
  readonly etag: string;
  /** Missing if the client holds the response: it gets 304. */
  readonly response?: StoredResponse;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Made before the handler runs, from the request as it was sent; null if the answer is not cached. */
    requestKey: RequestKey | null;
  }
}

/** Whether an answer may be cached: the records of all operations that it is made of must say so. */
function isCacheable({ operations, isOfLaterRevision }: FastifyRequest['record']): boolean {
  return !isOfLaterRevision && [...operations].every(({ cacheable }) => cacheable);
}

/** With `cacheBytes` 0 no response is stored, and clients still get 304 for what they hold. */
export function createResponseCache(app: FastifyInstance, { cacheBytes }: Config['answers']): ResponseCache {
  const build = digestBuild();
  const responses =
    cacheBytes > 0
      ? new LRUCache<string, StoredResponse>({
          maxSize: cacheBytes,
          maxEntrySize: Math.ceil(cacheBytes / limits.answersKeptMin),
          sizeCalculation: ({ body }) => body.length + entryBytes,
        })
      : null;
  const requestedBefore = new LRUCache<string, true>({ max: limits.remembered });
  /** Requests that are being answered, by their tag: equal ones wait for the answer instead of computing it too. */
  const underWay = new Map<string, Promise<void>>();
  app.decorateRequest('requestKey', null);
  // A request that fails, or whose client is gone, ends here.
  app.addHook('onResponse', async ({ requestKey }) => requestKey?.onAnswered?.());

  /** A full cache takes in only what was requested before: requests made once would evict those that are repeated. */
  const admits = (stored: LRUCache<string, StoredResponse>, digest: string, bytes: number): boolean => {
    if (bytes + entryBytes > stored.maxEntrySize) return false;
    if (stored.has(digest) || requestedBefore.has(digest)) return true;
    requestedBefore.set(digest, true);
    return stored.calculatedSize + bytes + entryBytes <= cacheBytes;
  };

  return {
    identify(request, parts) {
      const { actor } = request.record;
      if (!actor || actor.kind === 'anonymous') return null;
      const { businessId, revision } = actor;
      const digest = digestParts([build, String(businessId), rightsOf(actor), ...parts]);
      return (request.requestKey = { digest, revision, etag: `W/"${revision}.${digest}"` });
    },

    find({ headers }, { digest, revision, etag }) {
      const stored = responses?.get(digest);
      const response = stored?.revision === revision ? stored : undefined;
      const held = headers['if-none-match'];
      // Tags of a revision are given to cacheable answers without errors only. A forged tag only affects its sender.
      if (held !== undefined && includesTag(held, etag)) return { etag };
      if (!response) return null;
      return isHeld(held, response.etag) ? { etag: response.etag } : { etag: response.etag, response };
    },

    async waitForEqual(request, key) {
      if (!responses || givesPieces(request)) return false;
      const answered = underWay.get(key.etag);
      // A full cache must take the response in: somebody waits for it.
      if (answered) requestedBefore.set(key.digest, true);
      else
        underWay.set(
          key.etag,
          new Promise((resolve) => {
            key.onAnswered = () => {
              clearTimeout(timer);
              delete key.onAnswered;
              underWay.delete(key.etag);
              resolve();
            };
            // It also serves a request whose client was gone before.
            const timer = setTimeout(key.onAnswered, limits.shortWaitMs).unref();
          }),
        );
      await answered;
      return answered !== undefined;
    },

    sendCached(reply, { etag, response }) {
      reply.header('etag', etag);
      return response ? reply.type(response.contentType).send(response.body) : reply.code(304).send();
    },

    sendAndStore(reply, json, ownEtag) {
      const { requestKey, record } = reply.request;
      if (!requestKey || !isCacheable(record)) return reply.send(json);
      const { digest, revision } = requestKey;
      const etag = ownEtag ?? requestKey.etag;
      const size = Buffer.byteLength(json);
      let body: string | Buffer = json;
      if (responses && admits(responses, digest, size)) {
        body = copyToBuffer(json, size);
        responses.set(digest, { revision, etag, contentType: String(reply.getHeader('content-type')), body });
      }
      requestKey.onAnswered?.();
      return sendUnlessHeld(reply, body, etag);
    },
  };
}

function sendUnlessHeld(reply: FastifyReply, body: string | Buffer, etag: string): FastifyReply {
  reply.header('etag', etag);
  if (!isHeld(reply.request.headers['if-none-match'], etag)) return reply.send(body);
  return reply.removeHeader('content-type').removeHeader('content-length').code(304).send();
}

/** Exports and streams are sent piece by piece and never stored. */
const givesPieces = ({ headers }: FastifyRequest) => /csv|event-stream/.test(headers.accept ?? '');

function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (isAnyTag(ifNoneMatch) || includesTag(ifNoneMatch, etag));
}

/** The buffer has its own memory: a small one of Node's pool would keep the whole pool alive. */
function copyToBuffer(text: string, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.write(text);
  return bytes;
}
