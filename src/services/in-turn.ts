import { Failure } from '../errors.ts';

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
