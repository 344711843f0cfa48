import {
  ConfirmOwnDocument,
  DeclineOwnDocument,
  DropOwnDocument,
  KeepOwnDocument,
  MyPastShiftsDocument,
  MyShiftsToComeDocument,
  UnconfirmOwnDocument,
} from '../../../generated/pages/console/my-shifts.ts';
import { useEffect, useState } from 'react';
import { formatMoment, formatMonth } from '../../time/zones.ts';
import { useLive, useRead, useViewer, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { offerUndo } from '../parts/offer-undo.ts';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Waiting } from '../../application/waiting.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { showToast } from '../parts/toast.tsx';
import { Asked, OpenShifts, useAsked } from '../offers/mine.tsx';
import { OwnCheck } from '../check-in/own-check.tsx';
import { AskSwap, OwnSwap, Swaps, SwapsOfMe, useOpenSwaps, useOwnSwaps, useSwapFinder } from '../swaps/mine.tsx';
import { Answer } from '../own-shifts/answer.tsx';
import { ShiftCard } from '../own-shifts/card.tsx';
import { More } from '../own-shifts/more.tsx';
import { keepShifts, readKeptShifts } from './kept.ts';
import {
  hasBegun,
  isAnswered,
  hasEnded,
  isCalledOff,
  isOver,
  isAsking,
  startMs,
  type OwnShift,
} from '../own-shifts/shifts.ts';
import '../own-shifts/own-shifts.css';

/** A shift that runs may have begun so long ago. */
const longestMs = 24 * 3_600_000;

export default function MyShiftsPage() {
  const { myShifts: texts, callSheet, offers, swaps } = useMessages();
  const openSwaps = useOpenSwaps();
  const [tab, setTab] = useState<'toCome' | 'open' | 'past'>('toCome');
  // Nobody is told of changes of open shifts, of which they have none.
  useLive({ ofAll: tab === 'open' });
  const [nowMs] = useState(() => Date.now());
  useEffect(() => {
    // Where the browser does not let it, there is no list without a connection.
    keepPage().catch(() => undefined);
  }, []);
  return (
    <Page
      title={texts.title}
      actions={
        <>
          <LinkButton href="/settings/feeds">{texts.addToCalendar}</LinkButton>
          <LinkButton href="/call-sheet">{callSheet.title}</LinkButton>
        </>
      }
    >
      <div className="ms-page">
        <Tabs
          label={texts.title}
          tabs={(['toCome', 'open', 'past'] as const).map((key) => ({ key, label: { ...texts, ...offers }[key] }))}
          selected={tab}
          onSelect={setTab}
        >
          {tab === 'toCome' && <ToCome nowMs={nowMs} />}
          {tab === 'open' && (
            <>
              <Swaps title={swaps.anybody} swaps={openSwaps} />
              <OpenShifts hasMore={openSwaps.length > 0} />
            </>
          )}
          {tab === 'past' && <Shifts nowMs={nowMs} isPast />}
        </Tabs>
      </div>
    </Page>
  );
}

const reload = () => location.reload();

/** The last list of a person whose service cannot be reached. */
export function OfflineShifts() {
  const { myShifts: texts, parts } = useMessages();
  const [kept] = useState(readKeptShifts);
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Page title={texts.title}>
      <div className="ms-page">
        <Notice look="warning" action={<Button onClick={reload}>{parts.retry}</Button>}>
          {texts.offline(kept ? formatMoment(kept.storedAtMs, zone) : '')}
        </Notice>
        <Cards shifts={kept?.shifts ?? []} hasNext isOffline />
      </div>
    </Page>
  );
}

/** What the viewer is asked, and their shifts to come: shown together, so that nothing moves under a finger. */
function ToCome({ nowMs }: { nowMs: number }) {
  const { shell } = useMessages();
  const reads = [useAsked(), useOwnSwaps(), useShifts(nowMs, false)];
  if (reads.some(({ data, error }) => data === null && error === null)) return <Waiting what={shell.loading} />;
  return (
    <>
      <Asked />
      <SwapsOfMe />
      <Shifts nowMs={nowMs} isPast={false} />
    </>
  );
}

function useShifts(nowMs: number, isPast: boolean, cursor: string | null = null) {
  const at = new Date(isPast ? nowMs : nowMs - longestMs).toISOString();
  return useRead(isPast ? MyPastShiftsDocument : MyShiftsToComeDocument, { at, cursor });
}

interface ShiftsProps {
  readonly nowMs: number;
  readonly isPast: boolean;
  /** Where the list goes on. */
  readonly cursor?: string | null;
}

