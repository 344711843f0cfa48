import { useMessages } from '../messages/messages.ts';
import { Empty } from '../parts/notice.tsx';
import type { Event, Shift } from './documents.ts';
import { formatClocks, formatDay } from './when.ts';

interface Props {
  readonly event: Event;
  /** Staff see their own shifts alone, so open places would be untrue. */
  readonly isOwnOnly: boolean;
}

/** The people of an event by call time, and the open places, to look at. */
export function Staffing({ event: { startTime, callTimes, workShifts }, isOwnOnly }: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages.event;
  const shiftsOf = (uuid: string) => workShifts.filter(({ callTime }) => callTime?.uuid === uuid);
  const shown = isOwnOnly ? callTimes.filter(({ uuid }) => shiftsOf(uuid).length > 0) : callTimes;
  const others = workShifts.filter(({ callTime }) => !shown.some(({ uuid }) => uuid === callTime?.uuid));
  if (shown.length === 0 && others.length === 0)
    return <Empty title={isOwnOnly ? texts.nobody : texts.empty}>{!isOwnOnly && texts.emptyLead}</Empty>;
  const renderPerson = (shift: Shift, call: { startTime: string; endTime: string } | null) => (
    <li key={shift.uuid}>
      <span>
        <bdi>
          {shift.firstName} {shift.lastName}
        </bdi>
        {call === null && ` · ${shift.position.title}`}
        {(call?.startTime !== shift.startTime || call?.endTime !== shift.endTime) && (
          <small> {formatClocks(shift, (call ?? shift).startTime?.slice(0, 10) ?? '', messages)}</small>
        )}
      </span>
      <span className={shift.confirmed ? 'ev-yes' : 'ev-waiting'}>
        {shift.confirmed ? texts.confirmed : texts.waiting}
      </span>
    </li>
  );
  return (
    <div className="ev-calls">
      {shown.map((call) => {
        const shifts = shiftsOf(call.uuid);
        const open = call.staffNeeded - shifts.length;
        const day = call.startTime.slice(0, 10);
        const clocks = formatClocks(call, day, messages);
        return (
          <section key={call.uuid} aria-label={`${call.position.title}, ${clocks}`}>
            <h2>
              {call.position.title}
              {call.skillLevel && <small> · {call.skillLevel.name}</small>}
            </h2>
            <p className="ev-hint">
              {day !== startTime.slice(0, 10) && `${formatDay(day, messages)}, `}
              {clocks}
              {!isOwnOnly && ` · ${texts.filled(shifts.length, call.staffNeeded)}`}
            </p>
            <ul>
              {shifts.map((shift) => renderPerson(shift, call))}
              {!isOwnOnly && open > 0 && <li className="ev-open">{texts.open(open)}</li>}
              {!isOwnOnly && open < 0 && <li className="ev-over">{texts.over(-open)}</li>}
            </ul>
            {call.notesForStaff && <p className="ev-note">{call.notesForStaff}</p>}
          </section>
        );
      })}
      {others.length > 0 && (
        <section aria-label={texts.withoutCall}>
          <h2>{isOwnOnly ? texts.yours : texts.withoutCall}</h2>
          <ul>{others.map((shift) => renderPerson(shift, null))}</ul>
        </section>
      )}
    </div>
  );
}
