import { Field, ID, ObjectType } from 'type-graphql';
import type { CustomFieldValueRow } from '../db/custom-field-values.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: "The value of one of the business's own form fields on an event.",
  implements: Node,
  simpleResolvers: true,
})
export class CustomFieldValue implements CustomFieldValueRow {
  eventId!: CustomFieldValueRow['eventId'];

  sort!: CustomFieldValueRow['sort'];

  fieldId!: CustomFieldValueRow['fieldId'];

  @Field(() => ID, { description: 'UUID of the custom field definition.' })
  fieldUuid!: CustomFieldValueRow['fieldUuid'];

  @Field(() => String, { description: 'Display name of the field.' })
  fieldName!: CustomFieldValueRow['fieldName'];

  @Field(() => String, { description: 'Value set on the event.' })
  fieldValue!: CustomFieldValueRow['fieldValue'];
}
