import { useState, type ReactNode } from 'react';
import type { Fault, useWrite } from '../data.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { CheckField, LongTextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';

interface Clash {
  readonly kind: 'OVERFILLED' | 'OVERLAP' | 'POSSIBLE_OVERLAP' | 'OUTSIDE_EVENT';
  readonly needed?: number | null;
  readonly assigned?: number | null;
  readonly eventTitle?: string | null;
  readonly minutes?: number | null;
  readonly user?: { readonly name?: string } | null;
}

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
      isBusy={isPending}
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
      {needsReason && (
        <>
          <Notice look="warning">
            <strong>{texts.clashes}</strong>
            <ul>
              {clashes.map((clash, index) => (
                <li key={index}>{describeClash(clash, messages)}</li>
              ))}
            </ul>
          </Notice>
          <LongTextField
            label={texts.reason}
            value={reason}
            error={isMissing && reason.trim() === '' ? texts.reasonNeeded : null}
            onChange={setReason}
          />
        </>
      )}
    </FormDialog>
  );
}

export function describeClash(
  { kind, needed, assigned, eventTitle, minutes, user }: Clash,
  { event: { clash } }: Messages,
) {
  const name = user?.name ?? clash.someone;
  const title = eventTitle ?? clash.otherEvent;
  if (kind === 'OVERFILLED') return clash.OVERFILLED(assigned ?? 0, needed ?? 0);
  if (kind === 'OUTSIDE_EVENT') return clash.OUTSIDE_EVENT;
  return kind === 'OVERLAP' ? clash.OVERLAP(name, title, minutes ?? 0) : clash.POSSIBLE_OVERLAP(name, title);
}
