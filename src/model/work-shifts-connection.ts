import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { StartFilter, StartSortInput } from './call-times-connection.ts';
import { connectionTo } from './connection-to.ts';
import { ShiftStatus } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { WorkShift } from './work-shifts.ts';
import { field, inputOn } from './shapes.ts';

@ObjectType({
  description: 'A page of work shifts, by start; those with a start to be determined come last.',
})
export class WorkShiftConnection extends connectionTo(WorkShift, 'WorkShift', 'work shifts') {}

@InputType('WorkShiftFilter', {
  description: 'Filter of work shifts. All given conditions must hold.',
})
class WorkShiftFilter extends inputOn(StartFilter, {
  callTimeId: field.rowId('CallTime').orNull('On the call time of this id.'),
  statuses: field
    .of([ShiftStatus])
    .orNull('Shifts with one of these statuses. Default: ACTIVE. An empty list matches no shift.'),
  userId: field.rowId('User').orNull('Of the staff member (a user) of this id.'),
  positionId: field.rowId('Position').orNull('Of the position of this id.'),
  confirmed: field.flag.orNull('Confirmed by the staff member, or not.'),
  declined: field.flag.orNull(
    'Declined by the staff member, or not. With true, the default of the statuses is CANCELED.',
  ),
  canceledWithinHours: field.int.orNull(
    'Canceled at most so many hours before the start, or later, but before the end. The default of the statuses is then CANCELED.',
  ),
}) {}

@ArgsType()
export class WorkShiftPageArgs extends inputOn(CursorArgs, {
  filter: field.of(WorkShiftFilter).orNull('Lists only shifts that match this filter. Default: active ones.'),
  sort: field
    .of(StartSortInput)
    .orNull(
      'Order of the list. Default: by start, oldest first. A start to be determined comes last in both directions.',
    ),
}) {}
