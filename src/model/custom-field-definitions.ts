import { ObjectType } from 'type-graphql';
import type { CustomFieldRow } from '../db/custom-field-definitions.ts';
import { CustomFieldType } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: 'A form field that the business defines for its events, in addition to the standard fields.',
  implements: Node,
})
export class CustomFieldDefinition
  extends objectWith({
    uuid: field.id('UUID, as in REST; `fieldUuid` of its values.'),
    name: field.text('Display name, unique in the business.'),
    type: field.of(CustomFieldType)('Type of the values.'),
    options: field.of([String])('Options of a SELECT, in order; empty for other types.'),
    sort: field.int('Position in the form, lowest first.'),
    version: field.version,
  })
  implements CustomFieldRow
{
  id!: CustomFieldRow['id'];
}
