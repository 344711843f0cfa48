import { ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { ZonedTime } from './zoned-times.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A call time as a screen shows it.' })
class ScreenCallTime extends objectWith({
  uuid: field.id('UUID of the call time.'),
  position: field.text('Title of the position.'),
  skillLevel: field.text.orNull('Name of the skill level asked for; null for none.'),
  staffNeeded: field.int('Number of people needed.'),
  startsAt: field.instant('Start, UTC.'),
  endsAt: field.instant('End, UTC.'),
  startTimeTbd: field.flag('Whether the start is still to be determined.'),
  endTimeTbd: field.flag('Whether the end is still to be determined.'),
}) {}

@ObjectType({ description: 'An active work shift as a screen shows it.' })
class ScreenShift extends objectWith({
  uuid: field.id('UUID of the shift.'),
  callTimeUuid: field.id.orNull('UUID of the call time; null if it fills none on this board.'),
  position: field.text('Title of the position.'),
  firstName: field.text.orNull('First name; null if the screen hides names.'),
  lastName: field.text.orNull('Last name, or its initial if the screen shows short names; null if it hides names.'),
  confirmed: field.flag('Whether the person confirmed.'),
  doubleBooked: field.flag(
    'Whether the person has, or may have, another shift at that time, also at an event that the screen does not show.',
  ),
  createdAt: field.instant('Assigned, UTC.'),
  startsAt: field.instant.orNull('Start, UTC; null: to be determined.'),
  endsAt: field.instant.orNull('End, UTC; null: to be determined.'),
  lateFrom: field.instant.orNull(
    'From when on the person is late while nothing is noted, UTC; null where nobody is told to be late.',
  ),
  checkedInAt: field.instant.orNull('When the person came, UTC; null: not noted.'),
  checkedOutAt: field.instant.orNull('When the person left, UTC; null: not noted.'),
  noShow: field.flag('Whether the person did not come.'),
}) {}

@ObjectType({ description: 'An active event as a screen shows it.' })
class ScreenEvent extends objectWith({
  uuid: field.id('UUID of the event.'),
  title: field.text('Title of the event.'),
  timezone: field.text('IANA time zone.'),
  start: field.of(ZonedTime)('Start of the event.'),
  startsAt: field.instant('Start, UTC.'),
  endsAt: field.instant('End, UTC.'),
  startTimeTbd: field.flag('Whether the start is still to be determined.'),
  endTimeTbd: field.flag('Whether the end is still to be determined.'),
  venueName: field.text.orNull('Venue.'),
  room: field.text.orNull('Room or location.'),
  city: field.text.orNull('City of the venue.'),
  dressCode: field.text.orNull('Dress code for staff.'),
  callTimes: field.of([ScreenCallTime])(`Call times by start, at most ${limits.wholeListMax}.`),
  workShifts: field.of([ScreenShift])(`Active shifts by start, at most ${limits.wholeListMax}.`),
}) {}

@ObjectType({ description: 'What a screen shows of a span of time.' })
export class ScreenBoard extends objectWith({
  events: field.of([ScreenEvent])(`The events that run in the span, by start, at most ${limits.screenEventsMax}.`),
  hasMore: field.flag('Whether more events than these run in the span.'),
}) {}
