import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config.ts';
import type { SlicesByParent } from '../db/by-parent.ts';
import { callTimeSlices, customFieldValueSlices, shiftSlices } from '../db/nested-lists.ts';
import { lastPageOf, type Page, type PageInput } from '../db/paging.ts';
import { activeShiftsOf } from '../db/work-shifts.ts';
import { ShiftStatus } from '../generated/prisma/enums.ts';
import { closed, idOf, int4, oneOf, paging } from '../validation.ts';

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

export const shiftPages = operation(
  'workShifts.pagesOf',
  Type.Object(
    {
      parent: shiftParent,
      ids,
      filter: Type.Optional(
        Type.Object(
          {
            statuses: Type.Optional(
              Type.Array(oneOf(Object.values(ShiftStatus)), { maxItems: limits.filterValuesMax }),
            ),
            userId: idOfOne,
            positionId: idOfOne,
            confirmed: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
      ),
      ...paging(),
    },
    closed,
  ),
  async (scope, { parent, ids: parentIds, filter = {}, ...window }) =>
    pagesOf(parentIds, window, (slice) => shiftSlices(scope.db, parent, parentIds, filter, slice)),
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
