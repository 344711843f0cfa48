import Type from 'typebox';
import { cancelFields, shiftParams } from '../services/work-shifts-input.ts';
import * as shiftStatus from '../services/work-shifts-status.ts';
import { closedObject } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { serializeOutcomes, ShiftOutcome } from './work-shifts-assign.ts';
import { FullShift, oneShift } from './work-shifts-full.ts';

const actions = {
  confirm: {
    calls: shiftStatus.confirm,
    summary: 'Confirm an active shift of an active or draft event',
    message: 'Work shift confirmed.',
  },
  unconfirm: {
    calls: shiftStatus.unconfirm,
    summary: 'Withdraw the confirmation of an active shift',
    message: 'Confirmation withdrawn.',
  },
  decline: {
    calls: shiftStatus.decline,
    summary: 'Decline a shift: it becomes canceled and unconfirmed. One that is confirmed is dropped',
    message: 'Work shift declined.',
  },
  drop: {
    calls: shiftStatus.drop,
    summary:
      'Drop a shift: it becomes canceled, or behind the deadline of the business, `drop_requested_at` is set for an admin',
    message: 'Work shift dropped, or asked for.',
  },
  keep: {
    calls: shiftStatus.keep,
    summary: 'Take back the request to drop a shift, or refuse it',
    message: 'Work shift kept.',
  },
} as const;

/** The routes that change the state of a shift. A shift that has the state already stays as it is. */
export function shiftStatusRoutes(app: RestApp): void {
  const shared = {
    tag: 'Work shifts',
    isExtension: true,
    conflicts: true,
    params: shiftParams,
    response: envelope(FullShift),
    etag: 'row',
    ifMatch: true,
  } as const;

  for (const [action, { calls, summary, message }] of Object.entries(actions))
    route(app, {
      ...shared,
      method: 'POST',
      url: `/v1/work_shifts/:uuid/actions/${action}`,
      calls,
      summary,
      handle: async (scope, { params, precondition }) =>
        oneShift(scope, await calls(scope, { ...params, ...precondition }), message),
    });

  route(app, {
    ...shared,
    method: 'POST',
    url: '/v1/work_shifts/:uuid/actions/cancel',
    calls: shiftStatus.cancel,
    summary: 'Cancel a shift: it becomes canceled and unconfirmed',
    description: 'The body may be left out. A reason is kept on the shift, for admins, and in the history.',
    body: closedObject(cancelFields),
    isBodyOptional: true,
    example: { reason: 'The client needs fewer people.' },
    handle: async (scope, { params, body, precondition }) =>
      oneShift(scope, await shiftStatus.cancel(scope, { ...params, ...body, ...precondition }), 'Work shift canceled.'),
  });

  const several = {
    tag: 'Work shifts',
    isExtension: true,
    method: 'POST',
    description: 'A refused one does not affect the others: each has a result of its own, in the order of the UUIDs.',
    response: envelope(Type.Array(ShiftOutcome)),
  } as const;

  route(app, {
    ...several,
    url: '/v1/work_shifts/batch/confirm',
    calls: shiftStatus.confirmMany,
    summary: 'Confirm several shifts, one after the other',
    body: closedObject(shiftStatus.manyShifts),
    handle: async (scope, { body, log }) =>
      answer(await serializeOutcomes(scope, await shiftStatus.confirmMany(scope, body), log)),
  });

  route(app, {
    ...several,
    url: '/v1/work_shifts/batch/cancel',
    calls: shiftStatus.cancelMany,
    summary: 'Cancel several shifts, one after the other',
    body: closedObject({ ...shiftStatus.manyShifts, ...cancelFields }),
    handle: async (scope, { body, log }) =>
      answer(await serializeOutcomes(scope, await shiftStatus.cancelMany(scope, body), log)),
  });

  route(app, {
    ...shared,
    method: 'DELETE',
    url: '/v1/work_shifts/:uuid',
    calls: shiftStatus.remove,
    summary: 'Delete a work shift',
    description: 'Its status becomes deleted; it stays stored as history, and `PUT` with `status` active restores it.',
    handle: async (scope, { params, precondition }) =>
      oneShift(scope, await shiftStatus.remove(scope, { ...params, ...precondition }), 'Work shift deleted.'),
  });
}
