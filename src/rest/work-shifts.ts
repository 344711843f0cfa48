import Type, { type Static } from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import { shiftParams } from '../services/work-shifts-input.ts';
import * as shiftLists from '../services/work-shifts-list.ts';
import * as workShifts from '../services/work-shifts.ts';
import { uuidOf } from '../validation/schemas.ts';
import { toCsvPage } from './csv.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { FullShift, oneShift, serializeFullShifts } from './work-shifts-full.ts';
import { serializeShiftItem, ShiftItem } from './work-shifts-views.ts';

const beyondContract = { tag: 'Work shifts', isExtension: true } as const;

/** Query of a list of shifts: the statuses are one parameter, which may be repeated. */
const { statuses, ...conditions } = shiftLists.shiftListQuery.properties;
const shiftsQuery = Type.Object({ ...conditions, status: statuses });

const { statuses: ownStatuses, ...ownConditions } = workShifts.ownShiftsInput.properties;
const ownShiftsQuery = Type.Object({ ...ownConditions, status: ownStatuses });

const readShiftsQuery = ({ status, ...rest }: Static<typeof shiftsQuery>) => ({
  ...rest,
  ...(status && { statuses: status }),
});

export function workShiftRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/work_shifts/event/:event_uuid',
    calls: workShifts.listByEvent,
    tag: 'Work shifts',
    summary: 'List the active shifts of one event',
    params: Type.Object({ eventUuid: uuidOf('event') }),
    query: Type.Object(pageNumberInput()),
    response: envelope(pageOf(ShiftItem)),
    csv: {
      name: 'work-shifts',
      row: ShiftItem,
      read: async (scope, { params, query }) => {
        const { event, ...page } = await workShifts.listByEvent(scope, { uuid: params.eventUuid, ...query });
        return toCsvPage(page, (shift) => serializeShiftItem({ ...shift, eventName: event.title }));
      },
    },
    handle: async (scope, { params, query }) => {
      const { event, ...page } = await workShifts.listByEvent(scope, {
        uuid: params.eventUuid,
        ...query,
        withTotal: true,
      });
      return answer(await serializePage(page, (shift) => serializeShiftItem({ ...shift, eventName: event.title })));
    },
  });

  route(app, {
    ...beyondContract,
    method: 'GET',
    url: '/v1/work_shifts',
    calls: shiftLists.list,
    operationId: 'workShifts.list',
    summary: 'List the shifts of an event, a call time or a staff member by start',
    description:
      'Needs `event_uuid`, `call_time_uuid` or `user_id`; the last one also narrows the list of an event or a call time. `status` may be repeated. The shifts of a staff member leave out those at deleted events.',
    query: shiftsQuery,
    exampleFields: ['event_uuid'],
    errorNames: { statuses: 'status' },
    response: envelope(pageOf(FullShift)),
    csv: {
      name: 'work-shifts',
      row: FullShift,
      read: async (scope, { query }) => {
        const page = await shiftLists.list(scope, readShiftsQuery(query));
        return toCsvPage(page, await serializeFullShifts(scope, page.rows));
      },
    },
    handle: async (scope, { query }) => {
      const page = await shiftLists.list(scope, readShiftsQuery(query));
      return answer(await serializePage(page, await serializeFullShifts(scope, page.rows)));
    },
  });

  route(app, {
    ...beyondContract,
    method: 'GET',
    url: '/v1/work_shifts/:uuid',
    calls: workShifts.get,
    operationId: 'workShifts.get',
    summary: 'Read one work shift, whatever its status',
    params: shiftParams,
    response: envelope(FullShift),
    etag: 'bytes',
    handle: async (scope, { params }) => oneShift(scope, await workShifts.get(scope, params)),
  });

  route(app, {
    ...beyondContract,
    method: 'GET',
    url: '/v1/my_shifts',
    calls: workShifts.listOwn,
    summary: "List the calling staff member's own shifts at active and canceled events by start",
    description: '`status` may be repeated.',
    query: ownShiftsQuery,
    errorNames: { statuses: 'status' },
    response: envelope(pageOf(FullShift)),
    csv: {
      name: 'my-shifts',
      row: FullShift,
      read: async (scope, { query: { status: asked, ...rest } }) => {
        const page = await workShifts.listOwn(scope, { ...rest, ...(asked && { statuses: asked }) });
        return toCsvPage(page, await serializeFullShifts(scope, page.rows));
      },
    },
    handle: async (scope, { query: { status: asked, ...rest } }) => {
      const page = await workShifts.listOwn(scope, { ...rest, ...(asked && { statuses: asked }) });
      return answer(await serializePage(page, await serializeFullShifts(scope, page.rows)));
    },
  });
}
