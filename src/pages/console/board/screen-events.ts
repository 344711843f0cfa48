import type { BoardScreenQuery } from '../../../generated/pages/console/board.ts';
import { readMessages } from '../messages/messages.ts';
import type { BoardEvent } from './model.ts';

/* What a screen is sent, as the board shows it. */

type ScreenEvent = BoardScreenQuery['page']['nodes'][number];

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
