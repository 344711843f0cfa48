import { ArgsType, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { PayUnit, ShiftStatus } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith } from './shapes.ts';

@InputType({ description: 'Allows a change that breaks a rule of staffing, with a reason.' })
export class OverrideInput extends inputWith({
  reason: field.text(`The reason, at most ${limits.remarkChars} characters; it is kept on the shift.`),
}) {}

/** Fields that both inputs share. */
@InputType()
class ShiftFields extends inputWith({
  payRate: field.decimal.orNull(
    "Pay rate in USD; null: the rate of the call time applies, or else the position's default.",
  ),
  payUnit: field.of(PayUnit).orNull('Unit of the pay rate. Default: the one that holds without it.'),
  override: field
    .of(OverrideInput)
    .orNull(
      'Allows the assignment although the call time has enough staff or the person is, or may be, busy. Stored only if it was needed.',
    ),
}) {}

@InputType({ description: 'An assignment of one staff member to a call time, or to an event without a call time.' })
export class AssignShiftInput extends inputOn(ShiftFields, {
  eventId: field.rowId('Event').orNull('Id of the event, for a shift without a call time.'),
  callTimeId: field
    .rowId('CallTime')
    .orNull('Id of the call time to fill: its position and times apply where none are given. Excludes `eventId`.'),
  positionId: field
    .rowId('Position')
    .orNull('Id of the position. Default: that of the call time. Required without a call time.'),
  userId: field.rowId('User')('Id of the staff member, a user with role STAFF.'),
  startTime: field.text.orNull(
    'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; null: to be determined. Default: that of the call time.',
  ),
  endTime: field.text.orNull(
    'End, `YYYY-MM-DD HH:MM:SS`, after the start; null: to be determined. Default: that of the call time.',
  ),
}) {}

@InputType({
  description:
    'Changes to a work shift: only the given fields change. Another person, other times or a restored shift need a new confirmation.',
})
export class UpdateShiftInput extends inputOn(ShiftFields, {
  callTimeId: field
    .rowId('CallTime')
    .orNull('Id of another call time of the same event; null: none. Position and times stay as they are.'),
  positionId: field.rowId('Position').optional('Id of the position.'),
  userId: field.rowId('User').optional('Id of the staff member, a user with role STAFF.'),
  startTime: field.text.orNull('Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; null: to be determined.'),
  endTime: field.text.orNull('End, `YYYY-MM-DD HH:MM:SS`, after the start; null: to be determined.'),
  status: field.of(ShiftStatus).optional('Status. ACTIVE restores a canceled or deleted shift if it breaks no rule.'),
}) {}

@ArgsType()
export class OwnShiftsArgs extends inputOn(CursorArgs, {
  from: field.instant.orNull(
    'Lists only shifts that start at this instant or later. While a start is to be determined, the start of the event counts.',
  ),
  to: field.instant.orNull('Lists only shifts that start before this instant.'),
  statuses: field.of([ShiftStatus]).orNull('Lists only shifts with one of these statuses. Default: ACTIVE.'),
}) {}
