import Type, { type Static } from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import { eventParams } from '../services/events-input.ts';
import * as events from '../services/events.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { FullEvent, oneFullEvent, serializeFullEvents } from './events-full.ts';
import { route, type RestApp } from './route.ts';

const noun = { tag: 'Own events and shifts', isExtension: true } as const;

const query = Type.Object({ status: events.ownEventsInput.properties.statuses, ...pageNumberInput() });

const readQuery = ({ status, ...request }: Static<typeof query>) => ({
  ...request,
  ...(status && { statuses: status }),
});

export function ownEventRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_events',
    calls: events.listOwn,
    summary: "List the calling client's own active and canceled events by start",
    description: '`status` may be repeated.',
    query,
    errorNames: { statuses: 'status' },
    response: envelope(pageOf(FullEvent)),
    handle: async (scope, { query: sent }) => {
      const page = await events.listOwn(scope, { ...readQuery(sent), withTotal: true });
      return answer(await serializePage(page, await serializeFullEvents(scope, page.rows)));
    },
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
