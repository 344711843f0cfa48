import { useEffect, useSyncExternalStore } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { returnFocus } from './dialog.tsx';

interface Toast {
  readonly text: string;
  /** Takes back what was done; the toast then stays until it is closed or replaced. */
  readonly undo?: () => void;
}

/** Milliseconds for which a toast without an undo is shown. */
const shownMs = 8000;

let toast: Toast | null = null;
const listeners = new Set<() => void>();

/** Says what has been done. Null takes the last word away. */
export function showToast(next: Toast | null): void {
  toast = next;
  for (const listener of listeners) listener();
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The one live region of the console. */
export function Toasts() {
  const { parts } = useMessages();
  const shown = useSyncExternalStore(watch, () => toast);
  useEffect(() => {
    if (!shown || shown.undo) return;
    const timer = setTimeout(() => toast === shown && showToast(null), shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
  const leave = () => {
    showToast(null);
    queueMicrotask(() => document.activeElement === document.body && returnFocus(null));
  };
  return (
    <div className="cs-toasts">
      <p role="status">{shown?.text}</p>
      {shown?.undo && (
        <Button
          look="quiet"
          onClick={() => {
            leave();
            shown.undo?.();
          }}
        >
          {parts.undo}
        </Button>
      )}
      {shown && (
        <Button look="quiet" aria-label={parts.close} onClick={leave}>
          ✕
        </Button>
      )}
    </div>
  );
}
