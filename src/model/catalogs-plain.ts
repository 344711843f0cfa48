import { ObjectType } from 'type-graphql';
import { mapFlags, mapPlainModels, type PlainCatalog } from '../fields/catalogs.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

/** The type of GraphQL of the rows of a plain catalog. */
function createType({ model, description, flags }: PlainCatalog) {
  @ObjectType(model, { description, implements: Node })
  class Row extends objectWith({
    id: field.databaseId,
    name: field.text('Name, unique in the business.'),
    ...mapFlags(flags, (text) => field.flag(text)),
    version: field.version,
  }) {}
  return Row;
}

export const plainTypes = mapPlainModels(createType);
