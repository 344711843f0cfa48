import type { OutsideEvent } from '../db/clashes.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { Instants } from './periods.ts';

type CallTimeSpan = Instants & Pick<CallTimeRow, 'startTimeTbd' | 'endTimeTbd'>;

/** Whether a call time touches its event. A time that is to be determined may be any. */
export function touches({ startsAt, endsAt, startTimeTbd, endTimeTbd }: CallTimeSpan, event: Instants): boolean {
  return (startTimeTbd || startsAt <= event.endsAt) && (endTimeTbd || endsAt >= event.startsAt);
}

/** The days of an event on its own clocks, `YYYY-MM-DD`. */
interface EventDays {
  readonly startDay: string;
  readonly endDay: string;
}

/** Whether a call time belongs to its event without a reason: it touches it, or lies on one of its days, as load-ins do. */
export function isNear(
  callTime: CallTimeSpan & Pick<CallTimeRow, 'startTime' | 'endTime'>,
  event: Instants & EventDays,
): boolean {
  const isOnItsDays =
    callTime.startTime.slice(0, 10) <= event.endDay && callTime.endTime.slice(0, 10) >= event.startDay;
  return isOnItsDays || touches(callTime, event);
}

/** The clash of a call time that does not touch its event. */
export const outsideEvent = ({ uuid, startsAt, endsAt }: Instants & { uuid: string }): OutsideEvent => ({
  kind: 'OUTSIDE_EVENT',
  callTimeUuid: uuid,
  startsAt,
  endsAt,
});
