import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { describeThere, Marks, Time } from './card.tsx';
import type { CalendarEvent } from './data.ts';
import { formatDate } from './dates.ts';

/** A day with its first event, or a further event of the day. */
export interface ListRow {
  readonly day: string;
  readonly isFirst: boolean;
  readonly event: CalendarEvent;
}

interface ListProps {
  readonly rows: readonly ListRow[];
  readonly today: string;
}

/** Pixels of a row before it is measured. */
const rowPx = 64;

/** Events under their days. Only what is in sight is in the page. */
export function List({ rows, today }: ListProps) {
  const { events: texts, language } = useMessages();
  const list = useRef<HTMLUListElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => `${rows[index]?.day} ${rows[index]?.event.uuid}`,
  });
  return (
    <ul className="ev-list" ref={list} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const { day, isFirst, event } = rows[index]!;
        const there = describeThere(event);
        return (
          <li
            key={key}
            data-index={index}
            ref={virtual.measureElement}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            {isFirst && <h3 className={day === today ? 'ev-today' : ''}>{formatDate(day, 'long', language)}</h3>}
            <div className="ev-row" data-status={event.status}>
              <span className="ev-time">
                <Time event={event} />
                {there && <small>{texts.local(there)}</small>}
              </span>
              <span className="ev-what">
                <Link href={`/events/${event.uuid}`} className="ev-name" dir="auto">
                  {event.title}
                </Link>
                <span className="ev-where" dir="auto">
                  {[event.client?.name, event.venueName ?? event.city].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className="ev-marks">
                <Marks event={event} />
              </span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
