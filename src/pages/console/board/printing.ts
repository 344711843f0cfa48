import { flushSync } from 'react-dom';
import { useSyncExternalStore } from 'react';

/* Whether the page is being printed: what is printed is the call sheet, whatever the screen shows. */

const query = matchMedia('print');
let isPrinting = query.matches;

function watchPrinting(tell: () => void): () => void {
  const set = (next: boolean) => {
    if (next === isPrinting) return;
    isPrinting = next;
    // The browser takes the page as soon as this returns.
    flushSync(tell);
  };
  const begin = () => set(true);
  const end = () => set(false);
  const follow = () => set(query.matches);
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  query.addEventListener('change', follow);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
    query.removeEventListener('change', follow);
  };
}

export const useIsPrinting = (): boolean => useSyncExternalStore(watchPrinting, () => isPrinting);
