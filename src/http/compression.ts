import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import pLimit from 'p-limit';
import { limits } from '../config/limits.ts';
import { addVary } from './answer-headers.ts';
import { addCoding, isStrongTag } from './entity-tags.ts';

/** In order of preference if a client accepts both alike. Streams flush each page of an export instead of whole blocks. */
const codecs = {
  br: {
    compressNow: zlib.brotliCompressSync,
    compressInThread: promisify<Buffer, object, Buffer>(zlib.brotliCompress),
    createStream: zlib.createBrotliCompress,
    flush: constants.BROTLI_OPERATION_FLUSH,
  },
  gzip: {
    compressNow: zlib.gzipSync,
    compressInThread: promisify<Buffer, object, Buffer>(zlib.gzip),
    createStream: zlib.createGzip,
    flush: constants.Z_SYNC_FLUSH,
  },
};
type Coding = keyof typeof codecs;
const codings: readonly Coding[] = ['br', 'gzip'];

const optionsOf = (level: number) => ({ level, params: { [constants.BROTLI_PARAM_QUALITY]: level } });
/**
 * On our JSON, Brotli's level 1 compresses as well as gzip's level 6 in a quarter of the time; Brotli's level 4 saves a fifteenth more
 * and takes four times as long. The smallest form is for answers that are compressed only once.
 */
const [fastest, smallest] = [optionsOf(1), optionsOf(9)];

/** Kinds of answers that are the same for everybody as long as the process runs. */
const staticKinds: ReadonlySet<string | undefined> = new Set(['asset', 'document', 'guide', 'playground']);

/**
 * Compresses large answers to reads if the client accepts it. Answers to writes are never compressed: they are small, and some
 * hold a credential, which could be guessed from the compressed length (BREACH).
 */
export const compression = fp(async (app: FastifyInstance) => {
  app.addHook('onRoute', (route) => {
    // Runs after all other hooks of the route, which see the answer uncompressed.
    if (/\b(GET|HEAD)\b/.test(String(route.method))) route.onSend = [route.onSend ?? [], compress].flat();
  });

  const compress: onSendAsyncHookHandler = async (request, reply, payload) => {
    const tag = reply.getHeader('etag');
    if (reply.statusCode === 304) {
      addVary(reply, 'Accept-Encoding');
      // A client that revalidates with the tag of compressed bytes gets that tag again.
      const isHeld = (coding: Coding) => request.headers['if-none-match']?.includes(addCoding(String(tag), coding));
      const held = isStrongTag(tag) && codings.find(isHeld);
      if (held) reply.header('etag', addCoding(tag, held));
    }
    if (!shouldCompress(request, reply, payload)) return payload;
    addVary(reply, 'Accept-Encoding');
    const coding = chooseCoding(request.headers['accept-encoding']);
    if (!coding) return payload;
    const compressed = request.method === 'HEAD' ? payload : await compressPayload(request, coding, payload);
    reply.header('content-encoding', coding).removeHeader('content-length').removeHeader('accept-ranges');
    if (isStrongTag(tag)) reply.header('etag', addCoding(tag, coding));
    return compressed;
  };

  /** Compressed forms of what is sent again: by route, if the answer never changes, or by a buffer of the response cache. */
  const forms = new WeakMap<object, Map<Coding, Promise<Buffer>>>();
  const oneAtATime = pLimit(1);

  /** Compresses in this thread up to the length at which a worker thread pays off: those threads hash passwords, too. */
  async function compressPayload({ routeOptions: { config } }: FastifyRequest, coding: Coding, payload: unknown) {
    const { compressNow, compressInThread, createStream, flush } = codecs[coding];
    // pipeline destroys either stream when the other fails; the listeners of those report the failure.
    if (payload instanceof Readable) return pipeline(payload, createStream({ ...fastest, flush }), () => undefined);
    const body = payload as string | Buffer;
    const isStatic = staticKinds.has(config.answer);
    const compressBody = async () =>
      isStatic || body.length > limits.longAnswerBytes
        ? oneAtATime(() => compressInThread(Buffer.from(body), isStatic ? smallest : fastest))
        : compressNow(body, fastest);
    const owner = isStatic ? config : Buffer.isBuffer(body) ? body : {};
    const known = forms.get(owner) ?? new Map<Coding, Promise<Buffer>>();
    const form = known.get(coding) ?? compressBody();
    forms.set(owner, known.set(coding, form));
    form.catch(() => known.delete(coding));
    return form;
  }
});

const compressible = /^(text\/|image\/svg\+xml|application\/(javascript|([\w.-]+\+)?json)\b)/i;

/** Decides the same for a GET and for its HEAD, whose body is already removed here. Files of the build are compressed by it. */
function shouldCompress(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode !== 200 || request.record.graphql?.type === 'mutation') return false;
  const isBody = typeof payload === 'string' || Buffer.isBuffer(payload);
  const length = isBody ? Buffer.byteLength(payload) : Number(reply.getHeader('content-length') ?? Infinity);
  if (length < limits.compressFromBytes || (request.method !== 'HEAD' && !payload)) return false;
  if (request.routeOptions.url?.startsWith('/assets/') || reply.hasHeader('content-encoding')) return false;
  if (reply.hasHeader('content-range') || /no-transform/.test(String(reply.getHeader('cache-control')))) return false;
  return compressible.test(String(reply.getHeader('content-type')));
}

/**
 * The coding that a client prefers by its `Accept-Encoding` (RFC 9110, 12.5.3). Null is the plain answer, also for a client that
 * refuses all codings and the plain answer, too: a refusal would come after the work is done.
 */
export function chooseCoding(header = ''): Coding | null {
  const qualities = new Map(header.split(',').map(readQuality));
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const best = codings.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one));
  return qualityOf(best) > 0 && qualityOf(best) >= (qualities.get('identity') ?? 0) ? best : null;
}

/** A coding whose quality cannot be read counts as refused. */
function readQuality(item: string): [name: string, quality: number] {
  const [name = '', weight = 'q=1'] = item.split(';').map((part) => part.trim().toLowerCase());
  return [name, /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0];
}
