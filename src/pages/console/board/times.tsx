import { useMessages } from '../messages/messages.ts';
import type { BoardEvent } from './model.ts';
import { formatDay, formatMoment, formatTime, formatZone } from '../../time/zones.ts';

/** Start and end by the clocks at the event, with its zone. */
export function EventTime({ event }: { event: BoardEvent }) {
  const { timezone, startTimeTbd, endTimeTbd } = event;
  const [startMs, endMs] = [Date.parse(event.startsAt), Date.parse(event.endsAt)];
  const isOneDay = formatDay(startMs, timezone) === formatDay(endMs, timezone) || endMs - startMs < 18 * 3_600_000;
  return (
    <span className="bd-when" title={timezone}>
      <time dateTime={event.startsAt}>{formatMoment(startMs, timezone)}</time>
      {startTimeTbd && <Tbd />}–
      <time dateTime={event.endsAt}>{isOneDay ? formatTime(endMs, timezone) : formatMoment(endMs, timezone)}</time>
      {endTimeTbd && <Tbd />} {formatZone(startMs, timezone)}
    </span>
  );
}

export function Tbd() {
  const { board: texts } = useMessages();
  return (
    <abbr className="bd-tbd" title={texts.tbdHint}>
      {texts.tbd}
    </abbr>
  );
}

export const Venue = ({ event: { venueName, room, city } }: { event: BoardEvent }) => {
  const text = [venueName, room, city].filter(Boolean).join(', ');
  return text ? <> · {text}</> : null;
};
