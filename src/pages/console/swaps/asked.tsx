import { SwapsOfEventDocument } from '../../../generated/pages/console/swaps.ts';
import { useState } from 'react';
import { useRead } from '../../application/data.ts';
import type { Event } from '../model/events.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { showToast } from '../parts/toast.tsx';
import { approveSwap, refuseSwap } from '../changes/actions.ts';
import { Change } from '../changes/change.tsx';
import { describeRefused, takeSteps, type Step } from '../changes/steps.ts';
import { describeOther, fromOf, toOf, type Swap } from './data.ts';

/* Swaps of the shifts of an event, as an admin sees them beside the people. */

/** The open swaps by the shift that its person gives away. */
export function useSwapsOf({ uuid: event }: Event): ReadonlyMap<string, Swap> {
  const { data } = useRead(SwapsOfEventDocument, { event });
  return new Map(data?.swaps.nodes.map((swap) => [swap.workShiftUuid, swap]));
}

interface Open {
  readonly kind: 'approve' | 'refuse';
  readonly against?: readonly string[];
}

/** Says what the person of a shift asks for. What somebody has taken is approved or refused. */
export function SwapRequest({ swap, mayChange }: { swap: Swap; mayChange: boolean }) {
  const messages = useMessages();
  const { swaps: texts, offers } = messages;
  const [open, setOpen] = useState<Open | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { message, uuid: key } = swap;
  const name = fromOf(swap);
  const to = toOf(swap);
  const other = describeOther(swap, messages);
  const isTaken = swap.state === 'TAKEN';
  const run: Record<Open['kind'], Step['run']> = {
    approve: ({ reason }) => approveSwap(swap, reason),
    refuse: ({ reason }) => refuseSwap(swap, reason),
  };
  async function approve() {
    setIsBusy(true);
    const refused = await takeSteps([{ key, name, run: run.approve }], texts.approved, messages);
    setIsBusy(false);
    const { against, faults } = describeRefused(refused, messages);
    if (against.length > 0) setOpen({ kind: 'approve', against });
    else if (faults.length > 0) showToast({ text: faults.join(' ') });
  }
  const facts = [
    isTaken ? texts.wants(to ?? '') : texts.looking(to),
    other && texts.exchange(other),
    message && offers.because(message),
  ];
  const button = (text: string, onClick: () => void) => (
    <Button look="quiet" isBusy={isBusy} aria-label={`${text.replace('…', '')}: ${name}`} onClick={onClick}>
      {text}
    </Button>
  );
  return (
    <div className="st-swap">
      <small className="st-clash">{facts.filter(Boolean).join(' · ')}</small>
      {isTaken && mayChange && (
        <div className="st-acts">
          {button(texts.approve, () => void approve())}
          {button(texts.refuseSwap, () => setOpen({ kind: 'refuse' }))}
        </div>
      )}
      {open && (
        <Change
          title={texts[`${open.kind}Title`](name)}
          action={texts[`${open.kind}Now`]}
          look={open.kind === 'approve' ? 'primary' : 'danger'}
          steps={[{ key, name, run: run[open.kind] }]}
          describe={open.kind === 'approve' ? texts.approved : texts.refused}
          against={open.against ?? []}
          isReasonAsked={open.kind === 'refuse'}
          onDone={(refused) => refused.length === 0 && setOpen(null)}
          onClose={() => setOpen(null)}
        >
          {() => open.kind === 'refuse' && <p>{texts.refuseLead}</p>}
        </Change>
      )}
    </div>
  );
}
