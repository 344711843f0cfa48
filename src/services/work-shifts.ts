import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { readPage } from '../db/paging.ts';
import { activeShiftPage, activeShiftsOf } from '../db/work-shifts.ts';
import { closed, paging } from '../validation.ts';
import { eventName, listsOfEventsInput } from './event-input.ts';
import { eventOrNotFound } from './events.ts';

/** The active shifts of many events in one statement. */
export const ofEvents = operation('workShifts.ofEvents', listsOfEventsInput, (scope, { eventIds, atMostEach }) =>
  activeShiftsOf(scope.db, 'eventId', eventIds, atMostEach),
);

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
