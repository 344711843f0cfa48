import Type from 'typebox';
import * as workShifts from '../services/work-shifts.ts';
import { paging, uuidOf } from '../validation/schemas.ts';
import { pageOfRows } from './csv.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { serializeShiftItem, ShiftItem } from './work-shifts-views.ts';

export function workShiftRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/work_shifts/event/:event_uuid',
    operation: 'workShifts.listOfEvent',
    tag: 'Work shifts',
    summary: 'List the active shifts of one event',
    params: Type.Object({ eventUuid: uuidOf('event') }),
    query: Type.Object(paging()),
    response: envelope(pageOf(ShiftItem)),
    csv: {
      name: 'work-shifts',
      row: ShiftItem,
      read: async (scope, { params, query }, place) => {
        const { event, ...page } = await workShifts.browseOfEvent(scope, {
          uuid: params.eventUuid,
          ...query,
          ...place,
        });
        return pageOfRows(page, (shift) => serializeShiftItem(shift, event.title));
      },
    },
    handle: async (scope, { params, query }) => {
      const { event, ...page } = await workShifts.listOfEvent(scope, { uuid: params.eventUuid, ...query });
      return answer(
        serializePage(
          page,
          page.rows.map((shift) => serializeShiftItem(shift, event.title)),
        ),
      );
    },
  });
}
