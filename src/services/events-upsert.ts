import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { eventEdit, repeatable } from '../access/permissions.ts';
import type { Capabilities, Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { holdUniqueResourceIds } from '../db/businesses.ts';
import { lockEventByResourceId } from '../db/events.ts';
import { conflict, Failure, invalid, unavailable } from '../errors.ts';
import type { EventRow } from '../fields/events.ts';
import { closedObject } from '../validation/schemas.ts';
import {
  assignsPeople,
  countRows,
  createSet,
  judgeEvents,
  newChildrenRule,
  newEventRules,
  oneEventOf,
} from './events-create.ts';
import { childrenInput, eventChanges, newChildren } from './events-input.ts';
import { clientRule, update, type ChangedEventRow } from './events.ts';
import { versionInput } from './versions.ts';

/** The resource id as an address has it: every text but the empty one, compared exactly as it was sent. */
export const resourceIdParams = closedObject({
  id: Type.String({
    minLength: 1,
    identifies: 'event',
    description: 'Identifier in an external system, exactly as it is stored.',
  }),
});

export const upsertInput = closedObject({ ...eventChanges.properties, ...childrenInput, ...newChildren });

export interface Upserted {
  readonly event: ChangedEventRow;
  readonly isNew: boolean;
}

const input = closedObject({
  ...resourceIdParams.properties,
  ...versionInput,
  /** The caller expects an event, of any version. */
  mustExist: Type.Optional(Type.Boolean()),
  mustBeNew: Type.Optional(Type.Boolean()),
  ...upsertInput.properties,
});

/** The rules of a new event. */
const rules = [clientRule, ...newEventRules, newChildrenRule];

type Sent = Omit<Static<typeof input>, 'id'>;

/** Creates the event that has a resource id, or changes it if there is one. Deleted events do not count. */
export const upsert = operation({
  ...eventEdit,
  ...repeatable,
  name: 'events.upsert',
  input,
  rules: [clientRule],
  moreScopes: { scopes: ['staffing:write'], when: assignsPeople },
  rows: { field: 'callTimes', count: countRows },
  run: (scope, { id, ...sent }, capabilities) =>
    scope.transaction(async (tx): Promise<Upserted> => {
      if (sent.resourceId !== undefined && sent.resourceId !== id)
        throw invalid({ resourceId: ['must be left out, or be the same as in the address'] });
      if (!(await holdUniqueResourceIds(tx.db)))
        throw conflict(
          'Resource ids name events only where they are unique: set `unique_resource_ids` of the business to true (`uniqueResourceIds` in GraphQL).',
          { uniqueResourceIds: ['must be true'] },
        );
      // An event that another transaction stores between the two steps is there in the next turn.
      for (let turn = 1; turn <= limits.triesMax; turn++) {
        const event = await lockEventByResourceId(tx.db, id);
        if (event) return { event: await changeExisting(tx, event, sent), isNew: false };
        const created = await createUnlessTaken(tx, { ...sent, resourceId: id }, capabilities);
        if (created) return { event: created, isNew: true };
      }
      throw unavailable('Too many changes of this event at the same time: try again.', 1);
    }),
});

function changeExisting(
  tx: Scope,
  { uuid }: EventRow,
  { mustExist: _mustExist, mustBeNew, callTimes, ...changes }: Sent,
) {
  if (mustBeNew) throw preconditionFailed('There is an event with this resource id already.');
  if (callTimes !== undefined)
    throw invalid({
      callTimes: [
        'are taken for a new event only: change those of this one with `POST /v1/call_times` and `PUT /v1/call_times/{uuid}` (`createCallTime` and `updateCallTime` in GraphQL)',
      ],
    });
  return update(tx, { uuid, ...changes });
}

/** Returns null if there is an event with the resource id by now. */
async function createUnlessTaken(
  tx: Scope,
  { mustExist, mustBeNew: _mustBeNew, children: _children, expectedVersions, ...event }: Sent,
  capabilities: Capabilities,
): Promise<EventRow | null> {
  if (mustExist || expectedVersions) throw preconditionFailed('There is no event with this resource id.');
  const [outcome] = await createSet(tx, await judgeEvents(tx, [event], capabilities, rules));
  const isTaken = outcome && 'failure' in outcome && outcome.failure.errors?.['resourceId']?.includes('is taken');
  return isTaken ? null : oneEventOf(outcome);
}

const preconditionFailed = (message: string) => new Failure('PRECONDITION_FAILED', message);
