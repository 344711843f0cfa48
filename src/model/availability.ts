import { InputType, ObjectType, type ClassType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { exceptionFields, patternFields } from '../fields/availability.ts';
import { changeKinds } from '../fields/change-kinds.ts';
import { AvailabilityRule, Weekday } from './enums.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, inputOn, inputWith, objectWith } from './shapes.ts';
import { WorkShift } from './work-shifts.ts';

const zoneRule = 'IANA name of the time zone whose clocks are meant, such as America/New_York.';
const endRule =
  'At or before the start, it is on the next day: 00:00 means midnight, and the time of the start 24 hours.';

@ObjectType({ description: changeKinds.availabilityPattern, implements: Node })
export class AvailabilityPattern extends resultOf(patternFields) {}

@ObjectType({
  description: changeKinds.availabilityException,
  implements: Node,
})
export class AvailabilityException extends resultOf(exceptionFields) {}

const contradictedShifts = (of: string) =>
  field.of([WorkShift])(
    `Active shifts of the person that have not ended and for which they are UNAVAILABLE ${of}. They stay as they are.`,
  );

@ObjectType({ description: 'What a person has said of when they can work.', simpleResolvers: true })
export class Availability extends objectWith({
  patterns: field.of([AvailabilityPattern])('Weekly windows, from Monday on.'),
  exceptions: field.of([AvailabilityException])('Exceptions from the patterns, by start.'),
  contradictedShifts: contradictedShifts('now'),
}) {}

/** The result of a change of one type of rows. */
function payloadOf(Row: ClassType, name: string): ClassType {
  @ObjectType(`${Row.name}Payload`, { description: `Result of changing an ${name}.`, simpleResolvers: true })
  class ChangePayload extends objectWith({
    row: field.of(Row)('The row; after a deletion, its last state.', {
      name: Row.name.charAt(0).toLowerCase() + Row.name.slice(1),
      simple: false,
    }),
    contradictedShifts: contradictedShifts('since this change'),
  }) {}
  return ChangePayload;
}

export const PatternPayload = payloadOf(AvailabilityPattern, 'availability pattern');
export const ExceptionPayload = payloadOf(AvailabilityException, 'availability exception');

const noteRule = `Such as "holiday", at most ${limits.textChars} characters; null for none.`;

@InputType({ description: 'A new weekly window.' })
export class CreateAvailabilityPatternInput extends inputWith({
  rule: field.of(AvailabilityRule)('Whether the person can work then.'),
  weekday: field.of(Weekday)('Day of the week on which the window starts.'),
  startTime: field.text('Start, HH:MM, from 00:00 to 23:59.'),
  endTime: field.text(`End, HH:MM. ${endRule}`),
  timezone: field.text(zoneRule),
  validFrom: field.text.orNull('First date on which the window starts, YYYY-MM-DD; null: no limit.'),
  validUntil: field.text.orNull('Last date on which the window starts, YYYY-MM-DD; null: no limit.'),
}) {}

const staffId = field.rowId('User')('Id of the staff member, a user.');

@InputType({ description: 'A new weekly window of one of several people.' })
export class CreatePersonPatternInput extends inputOn(CreateAvailabilityPatternInput, { staffId }) {}

@InputType({ description: 'Changes to a weekly window: only the given fields change.' })
export class UpdateAvailabilityPatternInput extends inputWith({
  rule: field.of(AvailabilityRule).optional('Whether the person can work then.'),
  weekday: field.of(Weekday).optional('Day of the week on which the window starts.'),
  startTime: field.text.optional('Start, HH:MM, from 00:00 to 23:59.'),
  endTime: field.text.optional(`End, HH:MM. ${endRule}`),
  timezone: field.text.optional(zoneRule),
  validFrom: field.text.orNull('First date on which the window starts, YYYY-MM-DD; null: no limit.'),
  validUntil: field.text.orNull('Last date on which the window starts, YYYY-MM-DD; null: no limit.'),
}) {}

@InputType({ description: 'A new exception.' })
export class CreateAvailabilityExceptionInput extends inputWith({
  rule: field.of(AvailabilityRule)('Whether the person can work then.'),
  startsAt: field.instant('Start.'),
  endsAt: field.instant('End, after the start.'),
  note: field.text.orNull(noteRule),
}) {}

@InputType({ description: 'A new exception of one of several people.' })
export class CreatePersonExceptionInput extends inputOn(CreateAvailabilityExceptionInput, { staffId }) {}

@InputType({ description: 'Changes to an exception: only the given fields change.' })
export class UpdateAvailabilityExceptionInput extends inputWith({
  rule: field.of(AvailabilityRule).optional('Whether the person can work then.'),
  startsAt: field.instant.optional('Start.'),
  endsAt: field.instant.optional('End, after the start.'),
  note: field.text.orNull(noteRule),
}) {}
