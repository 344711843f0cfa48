import { ObjectType, type ClassType } from 'type-graphql';
import { changeKinds } from '../fields/change-kinds.ts';
import { AvailabilityRule, Weekday } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';
import { WorkShift } from './work-shifts.ts';

const endRule =
  'At or before the start, it is on the next day: 00:00 means midnight, and the time of the start 24 hours.';

@ObjectType({ description: changeKinds.availabilityPattern, implements: Node })
export class AvailabilityPattern extends objectWith({
  uuid: field.id('UUID, as in REST.'),
  rule: field.of(AvailabilityRule)('Whether the person can work then.'),
  weekday: field.of(Weekday)('Day of the week on which the window starts.'),
  startTime: field.text('Start, HH:MM.'),
  endTime: field.text(`End, HH:MM. ${endRule}`),
  timezone: field.text('IANA name of the time zone whose clocks are meant.'),
  validFrom: field.text.orNull('First date on which the window starts, YYYY-MM-DD; null: no limit.'),
  validUntil: field.text.orNull('Last date on which the window starts, YYYY-MM-DD; null: no limit.'),
  version: field.version,
}) {}

@ObjectType({
  description: changeKinds.availabilityException,
  implements: Node,
})
export class AvailabilityException extends objectWith({
  uuid: field.id('UUID, as in REST.'),
  rule: field.of(AvailabilityRule)('Whether the person can work then.'),
  startsAt: field.instant('Start.'),
  endsAt: field.instant('End; not included.'),
  note: field.text.orNull('Such as "holiday"; null for none.'),
  version: field.version,
}) {}

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
