import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminRead, eventEdit } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { holdDefinitions, setValues, type CustomFieldRow } from '../db/custom-field-definitions.ts';
import {
  readCustomFieldValues,
  readCustomFieldValuesOfEvents,
  readCustomFieldValueSlices,
} from '../db/custom-field-values.ts';
import { writePlaces } from '../db/places.ts';
import { invalid } from '../errors.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPagesByParent } from '../paging/pages.ts';
import { isSingleLine } from '../validation/formats.ts';
import { closedObject, nullable, optionalFields, text, uuidOf } from '../validation/schemas.ts';
import { eventIdsInput, listsOfEventsInput } from './events-input.ts';
import { eventOrNotFound } from './events.ts';
import { requireVersion, versionInput } from './versions.ts';

export const valueInput = closedObject({
  fieldUuid: Type.String({ format: 'uuid', description: 'UUID of a custom field definition; each may be named once.' }),
  value: nullable(
    text(limits.longTextChars, {
      description:
        'The value: a single line for `TEXT`, an option for `SELECT`. Null and the empty text remove it from the event.',
    }),
  ),
});

/** The values to be set on an event. Fields that are not named keep theirs. */
export const valuesInput = closedObject({
  values: Type.Array(valueInput, { maxItems: limits.wholeListMax, description: 'The values, each field once.' }),
});

/**
 * Sets values on an event, all of them or none. Null and the empty text remove a value. Fields that are not named keep
 * their values.
 */
export const set = operation({
  ...eventEdit,
  name: 'customFields.setValues',
  input: closedObject({
    eventUuid: uuidOf('event'),
    ...versionInput,
    ...valuesInput.properties,
  }),
  run: (scope, { eventUuid, expectedVersions, values }) =>
    scope.transaction(async (tx) => {
      const event = await eventOrNotFound(tx, eventUuid, 'forUpdate');
      requireVersion(event, expectedVersions);
      const fields = await holdDefinitions(
        tx.db,
        values.map(({ fieldUuid }) => fieldUuid),
      );
      const unnamed = new Map(fields.map((field) => [field.uuid, field]));
      const errors: Record<string, string[]> = {};
      const resolved = values.flatMap(({ fieldUuid, value }, index) => {
        const field = unnamed.get(fieldUuid.toLowerCase());
        unnamed.delete(fieldUuid.toLowerCase());
        const own = field && value ? optionOf(field, value) : value;
        const wrong = field && own ? valueError(field, own) : null;
        if (!field) errors[`values.${index}.fieldUuid`] = ['must be a custom field of this business, named once'];
        else if (wrong) errors[`values.${index}.value`] = [wrong];
        else return [{ customFieldId: field.id, value: own }];
        return [];
      });
      if (Object.keys(errors).length > 0) throw invalid(errors);

      const removed = resolved.filter(({ value }) => !value).map(({ customFieldId }) => customFieldId);
      if (removed.length > 0)
        await tx.db.customFieldValue.deleteMany({ where: { eventId: event.id, customFieldId: { in: removed } } });
      const kept = resolved.flatMap(({ customFieldId, value }) => (value ? [{ customFieldId, value }] : []));
      const chars = kept.length > 0 ? await setValues(tx.db, event.id, kept) : 0;
      if (chars > limits.customValuesChars)
        throw invalid({
          values: [`must have ${withinChars} with the other values of the event; now they have ${chars}`],
        });
      if (resolved.length === 0) return event;
      await writePlaces(tx, event.id).event.updateMany({ where: { id: event.id }, data: { modifiedAt: tx.clock() } });
      tx.record({ kind: 'event', id: event.id });
      return eventOrNotFound(tx, eventUuid);
    }),
});

/** The bound on all values of an event together, which keeps every event short enough to be read. */
export const withinChars = `at most ${limits.customValuesChars} characters together`;

/** The option of a select as the field has it; any other value as it was sent. */
const optionOf = ({ type, options }: CustomFieldRow, value: string): string =>
  (type === 'select' &&
    !options.includes(value) &&
    options.find((option) => option.normalize('NFC') === value.normalize('NFC'))) ||
  value;

function valueError({ type, options }: CustomFieldRow, value: string): string | null {
  if (type === 'text' && !isSingleLine(value)) return 'must be a single line';
  if (type === 'select' && !options.includes(value)) return 'must be one of the options of the field';
  return null;
}

export const getByEvents = operation({
  ...adminRead,
  name: 'customFields.valuesOfEvents',
  isPart: true,
  input: listsOfEventsInput,
  run: (scope, { eventIds, ...options }) => readCustomFieldValuesOfEvents(scope.db, eventIds, options),
});

/** Reads the values that any of the events have for any of the fields, for nodes. */
export const getSome = variantOf(getByEvents, {
  input: closedObject({ ...eventIdsInput.properties, fieldUuids: Type.Array(Type.String({ format: 'uuid' })) }),
  run: (scope, { eventIds, fieldUuids }) => readCustomFieldValues(scope.db, eventIds, fieldUuids),
});

export const valueFilter = optionalFields({
  fieldUuids: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: limits.namedItemsMax,
    description: 'Lists only values of the custom field definitions with these UUIDs. An empty list matches no value.',
  }),
});

/** Reads one page of custom field values for each of many events, in one statement. */
export const getPagesByEvents = operation({
  ...adminRead,
  name: 'customFields.pagesOfEvents',
  isPart: true,
  input: closedObject({
    ...eventIdsInput.properties,
    filter: Type.Optional(valueFilter),
    ...pageInput(),
  }),
  rules: [pageRule],
  run: (scope, { eventIds, filter = {}, ...request }) =>
    readPagesByParent(scope, request, eventIds, (window) =>
      readCustomFieldValueSlices(scope.db, eventIds, filter, window),
    ),
});
