import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallScope, Idempotency } from '../access/scope.ts';
import { Failure } from '../errors.ts';

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

/** The scope for a call that shows what it would change. REST takes the wish from the query, GraphQL from an argument. */
export function withDryRun(scope: CallScope, isDryRun: boolean | null | undefined): CallScope {
  return isDryRun && 'db' in scope ? { ...scope, call: { ...scope.call, isDryRun } } : scope;
}
