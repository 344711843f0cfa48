import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import {
  attendanceFields,
  checkInCodeFields,
  screenCheckFields,
  screenCheckInCodeFields,
  type AttendanceRow,
} from '../fields/attendance.ts';
import { connectionTo } from './connection-to.ts';
import { AttendanceState } from './enums.ts';
import { objectOf, resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'What became of a work shift on the day, with the plan beside it. It has the number and the UUID of the shift.',
  implements: Node,
})
export class Attendance extends objectOf<AttendanceRow>(attendanceFields) {}

@ObjectType({ description: 'A page of active shifts with who came and left, by start.' })
export class AttendanceConnection extends connectionTo(Attendance, 'Attendance', 'shifts') {}

@InputType('AttendanceFilter', { description: 'Filter of attendance. All given conditions must hold.' })
class AttendanceFilterInput extends inputWith({
  eventId: field.rowId('Event').orNull('At the event of this id.'),
  userId: field.rowId('User').orNull('Of the staff member (a user) of this id.'),
  from: field.instant.orNull('Shifts that start at this instant or later.'),
  to: field.instant.orNull('Shifts that start before this instant.'),
  states: field.of([AttendanceState]).orNull('In one of these states. Default: all.'),
}) {}

@ArgsType()
export class AttendancePageArgs extends inputOn(CursorArgs, {
  filter: field.of(AttendanceFilterInput).orNull('Lists only shifts that match this filter. Default: all active ones.'),
}) {}

const breaks = 'Minutes of breaks, which are not paid.';

@InputType({ description: 'Changes to what is noted of a work shift: only the given fields change.' })
export class UpdateAttendanceInput extends inputWith({
  checkedInAt: field.instant.orNull('When the person came; null: nobody came so far.'),
  checkedOutAt: field.instant.orNull('When the person left; null: they have not.'),
  breakMinutes: field.int.optional(breaks),
  paidEarly: field.flag.optional('Whether the time before the planned start is paid.'),
  noShow: field.flag.optional('Whether the person did not come. Only without a check-in.'),
  note: field.text.orNull(`Note for admins, at most ${limits.remarkChars} characters.`),
  changeReason: field.text.orNull(
    `Why it is changed after an approval, which it ends: required then, at most ${limits.remarkChars} characters.`,
  ),
}) {}

const codeText =
  'The code that a screen of the event shows, or the printed one of the day. Required of staff; admins need none.';

@InputType({ description: 'A check-in.' })
export class CheckInInput extends inputWith({
  code: field.text.optional(codeText),
  at: field.instant.optional('When the person came. For admins. Default: now.'),
}) {}

@InputType({ description: 'A check-out.' })
export class CheckOutInput extends inputWith({
  code: field.text.optional(codeText),
  at: field.instant.optional('When the person left. For admins. Default: now.'),
  breakMinutes: field.int.optional(`${breaks} Default: as before.`),
}) {}

@ObjectType({ description: 'The codes with which people check in at an event.' })
export class CheckInCode extends resultOf(checkInCodeFields) {}

@ObjectType({ description: 'The code that a screen shows, with which people check in at its event.' })
export class ScreenCheckInCode extends resultOf(screenCheckInCodeFields) {}

@ObjectType({ description: 'What a person sees who checks in or out on a screen.' })
export class ScreenCheck extends resultOf(screenCheckFields) {}

@ObjectType({ description: 'An event at which people can try codes again.' })
export class CheckInUnlocked extends objectWith({
  unlocked: field.int('How many people had sent a wrong code.'),
}) {}
