import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '../../board/zones.ts';
import { Waiting } from '../../application/waiting.tsx';
import { useRead, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { ShiftCard } from './card.tsx';
import { keepShifts, readKeptShifts } from './kept.ts';
import {
  confirmDocument,
  declineDocument,
  isCalledOff,
  isWaiting,
  shiftsPast,
  shiftsToCome,
  startMs,
  unconfirmDocument,
  type OwnShift,
  type ShiftPage,
} from './shifts.ts';
import './my-shifts.css';

/** A shift that runs may have begun so long ago. */
const longestMs = 24 * 3_600_000;
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export default function MyShiftsPage() {
  const { myShifts: texts } = useMessages();
  const [isPast, setIsPast] = useState(false);
  const [nowMs] = useState(() => Date.now());
  useEffect(() => {
    // Where the browser does not let it, there is no list without a connection.
    keepPage().catch(() => undefined);
  }, []);
  return (
    <Page title={texts.title}>
      <div className="ms-page">
        <div className="ms-tabs" role="group" aria-label={texts.title}>
          {[false, true].map((past) => (
            <button key={String(past)} type="button" aria-pressed={isPast === past} onClick={() => setIsPast(past)}>
              {past ? texts.past : texts.toCome}
            </button>
          ))}
        </div>
        {isPast ? <Past nowMs={nowMs} before={null} /> : <ToCome nowMs={nowMs} after={null} />}
      </div>
    </Page>
  );
}

/** The last list of a person whose service cannot be reached. */
export function OfflineShifts() {
  const { myShifts: texts } = useMessages();
  const [kept] = useState(readKeptShifts);
  useEffect(() => {
    const reload = () => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  const shifts = kept?.shifts ?? [];
  const moment = kept ? formatMoment(kept.storedAtMs, ownZone) : '';
  return (
    <Page title={texts.title}>
      <div className="ms-page">
        <p className="ms-notice" role="status">
          {texts.offline(moment)}
        </p>
        <Cards shifts={shifts} hasNext />
        <button type="button" className="cb-button" onClick={() => location.reload()}>
          {texts.again}
        </button>
      </div>
    </Page>
  );
}

function ToCome({ nowMs, after }: { nowMs: number; after: string | null }) {
  const { myShifts: texts } = useMessages();
  const from = new Date(nowMs - longestMs).toISOString();
  const { data, error, retry } = useRead<ShiftPage>(shiftsToCome, { from, after });
  const [isMore, setIsMore] = useState(false);
  const shifts = data?.page.nodes.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > nowMs);
  const isFirst = after === null;
  useEffect(() => {
    if (isFirst && shifts && error === null) keepShifts(shifts);
  });
  if (!shifts) return <Unread error={error} retry={retry} />;
  const { hasNextPage, endCursor } = data!.page.pageInfo;
  return (
    <>
      {isFirst && error !== null && <Stale retry={retry} />}
      {isFirst && shifts.length > 0 && <p className="ms-waiting">{texts.waiting(shifts.filter(isWaiting).length)}</p>}
      {isFirst && shifts.length === 0 && !hasNextPage && (
        <Nothing title={texts.nothingToCome} lead={texts.nothingToComeLead} />
      )}
      <Answered shifts={shifts} hasNext={isFirst} />
      {hasNextPage && (isMore ? <ToCome nowMs={nowMs} after={endCursor} /> : <More show={() => setIsMore(true)} />)}
    </>
  );
}

function Past({ nowMs, before }: { nowMs: number; before: string | null }) {
  const { myShifts: texts } = useMessages();
  const { data, error, retry } = useRead<ShiftPage>(shiftsPast, { to: new Date(nowMs).toISOString(), before });
  const [isMore, setIsMore] = useState(false);
  if (!data) return <Unread error={error} retry={retry} />;
  const shifts = data.page.nodes.filter(({ endsAt }) => endsAt !== null && Date.parse(endsAt) <= nowMs).toReversed();
  const { hasPreviousPage, startCursor } = data.page.pageInfo;
  return (
    <>
      {before === null && shifts.length === 0 && !hasPreviousPage && (
        <Nothing title={texts.nothingPast} lead={texts.nothingPastLead} />
      )}
      <Cards shifts={shifts} hasNext={false} />
      {hasPreviousPage &&
        (isMore ? <Past nowMs={nowMs} before={startCursor} /> : <More show={() => setIsMore(true)} />)}
    </>
  );
}

interface Cards {
  readonly shifts: readonly OwnShift[];
  /** Whether the first that stands is the next one of all. */
  readonly hasNext: boolean;
  /** Called with each answer; without it, there are none to give. */
  readonly onGiven?: OnGiven;
}

/** Cards under the months in which the shifts begin. */
function Cards({ shifts, hasNext, onGiven }: Cards) {
  const { language } = useMessages();
  const next = hasNext ? shifts.find((shift) => !isCalledOff(shift)) : undefined;
  const monthOf = (shift: OwnShift) =>
    new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: shift.event.timezone }).format(
      startMs(shift),
    );
  const months = new Map<string, OwnShift[]>();
  for (const shift of shifts) {
    const month = monthOf(shift);
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
          actions={onGiven && isWaiting(shift) && <Answer shift={shift} onGiven={onGiven} />}
        />
      ))}
    </section>
  ));
}

