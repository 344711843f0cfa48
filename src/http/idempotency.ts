import type { CallScope, Idempotency } from '../access/scope.ts';

/** The scope for a call that may be retried. REST takes the key from a header, GraphQL from an argument. */
export function withIdempotencyKey(scope: CallScope, idempotency: Idempotency): CallScope {
  return 'db' in scope
    ? { ...scope, call: { ...scope.call, idempotency } }
    : { ...scope, call: { ...scope.call, idempotency } };
}
