import { Field, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { CustomFieldValueRow } from '../db/custom-field-values.ts';
import { Node } from './nodes.ts';
import { RowIdField } from './row-ids.ts';
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

@InputType({ description: 'The value of a custom field, to be set on an event.' })
export class CustomFieldValueInput {
  @RowIdField('CustomFieldDefinition', {
    description: 'Id of the custom field definition. Each field may appear once.',
  })
  fieldId!: string;

  @Field(() => String, {
    nullable: true,
    description: `The value, at most ${limits.longTextChars} characters: a single line for TEXT, an option for SELECT. Null and the empty text remove the value.`,
  })
  value!: string | null;
}
