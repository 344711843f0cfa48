import { useState } from 'react';
import { useMessages } from '../messages/messages.ts';
import { CopyDialog } from '../event/copy-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import type { CalendarEvent } from './data.ts';
import { List, type ListRow } from './list.tsx';
import { usePublishing } from './publish.ts';

interface AgendaProps {
  readonly caption: string;
  readonly rows: readonly ListRow[];
  readonly isAdmin: boolean;
}

/** Events in a table, with what an admin can do with one or with several. */
export function Agenda({ caption, rows, isAdmin }: AgendaProps) {
  const { events: texts } = useMessages();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [copied, setCopied] = useState<CalendarEvent | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { publish, isPending } = usePublishing();
  // An event stands under each of its days. One that is not shown is not chosen.
  const events = [...new Map(rows.map(({ event }) => [event.uuid, event])).values()];
  const chosenEvents = events.filter(({ uuid }) => chosen.has(uuid));
  const drafts = chosenEvents.filter(({ status }) => status === 'DRAFT');

  function choose(uuid: string, isChosen: boolean) {
    const next = new Set(chosen);
    if (isChosen) next.add(uuid);
    else next.delete(uuid);
    setChosen(next);
  }

  async function publishAll(some: readonly CalendarEvent[]) {
    setRefused(await publish(some));
    setChosen(new Set());
  }

  if (!isAdmin) return <List caption={caption} rows={rows} renderSelect={null} renderActions={null} />;
  return (
    <>
      <div className="cal-chosen" role="group" aria-label={texts.selected(chosenEvents.length)}>
        <label className="cal-choose">
          <input
            type="checkbox"
            checked={events.length > 0 && chosenEvents.length === events.length}
            onChange={({ target }) => setChosen(new Set(target.checked ? events.map(({ uuid }) => uuid) : []))}
          />
          {chosenEvents.length > 0 ? texts.selected(chosenEvents.length) : texts.selectAll}
        </label>
        {chosenEvents.length > 0 &&
          (drafts.length > 0 ? (
            <Button look="primary" isBusy={isPending} onClick={() => void publishAll(drafts)}>
              {texts.publishMany(drafts.length)}
            </Button>
          ) : (
            <span>{texts.noDrafts}</span>
          ))}
      </div>
      {refused.length > 0 && (
        <Notice look="bad">
          {refused.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Notice>
      )}
      <List
        caption={caption}
        rows={rows}
        renderSelect={({ uuid, title }) => (
          <label className="cal-choose">
            <input
              type="checkbox"
              aria-label={texts.select(title)}
              checked={chosen.has(uuid)}
              onChange={({ target }) => choose(uuid, target.checked)}
            />
          </label>
        )}
        renderActions={(event) => (
          <>
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
          </>
        )}
      />
      {copied && <CopyDialog event={copied} onClose={() => setCopied(null)} />}
    </>
  );
}
