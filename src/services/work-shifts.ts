import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { countOwnShifts, ownShiftPage } from '../db/work-shifts-own.ts';
import { shiftCounts, shiftsFrom, shiftSlices } from '../db/work-shifts-pages.ts';
import {
  activeShiftPage,
  activeShiftsOf,
  activeShiftsOfEvents,
  isShiftPlace,
  placeOfShift,
  type WorkShiftRow,
} from '../db/work-shifts.ts';
import { ShiftStatus } from '../generated/prisma/enums.ts';
import { browse, browsing, cursorsOf, listingFrom, readFrom, type Ordered } from '../paging/browsing.ts';
import { groupBy, pagesOf } from '../paging/by-parent.ts';
import { listingOf, memoize, readListing, readPage, type Listing } from '../paging/paging.ts';
import { closed, idOf, instant, int4, oneOf, paging } from '../validation/schemas.ts';
import { eventIdsInput, eventParams, rowsOfEventsInput } from './events-input.ts';
import { eventOrNotFound } from './events.ts';

/** The active shifts of many events in one statement. */
export const ofEvents = operation(
  'workShifts.ofEvents',
  rowsOfEventsInput<WorkShiftRow>(),
  (scope, { eventIds, ...asked }) => activeShiftsOfEvents(scope.db, eventIds, asked),
);

/** How many active shifts each of many events has, in one statement. */
export const countsOfEvents = operation('workShifts.ofEvents', eventIdsInput, (scope, { eventIds }) =>
  shiftCounts(scope.db, 'eventId', eventIds, {}),
);

export const shiftsByStart: Ordered<WorkShiftRow> = {
  order: { by: 'start', order: 'asc' },
  placeOf: placeOfShift,
  isPlace: isShiftPlace,
};

/** A page of one event's active shifts, and the event. */
export const listOfEvent = operation(
  'workShifts.listOfEvent',
  Type.Object({ ...eventParams.properties, ...paging() }, closed),
  async (scope, { uuid, ...window }) => {
    const event = await eventOrNotFound(scope, uuid);
    const page = await readPage(
      window,
      (rows) => activeShiftPage(scope.db, event.id, rows),
      () => scope.db.workShift.count({ where: { eventId: event.id, status: 'active' } }),
    );
    return { event, ...page };
  },
);

/** The same, from a cursor on as well, and counted only when asked. */
export const browseOfEvent = operation(
  'workShifts.listOfEvent',
  Type.Object({ ...eventParams.properties, ...browsing() }, closed),
  async (scope, { uuid, ...asked }) => {
    const { db } = scope;
    const event = await eventOrNotFound(scope, uuid);
    const listing = await browse(scope, asked, {
      ...shiftsByStart,
      rows: ({ limit, offset = 0, after }) =>
        after || offset === 0
          ? shiftsFrom(db, 'eventId', [event.id], {}, { limit, after })
          : activeShiftPage(db, event.id, { limit, offset }),
      countAll: () => db.workShift.count({ where: { eventId: event.id, status: 'active' } }),
    });
    return { event, ...listing };
  },
);

const shiftParent = oneOf(['eventId', 'callTimeId', 'userId']);

const shiftFilter = Type.Object(
  {
    statuses: Type.Optional(Type.Array(oneOf(Object.values(ShiftStatus)), { maxItems: limits.filterValuesMax })),
    userId: Type.Optional(int4(1)),
    positionId: Type.Optional(int4(1)),
    confirmed: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** A page of each parent's shifts by number, or, where `first` or `after` is given, from a cursor on. */
export const pagesByParent = operation(
  'workShifts.pagesOf',
  Type.Object(
    { parent: shiftParent, ids: Type.Array(idOf('parent')), filter: Type.Optional(shiftFilter), ...browsing() },
    closed,
  ),
  async (scope, { parent, ids: parentIds, filter = {}, ...asked }): Promise<Listing<WorkShiftRow>[]> => {
    const from = readFrom(scope, asked, shiftsByStart);
    if (!from) {
      const pages = await pagesOf(parentIds, asked, (slice) => shiftSlices(scope.db, parent, parentIds, filter, slice));
      return pages.map((page) => ({ ...listingOf(page), cursors: cursorsOf(shiftsByStart, page.rows) }));
    }
    const rowsOf = groupBy(parent, await shiftsFrom(scope.db, parent, parentIds, filter, from));
    const counts = memoize(() => shiftCounts(scope.db, parent, parentIds, filter));
    return parentIds.map((id) =>
      listingFrom(from, rowsOf(id), async () => (await counts()).get(id) ?? 0, shiftsByStart),
    );
  },
);

/** The active shifts of many call times or people, no more than so many of each. */
export const ofParents = operation(
  'workShifts.listsOf',
  Type.Object(
    { parent: shiftParent, ids: Type.Array(idOf('parent')), atMostEach: Type.Integer({ minimum: 1 }) },
    closed,
  ),
  (scope, { parent, ids: parentIds, atMostEach }) => activeShiftsOf(scope.db, parent, parentIds, atMostEach),
);

/** A staff member's own shifts, by start. */
export const listOwn = operation(
  'workShifts.listOwn',
  Type.Object(
    {
      from: Type.Optional(instant('Start, not before.')),
      to: Type.Optional(instant('Start, before.')),
      statuses: Type.Optional(Type.Array(oneOf(Object.values(ShiftStatus)), { maxItems: limits.filterValuesMax })),
      ...paging(),
    },
    closed,
  ),
  ({ db }, { page, perPage, ...filter }) =>
    readListing(
      { page, perPage },
      (window) => ownShiftPage(db, filter, window),
      () => countOwnShifts(db, filter),
    ),
);
