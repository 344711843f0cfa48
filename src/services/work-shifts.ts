import Type, { type Static } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminRead, commonRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import {
  countShiftList,
  countShifts,
  readOwnShiftPage,
  readShiftPage,
  readShiftsFrom,
  readShiftSlices,
  type ShiftFilter,
} from '../db/work-shifts-pages.ts';
import { readActiveShifts, readActiveShiftsOfEvents, readShiftsByUuids, shiftCursorOrder } from '../db/work-shifts.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import { notFound } from '../errors.ts';
import { codesOf, sortDirections } from '../fields/codes.ts';
import { ShiftStatus } from '../generated/prisma/enums.ts';
import { memoize } from '../memoize.ts';
import { groupBy } from '../paging/group-by.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, readPage, readPagesByParent, type PageWindow } from '../paging/pages.ts';
import {
  closedObject,
  idOf,
  instant,
  int4,
  localDate,
  oneOf,
  optionalFields,
  rowNumber,
  uuidOf,
} from '../validation/schemas.ts';
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

/** Reads one page of the active shifts of an event, by start, each with the name of the event. */
export const listByEvent = operation({
  ...adminRead,
  name: 'workShifts.listOfEvent',
  input: closedObject({ ...eventParams.properties, ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { uuid, ...request }) => {
    const { db } = scope;
    const { id: eventId, title: eventName } = await eventOrNotFound(scope, uuid);
    return readPage(scope, request, {
      order: shiftCursorOrder(),
      rows: async (window) =>
        (await readShiftsFrom(db, 'eventId', [eventId], {}, window)).map((row) => ({ ...row, eventName })),
      count: async () => (await countShifts(db, 'eventId', [eventId], {})).get(eventId) ?? 0,
    });
  },
});

const shiftParent = oneOf(['eventId', 'callTimeId', 'userId']);

const statuses = Type.Optional(
  Type.Array(oneOf(Object.values(ShiftStatus)), {
    maxItems: limits.namedItemsMax,
    description: 'Lists only shifts with one of these statuses. Default: `ACTIVE`. An empty list matches no shift.',
  }),
);

/** Conditions on the start of a row, for lists of a business. */
export const startFilter = (rows: string) =>
  optionalFields({
    from: instant(`Lists only ${rows} that start then or later.`),
    to: instant(`Lists only ${rows} that start before.`),
    dateFrom: localDate(
      `Lists only ${rows} that start on this day or later, \`YYYY-MM-DD\` in the time zone of the event.`,
    ),
    dateTo: localDate(
      `Lists only ${rows} that start on this day or before, \`YYYY-MM-DD\` in the time zone of the event.`,
    ),
    clientId: rowNumber(`Lists only ${rows} at events of the client (a user) with this id.`),
    eventUuid: uuidOf('event', `Lists only ${rows} of the event with this UUID.`),
  }).properties;

export const sortByStart = optionalFields({ order: oneOf(codesOf(sortDirections), 'Direction. Default: `ASC`.') });

export const shiftFilter = optionalFields({
  ...startFilter('shifts'),
  callTimeUuid: uuidOf('call time', 'Lists only shifts on the call time with this UUID.'),
  statuses,
  userId: rowNumber('Lists only shifts of the staff member with this id.'),
  positionId: rowNumber('Lists only shifts in the position with this id.'),
  confirmed: Type.Boolean({ description: 'Lists only shifts that are confirmed, or only those that are not.' }),
  declined: Type.Boolean({
    description:
      'Lists only shifts that their person declined, or only those that they did not. With true, the default of the statuses is `CANCELED`.',
  }),
  canceledWithinHours: int4(
    0,
    limits.canceledWithinHoursMax,
    'Lists only shifts that were canceled at most so many hours before their start, or later, but before their end. The default of the statuses is then `CANCELED`.',
  ),
});

type ShiftFilterInput = Static<typeof shiftFilter>;

/** Finds the rows that a filter names. */
async function findFilteredRows(
  scope: Scope,
  { eventUuid, callTimeUuid, ...filter }: ShiftFilterInput,
): Promise<ShiftFilter> {
  const callTime = callTimeUuid === undefined ? undefined : await callTimeByUuid(scope.db, callTimeUuid);
  if (callTime === null) throw notFound('call time');
  return {
    ...(filter as ShiftFilter),
    ...(callTime && { callTimeId: callTime.id }),
    ...(eventUuid !== undefined && { eventId: (await eventOrNotFound(scope, eventUuid)).id }),
  };
}

/** Reads one page of shifts, by start, for each of many parents. */
export const getPagesByParents = operation({
  ...commonRead,
  name: 'workShifts.pagesOf',
  input: closedObject({
    parent: shiftParent,
    ids: Type.Array(idOf('parent')),
    filter: Type.Optional(shiftFilter),
    sort: Type.Optional(sortByStart),
    ...pageInput(),
  }),
  rules: [pageRule],
  run: async (scope, { parent, ids, filter: asked = {}, sort: { order } = {}, ...request }) => {
    const { db } = scope;
    const filter = await findFilteredRows(scope, asked);
    // The first call of `total` counts the shifts of all parents at once.
    const counts = memoize(() => countShifts(db, parent, ids, filter));
    const total = async (id: number) => (await counts()).get(id) ?? 0;
    const read = async (window: PageWindow) => {
      // One statement reads pages by number with their totals.
      if (window.offset !== undefined) return readShiftSlices(db, parent, ids, filter, window, order);
      const rowsOf = groupBy(parent, await readShiftsFrom(db, parent, ids, filter, window, order));
      return (id: number) => ({ rows: rowsOf(id), total: () => total(id) });
    };
    return readPagesByParent(scope, request, ids, read, shiftCursorOrder(order));
  },
});

const shiftListInput = closedObject({
  filter: Type.Optional(shiftFilter),
  sort: Type.Optional(sortByStart),
  ...pageInput(),
});

/** Reads one page of all shifts that the caller may see, by start. */
export const list = variantOf(getPagesByParents, {
  input: shiftListInput,
  rules: [pageRule],
  run: async (scope, { filter: asked = {}, sort: { order } = {}, ...request }) => {
    const filter = await findFilteredRows(scope, asked);
    return readPage(scope, request, {
      order: shiftCursorOrder(order),
      rows: (window) => readShiftPage(scope.db, filter, window, order),
      count: () => countShiftList(scope.db, filter),
    });
  },
});

const parentIds = { parent: shiftParent, ids: Type.Array(idOf('parent')) };

/** Reads the active shifts of many call times or people, at most `atMostEach` of each. */
export const getByParents = operation({
  ...commonRead,
  name: 'workShifts.listsOf',
  input: closedObject({ ...parentIds, atMostEach: Type.Integer({ minimum: 1 }) }),
  run: (scope, { parent, ids, atMostEach }) => readActiveShifts(scope.db, parent, ids, atMostEach),
});

/** Counts the active shifts of each of many events, call times or people, in one statement. */
export const countByParents = variantOf(getByParents, {
  input: closedObject(parentIds),
  run: (scope, { parent, ids }) => countShifts(scope.db, parent, ids, {}),
});

export const ownShiftsFilter = {
  from: Type.Optional(
    instant('Lists only shifts that start then or later; while a start is open, that of the event counts.'),
  ),
  to: Type.Optional(instant('Lists only shifts that start before.')),
  statuses,
};
export const ownShiftsInput = closedObject({ ...ownShiftsFilter, ...pageNumberInput() });

/** Reads one page of a staff member's own shifts, by start. */
export const listOwn = operation({
  name: 'workShifts.listOwn',
  roles: { staff: 'own' },
  scopes: ['read'],
  cacheable: true,
  input: closedObject({ ...ownShiftsInput.properties, ...pageInput() }),
  rules: [pageRule],
  run: (scope, input) =>
    readPage(scope, input, {
      rows: (window) => readOwnShiftPage(scope.db, input, window),
      count: () => countShiftList(scope.db, input),
    }),
});
