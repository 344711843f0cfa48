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
export function Staffing({ event, isOwnOnly }: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages.event;
  const day = event.startTime.slice(0, 10);
  const shown = isOwnOnly
    ? event.callTimes.filter(({ uuid }) => event.workShifts.some(({ callTime }) => callTime?.uuid === uuid))
    : event.callTimes;
  const others = event.workShifts.filter(({ callTime }) => !shown.some(({ uuid }) => uuid === callTime?.uuid));
  if (shown.length === 0 && others.length === 0)
    return <Empty title={isOwnOnly ? texts.nobody : texts.empty}>{!isOwnOnly && texts.emptyLead}</Empty>;
  return (
    <div className="ev-calls">
      {shown.map((call) => {
        const shifts = event.workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid);
        const open = call.staffNeeded - shifts.length;
        return (
          <section key={call.uuid} aria-label={`${call.position.title}, ${formatClocks(call, day, messages)}`}>
            <h2>
              {call.position.title}
              {call.skillLevel && <small> · {call.skillLevel.name}</small>}
            </h2>
            <p className="ev-hint">
              {call.startTime.slice(0, 10) !== day && `${formatDay(call.startTime, messages)}, `}
              {formatClocks(call, call.startTime.slice(0, 10), messages)}
              {!isOwnOnly && ` · ${texts.filled(shifts.length, call.staffNeeded)}`}
            </p>
            <ul>
              {shifts.map((shift) => (
                <Person key={shift.uuid} shift={shift} call={call} />
              ))}
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
          <ul>
            {others.map((shift) => (
              <Person key={shift.uuid} shift={shift} call={null} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface PersonProps {
  readonly shift: Shift;
  readonly call: { readonly startTime: string; readonly endTime: string } | null;
}

function Person({ shift, call }: PersonProps) {
  const messages = useMessages();
  const { staffing: texts } = messages.event;
  const isOwnTime = call?.startTime !== shift.startTime || call?.endTime !== shift.endTime;
  return (
    <li>
      <span>
        <bdi>
          {shift.firstName} {shift.lastName}
        </bdi>
        {call === null && ` · ${shift.position.title}`}
        {isOwnTime && <small> {formatClocks(shift, (call ?? shift).startTime?.slice(0, 10) ?? '', messages)}</small>}
      </span>
      <span className={shift.confirmed ? 'ev-yes' : 'ev-waiting'}>
        {shift.confirmed ? texts.confirmed : texts.waiting}
      </span>
    </li>
  );
}
