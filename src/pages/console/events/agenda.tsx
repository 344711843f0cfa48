import { useState } from 'react';
import { Link } from 'wouter';
import { CopyDialog } from '../event/copy-dialog.tsx';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { toggled } from '../parts/toggled.ts';
import { describeThere, Marks, Time, Where } from './card.tsx';
import type { CalendarEvent } from './data.ts';
import { formatDate } from '../../time/dates.ts';
import { usePublishing } from './publish.ts';

/** An event on a day. */
export interface AgendaRow {
  readonly day: string;
  readonly event: CalendarEvent;
}

interface AgendaProps {
  readonly caption: string;
  readonly rows: readonly AgendaRow[];
  readonly isAdmin: boolean;
}

/** Events in a table, with what an admin can do with one or with several. */
export function Agenda({ caption, rows, isAdmin }: AgendaProps) {
  const { events: texts, language } = useMessages();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [copied, setCopied] = useState<CalendarEvent | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { publish, isPending } = usePublishing();
  // An event stands under each of its days. One that is not shown is not chosen.
  const events = [...new Map(rows.map(({ event }) => [event.uuid, event])).values()];
  const chosenEvents = events.filter(({ uuid }) => chosen.has(uuid));
  const drafts = chosenEvents.filter(({ status }) => status === 'DRAFT');

  async function publishAll(some: readonly CalendarEvent[]) {
    setRefused(await publish(some));
    setChosen(new Set());
  }

  const columns: readonly (Column<AgendaRow> & { readonly isForAdmins?: true })[] = [
    {
      key: 'select',
      title: texts.columns.select,
      isForAdmins: true,
      renderCell: ({ event: { uuid, title } }) => (
        <label className="cal-choose">
          <input
            type="checkbox"
            aria-label={texts.select(title)}
            checked={chosen.has(uuid)}
            onChange={() => setChosen(toggled(chosen, uuid))}
          />
        </label>
      ),
    },
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
          <Where event={event} />
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
    {
      key: 'actions',
      title: texts.columns.actions,
      isMinor: true,
      isForAdmins: true,
      renderCell: ({ event }) => (
        <div className="cb-buttons">
          {event.status === 'DRAFT' && (
            <Button
              aria-label={texts.publishOne(event.title)}
              isBusy={isPending}
              onClick={() => void publishAll([event])}
            >
              {texts.publish}
            </Button>
          )}
          <Button look="quiet" aria-label={texts.copyOne(event.title)} onClick={() => setCopied(event)}>
            {texts.copy}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <>
      {isAdmin && (
        <div className="cal-chosen" role="group" aria-label={texts.selected(chosenEvents.length)}>
          <label className="cal-choose">
            <input
              type="checkbox"
              checked={events.length > 0 && chosenEvents.length === events.length}
              onChange={({ target }) => setChosen(new Set(target.checked ? events.map(({ uuid }) => uuid) : []))}
            />
            {chosenEvents.length > 0 ? texts.selected(chosenEvents.length) : texts.selectAll}
          </label>
          {drafts.length > 0 && (
            <Button look="primary" isBusy={isPending} onClick={() => void publishAll(drafts)}>
              {texts.publishMany(drafts.length)}
            </Button>
          )}
          {chosenEvents.length > 0 && drafts.length === 0 && <span>{texts.noDrafts}</span>}
        </div>
      )}
      {refused.length > 0 && (
        <Notice look="bad">
          {refused.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Notice>
      )}
      <Table
        caption={caption}
        columns={columns.filter(({ isForAdmins }) => isAdmin || !isForAdmins)}
        rows={rows}
        rowKey={({ day, event }) => `${day} ${event.uuid}`}
        empty={null}
      />
      {copied && <CopyDialog event={copied} onClose={() => setCopied(null)} />}
    </>
  );
}
