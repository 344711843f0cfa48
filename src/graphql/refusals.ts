import { limits } from '../config/limits.ts';
import { toFailure } from '../http/failures.ts';
import type { OutcomeOf } from '../services/in-turn.ts';
import type { AssignOutcome } from '../services/work-shifts-assign-set.ts';
import { readClashes } from '../services/staffing.ts';
import type { Context } from './context.ts';
import { toGraphqlErrors } from './row-ids.ts';

/* Descriptions of what takes several inputs. */
export const atMostNamed = `At most ${limits.namedItemsMax}.`;
export const resultForEach =
  'A refused one does not affect the others. Returns one result for each. Costs 1 + rows / 25, rounded down, of the rate limit.';

/** Converts a refusal to the clashes and the fields that an error of its own would have. */
export function refusalOf(error: unknown, log: Context['log']) {
  const failure = toFailure(error);
  const { code, message, errors = {}, cause } = failure;
  if (code === 'INTERNAL' || code === 'OUTCOME_UNKNOWN') log.error({ err: cause }, 'one of several changes failed');
  const fields = Object.entries(toGraphqlErrors(errors)).map(([field, messages]) => ({ field, messages }));
  return { clashes: readClashes(failure), error: { code, message, errors: fields } };
}

/** Results of several new rows. */
export const toResults = <R>(outcomes: readonly OutcomeOf<R>[], log: Context['log']) =>
  outcomes.map((outcome) =>
    'row' in outcome ? { ...outcome, error: null } : { row: null, error: refusalOf(outcome.failure, log).error },
  );

/** Results of several changes of shifts. */
export const toShiftResults = (outcomes: readonly AssignOutcome[], log: Context['log']) =>
  outcomes.map((outcome) =>
    'shift' in outcome
      ? { shift: outcome.shift, clashes: [], error: null }
      : { shift: null, ...refusalOf(outcome.failure, log) },
  );
