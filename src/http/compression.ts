import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import pLimit from 'p-limit';
import { limits } from '../config/limits.ts';
import type { AnswerKind } from './answer-headers.ts';

type Coding = 'br' | 'gzip';

/** The first is taken where a client likes both alike. */
const codings: readonly Coding[] = ['br', 'gzip'];

/*
 * The quickest level of each: on our JSON, Brotli's makes as little of it as gzip's sixth in a quarter of the time; its
 * fourth saves a fifteenth more for four times the time.
 */
const quick = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  gzip: { level: 1 },
};
/** For what is compressed once. */
const thorough = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } },
  gzip: { level: 9 },
};
const inline = { br: zlib.brotliCompressSync, gzip: zlib.gzipSync };
const aside = {
  br: promisify<Buffer, object, Buffer>(zlib.brotliCompress),
  gzip: promisify<Buffer, object, Buffer>(zlib.gzip),
};
/** Page by page, as they come, and not when a block is full. */
const streaming = {
  br: () => zlib.createBrotliCompress({ ...quick.br, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => zlib.createGzip({ ...quick.gzip, flush: constants.Z_SYNC_FLUSH }),
};

/** Of pages and documents that are the same for everybody as long as the process runs. */
const fixed: ReadonlySet<AnswerKind | undefined> = new Set<AnswerKind>(['asset', 'docs', 'document']);

/**
 * Compresses what is read, where it is large and the client takes it so. What is written is answered as it is: those answers
 * are small, and among them are all that hold a credential, whose length after compression could tell of it.
 */
export const compression = fp(async (app: FastifyInstance) => {
  const kept = new Map<string, Promise<Buffer>>();
  /** An answer that is known comes again as the same buffer; what was made of it goes when it goes. */
  const madeOf = new WeakMap<Buffer, Partial<Record<Coding, Buffer>>>();
  const oneAside = pLimit(1);

  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().some((method) => method === 'GET' || method === 'HEAD');
    // After all others of the route: they tell about the answer as it is.
    if (isRead) route.onSend = [route.onSend ?? [], compress].flat();
  });

  const compress: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode === 304) tellHeldTag(request, reply);
    if (!isWorthIt(request, reply, payload)) return done(null, payload);
    varyByEncoding(reply);
    const coding = codingFor(request.headers['accept-encoding']);
    if (!coding) return done(null, payload);
    const send = (compressed: unknown) => {
      tellCoding(reply, coding);
      done(null, compressed);
    };
    if (request.method === 'HEAD') send(payload);
    else if (isFixed(request)) fixedOf(`${coding} ${request.routeOptions.url}`, coding, payload).then(send, done);
    else if (payload instanceof Readable) {
      const compressed = streaming[coding]();
      // Either end hears of what becomes of the other; who listens there says so.
      pipeline(payload, compressed, () => undefined);
      send(compressed);
    } else wholeOf(coding, payload as string | Buffer).then(send, done);
  };

  /** On the spot while that is quicker than to hand it over, and takes no thread from the hashing of passwords. */
  async function wholeOf(coding: Coding, payload: string | Buffer): Promise<Buffer> {
    const made = typeof payload === 'string' ? {} : (madeOf.get(payload) ?? {});
    if (typeof payload !== 'string') madeOf.set(payload, made);
    return (made[coding] ??=
      payload.length <= limits.compressInlineChars
        ? inline[coding](payload, quick[coding])
        : await oneAside(() => aside[coding](Buffer.from(payload), quick[coding])));
  }

  /** Anybody may ask for these, at no cost: they are compressed once. */
  async function fixedOf(key: string, coding: Coding, payload: unknown): Promise<Buffer> {
    const known = kept.get(key);
    if (known) {
      if (payload instanceof Readable) payload.destroy();
      return known;
    }
    const making = (
      payload instanceof Readable ? buffer(payload) : Promise.resolve(Buffer.from(payload as string))
    ).then((all) => oneAside(() => aside[coding](all, thorough[coding])));
    kept.set(key, making);
    making.catch(() => kept.delete(key));
    return making;
  }
});

const isFixed = ({ routeOptions }: FastifyRequest): boolean => fixed.has(routeOptions.config.answer);

/** Told the same of a GET and of its HEAD, whose body is gone already. */
function isWorthIt(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode !== 200 || request.record.graphql?.type === 'mutation') return false;
  if (sizeOf(request, reply, payload) < limits.compressFromBytes) return false;
  const { url = '' } = request.routeOptions;
  return (
    compressible.test(String(reply.getHeader('content-type'))) &&
    // Compressed when it was built.
    !url.startsWith('/playground') &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    !String(reply.getHeader('cache-control')).includes('no-transform')
  );
}

const compressible = /^(text\/|image\/svg\+xml|application\/(javascript|([\w.-]+\+)?json)\b)/i;

/** In bytes; of a stream it is not known. */
function sizeOf({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): number {
  if (method === 'HEAD') return Number(reply.getHeader('content-length') ?? Infinity);
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload);
  return payload instanceof Readable ? Infinity : 0;
}

/**
 * How the client would have it, by `Accept-Encoding` (RFC 9110, 12.5.3); null: as it is. Which is also what a client gets
 * that refuses it and takes nothing else that we have: a refusal would come after the work is done.
 */
export function codingFor(header: string | undefined): Coding | null {
  if (!header) return null;
  const qualities = new Map(header.split(',').map(readQuality));
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const best = codings.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one));
  const isPreferred = qualityOf(best) >= (qualities.get('identity') ?? 0);
  return qualityOf(best) > 0 && isPreferred ? best : null;
}

/** What has no readable quality is not taken. */
function readQuality(item: string): [name: string, quality: number] {
  const [name = '', weight] = item.split(';').map((part) => part.trim().toLowerCase());
  if (weight === undefined) return [name, 1];
  return [name, /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0];
}

function varyByEncoding(reply: FastifyReply): void {
  const present = [reply.getHeader('vary') ?? []].flat().join(', ');
  if (/(^|[\s,])(accept-encoding|\*)([\s,]|$)/i.test(present)) return;
  reply.header('vary', present ? `${present}, Accept-Encoding` : 'Accept-Encoding');
}

function tellCoding(reply: FastifyReply, coding: Coding): void {
  reply.header('content-encoding', coding).removeHeader('content-length').removeHeader('accept-ranges');
  const tag = reply.getHeader('etag');
  if (isStrong(tag)) reply.header('etag', coded(tag, coding));
}

/** A client that asks with the tag of compressed bytes hears that tag again. */
function tellHeldTag({ headers }: FastifyRequest, reply: FastifyReply): void {
  varyByEncoding(reply);
  const tag = reply.getHeader('etag');
  if (!isStrong(tag)) return;
  const held = codings.map((coding) => coded(tag, coding)).find((each) => headers['if-none-match']?.includes(each));
  if (held) reply.header('etag', held);
}

/** A strong tag names bytes, which compressed are others (RFC 9110, 8.8.3.3); a weak one names what they say. */
const isStrong = (tag: unknown): tag is string => typeof tag === 'string' && tag.startsWith('"');

const coded = (tag: string, coding: Coding): string => `${tag.slice(0, -1)}.${coding}"`;

/** `"3.Zr4u….br"`, as it was sent, is `"3.Zr4u…"`, as it was made. */
export const withoutCoding = (tag: string): string => tag.replace(/\.(?:br|gzip)"$/, '"');
