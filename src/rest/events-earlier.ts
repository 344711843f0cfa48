import Type from 'typebox';
import * as callTimes from '../services/call-times.ts';
import { eventParams } from '../services/events-input.ts';
import * as events from '../services/events.ts';
import { EarlierCallTimeView, serializeEarlierCallTime } from './call-times-views.ts';
import { answer, envelope } from './envelopes.ts';
import { eventListErrorNames, eventListQuery, readEventListQuery } from './events-query.ts';
import { EarlierEventItem, serializeEarlierEventItem, serializeSingleEvent, SingleEvent } from './events-views.ts';
import { listRoute } from './lists.ts';
import { route, type RestApp } from './route.ts';

const tag = 'Events, earlier variant';

/** The earlier variant: other shapes of the same reads. */
export function earlierEventRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/objects/events',
    calls: events.list,
    operationId: 'events.listEarlier',
    tag,
    summary: 'List events in their earlier shape',
    query: eventListQuery,
    errorNames: eventListErrorNames,
    item: EarlierEventItem,
    csvName: 'events',
    read: (scope, { query }) => events.list(scope, readEventListQuery(query)),
    serializeAll: () => serializeEarlierEventItem,
  });

  route(app, {
    method: 'GET',
    url: '/v1/objects/events/:uuid',
    calls: events.get,
    operationId: 'events.getEarlier',
    tag,
    summary: 'Read one event with its call times in their earlier shape',
    params: eventParams,
    response: envelope(Type.Object({ event: SingleEvent, call_times: Type.Array(EarlierCallTimeView) })),
    handle: async (scope, { params }) => {
      const event = await events.get(scope, params);
      const rows = await callTimes.getByEvents(scope, { eventIds: [event.id] });
      return answer({ event: serializeSingleEvent(event), call_times: rows.map(serializeEarlierCallTime) });
    },
  });
}
