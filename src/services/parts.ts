import { Failure } from '../errors.ts';

/** Returns null if the caller may not call the operation of a part, so that the rest of the answer is still given. */
export async function nullIfForbidden<T>(part: Promise<T>): Promise<T | null> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof Failure && error.code === 'FORBIDDEN') return null;
    throw error;
  }
}
