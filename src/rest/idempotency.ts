import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { withIdempotencyKey } from '../http/idempotency.ts';

const hours = limits.idempotencyKeptS / 3600;

/** Request headers of a route whose operation is idempotent. */
export const idempotencyHeaders = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.idempotencyKeyChars,
      description: `Makes it safe to repeat the request if its answer was lost. With one key of your choice, such as a UUID, the request runs once, and for ${hours} hours every repetition returns the first answer. Using the key for a different request is answered with 422 IDEMPOTENCY_KEY_REUSED; repeating it while the first request is running, with 409 and Retry-After. A failed request may be repeated.`,
    }),
  ),
};

/** Returns the scope of the request, bound to its idempotency key if it has one. */
export function withKeyHeader(request: FastifyRequest, reply: FastifyReply): CallScope {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return request.scope;
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'idempotency-key').length > 1)
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
