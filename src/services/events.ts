import Type from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import { operation, variantOf } from '../access/operation.ts';
import { adminRead, commonRead, eventEdit, repeatable } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import type { Moved } from '../db/events-children.ts';
import { eventByUuid, insertEvent, readEventsByIds, readEventsByUuids } from '../db/events.ts';
import { writePlaces } from '../db/places.ts';
import { isClient } from '../db/users.ts';
import { invalid, notFound, type FieldErrors } from '../errors.ts';
import { eventFields, type EventRow } from '../fields/events.ts';
import { toStored } from '../fields/field-list.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule } from '../paging/pages.ts';
import { closedObject, manyInputs, oneOf } from '../validation/schemas.ts';
import { unwatched, watchAttended, withReworked, type WithReworked } from './attendance-plan.ts';
import { refuseTakenResourceId } from './businesses.ts';
import { settleChildren } from './events-children.ts';
import {
  assignsPeople,
  countRows,
  createSet,
  judgeEvents,
  newChildrenRule,
  newEventRules,
  oneEventOf,
} from './events-create.ts';
import { createEventInput, eventIdsInput, eventParams, uuidsInput, eventChangesInput } from './events-input.ts';
import { listEvents, listEventsInput } from './events-list.ts';
import { runInTurn } from './in-turn.ts';
import { findPeriodFaults, resolvePeriod } from './periods.ts';
import { requireVersion, versionInput } from './versions.ts';

export const list = operation({
  ...adminRead,
  name: 'events.list',
  input: listEventsInput,
  rules: [pageRule],
  run: listEvents,
});

export const get = operation({
  ...adminRead,
  name: 'events.get',
  input: eventParams,
  run: (scope, { uuid }) => eventOrNotFound(scope, uuid),
});

/** Reads one event for a caller who may see it but not manage it. */
export const getOwn = operation({
  ...commonRead,
  name: 'events.getOwn',
  input: eventParams,
  run: (scope, { uuid }) => eventOrNotFound(scope, uuid),
});

/** The events of these ids that the caller may see, in any order, in one statement. */
export const getByIds = operation({
  ...commonRead,
  name: 'events.ofIds',
  input: eventIdsInput,
  run: (scope, { eventIds }) => readEventsByIds(scope.db, eventIds),
});

export const ownEventsFilter = {
  statuses: Type.Optional(
    Type.Array(oneOf(Object.values(EventStatus)), {
      maxItems: limits.namedItemsMax,
      description:
        'Lists only events with one of these statuses. Default: `ACTIVE` and `CANCELED`, which are all that a client can see.',
    }),
  ),
};

export const ownEventsInput = closedObject({ ...ownEventsFilter, ...pageInput() });

export const getByUuids = variantOf(getByIds, {
  input: uuidsInput,
  run: (scope, { uuids }) => readEventsByUuids(scope.db, uuids),
});

export const listOwn = operation({
  name: 'events.listOwn',
  roles: { client: 'own' },
  scopes: ['read'],
  cacheable: true,
  input: ownEventsInput,
  rules: [pageRule],
  run: (scope, { statuses, ...request }) =>
    listEvents(scope, { filter: { ...(statuses && { statuses }) }, ...request }),
});

/** Errors of a client who is of another business or does not exist: callers cannot tell the two apart. */
const noClient: FieldErrors = { clientId: ['must be the id of a client of this business'] };

export const clientRule: InputRule<{ clientId?: number | null }> = {
  over: ['clientId'],
  check: (scope, { clientId }) => clientErrors(scope, clientId, 'none'),
};

/**
 * Creates an event. A single statement stores one without call times, so no transaction is needed. Call times are stored with
 * their people and the event, or nothing is.
 */
export const create = operation({
  ...eventEdit,
  ...repeatable,
  name: 'events.create',
  input: createEventInput,
  moreScopes: { scopes: ['staffing:write'], when: assignsPeople },
  rows: { field: 'callTimes', count: countRows },
  rules: [clientRule, ...newEventRules, newChildrenRule],
  run: async (scope, { callTimes, override, ...input }) => {
    if (callTimes && callTimes.length > 0)
      return scope.transaction(async (tx) => {
        const [outcome] = await createSet(tx, [{ ...input, callTimes, ...(override && { override }) }]);
        return oneEventOf(outcome);
      });
    const errors = await clientErrors(scope, input.clientId, 'none');
    const instants = resolvePeriod(input, input.timezone, errors);
    const createdAt = scope.clock();
    const event = await refuseTakenResourceId(
      insertEvent(scope.db, { ...input, ...instants, createdAt }, scope.origin),
    );
    if (!event) throw invalid(noClient);
    scope.record({ kind: 'event', id: event.id });
    return event;
  },
});

