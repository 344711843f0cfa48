import Type from 'typebox';
import { Failure } from '../errors.ts';

/** Part of the input of every change: the versions of the row that it is meant for; whatever it is, if none are given. */
export const meantFor = { versions: Type.Optional(Type.Array(Type.Integer())) };

/**
 * Refuses a change that was meant for other versions of the row. The row, or what changes of it wait for, must be locked:
 * of two callers who know the same version, one is refused.
 */
export function requireVersion({ version }: { readonly version: number }, versions: readonly number[] | undefined) {
  if (versions !== undefined && !versions.includes(version))
    throw new Failure('PRECONDITION_FAILED', 'It was changed since it was read: read it again before changing it.');
}
