import { memo, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { lazily } from '../../application/lazily.tsx';
import { readSession, watchSession } from '../../application/session.ts';
import { Waiting } from '../../application/waiting.tsx';
import { afterChange } from '../../application/data.ts';
import { loadAllMessages, loadSettingsMessages, useMessages } from '../messages/messages.ts';
import { changeAddress, readAddress, watchAddress, type Address } from './address.ts';
import { Bar } from './bar.tsx';
import { EventCard } from './card.tsx';
import { useMinute } from '../../time/clock.ts';
import { DayStrip } from './days.tsx';
import { FigureRow } from './figures.tsx';
import { useArrowKeys } from './keys.ts';
import { LiveBoard, type BoardState } from './live.ts';
import type { Audience, BoardData, Conflict } from './model.ts';
import { useIsPrinting } from './printing.ts';
import { Side } from './side.tsx';
import { describeSpan, formatLocalDay, resolveSpan, setZone } from '../../time/span.ts';
import { Status } from './status.tsx';
import { lastTurn, selectViews } from './view.ts';
import { useWall } from './wall.ts';
import { formatMoment } from '../../time/zones.ts';
import './board.css';
import './card.css';
import './screens.css';
import './kiosk.css';

/* What is loaded once it is needed, with the texts that the board does not begin with. */
const Panel = lazily(async () => {
  await loadAllMessages();
  return (await import('./panel.tsx')).default;
}, 'over');
const ScreensDialog = lazily(async () => {
  await loadAllMessages();
  await loadSettingsMessages();
  return (await import('./screens-dialog.tsx')).default;
}, 'over');

const Moving = lazily(async () => {
  await loadAllMessages();
  return (await import('./moving.tsx')).default;
}, 'unseen');

/** A screen has no other mode. */
const stay = () => undefined;
const closePanel = () => changeAddress({ event: null, item: null });
const leaveWall = () => changeAddress({ isWall: false });
const readCredential = () => readSession().login?.credential ?? null;

interface BoardProps {
  readonly role: Audience;
  /** Zone of the business. */
  readonly zone: string;
  /** Without it, the title says whose events these are. */
  readonly title?: string;
}

/** The board of the viewer: it reads, follows, and shows what the address says. */
export const Board = memo(function Board({ role, zone, title }: BoardProps) {
  setZone(zone);
  const { board: texts } = useMessages();
  const address = useSyncExternalStore(watchAddress, readAddress);
  const [isPaused, setIsPaused] = useState(false);
  const [isManaging, setIsManaging] = useState(false);
  const live = useLiveBoard(role, address, isPaused);
  const state = useSyncExternalStore(live.watch, live.state);
  const isScreen = role === 'SCREEN';
  useWall(address.isWall || isScreen, isScreen ? stay : leaveWall);
  const { data, problem } = state;
  return (
    <div className="bd">
      <div className="bd-top">
        <h1 tabIndex={-1}>{title ?? texts.titles[role]}</h1>
        <Status state={state} isPaused={isPaused} onPause={setIsPaused}>
          {role === 'ADMIN' && (
            <>
              <a
                className="cb-button app-slim"
                href={`/app/call-sheet${address.day === null ? '' : `?day=${address.day}`}`}
              >
                {texts.callSheets}
              </a>
              <button
                type="button"
                className="cb-button app-slim"
                aria-haspopup="dialog"
                onClick={() => setIsManaging(true)}
              >
                {texts.screens}
              </button>
            </>
          )}
        </Status>
      </div>
      {data ? <Shown {...{ data, address, role, state }} /> : problem === null && <Waiting what={texts.reading} />}
      {isManaging && (
        <Suspense>
          <ScreensDialog events={data?.events ?? []} address={address} onClose={() => setIsManaging(false)} />
        </Suspense>
      )}
      {address.event !== null && data && (
        <Suspense>
          <Panel
            key={address.event}
            uuid={address.event}
            event={[...data.events, ...(data.later ?? [])].find(({ uuid }) => uuid === address.event) ?? null}
            item={address.item}
            role={role}
            onClose={closePanel}
          />
        </Suspense>
      )}
    </div>
  );
});

function useLiveBoard(role: Audience, { span, day }: Address, isPaused: boolean): LiveBoard {
  const minuteMs = useMinute();
  const interval = resolveSpan(span, day, minuteMs);
  const [live] = useState(() => new LiveBoard(role, interval));
  const credential = useSyncExternalStore(watchSession, readCredential);
  useEffect(() => {
    live.setInterval({ fromMs: interval.fromMs, toMs: interval.toMs });
  }, [live, interval.fromMs, interval.toMs]);
  useEffect(() => {
    if (credential === null) return undefined;
    if (!isPaused) return live.connect(credential);
    // A board that is paused before anything was read shows what there is now.
    if (live.state().data === null) void live.readOwnChange();
    return undefined;
  }, [live, credential, isPaused]);
  useEffect(() => {
    afterChange.add(live.readOwnChange);
    return () => void afterChange.delete(live.readOwnChange);
  }, [live]);
  return live;
}

interface ShownProps {
  readonly data: BoardData;
  readonly address: Address;
  readonly role: Audience;
  readonly state: BoardState;
}

function Shown({ data, address, role, state: { changed } }: ShownProps) {
  const messages = useMessages();
  const { board: texts } = messages;
  const isPrinting = useIsPrinting();
  const mayMove = role === 'ADMIN' && !address.isWall && !address.isTable;
  const cards = useRef<HTMLDivElement>(null);
  useArrowKeys(cards);
  // What moves people is loaded once somebody is about to.
  const [isTouched, setIsTouched] = useState(false);
  useEffect(() => {
    const touch = () => setIsTouched(true);
    const [root, options] = [cards.current, { once: true }];
    root?.addEventListener('pointerenter', touch, options);
    root?.addEventListener('focusin', touch, options);
  }, []);
  const nowMs = useMinute();
  const selection = useMemo(() => selectViews(data, address, nowMs), [data, address, nowMs]);
  const clashing = useMemo(() => listClashing(data.conflicts), [data.conflicts]);
  const { views, listed, figures, conflicts } = selection;
  const isFiltered = [address.client, address.city, address.position, address.text].some(Boolean);
  const span = describeSpan(address.span, address.day, nowMs, messages);
  const days = isFiltered ? texts.filtered(span) : span;
  return (
    <>
      <FigureRow figures={figures} address={address} role={role} />
      <Bar address={address} events={data.events} role={role} />
      {address.span !== 'today' && <DayStrip views={views} address={address} />}
      {mayMove && <p className="bd-soft bd-wide">{texts.moveHint}</p>}
      {mayMove && isTouched && (
        <Suspense>
          <Moving root={cards} events={data.events} />
        </Suspense>
      )}
      <div className="bd-columns">
        <div className="bd-cards" role="group" aria-label={texts.events} ref={cards}>
          {views.length === 0 && <Nothing data={data} address={address} />}
          {views.map((view) => (
            <EventCard
              key={view.event.uuid}
              event={view.event}
              position={address.position}
              clashing={clashing.get(view.event.uuid) ?? ''}
              changed={changed.get(view.event.uuid)}
              turnMs={lastTurn(view, nowMs)}
              isTable={address.isTable || isPrinting}
            />
          ))}
        </div>
        <Side views={listed} days={days} conflicts={conflicts} role={role} />
      </div>
    </>
  );
}

/** UUIDs of the clashing shifts by the uuid of their event, as a text. */
function listClashing(conflicts: readonly Conflict[]): ReadonlyMap<string, string> {
  const byEvent = new Map<string, Set<string>>();
  for (const { uuid, event } of conflicts.flatMap(({ first, second }) => [first, second])) {
    if (!event) continue;
    byEvent.set(event.uuid, (byEvent.get(event.uuid) ?? new Set()).add(uuid));
  }
  return new Map([...byEvent].map(([uuid, shifts]) => [uuid, [...shifts].sort().join(' ')]));
}

const showDayOf = (startsAt: string) =>
  changeAddress({ span: 'today', day: formatLocalDay(Date.parse(startsAt)), show: null });

/** Offers a way to where something is. */
function Nothing({ data: { events, later = [] }, address: { span, day } }: Pick<ShownProps, 'data' | 'address'>) {
  const { board: texts } = useMessages();
  const isEmpty = events.length === 0;
  const next = later.find(({ status }) => status !== 'CANCELED');
  const showMore = () =>
    span === 'week'
      ? changeAddress({ day: formatLocalDay(resolveSpan(span, day, Date.now()).toMs) })
      : changeAddress({ span: 'week' });
  const takeOff = () => changeAddress({ client: null, city: null, position: null, text: '', show: null });
  return (
    <div className="bd-card bd-nothing">
      <p>{isEmpty ? texts.nothing : texts.noMatch}</p>
      {isEmpty && next && (
        <p>
          {texts.nextShift(formatMoment(Date.parse(next.startsAt), next.timezone), next.title)}{' '}
          <button type="button" className="bd-link" onClick={() => showDayOf(next.startsAt)}>
            {texts.showDay}
          </button>
        </p>
      )}
      <button type="button" className="cb-button app-slim" onClick={isEmpty ? showMore : takeOff}>
        {!isEmpty ? texts.clearFilters : span === 'week' ? texts.showNextWeek : texts.showWeek}
      </button>
    </div>
  );
}
