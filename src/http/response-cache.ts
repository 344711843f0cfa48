import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { rightsOf } from '../access/actor.ts';
import { isOfRevision } from '../access/policy.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { buildOf } from '../version.ts';
import { hasTag, isAnyTag } from './entity-tags.ts';

/** A read in full: two that ask the same are answered the same, while the revision of the business is the same. */
export interface Asked {
  /** Of all that the answer follows from beside the revision: build, business, rights and request. */
  readonly digest: string;
  readonly revision: string;
  /** Names the answer, whatever it is, by what it follows from. */
  readonly etag: string;
}

interface Answer {
  readonly revision: string;
  readonly etag: string;
  readonly type: string;
  readonly body: Buffer;
}

/** What can be answered at once; without an answer: that the client has it. */
export interface Known {
  readonly etag: string;
  readonly answer?: Answer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What is asked, where the answer may be known; null of anonymous callers. */
    asked: Asked | null;
    /** Says all of the request that its answer follows from, texts without line breaks before the last. */
    ask(parts: readonly string[]): Asked | null;
    findKnown(asked: Asked): Known | null;
  }
  interface FastifyReply {
    sendKnown(known: Known): FastifyReply;
    /** Sends the JSON that was found out, under the tag that it has or one by the revision; keeps it for who asks again. */
    sendFound(json: string, etag?: string): FastifyReply;
  }
}

/**
 * Answers that are known already, in this process or to the client. None is ever stale: the revision is read with the
 * credential, before all else, and an answer is kept under the one that its own request has read. Whoever reads the same one
 * later knows that no transaction has changed anything since, on whatever node: so what was found out then, or after, holds.
 */
export const knownAnswers = fp(async (app: FastifyInstance, { bytesMax }: Config['answers']) => {
  const build = buildOf();
  const answers =
    bytesMax > 0
      ? new LRUCache<string, Answer>({
          maxSize: bytesMax,
          maxEntrySize: Math.ceil(bytesMax / limits.answersKeptMin),
          sizeCalculation: ({ body }) => body.length + limits.answerOverheadBytes,
        })
      : null;
  const askedLately = new LRUCache<string, true>({ max: limits.askedRemembered });

  /** Where there is no more room, what nobody has asked before does not take the place of what somebody did. */
  const isKept = (kept: LRUCache<string, Answer>, digest: string, bytes: number): boolean => {
    if (kept.has(digest) || askedLately.has(digest)) return true;
    askedLately.set(digest, true);
    return kept.calculatedSize + bytes + limits.answerOverheadBytes <= bytesMax;
  };

  app.decorateRequest('asked', null);
  app.decorateRequest('ask', function (this: FastifyRequest, parts) {
    const { actor } = this.record;
    if (!actor || actor.kind === 'anonymous') return null;
    const { businessId, revision } = actor;
    const digest = digestOf([build, String(businessId), rightsOf(actor), ...parts]);
    return (this.asked = { digest, revision, etag: `W/"${revision}.${digest}"` });
  });

  app.decorateRequest('findKnown', function (this: FastifyRequest, { digest, revision, etag }) {
    const known = answers?.get(digest);
    const answer = known?.revision === revision ? known : undefined;
    const named = this.headers['if-none-match'];
    // A tag by the revision was given to an answer that had no error, and would be again; who made one up fools himself.
    if (named !== undefined && hasTag(named, etag)) return { etag };
    if (!answer) return null;
    const isNamed = named !== undefined && (isAnyTag(named) || hasTag(named, answer.etag));
    return isNamed ? { etag: answer.etag } : { etag: answer.etag, answer };
  });

  app.decorateReply('sendKnown', function (this: FastifyReply, { etag, answer }) {
    this.header('etag', etag);
    return answer ? this.type(answer.type).send(answer.body) : this.code(304).send();
  });

  app.decorateReply('sendFound', function (this: FastifyReply, json, given) {
    const { asked, record, headers } = this.request;
    if (!asked || !isOfRevision(record.operations)) return this.send(json);
    const etag = given ?? asked.etag;
    const size = Buffer.byteLength(json);
    let body: string | Buffer = json;
    if (answers && isKept(answers, asked.digest, size)) {
      body = bytesOf(json, size);
      const type = String(this.getHeader('content-type'));
      answers.set(asked.digest, { revision: asked.revision, etag, type, body });
    }
    const named = headers['if-none-match'];
    this.header('etag', etag);
    if (named === undefined || !(isAnyTag(named) || hasTag(named, etag))) return this.send(body);
    return this.removeHeader('content-type').removeHeader('content-length').code(304).send();
  });
});

/** In memory of their own: a small Buffer would hold on to what it shares with others. */
function bytesOf(text: string, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.write(text);
  return bytes;
}

/** 132 bits of it: nobody finds two requests with the same. */
const digestOf = (parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, limits.answerDigestChars);
