import type { CallScope } from '../access/scope.ts';

/** The scope for a call that shows what it would change. REST takes the wish from the query, GraphQL from an argument. */
export function withDryRun(scope: CallScope, isDryRun: boolean | null | undefined): CallScope {
  return isDryRun && 'db' in scope ? { ...scope, call: { ...scope.call, isDryRun } } : scope;
}
