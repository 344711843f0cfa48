import Type from 'typebox';
import {
  checkInCodeFields,
  screenCheckFields,
  screenCheckInCodeFields,
  type AttendanceRow,
} from '../fields/attendance.ts';
import * as check from '../services/attendance-check.ts';
import * as attendance from '../services/attendance.ts';
import { eventParams } from '../services/events-input.ts';
import { shiftParams } from '../services/work-shifts-input.ts';
import { closedObject } from '../validation/schemas.ts';
import { AttendanceView, serializeAttendance } from './attendance-views.ts';
import { toCsvPage } from './csv.ts';
import { answer, cursorPageOf, envelope, serializeCursorPage } from './envelopes.ts';
import { cursorCsv, pageQuery, repeatedQuery } from './list-query.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';
import { overrideErrorNames, overrideProperty, readNewOverride } from './work-shifts-input.ts';

const noun = { tag: 'Attendance', isExtension: true } as const;

const list = repeatedQuery(attendance.attendanceFilter, 'states', pageQuery);

const one = (row: AttendanceRow, message?: string) => new OfVersion(row, answer(serializeAttendance(row), message));

const { schema: CheckInCodeView, serialize: serializeCode } = viewOfList('CheckInCode', checkInCodeFields);
const { schema: ScreenCheckInCodeView, serialize: serializeScreenCode } = viewOfList(
  'ScreenCheckInCode',
  screenCheckInCodeFields,
);
const { schema: ScreenCheckView, serialize: serializeScreenCheck } = viewOfList('ScreenCheck', screenCheckFields);

export function attendanceRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/attendance',
    calls: attendance.list,
    operationId: 'attendance.list',
    summary: 'List active shifts with who came and left, by start',
    description:
      'All given conditions must hold, and `state` may be repeated. A shift of which nothing is noted is listed as well. Staff see their own.',
    query: list.query,
    errorNames: list.errorNames,
    response: envelope(cursorPageOf(AttendanceView)),
    csv: {
      name: 'attendance',
      description: cursorCsv,
      row: AttendanceView,
      read: async (scope, { query }) => toCsvPage(await attendance.list(scope, list.read(query)), serializeAttendance),
    },
    handle: async (scope, { query }) => {
      const request = list.read(query);
      return answer(await serializeCursorPage(await attendance.list(scope, request), serializeAttendance, request));
    },
  });

  const ofShift = { ...noun, params: shiftParams, response: envelope(AttendanceView), etag: 'row' } as const;

  route(app, {
    ...ofShift,
    method: 'GET',
    url: '/v1/work_shifts/:uuid/attendance',
    calls: attendance.get,
    operationId: 'attendance.get',
    summary: 'Read who came and left of one work shift',
    handle: async (scope, { params }) => one(await attendance.get(scope, params)),
  });

  const change = { ...ofShift, conflicts: true, ifMatch: true } as const;

  route(app, {
    ...change,
    method: 'PUT',
    url: '/v1/work_shifts/:uuid/attendance',
    calls: attendance.update,
    summary: 'Change what is noted of a work shift',
    description:
      'Changes only the fields that are sent. After an approval it needs `change_reason`, and the approval ends. A no-show and a check-in exclude each other.',
    body: attendance.attendanceChanges,
    example: { paid_early: true, note: 'Helped with the load-out.' },
    handle: async (scope, { params, body, precondition }) =>
      one(await attendance.update(scope, { ...params, ...precondition, ...body }), 'Attendance changed.'),
  });

  route(app, {
    ...change,
    method: 'POST',
    url: '/v1/work_shifts/:uuid/actions/check_in',
    calls: check.checkIn,
    summary: 'Note that a person came',
    description:
      'Staff send the code that a screen of the event shows, from 60 minutes before the start until four hours after the end. After more than five wrong codes in a row they are locked at the event until an admin unlocks them. A call costs a tenth of a request of the rate limit.',
    body: closedObject(check.checkInFields),
    isBodyOptional: true,
    // Before the moment of the examples, so that the next one can check out.
    example: { at: '2026-11-23T14:00:00Z' },
    handle: async (scope, { params, body, precondition }) =>
      one(await check.checkIn(scope, { ...params, ...precondition, ...body }), 'Checked in.'),
  });

  route(app, {
    ...change,
    method: 'POST',
    url: '/v1/work_shifts/:uuid/actions/check_out',
    calls: check.checkOut,
    summary: 'Note that a person left',
    description: 'Staff send a code, as to check in. A call costs a tenth of a request of the rate limit.',
    body: closedObject(check.checkOutFields),
    isBodyOptional: true,
    example: {},
    handle: async (scope, { params, body, precondition }) =>
      one(await check.checkOut(scope, { ...params, ...precondition, ...body }), 'Checked out.'),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/attendance/batch/approve',
    calls: attendance.approve,
    summary: 'Approve shifts of which all is known, all or none',
    description:
      'Stores the rate, the unit, the minutes and the pay of each. Approved ones stay as they are. A person of an approved shift can be neither moved nor deleted from it. Refused with 409 `CLASH` if a person has worked two approved shifts at the same time, unless `override_reason` gives a reason.',
    conflicts: true,
    body: closedObject({ ...attendance.approveFields, ...overrideProperty }),
    errorNames: overrideErrorNames,
    // A shift of the examples that is over.
    example: { shift_uuids: ['6846dd0d-a1fc-493c-aeaf-1b1a17068a73'] },
    response: envelope(Type.Array(AttendanceView)),
    handle: async (scope, { body }) =>
      answer((await attendance.approve(scope, readNewOverride(body))).map(serializeAttendance), 'Attendance approved.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/events/:uuid/check_in_code',
    calls: check.readCode,
    summary: 'Read the codes with which people check in at an event',
    params: eventParams,
    query: Type.Object(check.codeInput),
    response: envelope(CheckInCodeView),
    handle: async (scope, { params, query }) =>
      answer(serializeCode(await check.readCode(scope, { ...params, ...query }))),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/events/:uuid/actions/unlock_check_in',
    calls: check.unlock,
    summary: 'Let people check in again who sent wrong codes for an event',
    params: eventParams,
    body: closedObject(check.unlockFields),
    isBodyOptional: true,
    example: {},
    response: envelope(
      titled('Unlocked', { unlocked: Type.Integer({ description: 'How many people had sent a wrong code.' }) }),
    ),
    handle: async (scope, { params, body }) =>
      answer({ unlocked: await check.unlock(scope, { ...params, ...body }) }, 'Check-in unlocked.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_screen/check_in_code',
    calls: check.readScreenCode,
    summary: 'Read the code that the screen that calls shows',
    description: 'For screens that were approved to check people in, while their event is active.',
    response: envelope(ScreenCheckInCodeView),
    handle: async (scope) => answer(serializeScreenCode(await check.readScreenCode(scope, {}))),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/my_screen/check_in',
    calls: check.checkOnScreen,
    summary: 'Check a person in on the screen that calls or, if they are there, out',
    description:
      'By name and the last four digits of the phone number. More than five wrong ones in a row lock the person at the event until an admin unlocks them.',
    conflicts: true,
    body: check.screenCheckInput,
    example: { name: 'Robin Fields', phone_digits: '0142' },
    response: envelope(ScreenCheckView),
    handle: async (scope, { body }) => answer(serializeScreenCheck(await check.checkOnScreen(scope, body))),
  });
}
