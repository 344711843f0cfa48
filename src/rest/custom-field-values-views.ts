import Type, { type Static } from 'typebox';
import type { CustomFieldValueRow } from '../db/custom-field-values.ts';
import { textSchema } from './formats.ts';

export const CustomFieldView = Type.Object(
  {
    field_uuid: textSchema('UUID of the custom field definition.'),
    field_name: textSchema('Display name.'),
    field_value: textSchema('Value set on the event.'),
  },
  { title: 'CustomFieldValue' },
);

export const serializeCustomField = (value: CustomFieldValueRow): Static<typeof CustomFieldView> => ({
  field_uuid: value.fieldUuid,
  field_name: value.fieldName,
  field_value: value.fieldValue,
});
