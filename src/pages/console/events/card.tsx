import { Link } from 'wouter';
import { readZone } from '../../time/span.ts';
import { formatMoment, formatTime, formatZone } from '../../time/zones.ts';
import { useMessages } from '../messages/messages.ts';
import type { EventStatus } from './address.ts';
import type { CalendarEvent } from './data.ts';

/** When an event starts and ends, by the clocks of the business. */
export function Time({ event }: { event: CalendarEvent }) {
  const { events: texts } = useMessages();
  const zone = readZone();
  if (event.startTimeTbd) return <abbr title={texts.tbd}>{texts.tbdShort}</abbr>;
  return (
    <time dateTime={event.startsAt}>
      {formatTime(Date.parse(event.startsAt), zone)}
      {!event.endTimeTbd && <span className="cal-end"> – {formatTime(Date.parse(event.endsAt), zone)}</span>}
    </time>
  );
}

/** When an event starts where it takes place, if its clocks are not those of the business. */
export function describeThere({ startsAt, startTimeTbd, timezone }: CalendarEvent): string | null {
  const ms = Date.parse(startsAt);
  const there = formatMoment(ms, timezone);
  return startTimeTbd || there === formatMoment(ms, readZone()) ? null : `${there} ${formatZone(ms, timezone)}`;
}

/** The status and the open places of an event, in words. */
export function Marks({ event: { status, coverage } }: { event: CalendarEvent }) {
  const { events: texts } = useMessages();
  const { needed, assigned, open } = coverage ?? { needed: 0, assigned: 0, open: 0 };
  return (
    <>
      {status !== 'ACTIVE' && (
        <span className={`cal-mark cal-${status.toLowerCase()}`}>{texts.statuses[status as EventStatus]}</span>
      )}
      {status !== 'CANCELED' && coverage && needed > 0 && (
        <span className={`cal-mark ${open > 0 ? 'cal-open' : 'cal-full'}`}>
          {open > 0 ? texts.open(open) : assigned > needed ? texts.tooMany(assigned - needed) : texts.full}
        </span>
      )}
    </>
  );
}

export const Where = ({ event: { client, venueName, city } }: { event: CalendarEvent }) => (
  <span className="cal-where" dir="auto">
    {[client?.name, venueName ?? city].filter(Boolean).join(' · ')}
  </span>
);

/** An event on a day of the month or the week. */
export function Card({ event, isTabStop }: { event: CalendarEvent; isTabStop: boolean }) {
  return (
    <Link
      href={`/events/${event.uuid}`}
      className="cal-card"
      data-status={event.status}
      tabIndex={isTabStop ? undefined : -1}
    >
      <span className="cal-when">
        <Time event={event} />
        <Marks event={event} />
      </span>
      <span className="cal-name" dir="auto">
        {event.title}
      </span>
      <Where event={event} />
    </Link>
  );
}
