import Type, { type Static } from 'typebox';
import { variantOf } from '../access/operation.ts';
import { mayCall } from '../access/actor.ts';
import type { Scope } from '../access/scope.ts';
import { readEventWithLists, type ListsOfEvent } from '../db/events-with-lists.ts';
import { notFound } from '../errors.ts';
import type { EventRow } from '../fields/events.ts';
import { getByEvents as getCustomFieldsByEvents } from './custom-field-values.ts';
import { eventParams, listsOfEventsInput } from './events-input.ts';
import { get, getOwn } from './events.ts';

/** A list that was not asked for is undefined, and one that the caller may not see is null. */
export interface EventWithLists extends Partial<Omit<ListsOfEvent, 'customFields'>> {
  readonly event: EventRow;
  readonly customFields?: ListsOfEvent['customFields'] | null;
}

const shownFields = Type.Optional(Type.Array(Type.String()));

const input = Type.Object({
  ...eventParams.properties,
  /** The lists that are read, each with the fields that are shown of its rows. Custom field values are shown whole. */
  lists: Type.Object({ callTimes: shownFields, workShifts: shownFields, customFields: shownFields }),
  atMostEach: listsOfEventsInput.properties.atMostEach,
});

async function readWithLists(
  { db, actor }: Scope,
  { uuid, lists, atMostEach }: Static<typeof input>,
): Promise<EventWithLists> {
  const { customFields, ...others } = lists;
  const isHidden = customFields !== undefined && !mayCall(actor, getCustomFieldsByEvents.operation);
  const found = await readEventWithLists(db, uuid, isHidden ? others : lists, atMostEach);
  if (!found) throw notFound('event');
  return isHidden ? { ...found, customFields: null } : found;
}

export const getWithLists = variantOf(get, { input, run: readWithLists });

/** Reads one event and lists of it for a caller who may see it but not manage it. */
export const getOwnWithLists = variantOf(getOwn, { input, run: readWithLists });
