import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import pLimit from 'p-limit';
import { limits } from '../config/limits.ts';
import type { AnswerKind } from './answer-headers.ts';
import { addCoding, isStrongTag } from './entity-tags.ts';

type Coding = 'br' | 'gzip';

/** In order of preference if a client accepts both alike. */
const codings: readonly Coding[] = ['br', 'gzip'];

/*
 * The fastest level of each. On our JSON, Brotli's level 1 compresses as well as gzip's level 6 in a quarter of the time;
 * Brotli's level 4 saves a fifteenth more and takes four times as long.
 */
const fastest = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  gzip: { level: 1 },
};
/** For answers that are compressed only once. */
const smallest = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } },
  gzip: { level: 9 },
};
const inline = { br: zlib.brotliCompressSync, gzip: zlib.gzipSync };
const inThread = {
  br: promisify<Buffer, object, Buffer>(zlib.brotliCompress),
  gzip: promisify<Buffer, object, Buffer>(zlib.gzip),
};
/** Flushes after each page of an export instead of when a block is full. */
const streaming = {
  br: () => zlib.createBrotliCompress({ ...fastest.br, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => zlib.createGzip({ ...fastest.gzip, flush: constants.Z_SYNC_FLUSH }),
};

/** Kinds of answers that are the same for everybody as long as the process runs. */
const staticKinds: ReadonlySet<AnswerKind | undefined> = new Set<AnswerKind>([
  'asset',
  'document',
  'guide',
  'playground',
]);

/**
 * Compresses large answers to reads if the client accepts it. Answers to writes are never compressed: they are small, and some
 * hold a credential, which could be guessed from the compressed length (BREACH).
 */
export const compression = fp(async (app: FastifyInstance) => {
  const staticAnswers = new Map<string, Promise<Buffer>>();
  /** Compressed forms of cached responses, which the response cache sends as the same buffer each time; they disappear with it. */
  const compressedForms = new WeakMap<Buffer, Partial<Record<Coding, Buffer>>>();
  const oneAtATime = pLimit(1);

  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().some((method) => method === 'GET' || method === 'HEAD');
    // Runs after all other hooks of the route, which see the answer uncompressed.
    if (isRead) route.onSend = [route.onSend ?? [], compress].flat();
  });

  const compress: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode === 304) repeatHeldTag(request, reply);
    if (!shouldCompress(request, reply, payload)) return done(null, payload);
    varyByEncoding(reply);
    const coding = chooseCoding(request.headers['accept-encoding']);
    if (!coding) return done(null, payload);
    const send = (compressed: unknown) => {
      setCoding(reply, coding);
      done(null, compressed);
    };
    if (request.method === 'HEAD') send(payload);
    else if (payload instanceof Readable) {
      const compressed = streaming[coding]();
      // pipeline destroys either stream when the other fails; the listeners of those report the failure.
      pipeline(payload, compressed, () => undefined);
      send(compressed);
    } else if (isStatic(request))
      compressStatic(`${coding} ${request.routeOptions.url}`, coding, payload as string).then(send, done);
    else compressWhole(coding, payload as string | Buffer).then(send, done);
  };

  /** Compresses in this thread up to the length at which a worker thread pays off: those threads hash passwords, too. */
  async function compressWhole(coding: Coding, payload: string | Buffer): Promise<Buffer> {
    const forms = typeof payload === 'string' ? {} : (compressedForms.get(payload) ?? {});
    if (typeof payload !== 'string') compressedForms.set(payload, forms);
    return (forms[coding] ??=
      payload.length <= limits.compressInlineChars
        ? inline[coding](payload, fastest[coding])
        : await oneAtATime(() => inThread[coding](Buffer.from(payload), fastest[coding])));
  }

  /** Anybody may request these without paying for it, so each is compressed once. */
  async function compressStatic(key: string, coding: Coding, payload: string): Promise<Buffer> {
    const known = staticAnswers.get(key);
    if (known) return known;
    const compressing = oneAtATime(() => inThread[coding](Buffer.from(payload), smallest[coding]));
    staticAnswers.set(key, compressing);
    compressing.catch(() => staticAnswers.delete(key));
    return compressing;
  }
});

function isStatic({ routeOptions }: FastifyRequest): boolean {
  return staticKinds.has(routeOptions.config.answer);
}

/** Decides the same for a GET and for its HEAD, whose body is already removed here. */
function shouldCompress(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode !== 200 || request.record.graphql?.type === 'mutation') return false;
  if (measureBytes(request, reply, payload) < limits.compressFromBytes) return false;
  const { url = '' } = request.routeOptions;
  return (
    compressible.test(String(reply.getHeader('content-type'))) &&
    // Its files were compressed by the build.
    !url.startsWith('/assets/') &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    !String(reply.getHeader('cache-control')).includes('no-transform')
  );
}

const compressible = /^(text\/|image\/svg\+xml|application\/(javascript|([\w.-]+\+)?json)\b)/i;

/** Size of the answer in bytes; a stream counts as infinite. */
function measureBytes({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): number {
  if (method === 'HEAD') return Number(reply.getHeader('content-length') ?? Infinity);
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload);
  return payload instanceof Readable ? Infinity : 0;
}

/**
 * The coding that a client prefers by its `Accept-Encoding` (RFC 9110, 12.5.3); null is the plain answer. A client that refuses
 * every coding and the plain answer gets the plain one: a refusal would come after the work is done.
 */
export function chooseCoding(header: string | undefined): Coding | null {
  if (!header) return null;
  const qualities = new Map(header.split(',').map(readQuality));
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const best = codings.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one));
  const isPreferred = qualityOf(best) >= (qualities.get('identity') ?? 0);
  return qualityOf(best) > 0 && isPreferred ? best : null;
}

/** A coding whose quality cannot be read counts as refused. */
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

function setCoding(reply: FastifyReply, coding: Coding): void {
  reply.header('content-encoding', coding).removeHeader('content-length').removeHeader('accept-ranges');
  const tag = reply.getHeader('etag');
  if (isStrongTag(tag)) reply.header('etag', addCoding(tag, coding));
}

/** A client that revalidates with the tag of compressed bytes gets that tag again. */
function repeatHeldTag({ headers }: FastifyRequest, reply: FastifyReply): void {
  varyByEncoding(reply);
  const tag = reply.getHeader('etag');
  if (!isStrongTag(tag)) return;
  const held = codings
    .map((coding) => addCoding(tag, coding))
    .find((coded) => headers['if-none-match']?.includes(coded));
  if (held) reply.header('etag', held);
}
