import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { readPage } from '../paging/paging.ts';
import { shiftCounts, shiftsFrom } from '../db/nested-lists.ts';
import {
  activeShiftPage,
  activeShiftsOfEvents,
  isShiftPlace,
  placeOfShift,
  type WorkShiftRow,
} from '../db/work-shifts.ts';
import { closed, paging } from '../validation/schemas.ts';
import { browse, browsing, type Ordered } from '../paging/browsing.ts';
import { eventIdsInput, eventName, rowsOfEventsInput } from './events-input.ts';
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
  Type.Object({ ...eventName.properties, ...paging() }, closed),
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
  Type.Object({ ...eventName.properties, ...browsing() }, closed),
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
