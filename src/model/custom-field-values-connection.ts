import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { CustomFieldValue } from './custom-field-values.ts';
import { PageArgs } from './page-args.ts';

@ObjectType({
  description: "A page of values of custom fields, in the order of the business's form.",
  simpleResolvers: true,
})
export class CustomFieldValueConnection extends connectionTo(CustomFieldValue, 'values') {}

@InputType('CustomFieldValueFilter', { description: 'Which values of custom fields are to be listed.' })
export class CustomFieldValueFilterInput {
  @Field(() => [ID], {
    nullable: true,
    description: 'Values of the fields with these UUIDs. An empty list matches no value.',
  })
  fieldUuids?: string[] | null;
}

@ArgsType()
export class CustomFieldValuePageArgs extends PageArgs {
  @Field(() => CustomFieldValueFilterInput, { nullable: true, description: 'Lists only these values. Default: all.' })
  filter?: CustomFieldValueFilterInput | null;
}
