import { memo, useCallback, useEffect, useRef, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import type { Weekday } from '../../application/session.ts';
import { useMessages } from '../messages/messages.ts';
import { writeAddress, type Address } from './address.ts';
import { Card } from './card.tsx';
import type { CalendarEvent } from './data.ts';
import { addDays, countDays, followKey, formatDate, listDays, type Days } from '../../time/dates.ts';

interface GridProps {
  readonly days: Days;
  readonly day: string;
  readonly today: string;
  readonly address: Address;
  readonly groups: ReadonlyMap<string, readonly CalendarEvent[]>;
  readonly firstWeekday: Weekday;
  readonly mayCreate: boolean;
  readonly onGo: (day: string) => void;
}

const none: readonly CalendarEvent[] = [];

/** The days of a month or a week with their events. Arrows, Home, End, Page Up and Page Down select another day. */
export function Grid({ days, day, today, address, groups, firstWeekday, mayCreate, onGo }: GridProps) {
  const { events: texts, language } = useMessages();
  const isMonth = address.view === 'month';
  const isByKey = useRef(false);
  const current = useRef(day);
  useEffect(() => {
    current.current = day;
    if (isByKey.current) document.getElementById(`day-${day}`)?.focus();
    isByKey.current = false;
  }, [day]);
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const next = followKey(event.key, current.current, firstWeekday);
      if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      isByKey.current = true;
      onGo(next);
    },
    [firstWeekday, onGo],
  );
  const renderDay = (each: string) => (
    <Day
      key={each}
      day={each}
      isMonth={isMonth}
      isSelected={each === day}
      isToday={each === today}
      isOutside={isMonth && each.slice(0, 7) !== day.slice(0, 7)}
      events={groups.get(each) ?? none}
      href={writeAddress({ ...address, view: 'day', day: each })}
      createLabel={mayCreate ? texts.createOn(formatDate(each, 'long', language)) : null}
      onKeyDown={onKeyDown}
    />
  );
  if (!isMonth) return <div className="cal-week">{listDays(days).map(renderDay)}</div>;
  const weekOf = (from: string) => listDays({ from, to: addDays(from, 7) });
  return (
    <table className="cal-month">
      <caption className="app-hidden">{formatDate(day, 'month', language)}</caption>
      <thead>
        <tr>
          {weekOf(days.from).map((each) => (
            <th key={each} scope="col">
              {formatDate(each, 'weekday', language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: countDays(days.from, days.to) / 7 }, (_, week) => (
          <tr key={week}>{weekOf(addDays(days.from, week * 7)).map(renderDay)}</tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayProps {
  readonly day: string;
  readonly isMonth: boolean;
  readonly isSelected: boolean;
  readonly isToday: boolean;
  readonly isOutside: boolean;
  readonly events: readonly CalendarEvent[];
  readonly href: string;
  readonly createLabel: string | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A day of the grid. Only what is on the selected day can be reached by Tab. */
const Day = memo(function Day(props: DayProps) {
  const { day, isMonth, isSelected, isToday, isOutside, events, href, createLabel, onKeyDown } = props;
  const { events: texts, language } = useMessages();
  const tabIndex = isSelected ? undefined : -1;
  const isOpen = ({ status }: CalendarEvent) => status !== 'CANCELED';
  const open = events.filter(isOpen).reduce((sum, { coverage }) => sum + (coverage?.open ?? 0), 0);
  const most = isMonth ? 3 : 20;
  const shown = events.length > most ? events.slice(0, most - 1) : events;
  const Frame = isMonth ? 'td' : 'section';
  return (
    <Frame
      className={`${isMonth ? 'cal-cell' : ''} ${isOutside ? 'cal-outside' : ''} ${isSelected ? 'cal-selected' : ''}`}
      aria-labelledby={isMonth ? undefined : `day-${day}`}
    >
      <div className="cal-top">
        <Link
          id={`day-${day}`}
          className="cal-day"
          href={href}
          tabIndex={tabIndex}
          onKeyDown={onKeyDown}
          aria-label={isMonth ? texts.dayCount(formatDate(day, 'long', language), events.length, open) : undefined}
          {...(isToday && { 'aria-current': 'date' })}
        >
          <span className={isMonth ? 'cal-number' : ''}>
            {isMonth ? Number(day.slice(8)) : formatDate(day, 'short', language)}
          </span>
          {isMonth && events.length > 0 && (
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
    </Frame>
  );
}, hasSameProps);

function hasSameProps(one: DayProps, other: DayProps): boolean {
  const { events, ...rest } = one;
  return (
    events.length === other.events.length &&
    events.every((event, index) => event === other.events[index]) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((key) => rest[key] === other[key])
  );
}
