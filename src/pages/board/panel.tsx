import { useLayoutEffect, useRef, useState } from 'react';
import { useRead } from '../console/data.ts';
import { useMessages } from '../console/messages/messages.ts';
import { Button } from '../console/parts/button.tsx';
import { returnFocus } from '../console/parts/dialog.tsx';
import { Loaded } from '../console/parts/notice.tsx';
import { showToast } from '../console/parts/toast.tsx';
import { decline, setConfirmed, type ActionOutcome } from '../console/staffing/actions.ts';
import { describeRefused, takeSteps } from '../console/staffing/steps.ts';
import { changeAddress } from './address.ts';
import { useMinute } from './clock.ts';
import { CoverageBar, CoverageText, describeShift } from './coverage.tsx';
import { elsewhere } from './documents.ts';
import { describeConflict, type Lane } from './lanes.ts';
import { type Audience, fullName, type BoardEvent, type Conflict, type Shift } from './model.ts';
import { formatLocalDay } from './span.ts';
import { Staffing } from './staffing.tsx';
import { EventTime, Tbd } from './times.tsx';
import { viewEvent } from './view.ts';
import { formatMoment, formatTime, formatZone } from './zones.ts';
import '../console/parts/parts.css';
import './panel.css';

interface PanelProps {
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
  const { board: texts, staffing, parts } = useMessages();
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
  const lanes = event && role !== 'ADMIN' ? viewEvent(event, null).lanes : [];
  const isIn = ({ uuid: lane, shifts }: Lane) => lane === item || shifts.some((shift) => shift.uuid === item);
  const shown = item === null ? lanes : lanes.filter(isIn);
  return (
    <dialog ref={ref} className="bd-panel" aria-labelledby="panel-title">
      <div className="bd-panel-body">
        <header>
          <h2 id="panel-title">{event?.title ?? texts.panel.notShown}</h2>
          <button type="button" className="app-icon" aria-label={parts.close} onClick={close}>
            ✕
          </button>
        </header>
        {event ? <EventDetails event={event} /> : <Elsewhere uuid={uuid} />}
        {event && role === 'ADMIN' && <Staffing event={event} item={item} />}
        {event && role !== 'ADMIN' && item !== null && shown.length === 0 && (
          <p className="app-refusal">{staffing.isGone}</p>
        )}
        {event &&
          shown.map((lane) => <LaneDetails key={lane.uuid} {...{ event, lane, role, conflicts }} chosen={item} />)}
      </div>
    </dialog>
  );
}

function EventDetails({ event }: { event: BoardEvent }) {
  const { panel: texts } = useMessages().board;
  const { status, venueName, room, address, city, state, client, dressCode } = event;
  return (
    <div className="bd-soft">
      {status === 'CANCELED' && (
        <p>
          <strong>{texts.canceled}</strong>
        </p>
      )}
      <p>
        <EventTime event={event} />
      </p>
      <p>{[venueName, room, address, city, state].filter(Boolean).join(', ')}</p>
      <p>{[client?.name, dressCode && texts.dress(dressCode)].filter(Boolean).join(' · ')}</p>
    </div>
  );
}

interface LaneProps extends Pick<PanelProps, 'role' | 'conflicts'> {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly chosen: string | null;
}

/** A call time to look at, for all but admins. */
function LaneDetails({ event, lane, role, conflicts, chosen }: LaneProps) {
  const { board: texts } = useMessages();
  const { call, coverage } = lane;
  const nowMs = useMinute();
  return (
    <section className="bd-detail" aria-labelledby={`d-${lane.uuid}`}>
      <h3 id={`d-${lane.uuid}`}>{call?.position.title ?? texts.noCall}</h3>
      <p className="bd-soft">
        {formatMoment(lane.fromMs, event.timezone)}–{formatTime(lane.toMs, event.timezone)}{' '}
        {formatZone(lane.fromMs, event.timezone)} {lane.isTbd && <Tbd />}
        {[call?.skillLevel?.name, call?.dressCode].filter(Boolean).map((text) => ` · ${text}`)}
      </p>
      {call?.notesForStaff && <p className="bd-soft">{call.notesForStaff}</p>}
      {role !== 'STAFF' && event.status !== 'CANCELED' && (
        <div className="bd-detail-bar">
          <CoverageBar coverage={coverage} />
          <CoverageText coverage={coverage} isOver={lane.toMs <= nowMs} />
        </div>
      )}
      <ul className="bd-persons">
        {lane.shifts.map((shift) => (
          <Person key={shift.uuid} {...{ event, lane, shift, role, conflicts, chosen }} />
        ))}
      </ul>
    </section>
  );
}

