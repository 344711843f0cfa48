import Type from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import { shiftParams } from '../services/work-shifts-input.ts';
import * as workShifts from '../services/work-shifts.ts';
import { uuidOf } from '../validation/schemas.ts';
import { toCsvPage } from './csv.ts';
import { answer, cursorPageOf, envelope, serializeCursorPage } from './envelopes.ts';
import { cursorCsv, repeatedQuery, sortedPageQuery } from './list-query.ts';
import { listRoute } from './lists.ts';
import { route, type RestApp } from './route.ts';
import { FullShift, oneShift, serializeFullShifts } from './work-shifts-full.ts';
import { serializeShiftItem, ShiftItem } from './work-shifts-views.ts';

const beyondContract = { tag: 'Work shifts', isExtension: true } as const;

const list = repeatedQuery(workShifts.shiftFilter, 'statuses', sortedPageQuery);

const { statuses: ownStatuses, ...ownConditions } = workShifts.ownShiftsInput.properties;
const ownShiftsQuery = Type.Object({ ...ownConditions, status: ownStatuses });

export function workShiftRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/work_shifts/event/:event_uuid',
    calls: workShifts.listByEvent,
    tag: 'Work shifts',
    summary: 'List the active shifts of one event',
    params: Type.Object({ eventUuid: uuidOf('event') }),
    query: Type.Object(pageNumberInput()),
    item: ShiftItem,
    csvName: 'work-shifts',
    read: (scope, { params, query }) => workShifts.listByEvent(scope, { uuid: params.eventUuid, ...query }),
    serializeAll: () => serializeShiftItem,
  });

  route(app, {
    ...beyondContract,
    method: 'GET',
    url: '/v1/work_shifts',
    calls: workShifts.list,
    operationId: 'workShifts.list',
    summary: 'List the shifts of the business by start',
    description:
      'All given conditions must hold, and `status` may be repeated. While a start is to be determined, that of the event counts for the span; in the list such shifts come last. Shifts at deleted events are left out, unless the event or the call time is named.',
    query: list.query,
    errorNames: list.errorNames,
    response: envelope(cursorPageOf(FullShift)),
    csv: {
      name: 'work-shifts',
      description: cursorCsv,
      row: FullShift,
      read: async (scope, { query }) => {
        const page = await workShifts.list(scope, list.read(query));
        return toCsvPage(page, await serializeFullShifts(scope, page.rows));
      },
    },
    handle: async (scope, { query }) => {
      const request = list.read(query);
      const page = await workShifts.list(scope, request);
      return answer(await serializeCursorPage(page, await serializeFullShifts(scope, page.rows), request));
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

  listRoute(app, {
    ...beyondContract,
    url: '/v1/my_shifts',
    calls: workShifts.listOwn,
    summary: "List the calling staff member's own shifts at active and canceled events by start",
    description: '`status` may be repeated.',
    query: ownShiftsQuery,
    errorNames: { statuses: 'status' },
    item: FullShift,
    csvName: 'my-shifts',
    read: (scope, { query: { status, ...query } }) =>
      workShifts.listOwn(scope, { ...query, ...(status && { statuses: status }) }),
    serializeAll: serializeFullShifts,
  });
}
