import { ObjectType } from 'type-graphql';
import { attendanceFields, type AttendanceRow } from '../fields/attendance.ts';
import { connectionTo } from './connection-to.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'What became of a work shift on the day, with the plan beside it. It has the number and the UUID of the shift.',
  implements: Node,
})
export class Attendance extends objectOf<AttendanceRow>(attendanceFields) {}

@ObjectType({ description: 'A page of active shifts with who came and left, by start.' })
export class AttendanceConnection extends connectionTo(Attendance, 'Attendance', 'shifts') {}

const code = {
  code: field.text('Six digits, to be shown on a screen of the event.'),
  expiresAt: field.instant('When the next code takes its place, UTC. This one holds for as long again.'),
};

@ObjectType({ description: 'The codes with which people check in at an event.' })
export class CheckInCode extends objectWith({
  ...code,
  day: field.text('Day of the printed code, `YYYY-MM-DD`.'),
  printedCode: field.text.orNull(
    'Code to be printed for the shifts that start on that day; null unless the business allows it.',
  ),
}) {}

@ObjectType({ description: 'The code that a screen shows, with which people check in at its event.' })
export class ScreenCheckInCode extends objectWith({
  ...code,
  eventUuid: field.id('UUID of the event.'),
  eventTitle: field.text('Title of the event.'),
}) {}

@ObjectType({ description: 'What a person sees who checks in or out on a screen.' })
export class ScreenCheck extends objectWith({
  shiftUuid: field.id('UUID of the shift.'),
  firstName: field.text('First name of the person.'),
  checkedInAt: field.instant.orNull('When they came, UTC.'),
  checkedOutAt: field.instant.orNull('When they left, UTC; null: they are there.'),
}) {}

@ObjectType({ description: 'An event at which people can try codes again.' })
export class CheckInUnlocked extends objectWith({
  unlocked: field.int('How many people had sent a wrong code.'),
}) {}
