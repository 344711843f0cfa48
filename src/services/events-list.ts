import Type, { type Static } from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { eventCursorOrder, eventSortKeys, type EventSort } from '../db/events-order.ts';
import { countEvents, readEventPage } from '../db/events.ts';
import type { EventRow } from '../fields/events.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { readPage, type ListPage } from '../paging/pages.ts';
import { closed, instant, int4, localDate, oneOf, text, visibleText } from '../validation/schemas.ts';

const idOfOne = (noun: string) => Type.Optional(int4(1, limits.int4Max, `Id of the ${noun}.`));

const eventFilter = Type.Object(
  {
    statuses: Type.Optional(Type.Array(oneOf(Object.values(EventStatus)), { maxItems: limits.filterValuesMax })),
    startsFrom: Type.Optional(instant('Start, not before.')),
    startsTo: Type.Optional(instant('Start, before.')),
    dateFrom: Type.Optional(localDate('First local date of the start.')),
    dateTo: Type.Optional(localDate('Last local date of the start.')),
    text: Type.Optional(visibleText(limits.shortTextChars)),
    clientId: idOfOne('client'),
    city: Type.Optional(visibleText(limits.cityChars)),
    state: Type.Optional(visibleText(limits.stateChars)),
    staffId: idOfOne('staff member'),
    positionId: idOfOne('position'),
    customField: Type.Optional(
      Type.Object({ fieldUuid: Type.String({ format: 'uuid' }), value: text(limits.customValueChars) }, closed),
    ),
    coverageBelow: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    updatedSince: Type.Optional(instant('Changed, not before.')),
  },
  closed,
);

const eventSort = Type.Object(
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
