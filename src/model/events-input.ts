import { ArgsType, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { EventChildren, EventStatus } from './enums.ts';
import { EventFilterInput, EventSortInput } from './events-filter.ts';
import { inputOf } from './fields.ts';
import { CursorArgs } from './page-args.ts';
import { OverrideInput } from './work-shifts-input.ts';
import { field, inputOn, inputWith } from './shapes.ts';

@InputType({
  description: 'A staff member to assign to a new call time. What is not given has the value of the call time.',
})
class NewPersonInput extends inputWith({
  userId: field.rowId('User')('Id of the staff member, a user with role STAFF.'),
  positionId: field.rowId('Position').orNull('Id of the position. Default: that of the call time.'),
  startTime: field.text.orNull('Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; null: to be determined.'),
  endTime: field.text.orNull('End, `YYYY-MM-DD HH:MM:SS`, after the start; null: to be determined.'),
  payRate: field.decimal.orNull(
    "Pay rate in USD per pay unit of the position; null: the position's default rate applies.",
  ),
}) {}

@InputType({ description: 'A call time of a new event, with its people.' })
class NewCallTimeInput extends inputOn(inputOf(callTimeFields, inputsOf(callTimeFields)), {
  people: field.of([NewPersonInput]).optional('The staff members to assign to the call time.'),
}) {}

/** Call times and people that a new event may bring. */
const callTimes = field
  .of([NewCallTimeInput])
  .optional(
    `Call times of the new event, at most ${limits.eventCallTimesMax}, with at most ${limits.eventPeopleMax} people together: all are stored or nothing. Who assigns people needs the scope \`staffing:write\` as well.`,
  );

@InputType({ description: 'A new event.' })
export class CreateEventInput extends inputOn(inputOf(eventFields, inputsOf(eventFields)), {
  callTimes,
  override: field
    .of(OverrideInput)
    .orNull(
      'Allows the change although call times have enough staff or people are, or may be, booked twice. Stored on the shifts that needed it.',
    ),
}) {}

@InputType({ description: 'Changes to an event: only the given fields change.' })
export class UpdateEventInput extends inputOn(inputOf(eventFields, changesOf(eventFields)), {
  override: field
    .of(OverrideInput)
    .orNull(
      'Allows the change although it books people twice, or leaves call times that do not touch the event. Stored on the shifts and call times that needed it.',
    ),
  children: field
    .of(EventChildren)
    .orNull('KEEP: call times and shifts stay where they are although the event moves. Default: they move along.'),
}) {}

@InputType({ description: 'Changes to one of several events: only the given fields change.' })
export class ChangeEventInput extends inputOn(UpdateEventInput, {
  eventId: field.rowId('Event')('Id of the event.'),
  version: field.int.orNull('`version` of the event that the change expects. Default: not checked.'),
}) {}

@InputType({ description: 'An event that is created or changed, by its resource id.' })
export class UpsertEventInput extends inputOn(UpdateEventInput, { callTimes }) {}

@ArgsType()
export class EventListArgs extends inputOn(CursorArgs, {
  filter: field
    .of(EventFilterInput)
    .orNull('Lists only events that match this filter. Default: all except deleted ones.'),
  sort: field.of(EventSortInput).orNull('Order of the list. Default: by start, oldest first.'),
}) {}

@ArgsType()
export class OwnEventsArgs extends inputOn(CursorArgs, {
  statuses: field
    .of([EventStatus])
    .orNull(
      'Lists only events with one of these statuses. Default: ACTIVE and CANCELED, which are all that a client can see.',
    ),
}) {}

@InputType({ description: 'How an event is copied.' })
export class CopyEventInput extends inputWith({
  days: field.int(
    `Number of days by which every time moves, from ${-limits.copyDaysMax} to ${limits.copyDaysMax}: the local time of day stays, across clock changes too.`,
  ),
  title: field.text.orNull(
    `Title of the copy, at most ${limits.textChars} characters. Default: the title of the original.`,
  ),
  withShifts: field.flag.orNull(
    'Whether active work shifts are copied as well, unconfirmed. Shifts of deleted users are left out. Default: false.',
  ),
  override: field
    .of(OverrideInput)
    .orNull(
      'Allows copied shifts although a call time has enough staff or a person is, or may be, busy. Stored on the shifts that needed it.',
    ),
}) {}
