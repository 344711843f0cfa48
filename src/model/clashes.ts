import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ClashKind } from './enums.ts';
import { Event } from './events.ts';
import { User } from './users.ts';
import { WorkShift } from './work-shifts.ts';

@ObjectType({
  description: 'A rule that an assignment breaks, or the change of an event. An override lifts it.',
  simpleResolvers: true,
})
export class Clash {
  @Field(() => ClashKind, { description: 'The rule.' })
  kind!: keyof typeof ClashKind;

  @Field(() => ID, { nullable: true, description: 'OVERFILLED, OUTSIDE_EVENT: UUID of the call time.' })
  callTimeUuid?: string | null;

  @Field(() => Int, { nullable: true, description: 'OVERFILLED: number of staff that the call time needs.' })
  needed?: number;

  @Field(() => Int, { nullable: true, description: 'OVERFILLED: active shifts on the call time besides this one.' })
  assigned?: number;

  /** Number of the staff member. */
  userId?: number;

  @Field(() => ID, { nullable: true, description: 'Overlaps: UUID of the other shift of the same person.' })
  shiftUuid?: string | null;

  @Field(() => ID, { nullable: true, description: 'Overlaps: UUID of the event of the other shift.' })
  eventUuid?: string | null;

  @Field(() => String, { nullable: true, description: 'Overlaps: title of the event of the other shift.' })
  eventTitle?: string;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'Overlaps: start of the other shift as an instant, UTC; null: to be determined. OUTSIDE_EVENT: that of the call time.',
  })
  startsAt?: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'Overlaps: end of the other shift as an instant, UTC; null: to be determined. OUTSIDE_EVENT: that of the call time.',
  })
  endsAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'OVERLAP: minutes that both shifts share, rounded up. Null for POSSIBLE_OVERLAP.',
  })
  minutes?: number | null;
}

@ObjectType({ description: 'Errors of one input field.', simpleResolvers: true })
class FieldError {
  @Field(() => String, { description: 'Name of the field; nested ones with dots.' })
  field!: string;

  @Field(() => [String], { description: 'What is wrong with the field.' })
  messages!: string[];
}

@ObjectType()
abstract class RefusalFields {
  @Field(() => String, {
    description:
      'Code of the failure, as in `extensions.code` of an error: VALIDATION_FAILED, NOT_FOUND, CLASH and so on.',
  })
  code!: string;

  @Field(() => String, { description: 'Description of the failure.' })
  message!: string;

  @Field(() => [FieldError], { description: 'Every wrong field for VALIDATION_FAILED, otherwise empty.' })
  errors!: FieldError[];
}

@ObjectType({ description: 'Refusal of an assignment, or of one of several changes of shifts.', simpleResolvers: true })
export class AssignShiftError extends RefusalFields {}

@ObjectType({ description: 'Refusal of one of several new rows or changes.', simpleResolvers: true })
export class CreateError extends RefusalFields {}

@ObjectType({ description: 'Result of one of several new events.', simpleResolvers: true })
export class CreateEventResult {
  @Field(() => Event, { nullable: true, description: 'The new event; null if it was refused.' })
  event!: Event | null;

  @Field(() => [Clash], {
    description: 'The rules that its people would break and that an override lifts. Empty if it was created.',
  })
  clashes!: Clash[];

  @Field(() => CreateError, { nullable: true, description: 'The refusal; null if there was none.' })
  error!: CreateError | null;
}

@ObjectType({ description: 'Result of changing one of several events.', simpleResolvers: true })
export class ChangeEventResult {
  @Field(() => Event, { nullable: true, description: 'The changed event; null if the change was refused.' })
  event!: Event | null;

  @Field(() => [Clash], {
    description: 'The rules that the change would break and that an override lifts. Empty if it was made.',
  })
  clashes!: Clash[];

  @Field(() => CreateError, { nullable: true, description: 'The refusal; null if there was none.' })
  error!: CreateError | null;
}

@ObjectType({ description: 'Result of one of several new users.', simpleResolvers: true })
export class CreateUserResult {
  @Field(() => User, { nullable: true, description: 'The new user; null if it was refused.' })
  user!: User | null;

  @Field(() => CreateError, { nullable: true, description: 'The refusal; null if there was none.' })
  error!: CreateError | null;
}

@ObjectType({ description: 'Result of one of several assignments, or changes of shifts.', simpleResolvers: true })
export class AssignShiftResult {
  @Field(() => WorkShift, { nullable: true, description: 'The new or changed shift; null if it was refused.' })
  shift!: WorkShift | null;

  @Field(() => [Clash], {
    description: 'The rules that the assignment would break and that an override lifts. Empty if it was made.',
  })
  clashes!: Clash[];

  @Field(() => AssignShiftError, { nullable: true, description: 'The refusal; null if there was none.' })
  error!: AssignShiftError | null;
}
