import { useState } from 'react';
import type { Done, ActionOutcome } from './actions.ts';

/** Notice of the last action, with a button that undoes it. It stays until the next action, or until it is closed. */
export function Notice({ done, onOutcome, onClose }: NoticeProps) {
  const [isBusy, setIsBusy] = useState(false);
  const { undo } = done;
  return (
    <div className="bd-notice" role="status">
      <span>{done.text}</span>
      {undo && (
        <button
          type="button"
          className="bd-link"
          disabled={isBusy}
          onClick={() => {
            setIsBusy(true);
            void undo()
              .then(onOutcome)
              .finally(() => setIsBusy(false));
          }}
        >
          Undo
        </button>
      )}
      <button type="button" className="app-icon" aria-label="Put this message away" onClick={onClose}>
        ✕
      </button>
    </div>
  );
}

interface NoticeProps {
  readonly done: Done;
  readonly onOutcome: (outcome: ActionOutcome) => void;
  readonly onClose: () => void;
}
