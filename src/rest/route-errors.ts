import type { TObject } from 'typebox';
import { AnswerTooLarge, Failure, invalid, type FieldErrors } from '../errors.ts';
import { serializeConflict } from './conflict-problems.ts';
import { spellErrors } from './dialect.ts';
import { nameReadOnly } from './write-back.ts';

/** The facts of a route that the errors of its operation depend on. */
export interface RouteErrors {
  readonly isExtension?: boolean;
  readonly conflicts?: boolean | 'shown';
  readonly errorNames?: Readonly<Record<string, string>>;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
}

/** Returns an error of an operation as the caller of the route knows its fields. */
export function inRestNames(error: unknown, spec: RouteErrors, readOnlyFaults: FieldErrors = {}): unknown {
  if (error instanceof AnswerTooLarge) return invalid(tooLargeErrors(error, spec));
  if (!(error instanceof Failure)) return error;
  const conflict = showsConflicts(spec) ? serializeConflict(error) : undefined;
  if (!error.errors && !conflict) return error;
  return new Failure(error.code, error.message, {
    ...(error.errors && {
      errors: nameReadOnly(spellErrors(error.errors, spec.errorNames, spec.body), readOnlyFaults),
    }),
    ...(error.retryAfterS !== undefined && { retryAfterS: error.retryAfterS }),
    ...(conflict && { details: { conflict } }),
  });
}

/** Whether a refusal shows the rows behind a conflict. Most routes of the contract name them in words only. */
export function showsConflicts({ isExtension, conflicts }: RouteErrors): boolean {
  return conflicts === 'shown' || (isExtension === true && conflicts === true);
}

/** Names what to ask for instead: smaller pages, or for one row, its parts through GraphQL. */
function tooLargeErrors({ excess }: AnswerTooLarge, { query, params }: RouteErrors) {
  if (query && 'perPage' in query.properties) return { per_page: [`must be smaller: the answer would take ${excess}`] };
  const [name = 'input'] = Object.keys(params?.properties ?? {});
  return { [name]: [`names too much for one answer, ${excess}: read its lists page by page through GraphQL`] };
}
