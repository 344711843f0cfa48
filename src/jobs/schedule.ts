const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** When a message is sent again after a failure. */
export interface RetrySchedule {
  /** Waits before the second attempt and those after it. The message has failed when the last attempt has. */
  readonly delaysMs: readonly number[];
  /** Share of a wait, at most, by which it is made longer at random, so that messages of one outage do not come at once. */
  readonly jitter: number;
  /** Longest wait that a receiver can ask for by `Retry-After`. */
  readonly retryAfterMaxMs: number;
  /** An endpoint with nothing but failures for so long is disabled. */
  readonly failingMaxMs: number;
}

export const retrySchedule: RetrySchedule = {
  delaysMs: [
    5000,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
  ],
  jitter: 0.2,
  retryAfterMaxMs: 24 * hourMs,
  failingMaxMs: 5 * 24 * hourMs,
};

/** The wait after the failed attempt with this number, counted from 1; null: it was the last one. */
export function delayAfter(
  { delaysMs, jitter, retryAfterMaxMs }: RetrySchedule,
  attempt: number,
  retryAfterMs: number | null,
): number | null {
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return null;
  const jittered = delayMs * (1 + jitter * Math.random());
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, retryAfterMaxMs)));
}

/** Reads `Retry-After`: seconds, or a date. Null if it has neither, or says now. */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return ms > 0 ? ms : null;
}
