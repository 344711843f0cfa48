import Type, { type TObject } from 'typebox';
import { compile } from '../validation/compile.ts';
import { oneOf, optionalFields } from '../validation/schemas.ts';

/* `?fields=full` asks a read of the contract for whole rows, in a shape of their own. */

/** The media type of such answers. Its parameter tells their shape from that of the contract. */
export const fullType = 'application/json; profile=full';

const fieldsQuery = optionalFields({
  fields: oneOf(
    ['full'],
    '`full` shows whole rows in one shape: every field, and times with their offset. An extension.',
  ),
});
const checkFields = compile(fieldsQuery);

/** Adds the parameter to a query. */
export function withFieldsQuery(query: TObject | undefined): TObject {
  return Type.Object({ ...query?.properties, ...fieldsQuery.properties });
}

/** Takes the parameter out of a query, because no operation knows it, and checks it. */
export function takeFieldsQuery(sent: Record<string, unknown>): 'full' | undefined {
  const { fields } = checkFields('fields' in sent ? { fields: sent['fields'] } : {});
  delete sent['fields'];
  return fields;
}