/** Creates several events, each as if it came after those before it: a refused one does not affect the others. */
export const createMany = operation({
  ...eventEdit,
  ...repeatable,
  name: 'events.createMany',
  input: manyInputs,
  moreScopes: { scopes: ['staffing:write'], when: ({ inputs }) => inputs.some(assignsPeople) },
  rows: { field: 'inputs', count: ({ inputs }) => inputs.reduce((sum: number, each) => sum + countRows(each), 0) },
  run: async (scope, { inputs }, capabilities) => {
    const judged = await judgeEvents(scope, inputs, capabilities);
    return scope.transaction((tx) => createSet(tx, judged));
  },
});

/** Changes only the fields that were sent. The rules apply to the resulting event. */
export const update = operation({
  ...eventEdit,
  name: 'events.update',
  input: closedObject({ ...eventParams.properties, ...versionInput, ...eventChangesInput.properties }),
  rules: [
    clientRule,
    {
      over: ['uuid', 'startTime', 'endTime', 'timezone'],
      check: async (scope, { uuid, ...changes }) => {
        const event = await eventByUuid(scope.db, uuid);
        if (!event) return {};
        const { startTime = event.startTime, endTime = event.endTime, timezone = event.timezone } = changes;
        return findPeriodFaults({ startTime, endTime }, timezone);
      },
    },
  ],
  run: (scope, { uuid, expectedVersions, override, children, ...changes }): Promise<ChangedEventRow> =>
    scope.transaction(
      async (tx) => {
        const event = await eventOrNotFound(tx, uuid, 'forUpdate');
        requireVersion(event, expectedVersions);
        if (Object.values(changes).every((value) => value === undefined)) return null;

        const errors = await clientErrors(tx, changes.clientId, 'for share');
        const { title = event.title, status = event.status, timezone = event.timezone } = changes;
        const { startTime = event.startTime, endTime = event.endTime } = changes;
        const instants = resolvePeriod({ startTime, endTime }, timezone, errors);
        const next = { title, status, timezone, startTime, endTime, ...instants };
        const sent = { ...changes, ...(status === event.status && { status: undefined }) };
        const isInPlace = timezone === event.timezone && startTime === event.startTime && endTime === event.endTime;
        const attended = isInPlace ? unwatched : await watchAttended(tx, { eventId: event.id }, override);
        const moved = await attended.guard(settleChildren(tx, event, { next, override, children }));
        await refuseTakenResourceId(
          writePlaces(tx, event.id).event.update({
            where: { businessId_uuid: { businessId: tx.businessId, uuid } },
            data: { ...toStored(eventFields, sent), ...instants, modifiedAt: tx.clock() },
            select: { id: true },
          }),
        );
        tx.record({ kind: 'event', id: event.id });
        return { moved, reworked: await attended.settle() };
      },
      async (tx, made) => {
        const changed = await eventOrNotFound(tx, uuid);
        return made ? withReworked({ ...changed, ...(made.moved && { moved: made.moved }) }, made.reworked) : changed;
      },
    ),
});

/** Changes several events, one after the other: a refused one does not affect the others. */
export const updateMany = operation({
  ...eventEdit,
  name: 'events.updateMany',
  input: manyInputs,
  rows: { field: 'inputs', count: ({ inputs }) => inputs.length },
  run: (scope, { inputs }) =>
    runInTurn(inputs, async (input) => ({ event: await update(scope, input as Parameters<typeof update>[1]) })),
});

/** A changed event, and how many of its call times and shifts have moved with it, if any has. */
export type ChangedEventRow = WithReworked<EventRow & { readonly moved?: Moved }>;

export async function eventOrNotFound(scope: Scope, uuid: string, lock?: 'forUpdate'): Promise<EventRow> {
  const event = await eventByUuid(scope.db, uuid, lock);
  if (!event) throw notFound('event');
  return event;
}

async function clientErrors(
  { db }: Scope,
  clientId: number | null | undefined,
  lock: Parameters<typeof isClient>[2],
): Promise<FieldErrors> {
  if (clientId === null || clientId === undefined) return {};
  return (await isClient(db, clientId, lock)) ? {} : { ...noClient };
}
