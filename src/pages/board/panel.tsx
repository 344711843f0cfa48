import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { decline, setConfirmed, type ActionOutcome } from '../console/staffing/actions.ts';
import { describeRefused, takeSteps } from '../console/staffing/steps.ts';
import { useMessages } from '../console/messages/messages.ts';
import { Button } from '../console/parts/button.tsx';
import { returnFocus } from '../console/parts/dialog.tsx';
import { showToast } from '../console/parts/toast.tsx';
import { sendAsViewer } from '../application/session.ts';
import { changeAddress } from './address.ts';
import { useMinute } from './clock.ts';
import { CoverageBar, CoverageText, describeShift } from './coverage.tsx';
import { elsewhere } from './documents.ts';
import { describeConflict, type Lane } from './lanes.ts';
import { type Audience, fullName, type BoardEvent, type BoardCallTime, type Conflict, type Shift } from './model.ts';
import { formatLocalDay } from './span.ts';
import { Staffing } from './staffing.tsx';
import { EventTime, Tbd } from './times.tsx';
import { viewEvent } from './view.ts';
import { formatMoment, formatTime, formatZone } from './zones.ts';
import './panel.css';

export interface PanelProps {
  readonly uuid: string;
  /** Null if the board does not show the event of the address. */
  readonly event: BoardEvent | null;
  /** UUID of the call time or shift; null: the whole event. */
  readonly item: string | null;
  readonly role: Audience;
  readonly conflicts: ReadonlyMap<string, readonly Conflict[]>;
}

const close = () => changeAddress({ event: null, item: null });

/** The details of a call time, a shift or an event, and what can be done about them, beside the board. */
export default function Panel({ uuid, event, item, role, conflicts }: PanelProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const dialog = ref.current!;
    dialog.show();
    // Escape also closes it from the board; a dialog above it goes first.
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog:modal')) close();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      if (dialog.contains(document.activeElement)) queueMicrotask(() => returnFocus(opener));
    };
  }, []);
  const lanes = event ? viewEvent(event, null).lanes : [];
  const shown = item === null ? lanes : lanes.filter((lane) => hasItem(lane, item));
  return (
    <dialog ref={ref} className="bd-panel" aria-labelledby="panel-title">
      <div className="bd-panel-body">
        <header>
          <h2 id="panel-title" tabIndex={-1}>
            {event ? event.title : 'Not on the board'}
          </h2>
          <button type="button" className="app-icon" aria-label="Close" onClick={close}>
            ✕
          </button>
        </header>
        {event ? <EventDetails event={event} /> : <Elsewhere uuid={uuid} />}
        {event && role === 'ADMIN' && <Staffing event={event} item={item} />}
        {event && role !== 'ADMIN' && item !== null && shown.length === 0 && (
          <p className="app-refusal">This is no longer part of the event.</p>
        )}
        {event &&
          role !== 'ADMIN' &&
          shown.map((lane) => <LaneDetails key={lane.uuid} {...{ event, lane, role, conflicts }} chosen={item} />)}
      </div>
    </dialog>
  );
}

const hasItem = ({ uuid, shifts }: Lane, item: string): boolean =>
  uuid === item || shifts.some((shift) => shift.uuid === item);

const EventDetails = ({ event }: { event: BoardEvent }) => (
  <p className="bd-soft">
    {event.status === 'CANCELED' && (
      <>
        <strong>This event is canceled: nobody needs to come.</strong> <br />
      </>
    )}
    <EventTime event={event} /> <br />
    {[event.venueName, event.room, event.address, event.city, event.state].filter(Boolean).join(', ')}
    {event.client && <> · {event.client.name}</>}
    {event.dressCode && (
      <>
        <br />
        Dress code: {event.dressCode}
      </>
    )}
  </p>
);

interface LaneDetailsProps extends Pick<PanelProps, 'role' | 'conflicts'> {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly chosen: string | null;
}

function LaneDetails({ event, lane, role, conflicts, chosen }: LaneDetailsProps) {
  const { call, coverage } = lane;
  const nowMs = useMinute();
  return (
    <section className="bd-detail" aria-labelledby={`d-${lane.uuid}`}>
      <h3 id={`d-${lane.uuid}`}>{lane.title}</h3>
      <p className="bd-soft">
        {formatMoment(lane.fromMs, event.timezone)}–{formatTime(lane.toMs, event.timezone)}{' '}
        {formatZone(lane.fromMs, event.timezone)} {lane.isTbd && <Tbd />}
        {call && <CallDetails call={call} />}
      </p>
      {role !== 'STAFF' && event.status !== 'CANCELED' && (
        <div className="bd-detail-bar">
          <CoverageBar coverage={coverage} />
          <CoverageText coverage={coverage} isOver={lane.toMs <= nowMs} />
        </div>
      )}
      <ul className="bd-persons">
        {lane.shifts.map((shift) => (
          <Person
            key={shift.uuid}
            {...{ event, lane, shift, role }}
            conflicts={conflicts.get(shift.uuid) ?? noConflicts}
            isChosen={shift.uuid === chosen}
          />
        ))}
      </ul>
    </section>
  );
}

const noConflicts: readonly Conflict[] = [];

