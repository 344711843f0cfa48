import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { Table, type Column } from '../parts/table.tsx';
import { describeThere, Marks, Time } from './card.tsx';
import type { CalendarEvent } from './data.ts';
import { formatDate } from './dates.ts';

/** An event on a day. */
export interface ListRow {
  readonly day: string;
  readonly event: CalendarEvent;
}

interface ListProps {
  readonly caption: string;
  readonly rows: readonly ListRow[];
  /** A checkbox for each event; null for those who cannot do anything with several. */
  readonly renderSelect: ((event: CalendarEvent) => ReactNode) | null;
  readonly renderActions: ((event: CalendarEvent) => ReactNode) | null;
}

/** Events in a table. */
export function List({ caption, rows, renderSelect, renderActions }: ListProps) {
  const { events: texts, language } = useMessages();
  const columns: (Column<ListRow> | null)[] = [
    renderSelect && { key: 'select', title: texts.columns.select, renderCell: ({ event }) => renderSelect(event) },
    {
      key: 'time',
      title: texts.columns.time,
      renderCell: ({ day, event }) => {
        const there = describeThere(event);
        return (
          <div className="cal-time">
            <strong>{formatDate(day, 'short', language)}</strong> <Time event={event} />
            {there && <small>{texts.local(there)}</small>}
          </div>
        );
      },
    },
    {
      key: 'event',
      title: texts.columns.event,
      renderCell: ({ event }) => (
        <div data-status={event.status}>
          <Link href={`/events/${event.uuid}`} className="cal-name" dir="auto">
            {event.title}
          </Link>
          <div className="cal-where" dir="auto">
            {[event.client?.name, event.venueName ?? event.city].filter(Boolean).join(' · ')}
          </div>
          <div className="cal-marks cal-phone">
            <Marks event={event} />
          </div>
        </div>
      ),
    },
    {
      key: 'staff',
      title: texts.columns.staff,
      isMinor: true,
      renderCell: ({ event }) => (
        <div className="cal-marks">
          <Marks event={event} />
        </div>
      ),
    },
    renderActions && {
      key: 'actions',
      title: texts.columns.actions,
      isMinor: true,
      renderCell: ({ event }) => <div className="cb-buttons">{renderActions(event)}</div>,
    },
  ];
  return (
    <Table
      caption={caption}
      columns={columns.filter((column) => column !== null)}
      rows={rows}
      rowKey={({ day, event }) => `${day} ${event.uuid}`}
      empty={null}
    />
  );
}
