import Type, { type Static } from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { countEvents, eventCursorOrder, type EventSort, readEventPage } from '../db/events.ts';
import { codesOf, eventSortKeys, sortDirections } from '../fields/codes.ts';
import type { EventRow } from '../fields/events.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { readPage, type ListPage } from '../paging/pages.ts';
import {
  closed,
  closedObject,
  instant,
  localDate,
  oneOf,
  optionalFields,
  rowNumber,
  text,
  utcInstant,
  visibleText,
} from '../validation/schemas.ts';

export const eventFilter = optionalFields({
  statuses: Type.Array(oneOf(Object.values(EventStatus)), {
    maxItems: limits.namedItemsMax,
    description:
      'Lists only events with one of these statuses. Default: all except `DELETED`. An empty list matches no event.',
  }),
  startsFrom: instant('Lists only events that start then or later.'),
  startsTo: instant('Lists only events that start before.'),
  runsFrom: instant(
    'Lists only events that end after this, such as those that still run. An end to be determined counts as the tentative one.',
  ),
  runsTo: instant(
    'Lists only events that start before this. With `runsFrom`, it lists the events that run, or have a call time, at some time between.',
  ),
  dateFrom: localDate('Lists only events that start on this day or later, `YYYY-MM-DD` in the time zone of the event.'),
  dateTo: localDate('Lists only events that start on this day or before, `YYYY-MM-DD` in the time zone of the event.'),
  text: visibleText(limits.textChars, {
    description: 'Lists only events with this text in their title, venue or city, without regard to case and accents.',
  }),
  resourceId: visibleText(limits.textChars, {
    description: 'Lists only events with exactly this identifier in an external system.',
  }),
  clientId: rowNumber('Lists only events of the client (a user) with this id.'),
  city: visibleText(limits.textChars, {
    description: 'Lists only events in this city, without regard to case and accents.',
  }),
  state: visibleText(limits.regionChars, {
    description: 'Lists only events in this state, without regard to case and accents.',
  }),
  staffId: rowNumber('Lists only events with an active shift of the staff member (a user) with this id.'),
  positionId: rowNumber('Lists only events with a call time or an active shift in the position with this id.'),
  customField: Type.Object(
    {
      fieldUuid: Type.String({ format: 'uuid', description: 'UUID of a custom field definition.' }),
      value: text(limits.longTextChars, { description: 'The exact value that the event has in that field.' }),
    },
    { ...closed, description: 'Lists only events with this value in a custom field.' },
  ),
  coverageBelow: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'Lists only events with less than this share, 0 to 1, of the people needed; 1 finds every event with an open place. An overfilled call time does not fill another; an event that needs nobody never matches.',
  }),
  updatedSince: utcInstant(
    'Lists only events that were changed then or later, themselves or their call times, shifts or custom field values.',
  ),
});

export const eventSort = optionalFields({
  by: oneOf(codesOf(eventSortKeys), 'Sort key. Default: `START`.'),
  order: oneOf(codesOf(sortDirections), 'Direction. Default: `ASC`.'),
});

export const listEventsInput = closedObject({
  filter: Type.Optional(eventFilter),
  sort: Type.Optional(eventSort),
  ...pageInput(),
});

const byStart: EventSort = { by: 'start', order: 'asc' };

/** Reads one page of the events that the caller may see. */
export function listEvents(
  scope: Scope,
  { filter = {}, sort, ...request }: Static<typeof listEventsInput>,
): Promise<ListPage<EventRow>> {
  const fullSort: EventSort = { ...byStart, ...sort };
  return readPage(scope, request, {
    order: eventCursorOrder(fullSort),
    rows: (window) => readEventPage(scope.db, filter, fullSort, window),
    count: () => countEvents(scope.db, filter),
  });
}
