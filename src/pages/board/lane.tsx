import type { CSSProperties } from 'react';
import { openPanel } from './address.ts';
import { useMinute } from './clock.ts';
import { CoverageBar, describeShift } from './coverage.tsx';
import { positionOf, type Axis, type Lane } from './lanes.ts';
import { fullName, shortName, type BoardEvent, type Shift } from './model.ts';
import { Tbd } from './times.tsx';
import { formatTime } from './zones.ts';

interface LaneProps {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly axis: Axis;
  readonly clashes: ReadonlySet<string>;
  readonly changed: ReadonlySet<string> | undefined;
  /** Whether nobody is asked for any more: it has ended, or the event is canceled. */
  readonly isClosed: boolean;
}

/** A call time: its name and digits, its bar from call to end, and the people on it. */
export function LaneRow({ event, lane, axis, clashes, changed, isClosed }: LaneProps) {
  const { call, uuid, title, shifts, coverage, isTbd } = lane;
  const [left, right] = [positionOf(axis, lane.fromMs), positionOf(axis, lane.toMs)];
  const place = { '--left': `${left}%`, '--width': `${Math.max(2, right - left)}%` } as CSSProperties;
  const assigned = coverage.confirmed + coverage.waiting;
  return (
    <li className={`bd-lane${changed?.has(uuid) ? ' bd-new' : ''}`} style={place}>
      <button
        type="button"
        className="bd-name"
        data-lane={uuid}
        aria-haspopup="dialog"
        onClick={() => openPanel(event.uuid, call ? uuid : (shifts[0]?.uuid ?? null))}
      >
        {title}{' '}
        <span className="bd-digits">
          {assigned}
          {call && `/${coverage.needed}`}
        </span>
        <span className="app-hidden">{describeLane(event, lane, isClosed)}</span>
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
              isClashing={clashes.has(shift.uuid)}
              isCanceled={event.status === 'CANCELED'}
              isNew={changed?.has(shift.uuid) ?? false}
            />
          ))}
          <OpenPlaces count={isClosed ? 0 : coverage.open} onOpen={() => openPanel(event.uuid, uuid)} />
        </div>
      </div>
    </li>
  );
}

function describeLane({ timezone, status }: BoardEvent, lane: Lane, isClosed: boolean): string {
  const { fromMs, toMs, coverage, isTbd } = lane;
  const { open, confirmed, waiting, surplus } = coverage;
  const times = `${formatTime(fromMs, timezone)} to ${formatTime(toMs, timezone)}${isTbd ? ', to be determined' : ''}`;
  if (status === 'CANCELED') return `, ${times}, canceled`;
  return `, ${times}, ${confirmed} confirmed, ${waiting} waiting, ${
    open > 0 ? `${open} ${isClosed ? 'not filled' : 'missing'}` : surplus > 0 ? `${surplus} too many` : 'none missing'
  }`;
}

/** More than these are told as one number. */
const mostPlaces = 4;

function OpenPlaces({ count, onOpen }: { count: number; onOpen: () => void }) {
  if (count === 0) return null;
  if (count > mostPlaces)
    return (
      <button type="button" className="bd-chip bd-open" tabIndex={-1} onClick={onOpen}>
        + {count} open
      </button>
    );
  return Array.from({ length: count }, (_, index) => (
    <button key={index} type="button" className="bd-chip bd-open" tabIndex={-1} onClick={onOpen}>
      + open
    </button>
  ));
}

interface ChipProps {
  readonly eventUuid: string;
  readonly shift: Shift;
  readonly isClashing: boolean;
  readonly isCanceled: boolean;
  readonly isNew: boolean;
}

function Chip({ eventUuid, shift, isClashing, isCanceled, isNew }: ChipProps) {
  const { mark, word, look } = describeShift(shift, isClashing, isCanceled);
  return (
    <button
      type="button"
      className={`bd-chip bd-${look}${isNew ? ' bd-new' : ''}`}
      tabIndex={-1}
      data-shift={shift.uuid}
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
  const nowMs = useMinute();
  if (nowMs < axis.fromMs || nowMs >= axis.toMs) return null;
  return (
    <div className="bd-now-rail" aria-hidden="true">
      <i className="bd-now" style={{ left: `${positionOf(axis, nowMs)}%` }}>
        now
      </i>
    </div>
  );
}
