import type { TSchema } from 'typebox';
import { operation, type KnownFacts, type Operation } from '../access/operation.ts';
import { Failure } from '../errors.ts';
import { manyInputs } from '../validation/schemas.ts';

/**
 * Runs several changes one after the other, so that each has an outcome of its own. After an error of the service itself, the
 * remaining ones are not tried.
 */
export async function runInTurn<I, R extends object>(
  inputs: readonly I[],
  run: (input: I) => Promise<R>,
): Promise<(R | { readonly failure: unknown })[]> {
  const outcomes: (R | { readonly failure: unknown })[] = [];
  let broken: { readonly failure: unknown } | undefined;
  for (const input of inputs) {
    const outcome = broken ?? (await run(input).catch((failure: unknown) => ({ failure })));
    if ('failure' in outcome && !isRefusal(outcome.failure)) broken = outcome;
    outcomes.push(outcome);
  }
  return outcomes;
}

const isRefusal = (failure: unknown) =>
  failure instanceof Failure && failure.code !== 'UNAVAILABLE' && failure.code !== 'OUTCOME_UNKNOWN';

export type OutcomeOf<R> = { readonly row: R } | { readonly failure: unknown };

/**
 * Makes the operation that calls another one for each of several inputs, in one transaction: who may call it, what it checks and what it
 * tells are those of the other one, which refuses before it writes. An error of the service itself fails all.
 */
export function manyOf<S extends TSchema, R>(single: Operation<S, R>) {
  const { name, roles, scopes } = single.operation;
  const facts = { name: `${name}Many`, roles, scopes, writes: true, idempotent: true } as unknown as KnownFacts;
  return operation({
    ...facts,
    input: manyInputs,
    rows: { field: 'inputs', count: ({ inputs }) => inputs.length },
    run: (scope, { inputs }) =>
      scope.transaction(async (tx): Promise<OutcomeOf<R>[]> => {
        const outcomes = await runInTurn(inputs, async (input) => ({ row: await single(tx, input as never) }));
        for (const outcome of outcomes) if ('failure' in outcome && !isRefusal(outcome.failure)) throw outcome.failure;
        return outcomes;
      }),
  });
}
