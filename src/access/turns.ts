import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import { overBound } from '../errors.ts';
import { FairQueue, type Waiter } from '../fair-queue.ts';
import type { Actor } from './actor.ts';
import type { OperationRecord } from './operation-record.ts';

export interface Turns {
  readonly waiting: () => number;
  /** Runs an operation of a business when its turn has come. Throws UNAVAILABLE if that takes too long. */
  take<T>(caller: Exclude<Actor, { kind: 'anonymous' }>, operation: OperationRecord, run: () => Promise<T>): Promise<T>;
}

/**
 * Divides the connections among the businesses, so that none takes all of them or all cores of the database. An operation uses one
 * connection at a time, so a turn stands for a connection. While several businesses call operations, each has a share, and half of
 * that while its reads are slow. Performance notes: src/guide/performance.md#shares-of-the-connections
 */
export function createTurns(total: number, wantedShare: number, waitMs: number): Turns {
  const share = Math.max(1, Math.min(wantedShare, total - 1));
  const slowShare = Math.ceil(share / 2);
  const slowUntil = new Map<number, number>();
  /** The business that called last, and until when it counts as one of several. */
  let latest: number | undefined;
  let isSharedUntil = 0;

  const shareOf = (businessId: number): number => {
    const now = performance.now();
    // A business that is alone leaves one connection to the next one that comes.
    if (now > isSharedUntil) return Math.max(1, total - 1);
    return (slowUntil.get(businessId) ?? 0) > now ? slowShare : share;
  };
  // One turn for each member of the staff, so that nobody has to wait for what one of them asks for.
  const queue = new FairQueue<number>({ total, each: shareOf, eachGroup: 1, waitingMax: limits.operationsWaiting });

  const lines = new FairQueue<number>({ total: Infinity, each: () => 1, waitingMax: limits.operationsWaiting });

  const refusalOf = (isOwnShare: boolean) =>
    isOwnShare
      ? overBound(
          'database_share',
          `Too many database statements of your business at the same time (at most ${share} beside other businesses, or ${slowShare} while they are slow): ask for less at a time, and try again.`,
          2,
        )
      : overBound('database_connections', 'All connections to the database are in use: try again.', 2);

  return {
    waiting: () => queue.waitingCount,
    async take(caller, { writes, waitsInLine }, run) {
      const { businessId } = caller;
      const group = caller.kind === 'user' && caller.role === 'staff' ? String(caller.userId) : undefined;
      if (waitsInLine) {
        const leave = await lines.take({ key: businessId, waitMs: limits.longWaitMs, refusal: () => refusalOf(true) });
        return takeTurn({ key: businessId, group }, writes, run).finally(leave);
      }
      return takeTurn({ key: businessId, group }, writes, run);
    },
  };

  async function takeTurn<T>(waiter: Waiter<number>, writes: boolean, run: () => Promise<T>): Promise<T> {
    const { key: businessId } = waiter;
    if (latest !== undefined && latest !== businessId) isSharedUntil = performance.now() + limits.companyRememberedMs;
    latest = businessId;
    // By the end of the wait, the share may be larger, but no turn has become free.
    const wasAtShare = queue.isAtLimit(waiter);
    const end = await queue.take({
      ...waiter,
      waitMs,
      refusal: () => refusalOf(wasAtShare || queue.isAtLimit(waiter)),
    });
    // The embedded database works in this thread: requests that arrive are read before all that wait are answered.
    if (queue.waitingCount > 0) await nextTurnOfLoop();
    const startedAt = performance.now();
    try {
      return await run();
    } finally {
      const now = performance.now();
      if (!writes && now - startedAt > limits.slowReadMs) slowUntil.set(businessId, now + limits.slowReadRememberedMs);
      else if ((slowUntil.get(businessId) ?? now) < now) slowUntil.delete(businessId);
      end();
    }
  }
}
