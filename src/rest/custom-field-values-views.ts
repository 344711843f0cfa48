import type { CustomFieldValueRow } from '../db/custom-field-values.ts';
import { textSchema } from './formats.ts';
import { viewOf } from './views.ts';

export const { schema: CustomFieldView, serialize: serializeCustomField } = viewOf<CustomFieldValueRow>(
  'CustomFieldValue',
)({
  field_uuid: textSchema('UUID of the custom field definition.'),
  field_name: textSchema('Display name.'),
  field_value: textSchema('Value set on the event.'),
});
