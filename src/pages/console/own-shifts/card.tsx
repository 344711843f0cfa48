import type { ReactNode } from 'react';
import { useMinute } from '../../time/clock.ts';
import { isWaiting, presenceOf } from '../../time/presence.ts';
import { formatDay, formatTime, formatUntil, formatZone } from '../../time/zones.ts';
import { useMessages } from '../messages/messages.ts';
import { Facts } from '../parts/facts.tsx';
import { PlaceLink } from '../parts/place.tsx';
import { isCalledOff, startMs, type OwnShift } from './shifts.ts';

interface ShiftCardProps {
  readonly shift: OwnShift;
  readonly isNext?: boolean;
  /** What is said of it in place of the state of a shift. */
  readonly stateText?: string;
  /** The answers that its person can give. */
  readonly actions?: ReactNode;
}

/** A shift with all that its person needs to know. Times are by the clocks at the event. */
export function ShiftCard({ shift, isNext = false, stateText, actions }: ShiftCardProps) {
  const messages = useMessages();
  const { myShifts: texts } = messages;
  const nowMs = useMinute();
  const { event, callTime, position, startsAt, endsAt } = shift;
  const isOff = isCalledOff(shift);
  const state = stateOf(shift, nowMs);
  const [atMs, zone] = [startMs(shift), event.timezone];
  const time = (instant: string | null, isTbd = false) =>
    instant === null || isTbd ? texts.tbd : formatTime(Date.parse(instant), zone);
  const hasPlace = [event.venueName, event.room, event.address, event.city, event.state, event.zip].some(Boolean);
  return (
    <article className={`ms-card${isNext ? ' is-next' : ''}${isOff ? ' is-off' : ''}`}>
      {isNext && (
        <p className="ms-next">{atMs > nowMs ? `${texts.next} · ${formatUntil(atMs, nowMs, messages)}` : texts.now}</p>
      )}
      <h3 tabIndex={-1}>{event.title}</h3>
      <p className="ms-when">
        <time dateTime={new Date(atMs).toISOString()}>{formatDay(atMs, zone)}</time>,{' '}
        {texts.when(time(startsAt, callTime?.startTimeTbd), time(endsAt, callTime?.endTimeTbd))}{' '}
        {formatZone(atMs, zone)}
      </p>
      <p className="ms-state" data-state={state}>
        {position.title}
        {callTime?.skillLevel && `, ${callTime.skillLevel.name}`} · {stateText ?? texts[state]}
        {event.status === 'DRAFT' && ` · ${texts.draft}`}
      </p>
      {!isOff && (
        <Facts
          facts={[
            [texts.place, hasPlace && <PlaceLink key="place" {...event} />],
            [texts.dress, callTime?.dressCode ?? event.dressCode],
            [texts.notes, callTime?.notesForStaff],
          ]}
        />
      )}
      {actions}
    </article>
  );
}

function stateOf(shift: OwnShift, nowMs: number) {
  const { status, declinedAt, event } = shift;
  if (event.status === 'CANCELED') return 'eventCanceled';
  if (status === 'CANCELED') return declinedAt === null ? 'calledOff' : 'declined';
  return presenceOf(shift.attendance, nowMs) ?? (isWaiting(shift) ? 'unanswered' : 'confirmed');
}
