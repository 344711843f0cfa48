import { limits } from '../config/limits.ts';
import { isSerializationConflict } from '../db/engine/failures.ts';
import { unavailable } from '../errors.ts';

/** Tries a transaction again while it loses against others. All tries together have the time of one transaction. */
export async function retryConflicts<T>(timeoutMs: number, run: (timeoutMs: number) => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const leftMs = Math.ceil(deadline - performance.now());
    try {
      return await withinTime(leftMs + limits.transactionGraceMs, run(leftMs));
    } catch (error) {
      if (!isSerializationConflict(error)) throw error;
      const isLast = attempt > limits.transactionRetries || performance.now() + limits.transactionGraceMs > deadline;
      if (isLast) throw unavailable('Too many changes at the same time: try again.', 1, error);
    }
  }
}

/** Prisma ends a transaction that has timed out, but not before its statement has ended: no caller waits for that. */
async function withinTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('The database did not answer in time: try again.', 2)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
