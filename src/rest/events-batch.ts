import type { FastifyBaseLogger } from 'fastify';
import Type, { type Static, type TObject } from 'typebox';
import { limits } from '../config/limits.ts';
import { resourceIdParams, upsert, upsertInput } from '../services/events-upsert.ts';
import * as events from '../services/events.ts';
import { closedObject, uuidOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import {
  EventItem,
  movedProperty,
  serializeEventItem,
  serializeMoved,
  serializeUpdatedEvent,
  UpdatedEvent,
} from './events-views.ts';
import { childrenOf, createEventBody, CreatedWithChildren, eventChangesBody, serializeCreated } from './events.ts';
import {
  eachByItself,
  costOfBatch,
  clashesProperty,
  outcomeOf,
  refusalProperties,
  serializeClashes,
  serializeRefusal,
} from './refusals.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { overrideErrorNames, overrideProperty, readInputs, readNewOverride } from './work-shifts-input.ts';
import { titled } from './views.ts';

const noun = { tag: 'Events', isExtension: true } as const;

const createManyBody = closedObject({
  inputs: Type.Array(createEventBody, {
    maxItems: limits.namedItemsMax,
    description: 'The events, created one after the other.',
  }),
});

const Outcome = outcomeOf('EventOutcome', 'event', {
  row: EventItem,
  refusal: titled('EventRefusal', { ...refusalProperties, ...clashesProperty }),
});

const changeBody = closedObject({
  eventUuid: uuidOf('event'),
  version: Type.Optional(Type.Integer({ description: 'Version that the change expects. Default: not checked.' })),
  ...eventChangesBody.properties,
});

const updateManyBody = closedObject({
  inputs: Type.Array(changeBody, {
    maxItems: limits.namedItemsMax,
    description: 'The changes, made one after the other.',
  }),
});

const ChangeOutcome = titled('EventChangeOutcome', {
  event: Type.Union([UpdatedEvent, Type.Null()], { description: 'The changed event; null if it was refused.' }),
  error: Outcome.properties.error,
});

const { override: _override, ...upsertFields } = upsertInput.properties;

export function eventBatchRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/events/batch',
    calls: events.createMany,
    summary: 'Create several events with their call times and people',
    description: `Each event is stored with its call times and people, or not at all. ${eachByItself} ${costOfBatch}; events, call times and people are rows.`,
    body: createManyBody,
    example: {
      inputs: [
        { title: 'Autumn fair', start_time: '2027-10-09 10:00:00', end_time: '2027-10-09 18:00:00', timezone: 'UTC' },
      ],
    },
    status: 201,
    response: envelope(Type.Array(Outcome)),
    handle: async (scope, { body, log }) => {
      const outcomes = await events.createMany(scope, readInputs(body, readNewOverride));
      const rows = outcomes.flatMap((outcome) => ('event' in outcome ? [outcome.event] : []));
      const serializeChildrenOf = await childrenOf(scope, rows);
      return answer(
        outcomes.map((outcome) =>
          'event' in outcome
            ? { event: serializeEventItem(outcome.event, serializeChildrenOf(outcome.event.id)), error: null }
            : {
                event: null,
                error: serializeEventRefusal(outcome.failure, log, createEventBody),
              },
        ) as Static<typeof Outcome>[],
      );
    },
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/events/batch/update',
    calls: events.updateMany,
    summary: 'Change several events, such as drafts to active',
    description: `Each as by \`PUT /v1/events/{uuid}\`. ${eachByItself}`,
    body: updateManyBody,
    response: envelope(Type.Array(ChangeOutcome)),
    handle: async (scope, { body, log }) => {
      const outcomes = await events.updateMany(
        scope,
        readInputs(body, ({ eventUuid, version, ...changes }) => ({
          ...readNewOverride(changes),
          uuid: eventUuid,
          ...(version !== undefined && { expectedVersions: [version] }),
        })),
      );
      return answer(
        outcomes.map((outcome) =>
          'event' in outcome
            ? { event: serializeUpdatedEvent(outcome.event), error: null }
            : { event: null, error: serializeEventRefusal(outcome.failure, log, changeBody) },
        ) as Static<typeof ChangeOutcome>[],
      );
    },
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/events/by_resource_id/:id',
    calls: upsert,
    summary: 'Create the event that has a resource id, or change it',
    description:
      'Needs `unique_resource_ids` of the business (409 otherwise). Without an event that has the id, and is not deleted, one is created, as by `POST /v1/events`: 201. Otherwise only the fields sent change, as by `PUT /v1/events/{uuid}`: 200. `resource_id` in the body is left out or the same, and `call_times` are for a new event only.',
    conflicts: true,
    params: resourceIdParams,
    body: closedObject({ ...upsertFields, ...overrideProperty }),
    example: {
      title: 'Autumn fair',
      start_time: '2027-10-09 10:00:00',
      end_time: '2027-10-09 18:00:00',
      timezone: 'UTC',
    },
    errorNames: overrideErrorNames,
    response: envelope(titled('UpsertedEvent', { ...CreatedWithChildren.properties, ...movedProperty })),
    etag: 'row',
    ifMatch: true,
    upserts: true,
    created: '/v1/events/:uuid',
    handle: async (scope, { params, body, precondition }) => {
      const { event, isNew } = await upsert(scope, { ...readNewOverride(body), ...params, ...precondition });
      const created = await serializeCreated(scope, event, body.callTimes);
      const shown = answer({ ...created, ...serializeMoved(event) }, isNew ? 'Event created.' : 'Event updated.');
      return new OfVersion(event, shown, isNew ? 201 : 200);
    },
  });
}

const serializeEventRefusal = (failure: unknown, log: FastifyBaseLogger, input: TObject) => ({
  ...serializeRefusal(failure, log, { errorNames: refusalNames, input }),
  ...serializeClashes(failure),
});

const refusalNames = { ...overrideErrorNames, 'expectedVersions.0': 'version', uuid: 'event_uuid' };
