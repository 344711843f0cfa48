import { operation } from '../access/operation.ts';
import { customFieldValuesOfEvents } from '../db/custom-field-values.ts';
import { listsOfEventsInput } from './events-input.ts';

/** The custom field values of many events in one statement. */
export const valuesOfEvents = operation(
  'customFields.valuesOfEvents',
  listsOfEventsInput,
  (scope, { eventIds, atMostEach }) => customFieldValuesOfEvents(scope.db, eventIds, atMostEach),
);
