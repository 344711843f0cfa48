import * as check from '../../src/services/attendance-check.ts';
import * as attendance from '../../src/services/attendance.ts';
import * as payroll from '../../src/services/payroll.ts';
import type { Row, Target } from './matrix.ts';

/* The rows of the matrix for attendance and payroll. */

const eventUuid = ({ attended }: Target) => attended.eventUuid;
const expectedUuid = ({ attended }: Target) => attended.expectedUuid;
const presentUuid = ({ attended }: Target) => attended.presentUuid;
const code = ({ attended }: Target) => ({ code: attended.code });
const days = { from: '2026-11-01', to: '2026-11-30' };

export const attendanceRouteRows: Record<string, Row> = {
  'GET /v1/attendance': { calls: attendance.list },
  'GET /v1/work_shifts/{uuid}/attendance': { calls: attendance.get, uuid: presentUuid },
  'PUT /v1/work_shifts/{uuid}/attendance': {
    calls: attendance.update,
    uuid: presentUuid,
    input: () => ({ note: 'Came by bus' }),
  },
  'POST /v1/work_shifts/{uuid}/actions/check_in': { calls: check.checkIn, uuid: expectedUuid, input: code },
  'POST /v1/work_shifts/{uuid}/actions/check_out': { calls: check.checkOut, uuid: presentUuid, input: code },
  'POST /v1/attendance/batch/approve': {
    calls: attendance.approve,
    input: ({ attended }) => ({ shift_uuids: [attended.doneUuid] }),
    namesRow: true,
    but: { "other business's admin": 'VALIDATION_FAILED' },
  },
  'GET /v1/events/{uuid}/check_in_code': { calls: check.readCode, uuid: eventUuid },
  'POST /v1/events/{uuid}/actions/unlock_check_in': { calls: check.unlock, uuid: eventUuid, input: () => ({}) },
  'GET /v1/my_screen/check_in_code': { calls: check.readScreenCode },
  'POST /v1/my_screen/check_in': {
    calls: check.checkOnScreen,
    input: ({ attended: { name } }) => ({ name, phone_digits: '0142' }),
  },
  'GET /v1/payroll': { calls: payroll.read, query: () => days },
};

const shiftId = (uuidOf: (target: Target) => string) => (target: Target) => ({ shiftId: uuidOf(target) });

export const attendanceFieldRows: Record<string, Row> = {
  attendance: { calls: attendance.list },
  updateAttendance: {
    calls: attendance.update,
    input: (target) => ({ ...shiftId(presentUuid)(target), input: { note: 'Came by bus' } }),
  },
  checkIn: { calls: check.checkIn, input: (target) => ({ ...shiftId(expectedUuid)(target), input: code(target) }) },
  checkOut: { calls: check.checkOut, input: (target) => ({ ...shiftId(presentUuid)(target), input: code(target) }) },
  approveAttendance: {
    calls: attendance.approve,
    input: ({ attended }) => ({ shiftIds: [attended.doneUuid] }),
    but: { "other business's admin": 'VALIDATION_FAILED' },
  },
  checkInCode: { calls: check.readCode, input: (target) => ({ eventId: eventUuid(target) }) },
  unlockCheckIn: { calls: check.unlock, input: (target) => ({ eventId: eventUuid(target) }) },
  myScreenCheckInCode: { calls: check.readScreenCode },
  checkOnMyScreen: {
    calls: check.checkOnScreen,
    input: ({ attended: { name } }) => ({ name, phoneDigits: '0142' }),
  },
  payroll: { calls: payroll.read, input: () => days },
};
