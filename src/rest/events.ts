import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { groupBy } from '../paging/group-by.ts';
import * as callTimes from '../services/call-times.ts';
import * as customFieldValues from '../services/custom-field-values.ts';
import { createEventInput, eventChanges, eventParams } from '../services/events-input.ts';
import * as events from '../services/events.ts';
import { overrideInput } from '../services/work-shifts-input.ts';
import * as workShifts from '../services/work-shifts.ts';
import { closed, nullable } from '../validation/schemas.ts';
import { CallTimeView, serializeCallTime, shownCallTimeFields } from './call-times-views.ts';
import { CustomFieldView, serializeCustomField } from './custom-field-values-views.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { eventsCsv } from './events-csv.ts';
import { eventListErrorNames, eventListQuery, readEventListQuery } from './events-list.ts';
import {
  CreatedEvent,
  EventItem,
  serializeCreatedEvent,
  serializeEventItem,
  serializeSingleEvent,
  serializeUpdatedEvent,
  SingleEvent,
  UpdatedEvent,
} from './events-views.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { serializeShift, ShiftView, shownShiftFields } from './work-shifts-views.ts';

const tag = 'Events';

const eventChangesBody = Type.Object(
  { ...eventChanges.properties, overrideReason: Type.Optional(nullable(overrideInput.properties.reason)) },
  closed,
);

export function eventRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/events',
    calls: events.list,
    tag,
    summary: 'List events with their call times, active shifts and custom fields',
    query: eventListQuery,
    errorNames: eventListErrorNames,
    response: envelope(pageOf(EventItem)),
    csv: eventsCsv,
    handle: async (scope, { query }) => {
      const page = await events.list(scope, { ...readEventListQuery(query), withTotal: true });
      const serializeChildren = await childrenOf(scope, page.rows);
      return answer(await serializePage(page, (event) => serializeEventItem(event, serializeChildren(event.id))));
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/events/:uuid',
    calls: events.get,
    tag,
    summary: 'Read one event with its call times, active shifts and custom fields',
    params: eventParams,
    response: envelope(
      Type.Object({
        event: SingleEvent,
        call_times: Type.Array(CallTimeView),
        work_shifts: Type.Array(ShiftView, { description: 'The active shifts.' }),
        custom_fields: Type.Array(CustomFieldView),
      }),
    ),
    etag: 'bytes',
    handle: async (scope, { params }) => {
      const event = await events.get(scope, params);
      const serializeChildren = await childrenOf(scope, [event]);
      return new OfVersion(event, answer({ event: serializeSingleEvent(event), ...serializeChildren(event.id) }));
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/events',
    calls: events.create,
    tag,
    summary: 'Create an event',
    body: createEventInput,
    status: 201,
    response: envelope(CreatedEvent),
    etag: 'row',
    handle: async (scope, { body }) => {
      const event = await events.create(scope, body);
      return new OfVersion(event, answer(serializeCreatedEvent(event), 'Event created.'));
    },
  });

  route(app, {
    method: 'PUT',
    url: '/v1/events/:uuid',
    calls: events.update,
    tag,
    summary: 'Change an event',
    description:
      'Changes only the fields sent; the rules apply to the resulting event. A change that would book people twice, because it brings a canceled or deleted event back or moves the event, is refused with 409 and the clashes in `errors`, unless `override_reason` (an extension) gives a reason; it is kept on the shifts.',
    conflicts: true,
    params: eventParams,
    body: eventChangesBody,
    errorNames: { 'override.reason': 'override_reason' },
    response: envelope(UpdatedEvent),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body: { overrideReason, ...changes }, precondition }) => {
      const override = overrideReason === undefined || overrideReason === null ? null : { reason: overrideReason };
      const event = await events.update(scope, { ...params, ...precondition, ...changes, override });
      return new OfVersion(event, answer(serializeUpdatedEvent(event), 'Event updated.'));
    },
  });
}

/** The children of many events, one statement a kind; the answer prints those of one event. */
async function childrenOf(scope: CallScope, rows: { id: number }[]) {
  const eventIds = rows.map(({ id }) => id);
  const [callTimeRows, shiftRows, fieldRows] = await Promise.all([
    callTimes.getByEvents(scope, { eventIds, fields: shownCallTimeFields }),
    workShifts.getByEvents(scope, { eventIds, fields: shownShiftFields }),
    customFieldValues.getByEvents(scope, { eventIds }),
  ]);
  const callTimesOf = groupBy('eventId', callTimeRows);
  const shiftsOf = groupBy('eventId', shiftRows);
  const fieldsOf = groupBy('eventId', fieldRows);
  return (eventId: number) => ({
    call_times: callTimesOf(eventId).map(serializeCallTime),
    work_shifts: shiftsOf(eventId).map(serializeShift),
    custom_fields: fieldsOf(eventId).map(serializeCustomField),
  });
}
