import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { WorkShiftRow } from '../db/work-shifts.ts';
import { ShiftStatus } from './enums.ts';
import { Version } from './versions.ts';

@ObjectType({ description: 'The assignment of one staff member to an event.', simpleResolvers: true })
export class WorkShift implements WorkShiftRow {
  @Field(() => Int, { description: 'Numeric id.' })
  id!: WorkShiftRow['id'];

  @Field(() => ID, { description: 'What the shift is named by.' })
  uuid!: WorkShiftRow['uuid'];

  eventId!: WorkShiftRow['eventId'];

  @Field(() => Int, { nullable: true, description: 'Id of the call time that the shift fills.' })
  callTimeId!: WorkShiftRow['callTimeId'];

  @Field(() => Int, { description: 'Id of the position.' })
  positionId!: WorkShiftRow['positionId'];

  @Field(() => String, { description: 'Title of the position.' })
  position!: WorkShiftRow['position'];

  @Field(() => Int, { description: 'Id of the staff member (a user).' })
  userId!: WorkShiftRow['userId'];

  @Field(() => String, { description: "Staff member's first name." })
  firstName!: WorkShiftRow['firstName'];

  @Field(() => String, { description: "Staff member's last name." })
  lastName!: WorkShiftRow['lastName'];

  timezone!: WorkShiftRow['timezone'];

  @Field(() => ShiftStatus, { description: 'Whether the assignment stands.' })
  status!: WorkShiftRow['status'];

  @Field(() => Boolean, { description: 'Whether the staff member confirmed.' })
  confirmed!: WorkShiftRow['confirmed'];

  @Field(() => String, {
    nullable: true,
    description: 'Start as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`; null: to be determined.',
  })
  startTime!: WorkShiftRow['startTime'];

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Start as an instant, UTC; null: to be determined.' })
  startsAt!: WorkShiftRow['startsAt'];

  @Field(() => String, {
    nullable: true,
    description: 'End as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`; null: to be determined.',
  })
  endTime!: WorkShiftRow['endTime'];

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'End as an instant, UTC; null: to be determined.' })
  endsAt!: WorkShiftRow['endsAt'];

  @Field(() => Float, { nullable: true, description: "Pay rate in USD; null: the position's default rate applies." })
  payRate!: WorkShiftRow['payRate'];

  @Field(() => String, {
    nullable: true,
    description: 'Why the assignment stands although a rule was against it; null where none was.',
  })
  overrideReason!: WorkShiftRow['overrideReason'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: WorkShiftRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Last modified, UTC.' })
  modifiedAt!: WorkShiftRow['modifiedAt'];

  @Version()
  version!: WorkShiftRow['version'];
}
