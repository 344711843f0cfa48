import { memo } from 'react';
import { useMessages } from '../messages/messages.ts';
import { CoverageBar, CoverageText, PresentText } from './coverage.tsx';
import { LaneRow, NowLine } from './lane.tsx';
import { cardMark } from './live.ts';
import type { BoardEvent } from './model.ts';
import { positionOf, type Lane } from './lanes.ts';
import { SheetTable } from './sheet.tsx';
import { EventTime, Venue } from './times.tsx';
import { viewEvent } from './view.ts';

export interface CardProps {
  readonly event: BoardEvent;
  /** Title of the only position that is shown; null: all. */
  readonly position: string | null;
  /** UUIDs of its shifts that clash, separated by spaces. A text, so that equal ones are recognized. */
  readonly clashing: string;
  readonly changed: ReadonlySet<string> | undefined;
  /** When a lane last ended or somebody became late, as `lastTurn` says. */
  readonly turnMs: number;
  readonly isTable: boolean;
}

/** One event with its time line, or its table. It renders again only if one of its properties is another. */
export const EventCard = memo(function EventCard({ event, position, clashing, changed, turnMs, isTable }: CardProps) {
  const { board: texts } = useMessages();
  performance.mark(cardMark, { detail: event.uuid });
  const { lanes, axis, coverage } = viewEvent(event, position);
  const clashes = new Set(clashing.split(' '));
  const isCanceled = event.status === 'CANCELED';
  const isOver = (lane: Lane) => lane.toMs <= turnMs;
  return (
    <section
      className={`bd-card${changed ? ' bd-changed' : ''}${event.status === 'DRAFT' ? ' bd-draft' : ''}${isCanceled ? ' bd-canceled' : ''}`}
      aria-labelledby={`t-${event.uuid}`}
      data-event={event.uuid}
    >
      <header className="bd-head">
        <div>
          <h2 id={`t-${event.uuid}`}>
            {isCanceled ? <s>{event.title}</s> : event.title}{' '}
            {event.status === 'DRAFT' && <span className="bd-tag">{texts.draft}</span>}
            {isCanceled && <span className="bd-tag">{texts.canceled}</span>}
          </h2>
          <p className="bd-soft">
            <EventTime event={event} />
            <Venue event={event} />
          </p>
        </div>
        <div className="bd-state">
          {isCanceled ? (
            <span className="bd-counts">{texts.nobodyNeeded}</span>
          ) : (
            <>
              <CoverageBar coverage={coverage} />
              <CoverageText coverage={coverage} isOver={lanes.every(isOver)} />
              <PresentText lanes={lanes} nowMs={turnMs} />
            </>
          )}
        </div>
      </header>
      {isTable ? (
        <SheetTable event={event} lanes={lanes} clashes={clashes} nowMs={turnMs} />
      ) : lanes.length === 0 ? (
        <p className="bd-soft">{texts.noCalls}</p>
      ) : (
        <div className="bd-line">
          <div className="bd-axis" aria-hidden="true">
            {axis.ticks.map(({ ms, label }) => (
              <span key={ms} style={{ left: `${positionOf(axis, ms)}%` }}>
                {label}
              </span>
            ))}
          </div>
          <NowLine axis={axis} />
          <ul className="bd-lanes">
            {lanes.map((lane) => (
              <LaneRow
                key={lane.uuid}
                {...{ event, lane, axis, clashes, changed }}
                nowMs={turnMs}
                isClosed={isCanceled || isOver(lane)}
              />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
});
