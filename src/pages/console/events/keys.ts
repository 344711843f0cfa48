import { useCallback, useEffect, useRef, type KeyboardEvent } from 'react';
import type { Weekday } from '../../application/session.ts';
import { followKey } from './dates.ts';

/** Keys that select another day: arrows, Home and End of the week, and Page Up and Down by month. The focus goes along. */
export function useDayKeys(day: string, firstWeekday: Weekday, onGo: (day: string) => void) {
  const isByKey = useRef(false);
  const current = useRef(day);
  useEffect(() => {
    current.current = day;
    if (isByKey.current) document.getElementById(`day-${day}`)?.focus();
    isByKey.current = false;
  }, [day]);
  return useCallback(
    (event: KeyboardEvent) => {
      const next = followKey(event.key, current.current, firstWeekday);
      if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      isByKey.current = true;
      onGo(next);
    },
    [firstWeekday, onGo],
  );
}
