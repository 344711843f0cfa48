import { useEffect, useSyncExternalStore } from 'react';
import { refreshReads, type Fault } from '../data.ts';
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

/** Says what has been done, and offers to write back what was there before; that is refused when somebody has changed it since. */
export function offerUndo(
  text: string,
  writeBack: () => Promise<{ readonly fault: Fault | null }>,
  texts: Texts,
): void {
  const undo = async () => {
    const { fault } = await writeBack();
    // Whoever goes on at once changes what is stored now.
    await refreshReads();
    const isLate = fault?.code === 'PRECONDITION_FAILED';
    showToast({ text: isLate ? texts.changedSince : (fault?.message ?? texts.undone) });
  };
  showToast({ text, undo: () => void undo() });
}

type Texts = Readonly<Record<'undone' | 'changedSince', string>>;

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
