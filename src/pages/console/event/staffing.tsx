import { Link } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { Empty } from '../parts/notice.tsx';
import { CallSection, PersonRow } from '../staffing/panel.tsx';
import type { CallTime, Event, Shift } from '../model/events.ts';

interface Props {
  readonly event: Event;
  /** Staff see their own shifts alone. */
  readonly isOwnOnly: boolean;
}

/** The people of an event by call time, to look at. */
export function Staffing({ event, isOwnOnly }: Props) {
  const { staffing: texts } = useMessages().event;
  const shiftsOf = (uuid: string) => event.workShifts.filter(({ callTime }) => callTime?.uuid === uuid);
  const shown = event.callTimes.filter(({ uuid }) => !isOwnOnly || shiftsOf(uuid).length > 0);
  const others = event.workShifts.filter(({ callTime }) => !shown.some(({ uuid }) => uuid === callTime?.uuid));
  if (shown.length === 0 && others.length === 0)
    return <Empty title={isOwnOnly ? texts.nobody : texts.empty}>{!isOwnOnly && texts.emptyLead}</Empty>;
  const list = (shifts: readonly Shift[], call: CallTime | null) => (
    <ul>
      {shifts.map((shift) => (
        <PersonRow key={shift.uuid} shift={shift} call={call} clashes={[]} isChosen={false} actions={null} />
      ))}
    </ul>
  );
  return (
    <div className="st-calls">
      {shown.map((call) => (
        <CallSection key={call.uuid} call={call} event={event} isFilling={false} onFill={null}>
          {list(shiftsOf(call.uuid), call)}
        </CallSection>
      ))}
      {isOwnOnly && (
        <Link className="cb-button cb-primary" href="/my-shifts">
          {texts.answer}
        </Link>
      )}
      {others.length > 0 && (
        <section aria-label={texts.withoutCall}>
          <h2>{isOwnOnly ? texts.yours : texts.withoutCall}</h2>
          {list(others, null)}
        </section>
      )}
    </div>
  );
}
