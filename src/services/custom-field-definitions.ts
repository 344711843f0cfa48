import Type, { type Static } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminRead, eventEdit, repeatable } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import {
  lockDefinition,
  readCustomFields,
  shownCustomField as shown,
  type CustomFieldRow,
} from '../db/custom-field-definitions.ts';
import { lockInBusiness } from '../db/lock.ts';
import { Failure, invalid, notFound } from '../errors.ts';
import { CustomFieldType } from '../generated/prisma/enums.ts';
import { closedObject, int4, noInput, oneOf, text, uuidOf, visibleText } from '../validation/schemas.ts';
import { addToCatalog, refuseTakenName, refuseTwin } from './catalogs.ts';
import {
  changeOptions,
  optionErrors,
  replacementErrors,
  type OptionChange,
} from './custom-field-definitions-options.ts';
import { uuidsInput } from './events-input.ts';
import { requireVersion, versionInput } from './versions.ts';

const required = {
  name: visibleText(limits.textChars, {
    description: 'Display name, unique in the business. One that is taken is refused with `CONFLICT`.',
  }),
  type: oneOf(
    Object.values(CustomFieldType),
    'Type of the values. It cannot change while events have values for the field.',
  ),
};

const optional = {
  options: Type.Optional(
    Type.Array(Type.Intersect([visibleText(limits.textChars), Type.String({ format: 'single-line' })]), {
      maxItems: limits.wholeListMax,
      uniqueItems: true,
      description:
        'All options of a `SELECT`, in order, each a single line; refused for other types. Leaving out one that is in use is refused, with a count of its events, unless `replaceOptions` or `dropValues` says what happens to its values.',
    }),
  ),
  sort: Type.Optional(int4(0, limits.int4Max, 'Position in the form, lowest first. Default: last.')),
};

export const customFieldParams = closedObject({ uuid: uuidOf('custom field') });

export const newCustomField = closedObject({ ...required, ...optional });

const dropValues = Type.Optional(
  Type.Boolean({
    description: 'Whether values of events that would have no place any more are deleted. Default: false.',
  }),
);

export const customFieldRemoval = closedObject({ dropValues });

export const replacedOption = closedObject({
  from: Type.String({ description: 'The removed option.' }),
  to: text(limits.textChars, { description: 'The option that takes its place, one of the new `options`.' }),
});

export const customFieldChanges = closedObject({
  ...Type.Partial(Type.Object({ ...required, ...optional })).properties,
  replaceOptions: Type.Optional(
    Type.Array(replacedOption, {
      maxItems: limits.wholeListMax,
      description:
        'Options that take the place of others on the events that use these, all at once. This is also how to rename options.',
    }),
  ),
  dropValues,
});

/** The custom fields of the business in the order of its form. */
export const list = operation({
  ...adminRead,
  name: 'customFields.list',
  input: noInput,
  run: ({ db }) => readCustomFields(db),
});

export const getByUuids = variantOf(list, {
  input: uuidsInput,
  run: ({ db }, { uuids }) => readCustomFields(db, uuids),
});

export const get = operation({
  ...adminRead,
  name: 'customFields.get',
  input: customFieldParams,
  run: async ({ db }, { uuid }) => {
    const [field] = await readCustomFields(db, [uuid]);
    if (!field) throw notFound('custom field');
    return field;
  },
});

/** Creates a custom field. Without a position in the form, it comes last. */
export const create = operation({
  ...eventEdit,
  ...repeatable,
  name: 'customFields.create',
  input: newCustomField,
  rules: [{ over: ['type', 'options'], check: (_scope, { type, options = [] }) => optionErrors(type, options) }],
  run: (scope, { options = [], ...input }) =>
    addToCatalog(
      scope,
      (db) => db.customField.count(),
      async ({ db, businessId, record }) => {
        const errors = optionErrors(input.type, options);
        if (Object.keys(errors).length > 0) throw invalid(errors);
        refuseTwin('name', input.name, await readCustomFields(db));
        const sort = input.sort ?? (await nextSort(db));
        const data = { ...input, businessId, options, sort };
        const field = await refuseTakenName('name', db.customField.create({ data, select: shown }));
        record({ kind: 'customField', id: field.id });
        return field;
      },
    ),
});

