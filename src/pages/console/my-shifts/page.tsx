import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '../../board/zones.ts';
import { useRead, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/frame.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { offerUndo, showToast } from '../parts/toast.tsx';
import { ShiftCard } from './card.tsx';
import { keepShifts, readKeptShifts } from './kept.ts';
import {
  answerDocument,
  isCalledOff,
  isWaiting,
  shiftsPast,
  shiftsToCome,
  startMs,
  type OwnShift,
  type ShiftPage,
} from './shifts.ts';
import './my-shifts.css';

/** A shift that runs may have begun so long ago. */
const longestMs = 24 * 3_600_000;

export default function MyShiftsPage() {
  const { myShifts: texts } = useMessages();
  const [tab, setTab] = useState<'toCome' | 'past'>('toCome');
  const [nowMs] = useState(() => Date.now());
  useEffect(() => {
    // Where the browser does not let it, there is no list without a connection.
    keepPage().catch(() => undefined);
  }, []);
  return (
    <Page title={texts.title}>
      <div className="ms-page">
        <Tabs
          label={texts.title}
          tabs={(['toCome', 'past'] as const).map((key) => ({ key, label: texts[key] }))}
          selected={tab}
          onSelect={setTab}
        >
          <Shifts key={tab} nowMs={nowMs} isPast={tab === 'past'} />
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

interface ShiftsProps {
  readonly nowMs: number;
  readonly isPast: boolean;
  /** Where the list goes on. */
  readonly cursor?: string | null;
}

/** Shifts a page at a time: those to come with the next first, or those that have ended with the last first. */
function Shifts({ nowMs, isPast, cursor = null }: ShiftsProps) {
  const { myShifts: texts } = useMessages();
  const at = new Date(isPast ? nowMs : nowMs - longestMs).toISOString();
  const read = useRead<ShiftPage>(isPast ? shiftsPast : shiftsToCome, { at, cursor });
  const [isMore, setIsMore] = useState(false);
  const hasEnded = ({ endsAt }: OwnShift) => endsAt !== null && Date.parse(endsAt) <= nowMs;
  const shifts = read.data?.page.nodes.filter((shift) => hasEnded(shift) === isPast) ?? [];
  if (isPast) shifts.reverse();
  const isFirst = cursor === null;
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
            {isFirst && !isPast && shifts.length > 0 && <p>{texts.waiting(shifts.filter(isWaiting).length)}</p>}
            <Cards shifts={shifts} hasNext={isFirst && !isPast} isOffline={isPast} />
            {more &&
              (isMore ? (
                <Shifts nowMs={nowMs} isPast={isPast} cursor={isPast ? pageInfo.startCursor : pageInfo.endCursor} />
              ) : (
                <Button onClick={() => setIsMore(true)}>{texts.more}</Button>
              ))}
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
  const { language } = useMessages();
  const next = hasNext ? shifts.find((shift) => !isCalledOff(shift)) : undefined;
  const months = new Map<string, OwnShift[]>();
  for (const shift of shifts) {
    const style = { month: 'long', year: 'numeric', timeZone: shift.event.timezone } as const;
    const month = new Date(startMs(shift)).toLocaleDateString(language, style);
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
          actions={!isOffline && isWaiting(shift) && <Answer shift={shift} />}
        />
      ))}
    </section>
  ));
}

interface Answered {
  readonly shift: { readonly version: number };
}

function Answer({ shift: { uuid: id, version, event } }: { shift: OwnShift }) {
  const { myShifts: texts, parts } = useMessages();
  const confirm = useWrite<Answered>(answerDocument('confirmShift'));
  const unconfirm = useWrite<Answered>(answerDocument('unconfirmShift'));
  const decline = useWrite<Answered>(answerDocument('declineShift'));
  const [isAsked, setIsAsked] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsked) ref.current?.querySelector('button')?.focus();
  }, [isAsked]);

  async function send({ write }: typeof confirm) {
    const { data } = await write({ id, version });
    // The button that had the focus is about to go.
    if (data) ref.current?.closest('article')?.querySelector('h3')?.focus();
    return data?.shift;
  }
  async function sendConfirm() {
    const shift = await send(confirm);
    if (shift) offerUndo(texts.thanks(event.title), () => unconfirm.write({ id, version: shift.version }), parts);
  }
  const fault = confirm.fault ?? decline.fault;
  return (
    <div className="ms-answer" ref={ref}>
      {isAsked ? (
        <>
          <Button key="keep" onClick={() => setIsAsked(false)}>
            {texts.keep}
          </Button>
          <Button
            key="decline"
            look="danger"
            isBusy={decline.isPending}
            onClick={() => void send(decline).then((shift) => shift && showToast({ text: texts.sorry(event.title) }))}
          >
            {texts.reallyDecline}
          </Button>
        </>
      ) : (
        <>
          <Button
            look="primary"
            isBusy={confirm.isPending}
            aria-label={`${texts.confirm}: ${event.title}`}
            onClick={() => void sendConfirm()}
          >
            {texts.confirm}
          </Button>
          <Button aria-label={`${texts.decline}: ${event.title}`} onClick={() => setIsAsked(true)}>
            {texts.decline}
          </Button>
        </>
      )}
      {fault && <Notice look="bad">{fault.message}</Notice>}
    </div>
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
