import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import type { SlicesByParent } from '../db/by-parent.ts';
import { callTimeSlices, customFieldValueSlices, shiftCounts, shiftsFrom, shiftSlices } from '../db/nested-lists.ts';
import { lastPageOf, listingOf, once, type Listing, type Page, type PageInput } from '../paging/paging.ts';
import { activeShiftsOf, type WorkShiftRow } from '../db/work-shifts.ts';
import { ShiftStatus } from '../generated/prisma/enums.ts';
import { closed, idOf, int4, oneOf, paging } from '../validation/schemas.ts';
import { browsing, cursorsOf, listingFrom, readFrom } from '../paging/browsing.ts';
import { groupBy } from '../paging/group-by.ts';
import { shiftsByStart } from './work-shifts.ts';

/* The same page of many parents' lists: one statement, and a page for each id, in the order of the ids. */

const ids = Type.Array(idOf('parent'));

const idOfOne = Type.Optional(int4(1));

export const callTimePages = operation(
  'callTimes.pagesOfEvents',
  Type.Object(
    {
      eventIds: ids,
      filter: Type.Optional(Type.Object({ positionId: idOfOne, skillLevelId: idOfOne }, closed)),
      ...paging(),
    },
    closed,
  ),
  async (scope, { eventIds, filter = {}, ...window }) =>
    pagesOf(eventIds, window, (slice) => callTimeSlices(scope.db, eventIds, filter, slice)),
);

export const customFieldPages = operation(
  'customFields.pagesOfEvents',
  Type.Object(
    {
      eventIds: ids,
      filter: Type.Optional(
        Type.Object(
          {
            fieldUuids: Type.Optional(
              Type.Array(Type.String({ format: 'uuid' }), { maxItems: limits.filterValuesMax }),
            ),
          },
          closed,
        ),
      ),
      ...paging(),
    },
    closed,
  ),
  async (scope, { eventIds, filter = {}, ...window }) =>
    pagesOf(eventIds, window, (slice) => customFieldValueSlices(scope.db, eventIds, filter, slice)),
);

const shiftParent = oneOf(['eventId', 'callTimeId', 'userId']);

const shiftFilter = Type.Object(
  {
    statuses: Type.Optional(Type.Array(oneOf(Object.values(ShiftStatus)), { maxItems: limits.filterValuesMax })),
    userId: idOfOne,
    positionId: idOfOne,
    confirmed: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** A page of each parent's shifts by number, or, where `first` or `after` is given, from a cursor on. */
export const shiftPages = operation(
  'workShifts.pagesOf',
  Type.Object({ parent: shiftParent, ids, filter: Type.Optional(shiftFilter), ...browsing() }, closed),
  async (scope, { parent, ids: parentIds, filter = {}, ...asked }): Promise<Listing<WorkShiftRow>[]> => {
    const from = readFrom(scope, asked, shiftsByStart);
    if (!from) {
      const pages = await pagesOf(parentIds, asked, (slice) => shiftSlices(scope.db, parent, parentIds, filter, slice));
      return pages.map((page) => ({ ...listingOf(page), cursors: cursorsOf(shiftsByStart, page.rows) }));
    }
    const rowsOf = groupBy(parent, await shiftsFrom(scope.db, parent, parentIds, filter, from));
    const counts = once(() => shiftCounts(scope.db, parent, parentIds, filter));
    return parentIds.map((id) =>
      listingFrom(from, rowsOf(id), async () => (await counts()).get(id) ?? 0, shiftsByStart),
    );
  },
);

/** The active shifts of many call times or people, no more than so many of each. */
export const shiftsOf = operation(
  'workShifts.listsOf',
  Type.Object({ parent: shiftParent, ids, atMostEach: Type.Integer({ minimum: 1 }) }, closed),
  (scope, { parent, ids: parentIds, atMostEach }) => activeShiftsOf(scope.db, parent, parentIds, atMostEach),
);

async function pagesOf<Row>(
  parentIds: readonly number[],
  window: PageInput,
  read: (slice: { limit: number; offset: number }) => Promise<SlicesByParent<Row>>,
): Promise<Page<Row>[]> {
  const { page = limits.pageDefault, perPage = limits.perPageDefault } = window;
  const slices = await read({ limit: perPage, offset: (page - 1) * perPage });
  return parentIds.map((id) => {
    const { rows, total } = slices.get(id) ?? { rows: [], total: 0 };
    return { rows, page, perPage, total, lastPage: lastPageOf(total, perPage) };
  });
}
