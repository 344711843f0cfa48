import { useState, type ReactNode } from 'react';
import type { Fault, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { CheckField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { describeClash, type Clash } from '../changes/clashes.ts';
import { Reason } from '../changes/reason.tsx';

/** What is asked about a move before it is stored. */
interface Move {
  /** What would move along; null if nothing would. */
  readonly moved: { readonly callTimes: number; readonly workShifts: number } | null;
  /** The move in words. */
  readonly words: ReactNode;
}

export interface Decision {
  /** Why it is right although rules stand against it. */
  readonly reason: string | null;
  readonly keepsChildren: boolean;
}

interface Props {
  readonly write: Pick<ReturnType<typeof useWrite>, 'fault' | 'isPending' | 'forgetFault'>;
  readonly move?: Move | null;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose?: () => void;
}

const readClashes = (fault: Fault | null) =>
  (fault?.code === 'CLASH' ? (fault.details['clashes'] ?? []) : []) as readonly Clash[];

/** Shows what a change brings with it, and asks for the reason where rules stand against what was written last. */
export const ClashDialog = (props: Props) =>
  (props.move || readClashes(props.write.fault).length > 0) && <Question {...props} />;

function Question({ write: { fault, isPending, forgetFault }, move = null, onDecide, onClose }: Props) {
  const messages = useMessages();
  const { move: texts } = messages.event;
  const [reason, setReason] = useState('');
  const [keepsChildren, setKeepsChildren] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const clashes = readClashes(fault);
  // Other rules may stand against leaving them where they are; the service says so then.
  const needsReason = clashes.length > 0 && !(move?.moved && keepsChildren);
  const decide = () => {
    if (needsReason && reason.trim() === '') return setIsMissing(true);
    onDecide({ reason: needsReason ? reason.trim() : null, keepsChildren });
  };
  return (
    <FormDialog
      title={texts.title}
      action={needsReason ? texts.anyway : texts.confirm}
      isPending={isPending}
      onSubmit={decide}
      onClose={() => {
        forgetFault();
        onClose?.();
      }}
    >
      {move?.words}
      {move && (
        <p>{move.moved && !keepsChildren ? texts.moves(move.moved.callTimes, move.moved.workShifts) : texts.stays}</p>
      )}
      {move?.moved && <CheckField label={texts.keep} value={keepsChildren} onChange={setKeepsChildren} />}
      {fault && clashes.length === 0 && !keepsChildren && <Notice look="bad">{fault.message}</Notice>}
      <Reason
        against={needsReason ? clashes.map((clash) => describeClash(clash, messages)) : []}
        label={texts.reason}
        reason={reason}
        isMissing={isMissing}
        onChange={setReason}
      />
    </FormDialog>
  );
}
