import { useCallback, useSyncExternalStore } from 'react';
import type { Run } from './runs.ts';

/** When the rate limit is reset, if the service refused a run because of it; otherwise 0. */
export const findWaitEndMs = ({ refused, retryAfterS, endedAtMs }: Run): number =>
  refused === 'RATE_LIMITED' && retryAfterS !== null ? endedAtMs + retryAfterS * 1000 : 0;

/** Seconds until a moment, counted down; 0 once it has passed. */
export function useSecondsUntil(momentMs: number): number {
  const readSeconds = (): number => Math.max(0, Math.ceil((momentMs - Date.now()) / 1000));
  const watch = useCallback(
    (tick: () => void) => {
      const timer = momentMs > Date.now() ? setInterval(tick, 500) : undefined;
      return () => clearInterval(timer);
    },
    [momentMs],
  );
  return useSyncExternalStore(watch, readSeconds);
}
