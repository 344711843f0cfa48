import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { admin, everyRole } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { eventByUuid, readEventsByIds, insertEvent } from '../db/events.ts';
import { eventFields, type EventRow } from '../fields/events.ts';
import { toStored } from '../fields/field-list.ts';
import { notFound, type FieldErrors } from '../errors.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { closed, oneOf } from '../validation/schemas.ts';
import { createEventInput, eventChanges, eventIdsInput, eventParams } from './events-input.ts';
import { listEvents, listEventsInput } from './events-list.ts';
import { moveChildrenToZone } from './events-zone.ts';
import { resolvePeriod } from './periods.ts';
import { requireVersion, versionInput } from './versions.ts';

export const list = operation({
  name: 'events.list',
  roles: admin,
  cacheable: true,
  input: listEventsInput,
  run: listEvents,
});

export const get = operation({
  name: 'events.get',
  roles: admin,
  cacheable: true,
  input: eventParams,
  run: (scope, { uuid }) => eventOrNotFound(scope, uuid),
});

/** Reads one event for a caller who may see it but not manage it. */
export const getOwn = operation({
  name: 'events.getOwn',
  roles: everyRole,
  cacheable: true,
  input: eventParams,
  run: (scope, { uuid }) => eventOrNotFound(scope, uuid),
});

/** The events of these ids that the caller may see, in any order, in one statement. */
export const getByIds = operation({
  name: 'events.ofIds',
  roles: everyRole,
  cacheable: true,
  input: eventIdsInput,
  run: (scope, { eventIds }) => readEventsByIds(scope.db, eventIds),
});

/** Reads one page of a client's own events, by start. */
export const listOwn = operation({
  name: 'events.listOwn',
  roles: { client: 'own' },
  cacheable: true,
  input: Type.Object(
    {
      statuses: Type.Optional(Type.Array(oneOf(Object.values(EventStatus)), { maxItems: limits.filterValuesMax })),
      ...pageInput(),
    },
    closed,
  ),
  run: (scope, { statuses, ...request }) =>
    listEvents(scope, { filter: { ...(statuses && { statuses }) }, ...request }),
});

/** Creates an event. A single statement stores it, so no transaction is needed. */
export const create = operation({
  name: 'events.create',
  roles: admin,
  writes: true,
  idempotent: true,
  input: createEventInput,
  run: async (scope, input) => {
    const errors = await clientErrors(scope, input.clientId);
    const instants = resolvePeriod(input, input.timezone, errors);
    const event = await insertEvent(scope.db, { ...input, ...instants, createdAt: scope.clock() });
    scope.record({ kind: 'event', id: event.id });
    return event;
  },
});

/** Changes only the fields that were sent. The rules apply to the resulting event. */
export const update = operation({
  name: 'events.update',
  roles: admin,
  writes: true,
  input: Type.Object({ ...eventParams.properties, ...versionInput, ...eventChanges.properties }, closed),
  run: (scope, { uuid, expectedVersions, ...changes }) =>
    scope.transaction(async (tx) => {
      const event = await eventOrNotFound(tx, uuid, 'forUpdate');
      requireVersion(event, expectedVersions);
      if (Object.values(changes).every((value) => value === undefined)) return event;

      const errors = await clientErrors(tx, changes.clientId);
      const { startTime = event.startTime, endTime = event.endTime, timezone = event.timezone } = changes;
      const instants = resolvePeriod({ startTime, endTime }, timezone, errors);
      if (timezone !== event.timezone) await moveChildrenToZone(tx, event.id, timezone);
      await tx.db.event.update({
        where: { businessId_uuid: { businessId: tx.businessId, uuid } },
        data: { ...toStored(eventFields, changes), ...instants, modifiedAt: tx.clock() },
        select: { id: true },
      });
      tx.record({ kind: 'event', id: event.id });
      return eventOrNotFound(tx, uuid);
    }),
});

export async function eventOrNotFound(scope: Scope, uuid: string, lock?: 'forUpdate'): Promise<EventRow> {
  const event = await eventByUuid(scope.db, uuid, lock);
  if (!event) throw notFound('event');
  return event;
}

/** Collects the errors of a client id. A user of another business gets the same error as one that does not exist. */
async function clientErrors(scope: Scope, clientId: number | null | undefined): Promise<FieldErrors> {
  if (clientId === null || clientId === undefined) return {};
  const client = await scope.db.user.findFirst({
    where: { id: clientId, role: 'client', deletedAt: null },
    select: { id: true },
  });
  return client ? {} : { clientId: ['must be the id of a client of this business'] };
}
