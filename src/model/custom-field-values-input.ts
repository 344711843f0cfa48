import { Field, ID, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';

@InputType({ description: 'The value of a custom field, to be set on an event.' })
export class CustomFieldValueInput {
  @Field(() => ID, { description: 'UUID of the custom field. Each field may appear once.' })
  fieldUuid!: string;

  @Field(() => String, {
    nullable: true,
    description: `The value, at most ${limits.customValueChars} characters: a single line for TEXT, an option for SELECT. Null and the empty text remove the value.`,
  })
  value!: string | null;
}
