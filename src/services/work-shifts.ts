import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminRead, commonRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import {
  countOwnShifts,
  countShifts,
  readOwnShiftPage,
  readShiftsFrom,
  readShiftSlices,
  type ShiftFilter,
} from '../db/work-shifts-pages.ts';
import {
  readActiveShiftPage,
  readActiveShifts,
  readActiveShiftsOfEvents,
  readShiftsByUuids,
  shiftCursorOrder,
  type ShiftParent,
} from '../db/work-shifts.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { ShiftStatus } from '../generated/prisma/enums.ts';
import { memoize } from '../memoize.ts';
import { groupBy } from '../paging/group-by.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import {
  pageRule,
  readPage,
  readPagesByParent,
  type ListSlice,
  type PageRequest,
  type PageWindow,
} from '../paging/pages.ts';
import { closed, idOf, instant, int4, oneOf } from '../validation/schemas.ts';
import { eventParams, rowsOfEventsInput, uuidsInput } from './events-input.ts';
import { eventOrNotFound } from './events.ts';
import { shiftOrNotFound } from './work-shifts-assign.ts';
import { shiftParams } from './work-shifts-input.ts';

/** Reads the active shifts of many events in one statement. */
export const getByEvents = operation({
  ...commonRead,
  name: 'workShifts.ofEvents',
  input: rowsOfEventsInput,
  run: (scope, { eventIds, atMostEach, fields }) =>
    readActiveShiftsOfEvents(scope.db, eventIds, { atMostEach, shown: fields }),
});

/** Reads one shift that the caller may see, whatever its status. */
export const get = operation({
  ...commonRead,
  name: 'workShifts.get',
  input: shiftParams,
  run: (scope, { uuid }) => shiftOrNotFound(scope, uuid),
});

export const getByUuids = variantOf(get, {
  input: uuidsInput,
  run: (scope, { uuids }) => readShiftsByUuids(scope.db, uuids),
});

/** Reads an event and one page of its active shifts, by start. */
export const listByEvent = operation({
  ...adminRead,
  name: 'workShifts.listOfEvent',
  input: Type.Object({ ...eventParams.properties, ...pageInput() }, closed),
  rules: [pageRule],
  run: async (scope, { uuid, ...request }) => {
    const { db } = scope;
    const event = await eventOrNotFound(scope, uuid);
    const page = await readPage(scope, request, {
      order: shiftCursorOrder,
      rows: (window) =>
        window.offset
          ? readActiveShiftPage(db, event.id, window)
          : readShiftsFrom(db, 'eventId', [event.id], {}, window),
      count: () => db.workShift.count({ where: { eventId: event.id, status: 'active' } }),
    });
    return { event, ...page };
  },
});

const shiftParent = oneOf(['eventId', 'callTimeId', 'userId']);

const statuses = Type.Optional(
  Type.Array(oneOf(Object.values(ShiftStatus)), {
    maxItems: limits.namedItemsMax,
    description: 'Lists only shifts with one of these statuses. Default: active.',
  }),
);

export const shiftFilter = Type.Object(
  {
    statuses,
    userId: Type.Optional(int4(1, limits.int4Max, 'Lists only shifts of the staff member with this id.')),
    positionId: Type.Optional(int4(1, limits.int4Max, 'Lists only shifts in the position with this id.')),
    confirmed: Type.Optional(
      Type.Boolean({ description: 'Lists only shifts that are confirmed, or only those that are not.' }),
    ),
    declined: Type.Optional(
      Type.Boolean({
        description:
          'Lists only shifts that their person declined, or only those that they did not. With true, the default of the statuses is canceled.',
      }),
    ),
  },
  closed,
);

/** Reads one page of shifts, by start, for each of many parents. */
export const getPagesByParents = operation({
  ...commonRead,
  name: 'workShifts.pagesOf',
  input: Type.Object(
    { parent: shiftParent, ids: Type.Array(idOf('parent')), filter: Type.Optional(shiftFilter), ...pageInput() },
    closed,
  ),
  rules: [pageRule],
  run: readShiftPages,
});

interface ShiftPages extends PageRequest {
  readonly parent: ShiftParent;
  readonly ids: readonly number[];
  readonly filter?: ShiftFilter;
}

/** Reads the same page of the shifts of each of many parents. */
export function readShiftPages(scope: Scope, { parent, ids, filter = {}, ...request }: ShiftPages) {
  return readPagesByParent(
    scope,
    request,
    ids,
    (window) =>
      window.offset === undefined
        ? shiftsBehind(scope, parent, ids, filter, window)
        : readShiftSlices(scope.db, parent, ids, filter, window),
    shiftCursorOrder,
  );
}

/** Reads the shifts of each parent behind a position. The first call of `total` counts them for all parents at once. */
async function shiftsBehind(
  { db }: Scope,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  window: PageWindow,
): Promise<(parentId: number) => ListSlice<WorkShiftRow>> {
  const rowsOf = groupBy(parent, await readShiftsFrom(db, parent, ids, filter, window));
  const counts = memoize(() => countShifts(db, parent, ids, filter));
  return (id) => ({ rows: rowsOf(id), total: async () => (await counts()).get(id) ?? 0 });
}

const parentIds = { parent: shiftParent, ids: Type.Array(idOf('parent')) };

/** Reads the active shifts of many call times or people, at most `atMostEach` of each. */
export const getByParents = operation({
  ...commonRead,
  name: 'workShifts.listsOf',
  input: Type.Object({ ...parentIds, atMostEach: Type.Integer({ minimum: 1 }) }, closed),
  run: (scope, { parent, ids, atMostEach }) => readActiveShifts(scope.db, parent, ids, atMostEach),
});

/** Counts the active shifts of each of many events, call times or people, in one statement. */
export const countByParents = variantOf(getByParents, {
  input: Type.Object(parentIds, closed),
  run: (scope, { parent, ids }) => countShifts(scope.db, parent, ids, {}),
});

export const ownShiftsInput = Type.Object(
  {
    from: Type.Optional(
      instant('Lists only shifts that start then or later; while a start is open, that of the event counts.'),
    ),
    to: Type.Optional(instant('Lists only shifts that start before.')),
    statuses,
    ...pageNumberInput(),
  },
  closed,
);

/** Reads one page of a staff member's own shifts, by start. */
export const listOwn = operation({
  name: 'workShifts.listOwn',
  roles: { staff: 'own' },
  scopes: ['read'],
  cacheable: true,
  input: Type.Object({ ...ownShiftsInput.properties, ...pageInput() }, closed),
  rules: [pageRule],
  run: (scope, input) =>
    readPage(scope, input, {
      rows: (window) => readOwnShiftPage(scope.db, input, window),
      count: () => countOwnShifts(scope.db, input),
    }),
});
