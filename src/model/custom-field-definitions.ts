import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { CustomFieldRow } from '../db/custom-field-definitions.ts';
import { CustomFieldType } from './enums.ts';
import { Version } from './versions.ts';

@ObjectType({
  description: 'One of the form fields that the business keeps for its events, beside those that every event has.',
  simpleResolvers: true,
})
export class CustomFieldDefinition implements CustomFieldRow {
  id!: CustomFieldRow['id'];

  @Field(() => ID, { description: 'What the field is named by; `fieldUuid` of its values.' })
  uuid!: CustomFieldRow['uuid'];

  @Field(() => String, { description: 'Display name, unique in the business.' })
  name!: CustomFieldRow['name'];

  @Field(() => CustomFieldType, { description: 'What the field takes.' })
  type!: CustomFieldRow['type'];

  @Field(() => [String], { description: 'What a SELECT offers, in order; empty for the other types.' })
  options!: CustomFieldRow['options'];

  @Field(() => Int, { description: 'Place in the form, lowest first.' })
  sort!: CustomFieldRow['sort'];

  @Version()
  version!: CustomFieldRow['version'];
}
