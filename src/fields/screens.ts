import { limits } from '../config/limits.ts';
import type { Screen } from '../generated/prisma/client.ts';
import { fieldList, shown, type Differences, type ResultOf, type RowOf, type StoredRowOf } from './field-list.ts';

/* Descriptions for both dialects. */

const checkInText = 'People check in on it at the event with this UUID; null: nobody does.';
const secretText = 'The secret with which the browser claims its board token. It is not shown.';
export const cityText = 'Shows only events in this city, without regard to case and accents.';
export const searchText =
  'Shows only events with this text in their title, venue or city, without regard to case and accents.';

/** The columns of a screen that may be shown: none here holds its code or its token. */
export const screenFields = fieldList({
  uuid: shown.uuid('UUID of the screen.'),
  name: shown.text('Name of the screen.'),
  names: shown.screenNames('How people are named on it.'),
  clientId: { ...shown.integer.orNull('It shows only events of this client.'), refersTo: 'User' },
  positionId: {
    ...shown.integer.orNull('It shows only call times and shifts of this position.'),
    refersTo: 'Position',
  },
  city: shown.text.orNull('It shows only events in this city; null: in every city.'),
  text: shown.text.orNull('It shows only events with this text in their title, venue or city; null: all.'),
  checkInEventUuid: shown.uuid.orNull(checkInText),
  createdAt: shown.instant('Approved, UTC.'),
  claimableUntil: shown.instant('Until when the browser can claim its board token, UTC.'),
  claimedAt: shown.instant.orNull('When the browser claimed its board token, UTC; null while it has not.'),
  lastSeenAt: shown.instant.orNull(
    `Last request of the screen, UTC, to ${limits.resolutionS} seconds; null if there was none.`,
  ),
});

export type ScreenRow = RowOf<
  typeof screenFields,
  Differences<StoredRowOf<typeof screenFields>, Pick<Screen, keyof typeof screenFields>>
>;

/** A screen as it may see itself. */
export const ownScreenFields = fieldList({
  uuid: screenFields.uuid,
  name: screenFields.name,
  names: screenFields.names,
  businessName: shown.text('Name of the business whose events it shows.'),
  timezone: shown.text('IANA time zone of that business.'),
  weekStart: shown.weekday('First day of the week of that business.'),
  checkInEventUuid: screenFields.checkInEventUuid,
});

export const screenCodeFields = fieldList({
  code: shown.text('The code that the browser shows, for an admin to approve.'),
  secret: shown.text(secretText),
  expiresAt: shown.instant('When the code ends, UTC.'),
});

const openTimes = {
  startTimeTbd: shown.flag('Whether the start is still to be determined.'),
  endTimeTbd: shown.flag('Whether the end is still to be determined.'),
};

export const boardCallTimeFields = fieldList({
  uuid: shown.uuid('UUID of the call time.'),
  position: shown.text('Title of the position.'),
  skillLevel: shown.text.orNull('Name of the skill level asked for; null for none.'),
  staffNeeded: shown.integer('Number of people needed.'),
  startsAt: shown.instant('Start, UTC.'),
  endsAt: shown.instant('End, UTC.'),
  ...openTimes,
});

export const boardShiftFields = fieldList({
  uuid: shown.uuid('UUID of the shift.'),
  callTimeUuid: shown.uuid.orNull('UUID of the call time; null if it fills none on this board.'),
  position: shown.text('Title of the position.'),
  firstName: shown.text.orNull('First name; null if the screen hides names.'),
  lastName: shown.text.orNull('Last name, or its initial if the screen shows short names; null if it hides names.'),
  confirmed: shown.flag('Whether the person confirmed.'),
  doubleBooked: shown.flag(
    'Whether the person has, or may have, another shift at that time, also at an event that the screen does not show.',
  ),
  createdAt: shown.instant('Assigned, UTC.'),
  startsAt: shown.instant.orNull('Start, UTC; null: to be determined.'),
  endsAt: shown.instant.orNull('End, UTC; null: to be determined.'),
  lateFrom: shown.instant.orNull(
    'From when on the person is late while nothing is noted, UTC; null where nobody is told to be late.',
  ),
  checkedInAt: shown.instant.orNull('When the person came, UTC; null: not noted.'),
  checkedOutAt: shown.instant.orNull('When the person left, UTC; null: not noted.'),
  noShow: shown.flag('Whether the person did not come.'),
});

export const boardEventFields = fieldList({
  uuid: shown.uuid('UUID of the event.'),
  title: shown.text('Title of the event.'),
  timezone: shown.text('IANA time zone.'),
  start: shown.zonedTime('Start of the event.'),
  startsAt: shown.instant('Start, UTC.'),
  endsAt: shown.instant('End, UTC.'),
  ...openTimes,
  venueName: shown.text.orNull('Venue.'),
  room: shown.text.orNull('Room or location.'),
  city: shown.text.orNull('City of the venue.'),
  dressCode: shown.text.orNull('Dress code for staff.'),
});

export interface BoardEvent extends ResultOf<typeof boardEventFields> {
  readonly callTimes: readonly ResultOf<typeof boardCallTimeFields>[];
  readonly workShifts: readonly ResultOf<typeof boardShiftFields>[];
}
