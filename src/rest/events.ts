import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { groupBy } from '../paging/group-by.ts';
import * as callTimes from '../services/call-times.ts';
import * as customFieldValues from '../services/custom-field-values.ts';
import { childrenInput, createEventInput, eventChanges, eventParams } from '../services/events-input.ts';
import { getWithLists } from '../services/events-with-lists.ts';
import * as events from '../services/events.ts';
import * as workShifts from '../services/work-shifts.ts';
import type { EventRow } from '../fields/events.ts';
import { closedObject } from '../validation/schemas.ts';
import { CallTimeView, serializeCallTime, serializeEarlierCallTime, shownCallTimeFields } from './call-times-views.ts';
import { CustomFieldView, serializeCustomField } from './custom-field-values-views.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { eventsCsv } from './events-csv.ts';
import { FullEvent, oneFullEvent, serializeFullEvents } from './events-full.ts';
import { eventQuery, eventQueryErrorNames, readEventQuery } from './events-query.ts';
import {
  CreatedEvent,
  EarlierEventItem,
  EventItem,
  serializeCreatedEvent,
  serializeEarlierEventItem,
  serializeEventItem,
  serializeSingleEvent,
  serializeUpdatedEvent,
  SingleEvent,
  UpdatedEvent,
} from './events-views.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { overrideErrorNames, overrideProperty, readNewOverride, readOverride } from './work-shifts-input.ts';
import type { WriteBack } from './write-back.ts';
import { serializeShift, ShiftView, shownShiftFields } from './work-shifts-views.ts';
import { titled } from './views.ts';

const tag = 'Events';

const { override: _override, ...newEvent } = createEventInput.properties;

export const createEventBody = closedObject({ ...newEvent, ...overrideProperty });

export const eventChangesBody = closedObject({ ...eventChanges.properties, ...childrenInput, ...overrideProperty });

export function eventRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/events',
    calls: events.list,
    tag,
    summary: 'List events with their call times, active shifts and custom fields',
    description:
      'Extensions of the contract: `fields=full`, and all parameters except `status`, `sort_order`, `page` and `per_page`. All conditions must hold.',
    query: eventQuery,
    errorNames: eventQueryErrorNames,
    response: envelope(pageOf(EventItem)),
    full: {
      response: envelope(pageOf(FullEvent)),
      handle: async (scope, { query }) => {
        const page = await events.list(scope, { ...readEventQuery(query), withTotal: true });
        return answer(await serializePage(page, await serializeFullEvents(scope, page.rows)));
      },
    },
    csv: eventsCsv,
    handle: async (scope, { query }) => {
      const page = await events.list(scope, { ...readEventQuery(query), withTotal: true });
      const serializeChildrenOf = await childrenOf(scope, page.rows);
      return answer(await serializePage(page, (event) => serializeEventItem(event, serializeChildrenOf(event.id))));
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
    full: {
      response: envelope(FullEvent),
      handle: async (scope, { params }) => oneFullEvent(scope, await events.get(scope, params)),
    },
    etag: 'bytes',
    handle: async (scope, { params }) => {
      const { event, ...lists } = await getWithLists(scope, { ...params, lists: shownLists });
      const children = serializeChildren(lists.callTimes ?? [], lists.workShifts ?? [], lists.customFields ?? []);
      return new OfVersion(event, answer({ event: serializeSingleEvent(event), ...children }));
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/events',
    calls: events.create,
    tag,
    summary: 'Create an event',
    description:
      'Extensions of the contract: with `call_times` and their `people`, all of it is stored or nothing. The rules of an assignment apply; what they refuse with 409 `CLASH` needs `override_reason`. Such a request costs 1 + rows / 25, rounded down, of the rate limit.',
    conflicts: true,
    body: createEventBody,
    errorNames: overrideErrorNames,
    example: {
      title: 'Harvest dinner',
      start_time: '2027-10-02 18:00:00',
      end_time: '2027-10-03 00:30:00',
      timezone: 'America/Chicago',
      venue_name: 'The Old Granary',
      address: '12 Mill Street',
      city: 'Madison',
      state: 'WI',
      zip: '53703',
      description: 'Dinner for 120 guests, with speeches.',
      dress_code: 'Black tie',
    },
    status: 201,
    created: '/v1/events/:uuid',
    response: envelope(CreatedWithChildren),
    etag: 'row',
    handle: async (scope, { body }) => {
      const event = await events.create(scope, readNewOverride(body));
      return new OfVersion(event, answer(await serializeCreated(scope, event, body.callTimes), 'Event created.'));
    },
  });

  route(app, {
    method: 'PUT',
    url: '/v1/events/:uuid',
    calls: events.update,
    tag,
    summary: 'Change an event',
    description:
      'Changes only the fields sent; the rules apply to the resulting event. A change that would book people twice, because it brings a canceled or deleted event back or moves the event, or that leaves call times which no longer touch the event, is refused with 409 `CLASH` and the clashes in `errors`, unless `override_reason` (an extension) gives a reason; it is kept on the shifts and call times. Where start and end change by the same difference on the clocks, call times and shifts move along, and confirmed shifts become unconfirmed: `moved` says how many. Shifts that have ended do not move; an event with some is refused with 409 unless `children` is `keep` (an extension), which leaves all where they are.',
    conflicts: true,
    params: eventParams,
    body: eventChangesBody,
    writeBack: eventWriteBack,
    example: { venue_name: 'The Old Granary', dress_code: 'Black tie' },
    errorNames: overrideErrorNames,
    dryRun: true,
    response: envelope(UpdatedEvent),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) => {
      const event = await events.update(scope, { ...params, ...precondition, ...readOverride(body) });
      return new OfVersion(event, answer(serializeUpdatedEvent(event), 'Event updated.'));
    },
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/events/:uuid',
    calls: events.update,
    operationId: 'events.delete',
    tag,
    summary: 'Delete an event',
    description:
      'Its status becomes deleted, as with `PUT` and `status` deleted: lists leave it out unless they are asked for it, and `PUT` with another status brings it back.',
    isExtension: true,
    params: eventParams,
    response: envelope(UpdatedEvent),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, precondition }) => {
      const event = await events.update(scope, { ...params, ...precondition, status: 'deleted' });
      return new OfVersion(event, answer(serializeUpdatedEvent(event), 'Event deleted.'));
    },
  });
}

