import type { CSSProperties } from 'react';
import { useMessages, type Messages } from '../messages/messages.ts';
import { openPanel } from './address.ts';
import { useMinute } from '../../time/clock.ts';
import { CoverageBar, describeShift, PresentText } from './coverage.tsx';
import { positionOf, type Axis, type Lane } from './lanes.ts';
import { fullName, shortName, type BoardEvent, type Shift } from './model.ts';
import { Tbd } from './times.tsx';
import { formatTime } from '../../time/zones.ts';

interface LaneProps {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly axis: Axis;
  readonly clashes: ReadonlySet<string>;
  readonly changed: ReadonlySet<string> | undefined;
  /** By which it is told who is late. */
  readonly nowMs: number;
  /** Whether nobody is asked for any more: it has ended, or the event is canceled. */
  readonly isClosed: boolean;
}

/** A call time: its name and digits, its bar from call to end, and the people on it. */
export function LaneRow({ event, lane, axis, clashes, changed, nowMs, isClosed }: LaneProps) {
  const messages = useMessages();
  const { call, uuid, shifts, coverage, isTbd } = lane;
  const [left, right] = [positionOf(axis, lane.fromMs), positionOf(axis, lane.toMs)];
  const place = { '--left': `${left}%`, '--width': `${Math.max(2, right - left)}%` } as CSSProperties;
  const assigned = coverage.confirmed + coverage.waiting;
  return (
    <li className={`bd-lane${changed?.has(uuid) ? ' bd-new' : ''}`} style={place} data-call={call?.uuid}>
      <button
        type="button"
        className="bd-name"
        data-lane={uuid}
        aria-haspopup="dialog"
        onClick={() => openPanel(event.uuid, call ? uuid : (shifts[0]?.uuid ?? null))}
      >
        {call?.position.title ?? messages.board.noCall}{' '}
        <span className="bd-digits">
          {assigned}
          {call && `/${coverage.needed}`}
          <PresentText lanes={[lane]} nowMs={nowMs} />
        </span>
        <span className="app-hidden">{describeLane(event, lane, isClosed, messages)}</span>
      </button>
      <div className={`bd-track${coverage.open > 0 && !isClosed ? ' bd-short' : ''}${isTbd ? ' bd-tentative' : ''}`}>
        <div className="bd-span" aria-hidden="true">
          <CoverageBar coverage={coverage} />
        </div>
        <div className="bd-people">
          <span className="bd-from" aria-hidden="true">
            {formatTime(lane.fromMs, event.timezone)}
            <span className="bd-to">–{formatTime(lane.toMs, event.timezone)}</span>
            {isTbd && <Tbd />}
          </span>
          {shifts.map((shift) => (
            <Chip
              key={shift.uuid}
              eventUuid={event.uuid}
              shift={shift}
              nowMs={nowMs}
              isClashing={clashes.has(shift.uuid)}
              isCanceled={event.status === 'CANCELED'}
              isNew={changed?.has(shift.uuid) ?? false}
            />
          ))}
          <OpenPlaces call={uuid} count={isClosed ? 0 : coverage.open} onOpen={() => openPanel(event.uuid, uuid)} />
        </div>
      </div>
    </li>
  );
}

function describeLane(
  { timezone, status }: BoardEvent,
  { fromMs, toMs, coverage, isTbd }: Lane,
  isClosed: boolean,
  { board: texts }: Messages,
): string {
  const { open, confirmed, waiting, surplus } = coverage;
  const times = texts.lane(formatTime(fromMs, timezone), formatTime(toMs, timezone), isTbd);
  if (status === 'CANCELED') return `, ${times}, ${texts.canceled}`;
  const lack = open > 0 ? (isClosed ? texts.unfilled : texts.openPlaces)(open) : null;
  const rest = lack ?? (surplus > 0 ? texts.surplus(surplus) : texts.noneOpen);
  return `, ${[times, texts.confirmed(confirmed), texts.waiting(waiting), rest].join(', ')}`;
}

/** More than these are told as one number. */
const mostPlaces = 4;

function OpenPlaces({ call, count, onOpen }: { call: string; count: number; onOpen: () => void }) {
  const { board: texts } = useMessages();
  const chips = count > mostPlaces ? [count] : Array.from({ length: count }, () => 1);
  return chips.map((open, index) => (
    <button
      key={index}
      type="button"
      className="bd-chip bd-open"
      tabIndex={-1}
      data-fill={index === 0 ? call : undefined}
      onClick={onOpen}
    >
      + {texts.open(open)}
    </button>
  ));
}

interface ChipProps {
  readonly eventUuid: string;
  readonly shift: Shift;
  readonly nowMs: number;
  readonly isClashing: boolean;
  readonly isCanceled: boolean;
  readonly isNew: boolean;
}

function Chip({ eventUuid, shift, nowMs, isClashing, isCanceled, isNew }: ChipProps) {
  const { mark, word, look } = describeShift(shift, useMessages(), nowMs, isClashing, isCanceled);
  return (
    <button
      type="button"
      className={`bd-chip bd-${look}${isNew ? ' bd-new' : ''}`}
      tabIndex={-1}
      data-shift={shift.uuid}
      data-name={fullName(shift)}
      title={`${fullName(shift)}: ${word}`}
      onClick={() => openPanel(eventUuid, shift.uuid)}
    >
      <span aria-hidden="true">{mark}</span> {shortName(shift)}
      <span className="app-hidden">, {word}</span>
      {(shift.startsAt === null || shift.endsAt === null) && <Tbd />}
    </button>
  );
}

/** Moves every minute, without its card. */
export function NowLine({ axis }: { axis: Axis }) {
  const { board: texts } = useMessages();
  const nowMs = useMinute();
  if (nowMs < axis.fromMs || nowMs >= axis.toMs) return null;
  return (
    <div className="bd-now-rail" aria-hidden="true">
      <i className="bd-now" style={{ left: `${positionOf(axis, nowMs)}%` }}>
        {texts.axisNow}
      </i>
    </div>
  );
}
