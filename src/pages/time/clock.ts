import { useSyncExternalStore } from 'react';

/* The current minute, for what counts down. Only the components that show it render again. */

const minuteMs = 60_000;

const readMinute = (): number => Math.floor(Date.now() / minuteMs) * minuteMs;

function watchMinutes(tick: () => void): () => void {
  const timer = setInterval(tick, 5000);
  return () => clearInterval(timer);
}

/** The current time, rounded down to the minute. */
export const useMinute = (): number => useSyncExternalStore(watchMinutes, readMinute);
