import Type from 'typebox';
import { boardCallTimeFields, boardEventFields, boardShiftFields, type BoardEvent } from '../fields/screens.ts';
import * as board from '../services/screens-board.ts';
import * as screens from '../services/screens.ts';
import { nullable } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { offsetTimeSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { OwnScreenView, serializeOwnScreen } from './screens.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';

const noun = { tag: 'Screens', isExtension: true } as const;

const callTime = viewOfList('ScreenCallTime', boardCallTimeFields);
const shift = viewOfList('ScreenShift', boardShiftFields, { omit: ['lateFrom', 'noShow'] });
const event = viewOfList('ScreenEvent', boardEventFields);

const ScreenEventView = titled<typeof event.schema.properties>('ScreenEvent', {
  ...event.schema.properties,
  start: nullable(offsetTimeSchema('Start')),
  call_times: Type.Array(callTime.schema, { description: 'Call times, by start.' }),
  work_shifts: Type.Array(shift.schema, { description: 'Active shifts, by start.' }),
});

const serializeEvent = (row: BoardEvent) => ({
  ...event.serialize(row),
  call_times: row.callTimes.map(callTime.serialize),
  work_shifts: row.workShifts.map(shift.serialize),
});

export function ownScreenRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_screen',
    calls: screens.getOwn,
    summary: 'Read the screen that calls',
    response: envelope(OwnScreenView),
    handle: async (scope) => answer(serializeOwnScreen(await screens.getOwn(scope, {}))),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/my_screen',
    calls: screens.revokeOwn,
    summary: 'Revoke the board token used in the call',
    response: envelope(Type.Object({ revoked: Type.Integer({ description: 'How many were revoked.' }) })),
    handle: async (scope) => answer({ revoked: await screens.revokeOwn(scope, {}) }, 'Screen revoked.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_screen/board',
    calls: board.read,
    summary: 'Read what the screen that calls shows of a span of time',
    description: 'The active events of its filter, with their call times and active shifts.',
    query: board.boardInput,
    response: envelope(
      titled('ScreenBoard', {
        events: Type.Array(ScreenEventView, { description: 'The events that run in the span, by start.' }),
        has_more: Type.Boolean({ description: 'Whether more events than these run in the span.' }),
      }),
    ),
    handle: async (scope, { query }) => {
      const { events, hasMore } = await board.read(scope, query);
      return answer({ events: events.map(serializeEvent), has_more: hasMore });
    },
  });
}
