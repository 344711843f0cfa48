import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallScope, Idempotency } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';

/** All values of a header. Node joins or drops repeated ones in `headers`. */
export function headerValues({ raw }: FastifyRequest, name: string): string[] {
  return raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === name);
}

/** A parameter of a media type. Its value may be quoted. */
const typeParameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*)/g;

/** Values of the parameters that the types of answers have. Another value asks for what this service has not. */
const answeredWith: Readonly<Record<string, RegExp>> = { charset: /^"?utf-?8"?$/i, header: /^"?present"?$/i };

/**
 * Leaves out of `Accept` the parameters that no answer contradicts, such as `charset=utf-8`: the types that are offered have none, and
 * so would not match.
 */
export function simplifyAccept(header: string): string {
  return header.replaceAll(typeParameter, (whole, name: string, value: string) => {
    const isKept = /^q$/i.test(name) || answeredWith[name.toLowerCase()]?.test(value) === false;
    return isKept ? whole : '';
  });
}

const hostName = /^([\w.~-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Throws if the query string cannot be decoded, or a header asks for something that this service does not do. */
export function requireReadable(request: FastifyRequest, reply: FastifyReply): void {
  requireDecodable(request.url);
  if (request.raw.rawHeaders.length > 2 * limits.headersMax)
    throw new Failure('HEADERS_TOO_LARGE', `The request has more than ${limits.headersMax} headers.`);
  const hosts = headerValues(request, 'host');
  const isNeeded = request.raw.httpVersion === '1.1';
  if (hosts.length > 1 || (isNeeded && hosts.length === 0) || !hosts.every(isHost))
    throw new Failure('BAD_REQUEST', 'The Host header is missing or malformed.');
  // HTTP/1.0 does not require a Host header, but code that parses addresses does.
  if (hosts.length === 0) request.raw.headers.host = 'host.invalid';
  // These values may come from a trusted proxy's headers.
  if (!isHost(request.host) || !/^https?$/i.test(request.protocol))
    throw new Failure('BAD_REQUEST', 'An X-Forwarded header is malformed.');
  const { expect = '100-continue', 'content-encoding': encoding = 'identity' } = request.headers;
  if (expect.toLowerCase() !== '100-continue') {
    // After a refused `Expect`, the body may or may not arrive.
    reply.header('connection', 'close');
    throw new Failure('EXPECTATION_FAILED', 'The only supported Expect header is 100-continue.');
  }
  if (encoding.toLowerCase() !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.');
}

/** A path that cannot be decoded is refused by the router. In a query string, it would be read as other characters. */
function requireDecodable(url: string): void {
  const start = url.indexOf('?');
  if (start !== -1 && !isUtf8Query(url.slice(start)))
    throw new Failure('BAD_REQUEST', 'The query string is not UTF-8 in percent-encoding.');
}

/** The decoded text is used: the bundler removes a call of `decodeURIComponent` whose value nobody reads, though it may throw. */
function isUtf8Query(query: string): boolean {
  try {
    return /^[\x21-\x7e]*$/.test(query) && decodeURIComponent(query).startsWith('?');
  } catch {
    return false;
  }
}

const isHost = (host: string): boolean => hostName.test(host) && URL.canParse(`http://${host}`);

/** Whether the client used https, either to this process or to the trusted proxy in front of it. */
export const isHttps = (request: FastifyRequest): boolean => request.protocol.toLowerCase() === 'https';

/**
 * Whether the request cannot have left this machine. A proxy on this machine also connects from loopback, so any proxy
 * header, trusted or not, and any host name other than a loopback one mean that it may have.
 */
export function isOnLoopback({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.+)$/.test(name));
  return !isForwarded && loopbackAddress.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '');
}

const loopbackAddress = /^(::ffff:)?127\.|^::1$/;
const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/** The scope for a call that may be retried. REST takes the key from a header, GraphQL from an argument. */
export function withIdempotencyKey(scope: CallScope, idempotency: Idempotency): CallScope {
  return 'db' in scope
    ? { ...scope, call: { ...scope.call, idempotency } }
    : { ...scope, call: { ...scope.call, idempotency } };
}

/** Returns the scope of the request, bound to its idempotency key if it has one. */
export function withKeyHeader(request: FastifyRequest, reply: FastifyReply): CallScope {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return request.scope;
  if (headerValues(request, 'idempotency-key').length > 1)
    throw new Failure('BAD_REQUEST', 'The Idempotency-Key header must be sent exactly once.');
  const onReplay = () => void reply.header('idempotency-replayed', 'true');
  return withIdempotencyKey(request.scope, { key: readUtf8(String(key)), onReplay });
}

/**
 * Node reads each byte of a header as one character. Where the bytes are UTF-8, the key is the same as in GraphQL; where they
 * are not, it stays as it is, so that no two keys become one.
 */
function readUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
