import { operation } from '../access/operation.ts';
import { customFieldValuesOfEvents } from '../db/custom-fields.ts';
import { eventIdsInput } from './event-input.ts';

/** The custom field values of many events in one statement. */
export const valuesOfEvents = operation('customFields.valuesOfEvents', eventIdsInput, (scope, { eventIds }) =>
  customFieldValuesOfEvents(scope.db, eventIds),
);
