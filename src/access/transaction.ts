import { limits } from '../config/limits.ts';
import { isSerializationConflict } from '../db/engine/failures.ts';
import { overBound, unavailable } from '../errors.ts';

/**
 * Tries a transaction again while it loses against others. All tries together have the time of one transaction. `run` calls
 * `onEnding` when nothing is left but COMMIT.
 */
export async function retryConflicts<T>(
  timeoutMs: number,
  run: (timeoutMs: number, onEnding: () => void) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const leftMs = Math.ceil(deadline - performance.now());
    try {
      return await withinTime(leftMs + limits.endMs, (onEnding) => run(leftMs, onEnding));
    } catch (error) {
      if (!isSerializationConflict(error)) throw error;
      const isLast = attempt >= limits.triesMax || performance.now() + limits.endMs > deadline;
      if (isLast) throw unavailable('Too many changes at the same time: try again.', 1, error);
    }
  }
}

/**
 * Prisma ends a transaction that has timed out, but not before its statement has ended: no caller waits for that. They wait for a
 * COMMIT, without which nobody knows what to tell them; its wait has bounds of its own.
 */
async function withinTime<T>(timeoutMs: number, run: (onEnding: () => void) => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(overBound('database_time', 'The database did not answer in time: try again.', 2)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([run(() => clearTimeout(timer)), late]);
  } finally {
    clearTimeout(timer);
  }
}
