import Type from 'typebox';
import { swapFields, swapOptionFields, type SwapOptionRow, type SwapRow } from '../fields/swaps.ts';
import { refuseFields } from '../services/offers-answers.ts';
import * as swaps from '../services/swaps.ts';
import { closedObject } from '../validation/schemas.ts';
import { answer, cursorPageOf, envelope, serializeCursorPage } from './envelopes.ts';
import { listRoute } from './lists.ts';
import { listErrorNames, pageQuery, repeatedQuery, splitListQuery } from './list-query.ts';
import { route, type RestApp } from './route.ts';
import { shapeOf } from './shapes.ts';
import { OfVersion } from './versions.ts';
import { titled } from './views.ts';
import { overrideErrorNames, overrideProperty, readNewOverride } from './work-shifts-input.ts';

const swap = shapeOf<SwapRow>(swapFields, ['workShiftId', 'otherShiftId', 'eventId']);
export const SwapView = titled('ShiftSwap', swap.properties);
export const serializeSwap = swap.serialize;

const option = shapeOf<SwapOptionRow>(swapOptionFields);
const SwapOptionView = titled<typeof option.properties>('SwapOption', {
  ...option.properties,
  id: Type.Integer({ description: 'Id of the colleague.' }),
});

const noun = { tag: 'Swaps', isExtension: true } as const;

const list = repeatedQuery(swaps.swapFilter, 'states', pageQuery);

const oneSwap = (row: SwapRow, message?: string) => new OfVersion(row, answer(serializeSwap(row), message));

export function swapRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/shift_swaps',
    calls: swaps.request,
    summary: 'Ask to swap a shift of the calling staff member, or to hand it over',
    description:
      'With `other_shift_uuid`, its person is asked to swap; with `to_user_id`, that person is asked to take the shift; with neither, anybody can take it. The shift can be neither dropped nor declined meanwhile.',
    conflicts: true,
    body: swaps.requestInput,
    // A shift of the demo's staff member that is still to come at the moment of the examples.
    example: { shift_uuid: '6b733112-a1ee-49d9-9559-69f0296799ea', message: 'I have an exam that day.' },
    etag: 'row',
    status: 201,
    created: '/v1/shift_swaps/:uuid',
    response: envelope(SwapView),
    handle: async (scope, { body }) => oneSwap(await swaps.request(scope, body), 'Swap requested.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/shift_swaps',
    calls: swaps.list,
    summary: 'List swaps of shifts, the newest first',
    description:
      'All given conditions must hold, and `state` may be repeated. Staff see those that they ask for, or that ask them.',
    query: list.query,
    errorNames: list.errorNames,
    response: envelope(cursorPageOf(SwapView)),
    handle: async (scope, { query }) => {
      const request = list.read(query);
      return answer(await serializeCursorPage(await swaps.list(scope, request), serializeSwap, request));
    },
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/open_swaps',
    calls: swaps.listOpen,
    summary: 'List the swaps that the calling staff member can take, the newest first',
    description:
      'Those that ask them, and those that ask anybody for work in positions that they have worked in; in all positions, if they have not worked yet.',
    query: Type.Object(pageQuery),
    errorNames: listErrorNames,
    response: envelope(cursorPageOf(SwapView)),
    handle: async (scope, { query }) => {
      const { filter: _none, ...request } = splitListQuery(query);
      return answer(await serializeCursorPage(await swaps.listOpen(scope, request), serializeSwap, request));
    },
  });

  listRoute(app, {
    ...noun,
    url: '/v1/work_shifts/:uuid/swap_options',
    calls: swaps.listOptions,
    summary: 'List the ways in which a shift can be given away',
    description:
      'By name: each colleague of its person who can work in its position, to hand it over to, and each of their shifts to come, to swap it for. Left out is by what somebody would work twice at once. A page, and `total`, count colleagues; each comes with the next 50 of their shifts within 400 days.',
    params: swaps.optionParams,
    query: swaps.optionsQuery,
    item: SwapOptionView,
    read: (scope, { params, query }) => swaps.listOptions(scope, { ...params, ...query }),
    serializeAll: () => option.serialize,
  });

  const one = { ...noun, params: swaps.swapParams, response: envelope(SwapView) } as const;

  route(app, {
    ...one,
    method: 'GET',
    url: '/v1/shift_swaps/:uuid',
    calls: swaps.get,
    summary: 'Read one swap',
    etag: 'bytes',
    handle: async (scope, { params }) => oneSwap(await swaps.get(scope, params)),
  });

  const change = { ...one, method: 'POST', conflicts: true, etag: 'row', ifMatch: true, isBodyOptional: true } as const;

  route(app, {
    ...change,
    url: '/v1/shift_swaps/:uuid/actions/take',
    calls: swaps.take,
    summary: 'Take a swap',
    description:
      'The state is then `done`, or `taken` where an admin approves. Refused with 409 `OFFER_CLOSED` when it is too late, and with 409 `CLASH` if a rule is against it.',
    handle: async (scope, { params, precondition }) =>
      oneSwap(await swaps.take(scope, { ...params, ...precondition }), 'Swap taken.'),
  });

  route(app, {
    ...change,
    url: '/v1/shift_swaps/:uuid/actions/approve',
    calls: swaps.approve,
    summary: 'Approve a swap that was taken',
    description:
      'Refused with 409 `CLASH` if a rule is against it, unless `override_reason` gives a reason. The body may be left out.',
    body: closedObject(overrideProperty),
    example: {},
    errorNames: overrideErrorNames,
    handle: async (scope, { params, body, precondition }) =>
      oneSwap(await swaps.approve(scope, { ...params, ...precondition, ...readNewOverride(body) }), 'Swap approved.'),
  });

  route(app, {
    ...change,
    url: '/v1/shift_swaps/:uuid/actions/refuse',
    calls: swaps.refuse,
    summary: 'Refuse a swap',
    description: 'An admin can, and the person who is asked or took it. The body may be left out.',
    body: closedObject(refuseFields),
    example: { reason: 'We need you both where you are.' },
    handle: async (scope, { params, body, precondition }) =>
      oneSwap(await swaps.refuse(scope, { ...params, ...body, ...precondition }), 'Swap refused.'),
  });

  route(app, {
    ...change,
    url: '/v1/shift_swaps/:uuid/actions/cancel',
    calls: swaps.cancel,
    summary: 'Take back a swap',
    description: 'The person who asked can, and an admin.',
    handle: async (scope, { params, precondition }) =>
      oneSwap(await swaps.cancel(scope, { ...params, ...precondition }), 'Swap canceled.'),
  });
}
