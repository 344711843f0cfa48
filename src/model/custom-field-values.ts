import { ObjectType } from 'type-graphql';
import type { CustomFieldValueRow } from '../db/custom-field-values.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: "The value of one of the business's own form fields on an event.",
  implements: Node,
})
export class CustomFieldValue
  extends objectWith({
    fieldUuid: field.id('UUID of the custom field definition.'),
    fieldName: field.text('Display name of the field.'),
    fieldValue: field.text('Value set on the event.'),
  })
  implements CustomFieldValueRow
{
  eventId!: CustomFieldValueRow['eventId'];
  sort!: CustomFieldValueRow['sort'];
  fieldId!: CustomFieldValueRow['fieldId'];
}
