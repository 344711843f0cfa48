import Type from 'typebox';
import { cancelFields, shiftParams } from '../services/work-shifts-input.ts';
import * as shiftStatus from '../services/work-shifts-status.ts';
import { closed } from '../validation/schemas.ts';
import { envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
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
    summary: 'Decline a shift: it becomes canceled and unconfirmed',
    message: 'Work shift declined.',
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
    body: Type.Object(cancelFields, closed),
    isBodyOptional: true,
    example: { reason: 'The client needs fewer people.' },
    handle: async (scope, { params, body, precondition }) =>
      oneShift(scope, await shiftStatus.cancel(scope, { ...params, ...body, ...precondition }), 'Work shift canceled.'),
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
