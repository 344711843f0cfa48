import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { CustomFieldRow } from '../db/custom-field-definitions.ts';
import { CustomFieldType } from './enums.ts';
import { Node } from './nodes.ts';
import { Version } from './versions.ts';

@ObjectType({
  description: 'A form field that the business defines for its events, in addition to the standard fields.',
  implements: Node,
  simpleResolvers: true,
})
export class CustomFieldDefinition implements CustomFieldRow {
  id!: CustomFieldRow['id'];

  @Field(() => ID, { description: 'UUID, as in REST; `fieldUuid` of its values.' })
  uuid!: CustomFieldRow['uuid'];

  @Field(() => String, { description: 'Display name, unique in the business.' })
  name!: CustomFieldRow['name'];

  @Field(() => CustomFieldType, { description: 'Type of the values.' })
  type!: CustomFieldRow['type'];

  @Field(() => [String], { description: 'Options of a SELECT, in order; empty for other types.' })
  options!: CustomFieldRow['options'];

  @Field(() => Int, { description: 'Position in the form, lowest first.' })
  sort!: CustomFieldRow['sort'];

  @Version()
  version!: CustomFieldRow['version'];
}