const CallDetails = ({ call: { skillLevel, dressCode, notesForStaff } }: { call: BoardCallTime }) => (
  <>
    {[skillLevel?.name, dressCode].filter(Boolean).map((text) => ` · ${text}`)}
    {notesForStaff && (
      <>
        <br />
        {notesForStaff}
      </>
    )}
  </>
);

interface PersonProps extends Pick<PanelProps, 'role'> {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly shift: Shift;
  readonly conflicts: readonly Conflict[];
  readonly isChosen: boolean;
}

function Person({ event, lane, shift, role, conflicts, isChosen }: PersonProps) {
  const { mark, word, look } = describeShift(shift, conflicts.length > 0, event.status === 'CANCELED');
  return (
    <li className={isChosen ? 'bd-chosen' : ''} data-person={shift.uuid}>
      <span className={`bd-mark bd-${look}`} aria-hidden="true">
        {mark}
      </span>
      <div>
        <strong>{fullName(shift)}</strong>{' '}
        <small>
          {word}
          {shift.confirmedAt !== null && <> {formatMoment(Date.parse(shift.confirmedAt), event.timezone)}</>}
          {!lane.call && <> · {shift.position.title}</>}
        </small>
        <OwnTimes event={event} lane={lane} shift={shift} />
        {conflicts.map((conflict) => (
          <small key={`${conflict.first.uuid}${conflict.second.uuid}`} className="bd-missing">
            ⚠ {describeConflict(conflict, shift.uuid)}
          </small>
        ))}
      </div>
      {role === 'STAFF' && event.status !== 'CANCELED' && <Answer event={event} shift={shift} />}
    </li>
  );
}

/** Only where they are not those of the call time. */
function OwnTimes({ event, lane, shift: { startsAt, endsAt } }: Pick<PersonProps, 'event' | 'lane' | 'shift'>) {
  const { timezone } = event;
  const isSame = [
    [startsAt, lane.fromMs],
    [endsAt, lane.toMs],
  ].every(([time, ms]) => typeof time === 'string' && Date.parse(time) === ms);
  if (isSame) return null;
  const show = (time: string | null) => (time === null ? <Tbd /> : formatTime(Date.parse(time), timezone));
  return (
    <small>
      Works {show(startsAt)}–{show(endsAt)}
    </small>
  );
}

/** What a staff member answers to a shift. */
function Answer({ event: { title }, shift }: Pick<PersonProps, 'event' | 'shift'>) {
  const messages = useMessages();
  const [isBusy, setIsBusy] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const take = async (run: () => Promise<ActionOutcome>, describe: (name: string) => string) => {
    setIsBusy(true);
    setIsSure(false);
    const refused = await takeSteps([{ key: shift.uuid, name: title, run }], describe, messages);
    if (refused.length > 0) showToast({ text: describeRefused(refused, messages).faults.join(' ') });
    setIsBusy(false);
  };
  const { confirmed } = shift;
  return (
    <div className="bd-acts">
      <Button
        isBusy={isBusy}
        aria-label={`${confirmed ? 'Withdraw the confirmation of' : 'Confirm'} ${title}`}
        onClick={() =>
          void take(
            () => setConfirmed(shift, !confirmed),
            (name) => (confirmed ? `The confirmation of ${name} is withdrawn.` : `${name} is confirmed.`),
          )
        }
      >
        {confirmed ? 'Withdraw' : 'Confirm'}
      </Button>
      {/* It cannot be taken back, so it takes two presses. */}
      <Button
        isBusy={isBusy}
        aria-label={`${isSure ? 'Really decline' : 'Decline'} ${title}`}
        onClick={() =>
          isSure
            ? void take(
                () => decline(shift),
                (name) => `You declined ${name}.`,
              )
            : setIsSure(true)
        }
      >
        {isSure ? 'Really decline?' : 'Decline'}
      </Button>
    </div>
  );
}

interface Found {
  readonly title: string;
  readonly status: BoardEvent['status'];
  readonly startsAt: string;
  readonly timezone: string;
}

/** Says where an event is that the board does not show. */
function Elsewhere({ uuid }: { uuid: string }) {
  const [found, setFound] = useState<Found | 'asking' | null>('asking');
  useEffect(() => {
    const asking = new AbortController();
    void sendAsViewer({ query: elsewhere, variables: { id: uuid } }, asking.signal)
      .then(({ result }) => setFound((result.data?.['event'] as Found | null | undefined) ?? null))
      .catch(() => asking.signal.aborted || setFound(null));
    return () => asking.abort();
  }, [uuid]);
  if (found === 'asking') return <p className="bd-soft">Looking for the event.</p>;
  if (found === null) return <p>There is no such event, or it is not yours to see.</p>;
  const { title, status, startsAt, timezone } = found;
  if (status === 'CANCELED' || status === 'DELETED')
    return (
      <p>
        “{title}” is {status.toLowerCase()}.
      </p>
    );
  const startMs = Date.parse(startsAt);
  return (
    <p>
      “{title}” begins {formatMoment(startMs, timezone)}, and the board shows other days.{' '}
      <button
        type="button"
        className="cb-button app-slim"
        onClick={() => changeAddress({ span: 'today', day: formatLocalDay(startMs) })}
      >
        Show that day
      </button>
    </p>
  );
}
