import { Field, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { RowIdField } from './row-ids.ts';

@InputType({ description: 'The value of a custom field, to be set on an event.' })
export class CustomFieldValueInput {
  @RowIdField('CustomFieldDefinition', {
    description: 'Id of the custom field definition. Each field may appear once.',
  })
  fieldId!: string;

  @Field(() => String, {
    nullable: true,
    description: `The value, at most ${limits.customValueChars} characters: a single line for TEXT, an option for SELECT. Null and the empty text remove the value.`,
  })
  value!: string | null;
}
