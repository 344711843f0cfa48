import Type, { type Static } from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { eventCursorOrder, eventSortKeys, type EventSort } from '../db/events-order.ts';
import { countEvents, readEventPage } from '../db/events.ts';
import type { EventRow } from '../fields/events.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { readPage, type ListPage } from '../paging/pages.ts';
import { closed, instant, int4, localDate, oneOf, text, visibleText, utcInstant } from '../validation/schemas.ts';

const idOfOne = (description: string) => Type.Optional(int4(1, limits.int4Max, description));

export const eventFilter = Type.Object(
  {
    statuses: Type.Optional(Type.Array(oneOf(Object.values(EventStatus)), { maxItems: limits.namedItemsMax })),
    startsFrom: Type.Optional(instant('Lists only events that start then or later.')),
    startsTo: Type.Optional(instant('Lists only events that start before.')),
    runsFrom: Type.Optional(
      instant('Lists only events that end after this, such as those that still run. A tentative end counts as it is.'),
    ),
    runsTo: Type.Optional(
      instant(
        'Lists only events that start before this. With `runsFrom`, it lists the events that run, or have a call time, at some time between.',
      ),
    ),
    dateFrom: Type.Optional(
      localDate('Lists only events that start on this day or later, `YYYY-MM-DD` in the time zone of the event.'),
    ),
    dateTo: Type.Optional(
      localDate('Lists only events that start on this day or before, `YYYY-MM-DD` in the time zone of the event.'),
    ),
    text: Type.Optional(
      visibleText(limits.textChars, {
        description:
          'Lists only events with this text in their title, venue or city, without regard to case and accents.',
      }),
    ),
    resourceId: Type.Optional(
      visibleText(limits.textChars, {
        description: 'Lists only events with exactly this identifier in an external system.',
      }),
    ),
    clientId: idOfOne('Lists only events of the client (a user) with this id.'),
    city: Type.Optional(
      visibleText(limits.textChars, {
        description: 'Lists only events in this city, without regard to case and accents.',
      }),
    ),
    state: Type.Optional(
      visibleText(limits.regionChars, {
        description: 'Lists only events in this state, without regard to case and accents.',
      }),
    ),
    staffId: idOfOne('Lists only events with an active shift of the staff member (a user) with this id.'),
    positionId: idOfOne('Lists only events with a call time or an active shift in the position with this id.'),
    customField: Type.Optional(
      Type.Object(
        {
          fieldUuid: Type.String({ format: 'uuid', description: 'UUID of a custom field.' }),
          value: text(limits.longTextChars, { description: 'The exact value that the event has in that field.' }),
        },
        closed,
      ),
    ),
    coverageBelow: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Lists only events with less than this share, 0 to 1, of the people needed.',
      }),
    ),
    updatedSince: Type.Optional(
      utcInstant(
        'Lists only events that were changed then or later, themselves or their call times, shifts or custom field values.',
      ),
    ),
  },
  closed,
);

export const eventSort = Type.Object(
  { by: Type.Optional(oneOf(eventSortKeys)), order: Type.Optional(oneOf(['asc', 'desc'])) },
  closed,
);

export const listEventsInput = Type.Object(
  { filter: Type.Optional(eventFilter), sort: Type.Optional(eventSort), ...pageInput() },
  closed,
);

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
