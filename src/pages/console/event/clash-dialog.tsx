import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { describeClash, type Clash } from '../staffing/clashes.ts';
import { Reason } from '../staffing/reason.tsx';

/** What is asked before a change is stored. */
export interface Question {
  /** What would move along; null if nothing would. */
  readonly moved: { readonly callTimes: number; readonly workShifts: number } | null;
  /** Whether call times and shifts could also stay. */
  readonly mayKeep: boolean;
  readonly clashes: readonly Clash[];
  /** Why the service refuses the change as it is. */
  readonly refusal: string | null;
}

export interface Decision {
  /** Why it is right although rules stand against it. */
  readonly reason: string | null;
  readonly keepsChildren: boolean;
}

interface Props {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
  /** What the change is, in words. */
  readonly children?: ReactNode;
}

/** Shows what a change brings with it, and asks for the reason where rules stand against it. */
export function ClashDialog({
  question: { moved, mayKeep, clashes, refusal },
  isBusy,
  onDecide,
  onClose,
  children,
}: Props) {
  const messages = useMessages();
  const { move } = messages.event;
  const [reason, setReason] = useState('');
  const [keepsChildren, setKeepsChildren] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  // Other rules may stand against leaving them where they are; the service says so then.
  const needsReason = clashes.length > 0 && !(moved && keepsChildren);
  const decide = () => {
    if (needsReason && reason.trim() === '') return setIsMissing(true);
    onDecide({ reason: needsReason ? reason.trim() : null, keepsChildren });
  };
  const action = (
    <Button look="primary" type="submit" form="clash" isBusy={isBusy}>
      {needsReason ? move.anyway : move.confirm}
    </Button>
  );
  return (
    <Dialog title={move.title} onClose={onClose} actions={action}>
      <form
        id="clash"
        className="cs-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          decide();
        }}
      >
        {children}
        {moved && !keepsChildren && <p>{move.moves(moved.callTimes, moved.workShifts)}</p>}
        {mayKeep && (!moved || keepsChildren) && <p>{move.stays}</p>}
        {mayKeep && moved && <CheckField label={move.keep} value={keepsChildren} onChange={setKeepsChildren} />}
        {refusal !== null && clashes.length === 0 && !keepsChildren && <Notice look="bad">{refusal}</Notice>}
        <Reason
          against={needsReason ? clashes.map((clash) => describeClash(clash, messages)) : []}
          label={move.reason}
          reason={reason}
          isMissing={isMissing}
          onChange={setReason}
        />
      </form>
    </Dialog>
  );
}
