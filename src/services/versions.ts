import Type from 'typebox';
import { Failure } from '../errors.ts';

/** Part of the input of every change: the versions of the row that the caller expects. Without it, none is checked. */
export const versionInput = { expectedVersions: Type.Optional(Type.Array(Type.Integer())) };

/**
 * Refuses a change whose caller expects other versions of the row. The row, or a row that every change of it waits for,
 * must be locked: of two callers who know the same version, one is refused.
 */
export function requireVersion({ version }: { readonly version: number }, expected: readonly number[] | undefined) {
  if (expected !== undefined && !expected.includes(version))
    throw new Failure(
      'PRECONDITION_FAILED',
      'Somebody has changed this since you read it: read it again before changing it.',
    );
}