/** What was just answered. */
interface Given {
  readonly text: string;
  readonly undo: (() => Promise<unknown>) | null;
}

type OnGiven = (given: Given, button: HTMLElement | null) => void;

/** Cards of shifts that can be answered. */
function Answered({ shifts, hasNext }: { shifts: readonly OwnShift[]; hasNext: boolean }) {
  const { myShifts: texts } = useMessages();
  const [given, setGiven] = useState<Given | null>(null);
  const take: OnGiven = (next, button) => {
    // The button that had the focus is about to go.
    button?.closest('article')?.querySelector('h3')?.focus();
    setGiven(next);
  };
  return (
    <>
      <Cards shifts={shifts} hasNext={hasNext} onGiven={take} />
      <p className="ms-given" role="status">
        {given && (
          <>
            {given.text}{' '}
            {given.undo && (
              <button
                type="button"
                className="cb-button"
                onClick={() => {
                  const { undo } = given;
                  setGiven(null);
                  void undo?.();
                }}
              >
                {texts.undo}
              </button>
            )}
          </>
        )}
      </p>
    </>
  );
}

interface Answer {
  readonly shift: OwnShift;
  readonly onGiven: OnGiven;
}

interface Changed {
  readonly shift: { readonly uuid: string; readonly version: number };
}

function Answer({ shift: { uuid, version, event }, onGiven }: Answer) {
  const { myShifts: texts } = useMessages();
  const confirm = useWrite<Changed>(confirmDocument);
  const unconfirm = useWrite<Changed>(unconfirmDocument);
  const decline = useWrite<Changed>(declineDocument);
  const [isAsked, setIsAsked] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const first = () => ref.current?.querySelector('button') ?? null;
  useEffect(() => {
    if (isAsked) ref.current?.querySelector('button')?.focus();
  }, [isAsked]);

  const sendConfirm = async () => {
    const { data } = await confirm.write({ id: uuid, version });
    if (!data) return;
    const undo = () => unconfirm.write({ id: uuid, version: data.shift.version });
    onGiven({ text: texts.thanks(event.title), undo }, first());
  };
  const sendDecline = async () => {
    const { data } = await decline.write({ id: uuid, version });
    if (data) onGiven({ text: texts.sorry(event.title), undo: null }, first());
  };
  const fault = confirm.fault ?? decline.fault;
  return (
    <div className="ms-answer" ref={ref}>
      {isAsked ? (
        <>
          <button key="keep" type="button" className="cb-button" onClick={() => setIsAsked(false)}>
            {texts.keep}
          </button>
          <button
            key="decline"
            type="button"
            className="cb-button ms-danger"
            disabled={decline.isPending}
            onClick={() => void sendDecline()}
          >
            {texts.reallyDecline}
          </button>
        </>
      ) : (
        <>
          <button
            type="button"
            className="cb-button cb-primary"
            disabled={confirm.isPending}
            aria-label={`${texts.confirm}: ${event.title}`}
            onClick={() => void sendConfirm()}
          >
            {texts.confirm}
          </button>
          <button
            type="button"
            className="cb-button"
            aria-label={`${texts.decline}: ${event.title}`}
            onClick={() => setIsAsked(true)}
          >
            {texts.decline}
          </button>
        </>
      )}
      {fault && (
        <p className="app-refusal" role="alert">
          {fault.message}
        </p>
      )}
    </div>
  );
}

const More = ({ show }: { show: () => void }) => (
  <button type="button" className="cb-button ms-more" onClick={show}>
    {useMessages().myShifts.more}
  </button>
);

const Nothing = ({ title, lead }: { title: string; lead: string }) => (
  <div className="ms-nothing">
    <p>
      <strong>{title}</strong>
    </p>
    <p>{lead}</p>
  </div>
);

/** Nothing has been read yet, or it failed. */
function Unread({ error, retry }: { error: string | null; retry: () => void }) {
  const { shell, myShifts: texts } = useMessages();
  if (error === null) return <Waiting what={shell.loading} />;
  return (
    <div className="ms-nothing" role="alert">
      <p>
        {texts.loadFailed} {error}
      </p>
      <button type="button" className="cb-button" onClick={retry}>
        {texts.again}
      </button>
    </div>
  );
}

/** What is shown is no longer new, because the last read failed. */
function Stale({ retry }: { retry: () => void }) {
  const { myShifts: texts } = useMessages();
  const kept = readKeptShifts();
  return (
    <p className="ms-notice" role="status">
      {texts.offline(kept ? formatMoment(kept.storedAtMs, ownZone) : '')}{' '}
      <button type="button" className="cb-button" onClick={retry}>
        {texts.again}
      </button>
    </p>
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
