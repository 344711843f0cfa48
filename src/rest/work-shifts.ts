import Type from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import * as workShifts from '../services/work-shifts.ts';
import { uuidOf } from '../validation/schemas.ts';
import { toCsvPage } from './csv.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { serializeShiftItem, ShiftItem } from './work-shifts-views.ts';

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
        return toCsvPage(page, (shift) => serializeShiftItem(shift, event.title));
      },
    },
    handle: async (scope, { params, query }) => {
      const { event, ...page } = await workShifts.listByEvent(scope, {
        uuid: params.eventUuid,
        ...query,
        withTotal: true,
      });
      return answer(await serializePage(page, (shift) => serializeShiftItem(shift, event.title)));
    },
  });
}
