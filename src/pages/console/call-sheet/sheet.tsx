import { Suspense, useId, type ReactNode } from 'react';
import { lazily } from '../../application/lazily.tsx';
import { useMinute } from '../../time/clock.ts';
import { formatLocalDay, readZone } from '../../time/span.ts';
import { formatTime } from '../../time/zones.ts';
import { useViewer } from '../../application/data.ts';
import { formatClocks, formatDay } from '../../time/when.ts';
import { useMessages } from '../messages/messages.ts';
import { Facts } from '../parts/facts.tsx';
import { PlaceLink } from '../parts/place.tsx';
import type { Group, Sheet, Shift } from './data.ts';

const CheckInCode = lazily(async () => (await import('./check-in-code.tsx')).CheckInCode);

interface SheetProps {
  readonly sheet: Sheet;
  readonly hasPhones: boolean;
  readonly hasCode: boolean;
}

/** The people of an event on one day, with a line for each to sign. */
export function EventSheet({ sheet: { event, day, groups }, hasPhones, hasCode }: SheetProps) {
  const messages = useMessages();
  const { callSheet: texts, event: eventTexts } = messages;
  const columns = (['name', 'phone', 'in', 'out', 'sign'] as const).filter((key) => hasPhones || key !== 'phone');
  return (
    <Paper title={event.title} code={hasCode && <CheckInCode event={event} day={day} />}>
      <p>
        {event.status !== 'ACTIVE' && <strong>{eventTexts.statuses[event.status]} · </strong>}
        {formatDay(day, messages)}, {formatClocks(event, day, messages)}, {texts.zone(event.timezone)}
      </p>
      <p>
        <PlaceLink {...event} />
      </p>
      <Facts
        facts={[
          [texts.client, event.client?.name],
          [texts.dress, event.dressCode],
          [texts.notes, event.description],
        ]}
      />
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={`sheet-${column}`}>
                {texts.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <People key={group.call?.uuid ?? ''} {...{ group, day, columns }} />
        ))}
      </table>
      {groups.every(({ shifts }) => shifts.length === 0) && <p>{texts.nobody}</p>}
    </Paper>
  );
}

interface PeopleProps {
  readonly group: Group;
  readonly day: string;
  readonly columns: readonly string[];
}

function People({ group: { call, shifts }, day, columns }: PeopleProps) {
  const messages = useMessages();
  const { callSheet: texts, board } = messages;
  const clocks = (shift: Shift) =>
    shift.startTime &&
    (shift.startTime !== call?.startTime || shift.endTime !== call.endTime) && (
      <small> {formatClocks(shift, day, messages)}</small>
    );
  return (
    <tbody>
      <tr className="sheet-call">
        <th colSpan={columns.length} scope="rowgroup">
          {call ? `${formatClocks(call, day, messages)} ${call.position.title}` : board.noCall}
          {call?.skillLevel && `, ${call.skillLevel.name}`} · {texts.people(shifts.length, call?.staffNeeded ?? 0)}
          {call && (
            <Facts
              facts={[
                [texts.dress, call.dressCode],
                [texts.notes, call.notesForStaff],
              ]}
            />
          )}
        </th>
      </tr>
      {shifts.map((shift) => (
        <tr key={shift.uuid}>
          <th scope="row">
            <bdi>{`${shift.firstName} ${shift.lastName}`.trim()}</bdi>
            {!call && `, ${shift.position.title}`}
            {clocks(shift)}
          </th>
          {columns.slice(1).map((column) => (
            <td key={column} className={`sheet-${column}`}>
              {column === 'phone' && shift.user?.phone}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** A sheet of paper, which begins on a page of its own and says when it was printed. */
export function Paper({ title, code, children }: { title: string; code?: ReactNode; children: ReactNode }) {
  const messages = useMessages();
  const { callSheet: texts } = messages;
  const { business } = useViewer();
  const nowMs = useMinute();
  const id = useId();
  return (
    <section className="sheet" aria-labelledby={id}>
      {code && <Suspense>{code}</Suspense>}
      <h2 id={id}>
        <bdi>{title}</bdi>
      </h2>
      {children}
      <footer>
        <bdi>{business.name}</bdi> ·{' '}
        {texts.printed(formatDay(formatLocalDay(nowMs), messages), formatTime(nowMs, readZone()))}
      </footer>
    </section>
  );
}
