import { Field, ObjectType } from 'type-graphql';
import type { ClashRow } from '../db/clashes.ts';
import type { Failure } from '../errors.ts';
import { Clash } from './clashes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'What a change of the plan made of the attendance of a shift.', simpleResolvers: true })
export class ReworkedShift extends objectWith({
  shiftUuid: field.id('UUID of the shift.'),
  minutesBefore: field.int.orNull('Worked minutes before the change; null while they are not known.'),
  minutesAfter: field.int.orNull('Worked minutes after it; null while they are not known.'),
}) {}

/** Result of a change that the rules of staffing may refuse: the row, or why there is none. */
@ObjectType()
export abstract class Payload {
  row?: unknown;
  refusal?: Failure;

  @Field(() => [Clash], {
    description: 'The rules that the change would break and that an override lifts. Empty if the change was made.',
  })
  clashes!: readonly ClashRow[];

  @Field(() => [ReworkedShift], {
    description: 'The shifts with attendance whose plan the change moved, for the reason of the override.',
  })
  reworked!: readonly ReworkedShift[];
}

@ObjectType({ description: 'How many rows have moved with their event.', simpleResolvers: true })
export class Moved extends objectWith({
  callTimes: field.int('Number of call times that have moved.'),
  workShifts: field.int('Number of work shifts that have moved; those that were confirmed are no longer.'),
}) {}

@ObjectType({ description: 'Result of changing or copying an event.', simpleResolvers: true })
export class EventPayload extends Payload {}

@ObjectType({ description: 'Result of creating or changing an event by its resource id.', simpleResolvers: true })
export class UpsertEventPayload extends Payload {
  declare row?: { readonly event: { readonly moved?: Moved }; readonly isNew: boolean };
}

@ObjectType({ description: 'Result of changing a call time.', simpleResolvers: true })
export class CallTimePayload extends Payload {}

@ObjectType({ description: 'Result of changing several call times.', simpleResolvers: true })
export class CallTimesPayload extends Payload {}

@ObjectType({ description: 'Result of an assignment, or of changing one.', simpleResolvers: true })
export class ShiftPayload extends Payload {}

@ObjectType({ description: 'Result of moving several people.', simpleResolvers: true })
export class ShiftsPayload extends Payload {}
