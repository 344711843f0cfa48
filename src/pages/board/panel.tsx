import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cancel, confirm, decline, isBehind, unconfirm, type Done, type ActionOutcome } from './actions.ts';
import { readData, sendAsViewer } from '../application/session.ts';
import { changeAddress } from './address.ts';
import { Candidates, PhoneLink } from './candidates.tsx';
import { useMinute } from './clock.ts';
import { CoverageBar, CoverageText, describeShift } from './coverage.tsx';
import { elsewhere, phonesDocument } from './documents.ts';
import { focusOn } from './keys.ts';
import { describeConflict, type Lane } from './lanes.ts';
import { type Audience, fullName, type BoardEvent, type BoardCallTime, type Conflict, type Shift } from './model.ts';
import { Notice } from './notice.tsx';
import { formatLocalDay } from './span.ts';
import { EventTime, Tbd } from './times.tsx';
import { viewEvent } from './view.ts';
import { formatMoment, formatTime, formatZone } from './zones.ts';

export interface PanelProps {
  readonly uuid: string;
  /** Null if the board does not show the event of the address. */
  readonly event: BoardEvent | null;
  /** UUID of the call time or shift; null: the whole event. */
  readonly item: string | null;
  readonly role: Audience;
  readonly conflicts: ReadonlyMap<string, readonly Conflict[]>;
  readonly done: Done | null;
  readonly onOutcome: (outcome: ActionOutcome) => void;
  readonly onPutAway: () => void;
}

const close = () => changeAddress({ event: null, item: null });

/** The details of a call time, a shift or an event, and what can be done about them. */
export function Panel({ uuid, event, item, role, conflicts, done, onOutcome, onPutAway }: PanelProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // A dialog gives the focus back only while it is still in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    // Beside the panel is its backdrop, which belongs to the dialog.
    const onBackdrop = ({ target }: MouseEvent) => target === dialog && close();
    dialog.addEventListener('click', onBackdrop);
    dialog.showModal();
    return () => {
      dialog.removeEventListener('click', onBackdrop);
      dialog.close();
      if (document.activeElement === document.body) focusOn('.bd-top h1');
    };
  }, []);
  const lanes = event ? viewEvent(event, null).lanes : [];
  const phones = usePhones(role === 'ADMIN' ? uuid : null, event);
  const shown = item === null ? lanes : lanes.filter((lane) => hasItem(lane, item));
  return (
    <dialog
      ref={ref}
      className="bd-panel"
      aria-labelledby="panel-title"
      onCancel={(cancelEvent) => {
        cancelEvent.preventDefault();
        close();
      }}
    >
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
        {event && item !== null && shown.length === 0 && (
          <p className="app-refusal">This is no longer part of the event.</p>
        )}
        {event &&
          shown.map((lane) => (
            <LaneDetails key={lane.uuid} {...{ event, lane, role, conflicts, phones, onOutcome }} chosen={item} />
          ))}
        {done && <Notice key={done.text} done={done} onOutcome={onOutcome} onClose={onPutAway} />}
      </div>
    </dialog>
  );
}

type Phones = ReadonlyMap<string, string>;

interface PhonesData {
  readonly event: {
    readonly workShifts:
      readonly { readonly uuid: string; readonly user: { readonly phone: string | null } | null }[] | null;
  } | null;
}

/** By the uuid of the shift, of all people of an event; of none for null. */
function usePhones(id: string | null, event: BoardEvent | null): Phones {
  const [phones, setPhones] = useState<Phones>(new Map());
  const people = event?.workShifts.map(({ uuid }) => uuid).join(' ');
  useEffect(() => {
    if (id === null || !people) return;
    let isLate = false;
    const read = async () => {
      const data = await readData<PhonesData>(phonesDocument, { id });
      const found = (data.event?.workShifts ?? []).flatMap(({ uuid, user }) =>
        user?.phone ? [[uuid, user.phone] as const] : [],
      );
      if (!isLate) setPhones(new Map(found));
    };
    // Without them, all else works.
    read().catch(() => undefined);
    return () => {
      isLate = true;
    };
  }, [id, people]);
  return phones;
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

interface LaneDetailsProps extends Pick<PanelProps, 'role' | 'conflicts' | 'onOutcome'> {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly phones: Phones;
  readonly chosen: string | null;
}

function LaneDetails({ event, lane, role, conflicts, phones, chosen, onOutcome }: LaneDetailsProps) {
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
            {...{ event, lane, shift, role, onOutcome }}
            phone={phones.get(shift.uuid) ?? null}
            conflicts={conflicts.get(shift.uuid) ?? noConflicts}
            isChosen={shift.uuid === chosen}
          />
        ))}
      </ul>
      {role === 'ADMIN' && call && <Candidates key={call.uuid} call={call} coverage={coverage} onOutcome={onOutcome} />}
    </section>
  );
}

