import { useState, type ReactNode } from 'react';
import { formatDay, formatTime, formatUntil, formatZone } from '../../board/zones.ts';
import { useMessages } from '../messages/messages.ts';
import { describePlace, isCalledOff, startMs, type OwnShift } from './shifts.ts';

interface ShiftCardProps {
  readonly shift: OwnShift;
  readonly isNext: boolean;
  /** The answers that its person can give. */
  readonly actions?: ReactNode;
}

/** A shift with all that its person needs to know. */
export function ShiftCard({ shift, isNext, actions }: ShiftCardProps) {
  const messages = useMessages();
  const { myShifts: texts } = messages;
  const [nowMs] = useState(() => Date.now());
  const { event, callTime, position } = shift;
  const dress = callTime?.dressCode ?? event.dressCode;
  return (
    <article className={`ms-card${isNext ? ' is-next' : ''}${isCalledOff(shift) ? ' is-off' : ''}`}>
      {isNext && (
        <p className="ms-next">
          {texts.next} · {formatUntil(startMs(shift), nowMs, messages)}
        </p>
      )}
      <h3 tabIndex={-1}>{event.title}</h3>
      <p className="ms-when">
        <When shift={shift} />
      </p>
      <p className="ms-state" data-state={stateOf(shift)}>
        {position.title}
        {callTime?.skillLevel && `, ${callTime.skillLevel.name}`} · {texts[stateOf(shift)]}
        {event.status === 'DRAFT' && ` · ${texts.draft}`}
      </p>
      {!isCalledOff(shift) && (
        <dl>
          <Place shift={shift} />
          {dress && (
            <div>
              <dt>{texts.dress}</dt>
              <dd>{dress}</dd>
            </div>
          )}
          {callTime?.notesForStaff && (
            <div>
              <dt>{texts.notes}</dt>
              <dd>{callTime.notesForStaff}</dd>
            </div>
          )}
        </dl>
      )}
      {actions}
    </article>
  );
}

type State = 'confirmed' | 'unanswered' | 'calledOff' | 'declined' | 'eventCanceled';

function stateOf({ status, declinedAt, confirmed, event }: OwnShift): State {
  if (event.status === 'CANCELED') return 'eventCanceled';
  if (status === 'CANCELED') return declinedAt === null ? 'calledOff' : 'declined';
  return confirmed ? 'confirmed' : 'unanswered';
}

/** Start and end by the clocks at the event. */
function When({ shift }: { shift: OwnShift }) {
  const { myShifts: texts } = useMessages();
  const { startsAt, endsAt, callTime, event } = shift;
  const zone = event.timezone;
  const atMs = startMs(shift);
  const time = (instant: string | null, isTbd = false) =>
    instant === null || isTbd ? texts.tbd : formatTime(Date.parse(instant), zone);
  return (
    <>
      <time dateTime={startsAt ?? event.startsAt}>{formatDay(atMs, zone)}</time>,{' '}
      {texts.when(time(startsAt, callTime?.startTimeTbd), time(endsAt, callTime?.endTimeTbd))} {formatZone(atMs, zone)}
    </>
  );
}

function Place({ shift }: { shift: OwnShift }) {
  const { myShifts: texts } = useMessages();
  const place = describePlace(shift);
  if (place === '') return null;
  const { room } = shift.event;
  return (
    <div>
      <dt>{texts.place}</dt>
      <dd>
        <a
          href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`}
          target="_blank"
          rel="noreferrer"
          aria-label={texts.map(place)}
        >
          {place}
        </a>
        {room && ` · ${room}`}
      </dd>
    </div>
  );
}
