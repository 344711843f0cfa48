import { toFailure } from '../http/failures.ts';
import type { AssignOutcome } from '../services/work-shifts-assign-set.ts';
import { readClashes } from '../services/staffing.ts';
import type { Context } from './context.ts';
import { toGraphqlErrors } from './row-ids.ts';

/** Converts a refusal to the clashes and the fields that an error of its own would have. */
export function refusalOf(error: unknown, log: Context['log']) {
  const failure = toFailure(error);
  const { code, message, errors = {}, cause } = failure;
  if (code === 'INTERNAL' || code === 'OUTCOME_UNKNOWN') log.error({ err: cause }, 'one of several changes failed');
  const fields = Object.entries(toGraphqlErrors(errors)).map(([field, messages]) => ({ field, messages }));
  return { clashes: readClashes(failure), error: { code, message, errors: fields } };
}

/** Results of several changes of shifts. */
export const toShiftResults = (outcomes: readonly AssignOutcome[], log: Context['log']) =>
  outcomes.map((outcome) =>
    'shift' in outcome
      ? { shift: outcome.shift, clashes: [], error: null }
      : { shift: null, ...refusalOf(outcome.failure, log) },
  );