const noConflicts: readonly Conflict[] = [];

const CallDetails = ({ call: { skillLevel, payRate, payUnit, dressCode, notesForStaff } }: { call: BoardCallTime }) => (
  <>
    {skillLevel && <> · {skillLevel.name}</>}
    {payRate && (
      <>
        {' '}
        · ${payRate} {payUnit === 'FLAT' ? 'flat' : `per ${payUnit.toLowerCase()}`}
      </>
    )}
    {dressCode && <> · {dressCode}</>}
    {notesForStaff && (
      <>
        <br />
        {notesForStaff}
      </>
    )}
  </>
);

interface PersonProps extends Pick<PanelProps, 'role' | 'onOutcome'> {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly shift: Shift;
  readonly phone: string | null;
  readonly conflicts: readonly Conflict[];
  readonly isChosen: boolean;
}

function Person({ event, lane, shift, phone, role, conflicts, isChosen, onOutcome }: PersonProps) {
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
        {phone !== null && <PhoneLink phone={phone} />}
        <OwnTimes event={event} lane={lane} shift={shift} />
        {shift.payRate && shift.payRate !== lane.call?.payRate && <small>Own pay rate: ${shift.payRate}</small>}
        {conflicts.map((conflict) => (
          <small key={`${conflict.first.uuid}${conflict.second.uuid}`} className="bd-missing">
            ⚠ {describeConflict(conflict, shift.uuid)}
          </small>
        ))}
        {shift.overrideReason && <small>Assigned anyway: “{shift.overrideReason}”</small>}
      </div>
      {(role === 'ADMIN' || role === 'STAFF') && event.status !== 'CANCELED' && (
        <PersonActions {...{ event, shift, role, onOutcome }} />
      )}
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

function PersonActions({ event, shift, role, onOutcome }: Pick<PersonProps, 'event' | 'shift' | 'role' | 'onOutcome'>) {
  const [isBusy, setIsBusy] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const name = role === 'STAFF' ? event.title : fullName(shift);
  const isDisabled = isBusy || isBehind(shift);
  const run = (action: () => Promise<ActionOutcome>) => {
    setIsBusy(true);
    setIsSure(false);
    void action()
      .then(onOutcome)
      .finally(() => setIsBusy(false));
  };
  // A staff member cannot take a refusal back, so it takes two presses.
  const refuse = () => {
    if (role === 'ADMIN') callOff();
    else if (isSure) run(() => decline(shift, name));
    else setIsSure(true);
  };
  const callOff = () => {
    run(() => cancel(shift, name));
    // The place that is open now stays in sight, with the people who are free.
    changeAddress({ item: shift.callTime?.uuid ?? null }, 'replace');
  };
  return (
    <div className="bd-acts">
      <button
        type="button"
        className="cb-button app-slim"
        disabled={isDisabled}
        aria-label={`${shift.confirmed ? 'Withdraw the confirmation of' : 'Confirm'} ${name}`}
        onClick={() => run(() => (shift.confirmed ? unconfirm(shift, name) : confirm(shift, name)))}
      >
        {shift.confirmed ? 'Withdraw' : 'Confirm'}
      </button>
      <button
        type="button"
        className="cb-button app-slim"
        disabled={isDisabled}
        aria-label={role === 'ADMIN' ? `Call off ${name}` : `${isSure ? 'Really decline' : 'Decline'} ${name}`}
        onClick={refuse}
      >
        {role === 'ADMIN' ? 'Call off' : isSure ? 'Really decline?' : 'Decline'}
      </button>
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
