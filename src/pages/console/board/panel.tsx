import { BoardElsewhereDocument } from '../../../generated/pages/console/board.ts';
import { useLayoutEffect, useRef } from 'react';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { returnFocus } from '../parts/dialog.tsx';
import { Loaded } from '../parts/notice.tsx';
import { changeAddress } from './address.ts';
import type { Audience, BoardEvent } from './model.ts';
import { formatLocalDay } from '../../time/span.ts';
import { Staffing } from './staffing.tsx';
import { EventTime } from './times.tsx';
import { formatMoment } from '../../time/zones.ts';
import '../parts/parts.css';
import './panel.css';

interface PanelProps {
  readonly uuid: string;
  /** Null if the board does not show the event of the address. */
  readonly event: BoardEvent | null;
  /** UUID of the call time or shift; null: the whole event. */
  readonly item: string | null;
  readonly role: Audience;
  readonly onClose: () => void;
}

/** The details of a call time, a shift or an event, and what can be done about them, beside the board. */
export default function Panel({ uuid, event, item, role, onClose }: PanelProps) {
  const { board: texts, parts } = useMessages();
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const dialog = ref.current!;
    dialog.show();
    // Escape also closes it from the board; a dialog above it goes first.
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog:modal')) onClose();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      if (dialog.contains(document.activeElement)) queueMicrotask(() => returnFocus(opener));
    };
  }, [onClose]);
  return (
    <dialog ref={ref} className="bd-panel" aria-labelledby="panel-title">
      <div className="bd-panel-body">
        <header>
          <h2 id="panel-title">{event?.title ?? texts.panel.notShown}</h2>
          <button type="button" className="app-icon" aria-label={parts.close} onClick={onClose}>
            ✕
          </button>
        </header>
        {event ? <EventDetails event={event} /> : <Elsewhere uuid={uuid} />}
        {event && role !== 'SCREEN' && <Staffing event={event} item={item} role={role} />}
      </div>
    </dialog>
  );
}

function EventDetails({ event }: { event: BoardEvent }) {
  const { panel: texts } = useMessages().board;
  const { status, venueName, room, address, city, state, client, dressCode } = event;
  return (
    <div className="bd-soft">
      {status === 'CANCELED' && (
        <p>
          <strong>{texts.canceled}</strong>
        </p>
      )}
      <p>
        <EventTime event={event} />
      </p>
      <p>{[venueName, room, address, city, state].filter(Boolean).join(', ')}</p>
      <p>{[client?.name, dressCode && texts.dress(dressCode)].filter(Boolean).join(' · ')}</p>
    </div>
  );
}

/** Says where an event is that the board does not show. */
function Elsewhere({ uuid }: { uuid: string }) {
  const { panel: texts, showDay } = useMessages().board;
  const read = useRead(BoardElsewhereDocument, { id: uuid });
  return (
    <Loaded read={read}>
      {({ event }) => {
        if (!event) return <p>{texts.unknown}</p>;
        const { title, status, startsAt, timezone } = event;
        if (status === 'CANCELED') return <p>{texts.isCanceled(title)}</p>;
        if (status === 'DELETED') return <p>{texts.isDeleted(title)}</p>;
        const startMs = Date.parse(startsAt);
        return (
          <p>
            {texts.elsewhere(title, formatMoment(startMs, timezone))}{' '}
            <Button onClick={() => changeAddress({ span: 'today', day: formatLocalDay(startMs) })}>{showDay}</Button>
          </p>
        );
      }}
    </Loaded>
  );
}
