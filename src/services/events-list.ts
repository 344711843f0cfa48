import Type, { type Static } from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { eventSortKeys, isPlace, placeOfEvent, type EventSort } from '../db/events-order.ts';
import { countEvents, eventPage, type EventRow } from '../db/events.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { browse, browsing } from '../paging/browsing.ts';
import { readPage, type Listing, type Page } from '../paging/paging.ts';
import { closed, instant, int4, localDate, oneOf, paging, text, visibleText } from '../validation/schemas.ts';

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
  { filter: Type.Optional(eventFilter), sort: Type.Optional(eventSort), ...paging() },
  closed,
);

export const browseEventsInput = Type.Object({ ...listEventsInput.properties, ...browsing() }, closed);

const byStart: EventSort = { by: 'start', order: 'asc' };

/** A page of events by number, and their total. */
export const readNumbered = (
  { db }: Scope,
  { filter = {}, sort, ...numbered }: Static<typeof listEventsInput>,
): Promise<Page<EventRow>> =>
  readPage(
    numbered,
    (window) => eventPage(db, filter, { ...byStart, ...sort }, window),
    () => countEvents(db, filter),
  );

/** A page of events by number, or, where `first` or `after` is given, from a cursor on. */
export function readBrowsed(
  scope: Scope,
  { filter = {}, sort: asked, ...window }: Static<typeof browseEventsInput>,
): Promise<Listing<EventRow>> {
  const sort: EventSort = { ...byStart, ...asked };
  return browse(scope, window, {
    order: sort,
    placeOf: (event) => placeOfEvent(sort, event),
    isPlace: (place) => isPlace(sort, place),
    rows: (rows) => eventPage(scope.db, filter, sort, rows),
    countAll: () => countEvents(scope.db, filter),
  });
}
