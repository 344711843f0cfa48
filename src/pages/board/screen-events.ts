import { readMessages } from '../console/messages/messages.ts';
import type { BoardEvent, BoardCallTime, Shift } from './model.ts';
import type { Noted } from './presence.ts';

/* What a screen is sent, as the board shows it. */

type ScreenCall = Omit<BoardCallTime, 'position' | 'skillLevel' | 'notesForStaff' | 'dressCode'> & {
  readonly position: string;
  readonly skillLevel: string | null;
};

type ScreenShift = Pick<Shift, 'uuid' | 'confirmed' | 'doubleBooked' | 'createdAt' | 'startsAt' | 'endsAt'> &
  Required<Noted> & {
    readonly callTimeUuid: string | null;
    readonly position: string;
    /** Null where the screen hides names. */
    readonly firstName: string | null;
    readonly lastName: string | null;
  };

export interface ScreenEvent extends Omit<
  BoardEvent,
  'status' | 'address' | 'state' | 'client' | 'callTimes' | 'workShifts'
> {
  readonly callTimes: readonly ScreenCall[];
  readonly workShifts: readonly ScreenShift[];
}

/** A person whose name is hidden. */
const hidden = () => ({ firstName: readMessages().board.kiosk.hidden, lastName: '' });

/** Positions have no id here: what needs one is not for screens. */
const toPosition = (title: string) => ({ id: '', title });

export const toBoardEvent = ({ callTimes, workShifts, ...event }: ScreenEvent): BoardEvent => ({
  ...event,
  status: 'ACTIVE',
  address: null,
  state: null,
  callTimes: callTimes.map(({ position, skillLevel, ...call }) => ({
    ...call,
    position: toPosition(position),
    skillLevel: skillLevel === null ? null : { name: skillLevel },
    notesForStaff: null,
    dressCode: null,
  })),
  workShifts: workShifts.map(
    ({ callTimeUuid, position, firstName, lastName, lateFrom, checkedInAt, checkedOutAt, noShow, ...shift }) => ({
      ...shift,
      attendance: { lateFrom, checkedInAt, checkedOutAt, noShow },
      ...(firstName === null ? hidden() : { firstName, lastName: lastName ?? '' }),
      position: toPosition(position),
      callTime: callTimeUuid === null ? null : { uuid: callTimeUuid },
      version: 0,
      confirmedAt: null,
    }),
  ),
});
