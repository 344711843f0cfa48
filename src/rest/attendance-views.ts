import { attendanceFields, type AttendanceRow } from '../fields/attendance.ts';
import { shapeOf } from './shapes.ts';
import { titled } from './views.ts';

const attendance = shapeOf<AttendanceRow>(attendanceFields, ['id', 'eventId', 'sortedAt', 'createdAt']);
export const AttendanceView = titled('Attendance', attendance.properties);
export const serializeAttendance = attendance.serialize;
