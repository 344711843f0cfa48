import { operation } from '../access/operation.ts';
import { callTimesOfEvents } from '../db/call-times.ts';
import { eventIdsInput } from './event-input.ts';

/** The call times of many events in one statement. */
export const ofEvents = operation('callTimes.ofEvents', eventIdsInput, (scope, { eventIds }) =>
  callTimesOfEvents(scope.db, eventIds),
);
