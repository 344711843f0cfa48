import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import type { ShiftStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { StartFilter, StartSortInput } from './call-times-connection.ts';
import { connectionTo } from './connection-to.ts';
import { ShiftStatus } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';
import { WorkShift } from './work-shifts.ts';
import { field, inputOn } from './shapes.ts';

@ObjectType({
  description: 'A page of work shifts, by start; those with a start to be determined come last.',
})
export class WorkShiftConnection extends connectionTo(WorkShift, 'WorkShift', 'work shifts') {}

@InputType('WorkShiftFilter', {
  description: 'Filter of work shifts. All given conditions must hold.',
})
class WorkShiftFilter extends StartFilter {
  @RowIdField('CallTime', { nullable: true, description: 'On the call time of this id.' })
  callTimeId?: string | null;

  @Field(() => [ShiftStatus], {
    nullable: true,
    description: 'Shifts with one of these statuses. Default: ACTIVE. An empty list matches no shift.',
  })
  statuses?: StoredStatus[] | null;

  @RowIdField('User', { nullable: true, description: 'Of the staff member (a user) of this id.' })
  userId?: number | null;

  @RowIdField('Position', { nullable: true, description: 'Of the position of this id.' })
  positionId?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Confirmed by the staff member, or not.' })
  confirmed?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Declined by the staff member, or not. With true, the default of the statuses is CANCELED.',
  })
  declined?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Canceled at most so many hours before the start, or later, but before the end. The default of the statuses is then CANCELED.',
  })
  canceledWithinHours?: number | null;
}

@ArgsType()
export class WorkShiftPageArgs extends inputOn(CursorArgs, {
  filter: field.of(WorkShiftFilter).orNull('Lists only shifts that match this filter. Default: active ones.'),
  sort: field
    .of(StartSortInput)
    .orNull(
      'Order of the list. Default: by start, oldest first. A start to be determined comes last in both directions.',
    ),
}) {}
