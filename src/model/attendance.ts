import { ObjectType } from 'type-graphql';
import {
  attendanceFields,
  checkInCodeFields,
  screenCheckFields,
  screenCheckInCodeFields,
  type AttendanceRow,
} from '../fields/attendance.ts';
import { connectionTo } from './connection-to.ts';
import { objectOf, resultOf } from './fields.ts';
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