function Person({ event, lane, shift, role, conflicts, chosen }: LaneProps & { readonly shift: Shift }) {
  const messages = useMessages();
  const { panel: texts } = messages.board;
  const { timezone } = event;
  const clashing = conflicts.get(shift.uuid) ?? [];
  const isCanceled = event.status === 'CANCELED';
  const { mark, word, look } = describeShift(shift, messages, clashing.length > 0, isCanceled);
  const times = [shift.startsAt, shift.endsAt].map((time) => (time === null ? null : Date.parse(time)));
  const isOwnTime = times[0] !== lane.fromMs || times[1] !== lane.toMs;
  const clocks = times.map((ms) => (ms === null ? messages.board.tbd : formatTime(ms, timezone))).join('–');
  return (
    <li className={shift.uuid === chosen ? 'bd-chosen' : ''}>
      <span className={`bd-mark bd-${look}`} aria-hidden="true">
        {mark}
      </span>
      <div>
        <strong>{fullName(shift)}</strong>{' '}
        <small>
          {word}
          {shift.confirmedAt !== null && <> {formatMoment(Date.parse(shift.confirmedAt), timezone)}</>}
          {!lane.call && <> · {shift.position.title}</>}
        </small>
        {isOwnTime && (
          <small>
            {texts.works} {clocks}
          </small>
        )}
        {clashing.map((conflict) => (
          <small key={`${conflict.first.uuid}${conflict.second.uuid}`} className="bd-missing">
            ⚠ {describeConflict(conflict, shift.uuid, messages)}
          </small>
        ))}
      </div>
      {role === 'STAFF' && !isCanceled && <Answer title={event.title} shift={shift} />}
    </li>
  );
}

/** What a staff member answers to a shift. */
function Answer({ title, shift }: { readonly title: string; readonly shift: Shift }) {
  const messages = useMessages();
  const { panel: texts } = messages.board;
  const [isBusy, setIsBusy] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const { confirmed } = shift;
  const take = async (run: () => Promise<ActionOutcome>, describe: (title: string) => string) => {
    setIsBusy(true);
    setIsSure(false);
    const refused = await takeSteps([{ key: shift.uuid, name: title, run }], describe, messages);
    if (refused.length > 0) showToast({ text: describeRefused(refused, messages).faults.join(' ') });
    setIsBusy(false);
  };
  const answer = confirmed ? texts.withdraw : texts.confirm;
  const refusal = isSure ? texts.reallyDecline : texts.decline;
  const refuse = () => (isSure ? void take(() => decline(shift), texts.isDeclined) : setIsSure(true));
  return (
    <div className="bd-acts">
      <Button
        isBusy={isBusy}
        aria-label={texts.of(answer, title)}
        onClick={() =>
          void take(() => setConfirmed(shift, !confirmed), confirmed ? texts.isWithdrawn : texts.isConfirmed)
        }
      >
        {answer}
      </Button>
      {/* It cannot be taken back, so it takes two presses. */}
      <Button isBusy={isBusy} aria-label={texts.of(refusal, title)} onClick={refuse}>
        {refusal}
      </Button>
    </div>
  );
}

interface Found {
  readonly event: Pick<BoardEvent, 'title' | 'status' | 'startsAt' | 'timezone'> | null;
}

/** Says where an event is that the board does not show. */
function Elsewhere({ uuid }: { uuid: string }) {
  const { panel: texts, showDay } = useMessages().board;
  const read = useRead<Found>(elsewhere, { id: uuid });
  return (
    <Loaded read={read}>
      {({ event }) => {
        if (!event) return <p>{texts.unknown}</p>;
        const { title, status, startsAt, timezone } = event;
        if (status === 'CANCELED') return <p>{texts.isCanceled(title)}</p>;
        if (status === 'DELETED') return <p>{texts.isDeleted(title)}</p>;
        const startMs = Date.parse(startsAt);
        return (
          <p>
            {texts.elsewhere(title, formatMoment(startMs, timezone))}{' '}
            <Button onClick={() => changeAddress({ span: 'today', day: formatLocalDay(startMs) })}>{showDay}</Button>
          </p>
        );
      }}
    </Loaded>
  );
}
