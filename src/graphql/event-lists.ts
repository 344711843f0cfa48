import type DataLoader from 'dataloader';
import type { EventRow } from '../fields/events.ts';
import * as callTimes from '../services/call-times.ts';
import * as customFieldValues from '../services/custom-field-values.ts';
import * as events from '../services/events.ts';
import { nullIfForbidden } from '../services/parts.ts';
import * as workShifts from '../services/work-shifts.ts';
import type { Context } from './context.ts';
import { atMostEach, requireShort } from './loaders.ts';
import type { EventList } from './selection.ts';

/**
 * Reads an event for a caller who may see it, and at the same time the lists that the operation certainly asks of it. The loaders
 * have these lists then. Performance notes: src/guide/performance.md#brief-reads-go-together
 */
export async function loadEventWithLists(context: Context, uuid: string): Promise<EventRow> {
  const reading = events.getOwn(context.scope, { uuid });
  const primeLists = (context.selections.listsOfEvent ?? []).map((list) => readList[list](context, uuid));
  const event = await reading;
  for (const prime of primeLists) prime(event.id);
  return event;
}

/** Starts to read a list of an event, and returns the function that hands it to the loader of such lists. */
const readList: Record<EventList, (context: Context, uuid: string) => (eventId: number) => void> = {
  callTimes: ({ scope, loaders, selections }, uuid) =>
    primeLater(
      loaders.callTimesByEventId,
      callTimes.getByEvent(scope, { uuid, atMostEach, fields: selections.CallTime }),
    ),
  workShifts: ({ scope, loaders, selections }, uuid) =>
    primeLater(
      loaders.workShiftsByEventId,
      workShifts.getByEvent(scope, { uuid, atMostEach, fields: selections.WorkShift }),
    ),
  customFields: ({ scope, loaders }, uuid) =>
    primeLater(
      loaders.customFieldsByEventId,
      nullIfForbidden(customFieldValues.getByEvent(scope, { uuid, atMostEach })),
    ),
};

function primeLater<Row>(loader: DataLoader<number, Row[] | null>, rows: Promise<Row[] | null>) {
  const list = rows.then((read) => read && requireShort(read));
  // A failure is met where the list is resolved; without the event, nobody asks.
  list.catch(() => undefined);
  return (eventId: number) => void loader.prime(eventId, list);
}
