import type { OwnShiftsFragment } from '../../../generated/pages/console/my-shifts.ts';
import { isWaiting, type Noted } from '../../time/presence.ts';
import { startOfPlace } from './place-day.ts';

type Stored = OwnShiftsFragment['nodes'][number];

/** A shift of the viewer, as the page shows it. What a page of an earlier version has kept has no attendance. */
export type OwnShift = Omit<Stored, 'attendance'> & {
  readonly attendance?: (Noted & Partial<Stored['attendance']>) | null;
};

/** When a shift begins, or a time of its day while that is to be determined. */
export const startMs = ({ startsAt, endsAt, callTime, event }: OwnShift): number =>
  Date.parse(startOfPlace({ start: startsAt, end: endsAt }, callTime?.startsAt, event.startsAt));

export const isCalledOff = ({ status, event }: OwnShift): boolean =>
  status === 'CANCELED' || event.status === 'CANCELED';

/** When its person checks in and out; never, where the service has not said it. */
export const checkInSpan = ({ attendance }: OwnShift) => ({
  fromMs: attendance?.checkInFrom ? Date.parse(attendance.checkInFrom) : Infinity,
  toMs: attendance?.checkInUntil ? Date.parse(attendance.checkInUntil) : Infinity,
});

/** Whether it is over for its person: who has not checked out is still there for a while. */
export const hasEnded = (shift: OwnShift, nowMs: number): boolean => {
  const isThere = shift.attendance?.checkedInAt && !shift.attendance.checkedOutAt;
  const endMs = isThere ? checkInSpan(shift).toMs : shift.endsAt && Date.parse(shift.endsAt);
  return typeof endMs === 'number' && endMs <= nowMs;
};

/** Whether it asks its person for an answer. */
export const isAsking = (shift: OwnShift): boolean => !isCalledOff(shift) && isWaiting(shift);

/** Whether its person has left, or did not come. */
export const isOver = ({ attendance }: OwnShift): boolean =>
  Boolean(attendance?.checkedOutAt) || attendance?.noShow === true;

/** Its person does not give it back any more then, as the service says. */
export const hasBegun = (shift: OwnShift): boolean => startMs(shift) <= Date.now();

/** Whether its person can answer: confirm it until the end, and give it back until the start. */
export const isAnswered = (shift: OwnShift): boolean =>
  !shift.attendance?.checkedInAt && (shift.confirmed ? !hasBegun(shift) : !hasEnded(shift, Date.now()));
