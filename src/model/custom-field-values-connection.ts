import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { CustomFieldValue } from './custom-field-values.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith } from './shapes.ts';

@ObjectType({
  description: "A page of values of custom fields, in the order of the business's form.",
})
export class CustomFieldValueConnection extends connectionTo(CustomFieldValue, 'CustomFieldValue', 'values') {}

@InputType('CustomFieldValueFilter', { description: 'Which values of custom fields are to be listed.' })
class CustomFieldValueFilterInput extends inputWith({
  fieldIds: field
    .rowIds('CustomFieldDefinition')
    .orNull('Values of the fields with these ids of a custom field definition. An empty list matches no value.'),
}) {}

@ArgsType()
export class CustomFieldValuePageArgs extends inputOn(CursorArgs, {
  filter: field.of(CustomFieldValueFilterInput).orNull('Lists only these values. Default: all.'),
}) {}