/** Shifts a page at a time: those to come with the next first, or those that have ended with the last first. */
function Shifts({ nowMs, isPast, cursor = null }: ShiftsProps) {
  const { myShifts: texts } = useMessages();
  const read = useShifts(nowMs, isPast, cursor);
  const shifts = read.data?.page.nodes.filter((shift) => hasEnded(shift, nowMs) === isPast) ?? [];
  if (isPast) shifts.reverse();
  const isFirst = cursor === null;
  const findSwap = useSwapFinder();
  useEffect(() => {
    if (isFirst && !isPast && read.data && read.error === null) keepShifts(shifts);
  });
  return (
    <Loaded read={read}>
      {({ page: { pageInfo } }) => {
        const more = isPast ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
        return (
          <>
            {isFirst && shifts.length === 0 && !more && (
              <Empty title={isPast ? texts.nothingPast : texts.nothingToCome}>
                {isPast ? texts.nothingPastLead : texts.nothingToComeLead}
              </Empty>
            )}
            {isFirst && !isPast && shifts.length > 0 && (
              <p>{texts.waiting(shifts.filter((shift) => isAsking(shift) && !findSwap(shift)).length)}</p>
            )}
            <Cards shifts={shifts} hasNext={isFirst && !isPast} isOffline={isPast} />
            {more && (
              <More>
                <Shifts nowMs={nowMs} isPast={isPast} cursor={isPast ? pageInfo.startCursor : pageInfo.endCursor} />
              </More>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

interface CardsProps {
  readonly shifts: readonly OwnShift[];
  /** Whether the first that stands is the next one of all. */
  readonly hasNext: boolean;
  /** Whether there is nobody to answer. */
  readonly isOffline: boolean;
}

/** Cards under the months in which the shifts begin. */
function Cards({ shifts, hasNext, isOffline }: CardsProps) {
  const { myShifts: texts } = useMessages();
  const findSwap = useSwapFinder();
  const next = hasNext ? shifts.find((shift) => !isCalledOff(shift) && !isOver(shift)) : undefined;
  const months = new Map<string, OwnShift[]>();
  for (const shift of shifts) {
    const month = formatMonth(startMs(shift), shift.event.timezone);
    months.set(month, [...(months.get(month) ?? []), shift]);
  }
  return [...months].map(([month, inMonth]) => (
    <section key={month} className="ms-month" aria-label={month}>
      <h2>{month}</h2>
      {inMonth.map((shift) => (
        <ShiftCard
          key={shift.uuid}
          shift={shift}
          isNext={shift === next}
          {...(isAsking(shift) && findSwap(shift) && { stateText: texts.inSwap })}
          actions={
            !isOffline &&
            !isCalledOff(shift) && (
              <>
                {isAnswered(shift) && <OwnAnswer shift={shift} />}
                <OwnCheck shift={shift} />
              </>
            )
          }
        />
      ))}
    </section>
  ));
}

/** What a person can answer to their own shift. */
function OwnAnswer({ shift }: { shift: OwnShift }) {
  const { myShifts: texts, offers, parts } = useMessages();
  const { uuid: id, version, event, dropRequestedAt, confirmed } = shift;
  const unconfirm = useWrite(UnconfirmOwnDocument);
  const { dropDeadlineHours, adminsDrop } = useViewer().business;
  const [nowMs] = useState(() => Date.now());
  const variables = { id, version };
  const untilMs = startMs(shift) - (dropDeadlineHours ?? 0) * 3_600_000;
  const isHeld = hasBegun(shift);
  const isRequest = adminsDrop === true || (dropDeadlineHours !== null && untilMs < nowMs);
  const say = (text: string) => showToast({ text });
  const swap = useSwapFinder()(shift);
  if (swap) return <OwnSwap swap={swap} title={event.title} />;
  if (!confirmed)
    return (
      <>
        <Answer
          title={event.title}
          yes={{
            label: texts.confirm,
            mutation: ConfirmOwnDocument,
            variables,
            onDone: (change) =>
              isRequest || isHeld
                ? say(texts.thanks(event.title))
                : offerUndo(texts.thanks(event.title), () => unconfirm.write({ id, version: change.version }), parts),
          }}
          {...(!isHeld && {
            no: {
              label: texts.decline,
              sure: texts.reallyDecline,
              mutation: DeclineOwnDocument,
              variables,
              onDone: () => say(texts.sorry(event.title)),
            },
          })}
        />
        {!isHeld && <AskSwap shift={shift} />}
      </>
    );
  if (dropRequestedAt)
    return (
      <>
        <p>{offers.dropAsked}</p>
        <Answer
          title={event.title}
          no={{
            label: offers.keep,
            mutation: KeepOwnDocument,
            variables,
            onDone: () => say(offers.kept(event.title)),
          }}
        />
      </>
    );
  return (
    <>
      {adminsDrop && <p className="cs-hint">{offers.dropAsks}</p>}
      {!adminsDrop && dropDeadlineHours !== null && (
        <p className="cs-hint">
          {isRequest ? offers.dropLate(dropDeadlineHours) : offers.dropUntil(formatMoment(untilMs, event.timezone))}
        </p>
      )}
      <Answer
        title={event.title}
        no={{
          label: isRequest ? offers.askDrop : offers.drop,
          sure: isRequest ? offers.askDrop : offers.reallyDrop,
          mutation: DropOwnDocument,
          variables,
          onDone: ({ dropRequestedAt: asked }) => say((asked ? offers.asksDrop : offers.dropped)(event.title)),
        }}
      />
      <AskSwap shift={shift} />
    </>
  );
}

/** Lets the browser keep the page, so that it opens without a connection. */
async function keepPage(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/app/sw.js', { scope: '/app' });
  const { active } = await navigator.serviceWorker.ready;
  const assets = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage(
    assets.filter((name) => new URL(name).pathname.startsWith('/assets/')),
    [],
  );
}
