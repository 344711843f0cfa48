import type { CallScope, Idempotency } from '../access/scope.ts';

/** The scope for a call that may be retried. REST takes the key from a header, GraphQL from an argument. */
export function withIdempotencyKey(scope: CallScope, idempotency: Idempotency): CallScope {
  return 'db' in scope
    ? { ...scope, call: { ...scope.call, idempotency } }
    : { ...scope, call: { ...scope.call, idempotency } };
}

/** The scope for a call that shows what it would change. REST takes the wish from the query, GraphQL from an argument. */
export function withDryRun(scope: CallScope, isDryRun: boolean | null | undefined): CallScope {
  return isDryRun && 'db' in scope ? { ...scope, call: { ...scope.call, isDryRun } } : scope;
}
