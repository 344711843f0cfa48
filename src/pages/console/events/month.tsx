import { memo } from 'react';
import { Link } from 'wouter';
import type { Weekday } from '../../application/session.ts';
import { useMessages } from '../messages/messages.ts';
import { writeAddress, type Address } from './address.ts';
import { Card } from './card.tsx';
import type { CalendarEvent } from './data.ts';
import { addDays, countDays, formatDate, listDays, type Days } from './dates.ts';
import { useDayKeys } from './keys.ts';

export interface DaysProps {
  readonly days: Days;
  readonly day: string;
  readonly today: string;
  readonly address: Address;
  readonly groups: ReadonlyMap<string, readonly CalendarEvent[]>;
  readonly firstWeekday: Weekday;
  readonly mayCreate: boolean;
  readonly onGo: (day: string) => void;
}

/** Events that fit into a day of the month. */
const shownMax = 3;
const none: readonly CalendarEvent[] = [];

export function Month({ days, day, today, address, groups, firstWeekday, mayCreate, onGo }: DaysProps) {
  const { events: texts, language } = useMessages();
  const onKeyDown = useDayKeys(day, firstWeekday, onGo);
  const weeks = Array.from({ length: countDays(days.from, days.to) / 7 }, (_, week) => addDays(days.from, week * 7));
  return (
    <table className="cal-month">
      <caption className="app-hidden">{formatDate(day, 'month', language)}</caption>
      <thead>
        <tr>
          {listDays({ from: days.from, to: addDays(days.from, 7) }).map((each) => (
            <th key={each} scope="col">
              {formatDate(each, 'weekday', language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week}>
            {listDays({ from: week, to: addDays(week, 7) }).map((each) => (
              <Cell
                key={each}
                day={each}
                isSelected={each === day}
                isToday={each === today}
                isOutside={each.slice(0, 7) !== day.slice(0, 7)}
                events={groups.get(each) ?? none}
                href={writeAddress({ ...address, view: 'day', day: each })}
                createLabel={mayCreate ? texts.createOn(formatDate(each, 'long', language)) : null}
                onKeyDown={onKeyDown}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly day: string;
  readonly isSelected: boolean;
  readonly isToday: boolean;
  readonly isOutside: boolean;
  readonly events: readonly CalendarEvent[];
  readonly href: string;
  readonly createLabel: string | null;
  readonly onKeyDown: ReturnType<typeof useDayKeys>;
}

/** A day of the month. Only what is on the selected day can be reached by Tab; arrow keys select another. */
const Cell = memo(function Cell(props: CellProps) {
  const { day, isSelected, isToday, isOutside, events, href, createLabel, onKeyDown } = props;
  const { events: texts, language } = useMessages();
  const tabIndex = isSelected ? undefined : -1;
  const open = events.reduce(
    (sum, { status, coverage }) => sum + (status === 'CANCELED' ? 0 : (coverage?.open ?? 0)),
    0,
  );
  const shown = events.length > shownMax ? events.slice(0, shownMax - 1) : events;
  return (
    <td className={`cal-cell ${isOutside ? 'cal-outside' : ''} ${isSelected ? 'cal-selected' : ''}`}>
      <div className="cal-top">
        <Link
          id={`day-${day}`}
          className="cal-day"
          href={href}
          tabIndex={tabIndex}
          onKeyDown={onKeyDown}
          aria-label={texts.dayCount(formatDate(day, 'long', language), events.length, open)}
          {...(isToday && { 'aria-current': 'date' })}
        >
          <span className="cal-number">{Number(day.slice(8))}</span>
          {events.length > 0 && (
            <span className="cal-count" aria-hidden="true">
              {events.length}
            </span>
          )}
        </Link>
        {createLabel && (
          <Link className="cal-add" href={`/events/new?day=${day}`} tabIndex={tabIndex} aria-label={createLabel}>
            +
          </Link>
        )}
      </div>
      {shown.map((event) => (
        <Card key={event.uuid} event={event} isTabStop={isSelected} />
      ))}
      {events.length > shown.length && (
        <Link className="cal-more" href={href} tabIndex={tabIndex}>
          {texts.more(events.length - shown.length)}
        </Link>
      )}
    </td>
  );
});
