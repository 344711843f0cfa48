import { ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { CustomFieldValue } from './custom-field-values.ts';

@ObjectType({
  description: "A page of values of custom fields, in the order of the business's form.",
})
export class CustomFieldValueConnection extends connectionTo(CustomFieldValue, 'CustomFieldValue', 'values') {}