async function nextSort(db: Scope['db']): Promise<number> {
  const { _max: last } = await db.customField.aggregate({ _max: { sort: true } });
  return Math.min((last.sort ?? -1) + 1, limits.int4Max);
}

/**
 * Changes only the fields that were sent. Values stay with their field when it is renamed, and follow changes of its
 * options.
 */
export const update = operation({
  ...eventEdit,
  name: 'customFields.update',
  input: closedObject({ ...customFieldParams.properties, ...versionInput, ...customFieldChanges.properties }),
  rules: [
    {
      over: ['uuid', 'type', 'options', 'replaceOptions'],
      check: async ({ db }, { uuid, ...changes }) => {
        const field = await db.customField.findFirst({ where: { uuid }, select: shown });
        return field ? judgeChange(field, changes).errors : {};
      },
    },
  ],
  run: (scope, { uuid, expectedVersions, replaceOptions, dropValues: isDropping, ...changes }) =>
    scope.transaction(async (tx) => {
      const field = await definitionOrNotFound(tx, uuid);
      requireVersion(field, expectedVersions);
      if (Object.values({ ...changes, replaceOptions }).every((value) => value === undefined)) return field;
      const { type, options, errors } = judgeChange(field, { ...changes, replaceOptions });
      if (Object.keys(errors).length > 0) throw invalid(errors);
      if (changes.name !== undefined) {
        await lockInBusiness(tx.db, 'catalog');
        refuseTwin('name', changes.name, await readCustomFields(tx.db), field.id);
      }
      if (type !== field.type)
        await requireNoValues(tx, field, { type: ['cannot be changed while events have values for the field'] });
      await changeOptions(tx, field, { options, replaceOptions, dropValues: isDropping });
      const { businessId } = tx;
      const changed = await refuseTakenName(
        'name',
        tx.db.customField.update({
          where: { businessId_uuid: { businessId, uuid } },
          data: {
            ...(changes.name !== undefined && { name: changes.name }),
            ...(changes.sort !== undefined && { sort: changes.sort }),
            type,
            options,
          },
          select: shown,
        }),
      );
      tx.record({ kind: 'customField', id: field.id });
      return changed;
    }),
});

/** The type and the options that a change leaves, and the faults of the change. */
function judgeChange(
  field: Pick<CustomFieldRow, 'type' | 'options'>,
  changes: Pick<Static<typeof customFieldChanges>, 'type' | 'options'> & Pick<OptionChange, 'replaceOptions'>,
) {
  const { type = field.type, options = type === 'select' ? field.options : [], replaceOptions } = changes;
  const errors = {
    ...optionErrors(type, options, field.options),
    ...replacementErrors(field, { options, replaceOptions }),
  };
  return { type, options, errors };
}

/**
 * Deletes a custom field. It is refused while an event has a value for the field, unless the caller agrees to delete
 * the values too.
 */
export const remove = operation({
  ...eventEdit,
  name: 'customFields.delete',
  input: closedObject({ ...customFieldParams.properties, ...versionInput, dropValues }),
  run: (scope, { uuid, expectedVersions, dropValues: isDropping = false }) =>
    scope.transaction(async (tx) => {
      const field = await definitionOrNotFound(tx, uuid);
      requireVersion(field, expectedVersions);
      if (!isDropping) await requireNoValues(tx, field);
      await tx.db.customFieldValue.deleteMany({ where: { customFieldId: field.id } });
      await tx.db.customField.deleteMany({ where: { id: field.id } });
      tx.record({ kind: 'customField', id: field.id });
      return field;
    }),
});

async function definitionOrNotFound({ db }: Scope, uuid: string): Promise<CustomFieldRow> {
  const field = await lockDefinition(db, uuid);
  if (!field) throw notFound('custom field');
  return field;
}

async function requireNoValues({ db }: Scope, { id }: CustomFieldRow, errors?: Record<string, string[]>) {
  const events = await db.customFieldValue.count({ where: { customFieldId: id } });
  if (events === 0) return;
  const message = `The custom field is in use: events have values for it (${events}).`;
  throw new Failure('CONFLICT', message, { ...(errors && { errors }), details: { inUse: { events } } });
}
