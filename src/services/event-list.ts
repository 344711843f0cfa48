import Type, { type Static } from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config.ts';
import { eventSortKeys, isPlace, placeOfEvent, type EventSort } from '../db/event-order.ts';
import { countEvents, eventPage, type EventRow } from '../db/events.ts';
import { cursorOf, placeOf } from '../db/keyset.ts';
import { once, readListing, readPage, type Listing, type Page } from '../db/paging.ts';
import { invalid, type FieldErrors } from '../errors.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { closed, instant, int4, localDate, oneOf, paging, text, visibleText } from '../validation.ts';

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

export const browseEventsInput = Type.Object(
  { ...listEventsInput.properties, first: paging().perPage, after: Type.Optional(text(limits.cursorChars)) },
  closed,
);

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
export async function readBrowsed(
  { db }: Scope,
  { filter = {}, sort: asked, first, after, ...numbered }: Static<typeof browseEventsInput>,
): Promise<Listing<EventRow>> {
  const sort: EventSort = { ...byStart, ...asked };
  const countAll = () => countEvents(db, filter);
  const cursors = (rows: readonly EventRow[]) => rows.map((event) => cursorOf(sort, placeOfEvent(sort, event)));
  if (first === undefined && after === undefined) {
    const listing = await readListing(numbered, (window) => eventPage(db, filter, sort, window), countAll);
    return { ...listing, cursors: cursors(listing.rows) };
  }
  const errors: FieldErrors = {};
  const place = after === undefined ? undefined : placeOf(sort, after);
  if (place === null || (place && !isPlace(sort, place)))
    errors['after'] = ['must be a cursor of a list in this order'];
  if (numbered.page !== undefined || numbered.perPage !== undefined)
    errors[first === undefined ? 'after' : 'first'] = ['must not be given together with page or perPage'];
  if (Object.keys(errors).length > 0 || place === null) throw invalid(errors);

  const limit = first ?? limits.perPageDefault;
  const rows = await eventPage(db, filter, sort, { limit: limit + 1, after: place });
  const shown = rows.slice(0, limit);
  return {
    rows: shown,
    page: null,
    perPage: null,
    hasNextPage: rows.length > limit,
    hasPreviousPage: place !== undefined,
    total: once(countAll),
    lastPage: async () => null,
    cursors: cursors(shown),
  };
}
