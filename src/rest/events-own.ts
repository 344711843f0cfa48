import Type from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import { eventParams } from '../services/events-input.ts';
import * as events from '../services/events.ts';
import { envelope } from './envelopes.ts';
import { FullEvent, oneFullEvent, serializeFullEvents } from './events-full.ts';
import { listRoute } from './lists.ts';
import { route, type RestApp } from './route.ts';

const noun = { tag: 'Own events and shifts', isExtension: true } as const;

export function ownEventRoutes(app: RestApp): void {
  listRoute(app, {
    ...noun,
    url: '/v1/my_events',
    calls: events.listOwn,
    summary: "List the calling client's own active and canceled events by start",
    description: '`status` may be repeated.',
    query: Type.Object({ status: events.ownEventsInput.properties.statuses, ...pageNumberInput() }),
    errorNames: { statuses: 'status' },
    item: FullEvent,
    read: (scope, { query: { status, ...request } }) =>
      events.listOwn(scope, { ...request, ...(status && { statuses: status }) }),
    serializeAll: serializeFullEvents,
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_events/:uuid',
    calls: events.getOwn,
    summary: 'Read one event that the caller may see',
    description: 'Staff see the events that they work at, clients their own, and admins all events of the business.',
    params: eventParams,
    response: envelope(FullEvent),
    etag: 'bytes',
    handle: async (scope, { params }) => oneFullEvent(scope, await events.getOwn(scope, params)),
  });
}
