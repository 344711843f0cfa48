import { ArgsType, Field, InputType, ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { CustomFieldValue } from './custom-field-values.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';

@ObjectType({
  description: "A page of values of custom fields, in the order of the business's form.",
  simpleResolvers: true,
})
export class CustomFieldValueConnection extends connectionTo(CustomFieldValue, 'CustomFieldValue', 'values') {}

@InputType('CustomFieldValueFilter', { description: 'Which values of custom fields are to be listed.' })
export class CustomFieldValueFilterInput {
  @RowIdField('CustomFieldDefinition', {
    list: true,
    nullable: true,
    description: 'Values of the fields with these ids of a custom field definition. An empty list matches no value.',
  })
  fieldIds?: string[] | null;
}

@ArgsType()
export class CustomFieldValuePageArgs extends CursorArgs {
  @Field(() => CustomFieldValueFilterInput, { nullable: true, description: 'Lists only these values. Default: all.' })
  filter?: CustomFieldValueFilterInput | null;
}
