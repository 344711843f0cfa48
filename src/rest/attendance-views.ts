import Type from 'typebox';
import type { Reworked } from '../services/attendance-plan.ts';
import { nullable } from '../validation/schemas.ts';
import { textSchema } from './formats.ts';
import { attendanceFields, type AttendanceRow } from '../fields/attendance.ts';
import { shapeOf } from './shapes.ts';
import { titled } from './views.ts';

const attendance = shapeOf<AttendanceRow>(attendanceFields, ['id', 'eventId', 'sortedAt', 'createdAt']);
export const AttendanceView = titled('Attendance', attendance.properties);
export const serializeAttendance = attendance.serialize;

const minutes = (when: string) =>
  nullable(Type.Integer({ description: `Worked minutes ${when} the change; null while they are not known.` }));

/** What a change of the plan made of what was worked. */
export const reworkedProperty = {
  reworked: Type.Optional(
    Type.Array(
      Type.Object({
        shift_uuid: textSchema('UUID of the shift.'),
        minutes_before: minutes('before'),
        minutes_after: minutes('after'),
      }),
      {
        description:
          'An extension: the shifts with attendance whose plan the change moved, for the reason of the override. Absent if there are none.',
      },
    ),
  ),
};

export const serializeReworked = ({ reworked }: { readonly reworked?: readonly Reworked[] | undefined }) =>
  reworked
    ? {
        reworked: reworked.map(({ shiftUuid, minutesBefore, minutesAfter }) => ({
          shift_uuid: shiftUuid,
          minutes_before: minutesBefore,
          minutes_after: minutesAfter,
        })),
      }
    : {};
