import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';

const hours = limits.idempotencyKeptS / 3600;

/** Request headers of a route whose operation is idempotent. */
export const idempotencyHeaders = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.idempotencyKeyChars,
      description: `Makes it safe to send the request again when its answer was lost: under one key of your choice, such as a UUID, it is done once, and for ${hours} hours the first answer is given each time. The same key for something else: 422 IDEMPOTENCY_KEY_REUSED; while the first request is still running: 409 with Retry-After. A request that failed may be sent again.`,
    }),
  ),
};

export const replayedHeader = {
  'Idempotency-Replayed': { type: 'string', enum: ['true'], description: 'The first answer to this key, once more.' },
};

/** Returns the scope of the request, bound to its idempotency key if it has one. */
export function underKey(request: FastifyRequest, reply: FastifyReply): CallScope {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return request.scope;
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'idempotency-key').length > 1)
    throw new Failure('BAD_REQUEST', 'The Idempotency-Key header must stand there once.');
  const onReplay = () => void reply.header('idempotency-replayed', 'true');
  return { ...request.scope, idempotency: { key: String(key), onReplay } };
}
