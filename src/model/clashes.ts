import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ClashKind } from './enums.ts';
import { WorkShift } from './work-shifts.ts';

@ObjectType({
  description:
    'What stands against an assignment. The same stands in `extensions.clashes` of an error with code CONFLICT.',
  simpleResolvers: true,
})
export class Clash {
  @Field(() => ClashKind, { description: 'Which rule.' })
  kind!: keyof typeof ClashKind;

  @Field(() => ID, { nullable: true, description: 'OVERFILLED: UUID of the call time.' })
  callTimeUuid?: string;

  @Field(() => Int, { nullable: true, description: 'OVERFILLED: number of staff that the call time needs.' })
  needed?: number;

  @Field(() => Int, { nullable: true, description: 'OVERFILLED: active shifts on the call time besides this one.' })
  assigned?: number;

  @Field(() => Int, { nullable: true, description: 'Overlaps: id of the staff member.' })
  userId?: number;

  @Field(() => ID, { nullable: true, description: 'Overlaps: UUID of the other shift of the same person.' })
  shiftUuid?: string;

  @Field(() => ID, { nullable: true, description: 'Overlaps: UUID of the event of the other shift.' })
  eventUuid?: string;

  @Field(() => String, { nullable: true, description: 'Overlaps: title of the event of the other shift.' })
  eventTitle?: string;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'Overlaps: start of the other shift as an instant, UTC; null: to be determined.',
  })
  startsAt?: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'Overlaps: end of the other shift as an instant, UTC; null: to be determined.',
  })
  endsAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'OVERLAP: minutes that both shifts share, each one begun counted. Null where only possible.',
  })
  minutes?: number | null;
}

@ObjectType({ description: 'What is wrong with one field of an input.', simpleResolvers: true })
export class FieldError {
  @Field(() => String, { description: 'Name of the field; nested ones with dots.' })
  field!: string;

  @Field(() => [String], { description: 'What is wrong with it.' })
  messages!: string[];
}

@ObjectType({ description: 'Why an assignment was refused.', simpleResolvers: true })
export class AssignShiftError {
  @Field(() => String, {
    description:
      'Code of the failure, as in `extensions.code` of an error: VALIDATION_FAILED, NOT_FOUND, CONFLICT and so on.',
  })
  code!: string;

  @Field(() => String, { description: 'What happened, in a sentence.' })
  message!: string;

  @Field(() => [FieldError], { description: 'VALIDATION_FAILED: every wrong field; else empty.' })
  errors!: FieldError[];

  @Field(() => [Clash], {
    description: 'CONFLICT: everything that stands against the assignment where an override would help; else empty.',
  })
  clashes!: Clash[];
}

@ObjectType({ description: 'What became of one assignment of many.', simpleResolvers: true })
export class AssignShiftResult {
  @Field(() => WorkShift, { nullable: true, description: 'The new shift; null where it was refused.' })
  shift!: WorkShift | null;

  @Field(() => AssignShiftError, { nullable: true, description: 'Why it was refused; null where it was not.' })
  error!: AssignShiftError | null;
}
