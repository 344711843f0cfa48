import { isWaiting, type Noted } from '../../board/presence.ts';
import { startOfPlace } from './place-day.ts';

type Texts<Name extends string> = Readonly<Record<Name, string | null>>;

/** A shift of the viewer, as the page shows it. */
export interface OwnShift extends Texts<'declinedAt' | 'startsAt' | 'endsAt' | 'dropRequestedAt'> {
  readonly uuid: string;
  readonly version: number;
  readonly status: 'ACTIVE' | 'CANCELED';
  readonly confirmed: boolean;
  readonly position: { readonly title: string };
  readonly callTime:
    | (Texts<'notesForStaff' | 'dressCode'> & {
        /** Not in what a page of an earlier version has kept, nor of an offer. */
        readonly startsAt?: string;
        readonly startTimeTbd: boolean;
        readonly endTimeTbd: boolean;
        readonly skillLevel: { readonly name: string } | null;
      })
    | null;
  /** Not in what a page of an earlier version has kept. */
  readonly attendance?: (Noted & { readonly checkInFrom?: string; readonly checkInUntil?: string }) | null;
  readonly event: Texts<'venueName' | 'room' | 'address' | 'city' | 'state' | 'zip' | 'dressCode'> & {
    readonly uuid: string;
    readonly title: string;
    readonly status: 'ACTIVE' | 'DRAFT' | 'CANCELED';
    readonly timezone: string;
    readonly startsAt: string;
    readonly endsAt: string;
  };
}

export interface ShiftPage {
  readonly page: {
    readonly nodes: readonly OwnShift[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean } & Texts<
      'endCursor' | 'startCursor'
    >;
  };
}

/** A page of shifts with what `ShiftCard` shows. */
export const ownShifts = `
  nodes {
    uuid version status confirmed declinedAt dropRequestedAt startsAt endsAt position { title }
    callTime { startsAt startTimeTbd endTimeTbd notesForStaff dressCode skillLevel { name } }
    attendance { lateFrom checkedInAt checkedOutAt noShow checkInFrom checkInUntil }
    event { uuid title status timezone startsAt endsAt venueName room address city state zip dressCode }
  }
  pageInfo { hasNextPage endCursor hasPreviousPage startCursor }`;

/** From an instant on, the next first. Called-off ones are among them, so that nobody looks for what is gone. */
export const shiftsToCome = `query MyShiftsToCome($at: DateTimeISO!, $cursor: String) {
  page: myShifts(from: $at, statuses: [ACTIVE, CANCELED], first: 50, after: $cursor) {${ownShifts}}
}`;

/** Before an instant: the last ones, oldest first. */
export const shiftsPast = `query MyPastShifts($at: DateTimeISO!, $cursor: String) {
  page: myShifts(to: $at, statuses: [ACTIVE, CANCELED], last: 50, before: $cursor) {${ownShifts}}
}`;

export const answerDocument = (
  name: 'confirmShift' | 'unconfirmShift' | 'declineShift' | 'dropShift' | 'keepShift',
) => `mutation AnswerOwn($id: ID!, $version: Int!) {
  change: ${name}(id: $id, version: $version) { version dropRequestedAt }
}`;

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
