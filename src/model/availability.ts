import { ObjectType, type ClassType } from 'type-graphql';
import { exceptionFields, patternFields } from '../fields/availability.ts';
import { changeKinds } from '../fields/change-kinds.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';
import { WorkShift } from './work-shifts.ts';

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
