import { useState } from 'react';
import type { Done, ActionOutcome } from './actions.ts';

/** Notice of the last action, with a button that undoes it. It stays until the next action, or until it is closed. */
export function Notice({ done, onOutcome, onClose }: NoticeProps) {
  const [isBusy, setIsBusy] = useState(false);
  const { undo, explain } = done;
  const run = (action: () => Promise<ActionOutcome>) => {
    setIsBusy(true);
    void action()
      .then(onOutcome)
      .finally(() => setIsBusy(false));
  };
  return (
    <div className="bd-notice" role="status" tabIndex={-1}>
      <span>{done.text}</span>
      {undo && (
        <button type="button" className="bd-link" disabled={isBusy} onClick={() => run(undo)}>
          Undo
        </button>
      )}
      <button type="button" className="app-icon" aria-label="Put this message away" onClick={onClose}>
        ✕
      </button>
      {explain && <Explain isDisabled={isBusy} onExplain={(reason) => run(() => explain(reason))} />}
    </div>
  );
}

/** Asks why. Nobody has to say. */
function Explain({ isDisabled, onExplain }: { isDisabled: boolean; onExplain: (reason: string) => void }) {
  const [reason, setReason] = useState('');
  return (
    <form
      className="bd-why"
      onSubmit={(submit) => {
        submit.preventDefault();
        onExplain(reason);
      }}
    >
      <label className="bd-field">
        <span>Reason, for the history</span>
        <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
      </label>
      <button type="submit" className="cb-button app-slim" disabled={isDisabled || reason.trim() === ''}>
        Keep the reason
      </button>
    </form>
  );
}

interface NoticeProps {
  readonly done: Done;
  readonly onOutcome: (outcome: ActionOutcome) => void;
  readonly onClose: () => void;
}