const eventWriteBack: WriteBack<{ uuid: string }> = {
  shapes: [CreatedEvent, EventItem, EarlierEventItem],
  wrapper: 'event',
  insteadOf: { start_date_time: 'start_time', end_date_time: 'end_time' },
  read: async (scope, params, names) => {
    const event = await events.get(scope, params);
    const shapes = [serializeCreatedEvent(event), serializeEventItem(event, {}), serializeEarlierEventItem(event)];
    if (!['call_times', 'work_shifts', 'custom_fields'].some((name) => names.has(name))) return shapes;
    const children = (await childrenOf(scope, [event]))(event.id);
    const rows = await callTimes.getByEvents(scope, { eventIds: [event.id] });
    return [...shapes, children, { call_times: rows.map(serializeEarlierCallTime) }];
  },
};

const shownLists = { callTimes: [...shownCallTimeFields], workShifts: [...shownShiftFields], customFields: [] };

/** A new event with what it brought, if it brought call times. */
export const CreatedWithChildren = titled('CreatedEvent', {
  ...CreatedEvent.properties,
  call_times: Type.Optional(Type.Array(CallTimeView, { description: 'The new call times, if there are any.' })),
  work_shifts: Type.Optional(Type.Array(ShiftView, { description: 'The new shifts, if there are call times.' })),
});

export async function serializeCreated(scope: CallScope, event: EventRow, callTimesSent: readonly unknown[] = []) {
  const created = serializeCreatedEvent(event);
  if (callTimesSent.length === 0) return created;
  const { custom_fields: _none, ...children } = (await childrenOf(scope, [event]))(event.id);
  return { ...created, ...children };
}

/** The children of many events, one statement a kind; the answer prints those of one event. */
export async function childrenOf(scope: CallScope, rows: { id: number }[]) {
  const eventIds = rows.map(({ id }) => id);
  const [callTimeRows, shiftRows, fieldRows] = await Promise.all([
    callTimes.getByEvents(scope, { eventIds, fields: shownLists.callTimes }),
    workShifts.getByEvents(scope, { eventIds, fields: shownLists.workShifts }),
    customFieldValues.getByEvents(scope, { eventIds }),
  ]);
  const callTimesOf = groupBy('eventId', callTimeRows);
  const shiftsOf = groupBy('eventId', shiftRows);
  const fieldsOf = groupBy('eventId', fieldRows);
  return (eventId: number) => serializeChildren(callTimesOf(eventId), shiftsOf(eventId), fieldsOf(eventId));
}

const serializeChildren = (
  callTimeRows: Parameters<typeof serializeCallTime>[0][],
  shiftRows: Parameters<typeof serializeShift>[0][],
  fieldRows: Parameters<typeof serializeCustomField>[0][],
) => ({
  call_times: callTimeRows.map(serializeCallTime),
  work_shifts: shiftRows.map(serializeShift),
  custom_fields: fieldRows.map(serializeCustomField),
});
