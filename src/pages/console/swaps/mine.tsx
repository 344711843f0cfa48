import {
  CancelSwapDocument,
  MyOpenSwapsDocument,
  MySwapsDocument,
  RefuseSwapDocument,
  TakeSwapDocument,
} from '../../../generated/pages/console/swaps.ts';
import { Suspense, useState } from 'react';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Answer, type Act } from '../own-shifts/answer.tsx';
import { ShiftCard } from '../own-shifts/card.tsx';
import type { OwnShift } from '../own-shifts/shifts.ts';
import { toShift } from '../offers/mine.tsx';
import { Button } from '../parts/button.tsx';
import { lazily } from '../../application/lazily.tsx';
import { showToast } from '../parts/toast.tsx';
import { describeOther, fromOf, toOf, type Swap } from './data.ts';

/* Swaps as staff see them: those that they ask for stand with the shift, and those that ask them as cards of their own. */

const AskDialog = lazily(async () => (await import('./ask.tsx')).AskSwapDialog, 'over');

type List = { readonly nodes: readonly Swap[] };

const openStates: readonly Swap['state'][] = ['REQUESTED', 'TAKEN'];

/** In one request, because a whole crew opens the page at the same time. */
export function useOwnSwaps() {
  const { data, error } = useRead(MySwapsDocument);
  const more = useRead(data?.mine.pageInfo.hasNextPage ? MyOpenSwapsDocument : null);
  if (!data || (data.mine.pageInfo.hasNextPage && !more.data)) return { data: null, error: error ?? more.error };
  const listOf = (isOpen: boolean): List => ({
    nodes: data.mine.nodes.filter(({ state }) => openStates.includes(state) === isOpen),
  });
  return { data: { open: more.data?.open ?? listOf(true), over: listOf(false), asking: data.asking }, error };
}

const useSwaps = () => useOwnSwaps().data;

/** What colleagues ask the viewer by name, what waits for an admin, and what is over. */
export function SwapsOfMe() {
  const { swaps: texts } = useMessages();
  const [nowMs] = useState(() => Date.now());
  const { open, over, asking } = useSwaps() ?? {};
  const gone = over?.nodes.filter(({ endsAt }) => Date.parse(endsAt) > nowMs) ?? [];
  return (
    <>
      <Swaps title={texts.colleagues} swaps={asking?.nodes.filter(({ to }) => to !== null) ?? []} />
      <Swaps title={texts.waits} swaps={open?.nodes.filter(({ state, to }) => state === 'TAKEN' && to) ?? []} />
      {gone.length > 0 && (
        <details className="ms-month">
          <summary>{texts.over(gone.length)}</summary>
          <h2 className="app-hidden">{texts.over(gone.length)}</h2>
          {gone.map((swap) => (
            <SwapCard key={swap.uuid} swap={swap} />
          ))}
        </details>
      )}
    </>
  );
}

/** What colleagues ask anybody. */
export const useOpenSwaps = (): readonly Swap[] => useSwaps()?.asking.nodes.filter(({ to }) => to === null) ?? [];

export const Swaps = ({ title, swaps }: { title: string; swaps: readonly Swap[] }) =>
  swaps.length > 0 && (
    <section className="ms-month" aria-label={title}>
      <h2>{title}</h2>
      {swaps.map((swap) => (
        <SwapCard key={swap.uuid} swap={swap} />
      ))}
    </section>
  );

/** How a swap ends for those who see it here. */
type Over = 'DONE' | 'REFUSED' | 'EXPIRED' | 'VOID';

function SwapCard({ swap }: { swap: Swap }) {
  const messages = useMessages();
  const { swaps: texts, offers } = messages;
  const { uuid: id, version, state, eventTitle: title, message, reason, to } = swap;
  const name = fromOf(swap);
  const other = describeOther(swap, messages);
  const isOpen = state === 'REQUESTED' || state === 'TAKEN';
  const describe = () => {
    if (state === 'REQUESTED') return (to ? texts.from : texts.fromAnybody)(name);
    if (state === 'TAKEN') return texts.waiting;
    return swap.from ? texts.own[state as Over](toOf(swap) ?? '') : texts.others[state as Over];
  };
  const variables = { id, version };
  const take: Act = {
    label: texts.take,
    mutation: TakeSwapDocument,
    variables,
    onDone: (change) => showToast({ text: texts.outcomes(title)[change.state as 'DONE' | 'TAKEN'] }),
  };
  const isTaken = state === 'TAKEN';
  const refuse: Act = {
    label: isTaken ? texts.giveUp : texts.refuse,
    sure: isTaken ? texts.reallyGiveUp : texts.reallyRefuse,
    mutation: RefuseSwapDocument,
    variables,
    onDone: () => showToast({ text: (isTaken ? texts.gaveUp : texts.refusedIt)(title) }),
  };
  return (
    <ShiftCard
      shift={toShift(swap)}
      stateText={describe()}
      actions={
        <>
          {isOpen && other && <p>{texts.inReturn(name, other)}</p>}
          {message && <p className="ms-message">{message}</p>}
          {reason && <p>{offers.because(reason)}</p>}
          {isOpen && (
            <Answer
              key={`${state} ${version}`}
              title={title}
              yes={state === 'REQUESTED' ? take : null}
              no={to ? refuse : null}
              isLeaving
            />
          )}
        </>
      }
    />
  );
}

/** The open swap of a shift of the viewer; null if there is none. */
export function useSwapFinder(): (shift: OwnShift) => Swap | null {
  const swaps = useSwaps()?.open.nodes ?? [];
  return ({ uuid }) =>
    swaps.find(
      ({ workShiftUuid, otherShiftUuid, state, from }) =>
        (from && workShiftUuid === uuid) || (state === 'TAKEN' && otherShiftUuid === uuid),
    ) ?? null;
}

/** How the swap of a shift of the viewer stands. Who asked for it can take it back. */
export function OwnSwap({ swap, title }: { swap: Swap; title: string }) {
  const messages = useMessages();
  const { swaps: texts } = messages;
  const { uuid: id, version, from, state } = swap;
  if (!from) return <p>{texts.agreed(fromOf(swap))}</p>;
  const other = describeOther(swap, messages);
  const name = toOf(swap);
  return (
    <>
      <p>{state === 'TAKEN' ? texts.taken(name ?? '') : texts.asked(name)}</p>
      {other && <p>{texts.exchange(other)}</p>}
      <Answer
        title={title}
        no={{
          label: texts.cancel,
          mutation: CancelSwapDocument,
          variables: { id, version },
          onDone: () => showToast({ text: texts.canceled(title) }),
        }}
      />
    </>
  );
}

export function AskSwap({ shift }: { shift: OwnShift }) {
  const { swaps: texts } = useMessages();
  const [isOpen, setIsOpen] = useState(false);
  const { title } = shift.event;
  return (
    <div className="ms-answer">
      <Button look="quiet" aria-label={`${texts.ask.replace('…', '')}: ${title}`} onClick={() => setIsOpen(true)}>
        {texts.ask}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <AskDialog shift={shift} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
