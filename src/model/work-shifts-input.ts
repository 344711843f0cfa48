import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/enums.ts';
import type { ShiftStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { GraphQLDecimal } from './decimal.ts';
import { PayUnit, ShiftStatus } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';

@InputType({ description: 'Allows a change that breaks a rule of staffing, with a reason.' })
export class OverrideInput {
  @Field(() => String, {
    description: `The reason, at most ${limits.remarkChars} characters; it is kept on the shift.`,
  })
  reason!: string;
}

/** Fields that both inputs share. */
@InputType()
abstract class ShiftFields {
  @Field(() => GraphQLDecimal, {
    nullable: true,
    description: "Pay rate in USD; null: the rate of the call time applies, or else the position's default.",
  })
  payRate?: string | null;

  @Field(() => PayUnit, {
    nullable: true,
    description: 'Unit of the pay rate. Default: the one that holds without it.',
  })
  payUnit?: stored.PayUnit | null;

  @Field(() => OverrideInput, {
    nullable: true,
    description:
      'Allows the assignment although the call time has enough staff or the person is, or may be, busy. Stored only if it was needed.',
  })
  override?: OverrideInput | null;
}

@InputType({ description: 'An assignment of one staff member to a call time, or to an event without a call time.' })
export class AssignShiftInput extends ShiftFields {
  @RowIdField('Event', { nullable: true, description: 'Id of the event, for a shift without a call time.' })
  eventId?: string | null;

  @RowIdField('CallTime', {
    nullable: true,
    description: 'Id of the call time to fill: its position and times apply where none are given. Excludes `eventId`.',
  })
  callTimeId?: string | null;

  @RowIdField('Position', {
    nullable: true,
    description: 'Id of the position. Default: that of the call time. Required without a call time.',
  })
  positionId?: number | null;

  @RowIdField('User', { description: 'Id of the staff member, a user with role STAFF.' })
  userId!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; null: to be determined. Default: that of the call time.',
  })
  startTime?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'End, `YYYY-MM-DD HH:MM:SS`, after the start; null: to be determined. Default: that of the call time.',
  })
  endTime?: string | null;
}

@InputType({
  description:
    'Changes to a work shift: only the given fields change. Another person, other times or a restored shift need a new confirmation.',
})
export class UpdateShiftInput extends ShiftFields {
  @RowIdField('CallTime', {
    nullable: true,
    description: 'Id of another call time of the same event; null: none. Position and times stay as they are.',
  })
  callTimeId?: string | null;

  @RowIdField('Position', { nullable: true, description: 'Id of the position.' })
  positionId?: number;

  @RowIdField('User', { nullable: true, description: 'Id of the staff member, a user with role STAFF.' })
  userId?: number;

  @Field(() => String, {
    nullable: true,
    description: 'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; null: to be determined.',
  })
  startTime?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'End, `YYYY-MM-DD HH:MM:SS`, after the start; null: to be determined.',
  })
  endTime?: string | null;

  @Field(() => ShiftStatus, {
    nullable: true,
    description: 'Status. ACTIVE restores a canceled or deleted shift if it breaks no rule.',
  })
  status?: StoredStatus;
}

@ArgsType()
export class OwnShiftsArgs extends CursorArgs {
  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'Lists only shifts that start at this instant or later. While a start is to be determined, the start of the event counts.',
  })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Lists only shifts that start before this instant.' })
  to?: Date | null;

  @Field(() => [ShiftStatus], {
    nullable: true,
    description: 'Lists only shifts with one of these statuses. Default: ACTIVE.',
  })
  statuses?: stored.ShiftStatus[] | null;
}
