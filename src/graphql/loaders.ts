import DataLoader from 'dataloader';
import type { CallScope } from '../access/scope.ts';
import { groupByEventId } from '../services/by-event.ts';
import * as callTimes from '../services/call-times.ts';
import * as customFields from '../services/custom-fields.ts';
import * as workShifts from '../services/work-shifts.ts';

/** All DataLoaders of a request: a batch is one service call, which is one SQL statement. */
export const createLoaders = (scope: CallScope) => ({
  callTimesByEventId: listsByEventId((eventIds) => callTimes.ofEvents(scope, { eventIds })),
  workShiftsByEventId: listsByEventId((eventIds) => workShifts.ofEvents(scope, { eventIds })),
  customFieldsByEventId: listsByEventId((eventIds) => customFields.valuesOfEvents(scope, { eventIds })),
});

export type Loaders = ReturnType<typeof createLoaders>;

const listsByEventId = <Row extends { eventId: number }>(load: (eventIds: number[]) => Promise<Row[]>) =>
  new DataLoader<number, Row[]>(async (eventIds) => eventIds.map(groupByEventId(await load([...eventIds]))));
