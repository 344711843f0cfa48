import { InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { mapFlags, mapPlainModels, type PlainCatalog } from '../fields/catalogs.ts';
import { Node } from './nodes.ts';
import { field, inputWith, objectWith } from './shapes.ts';

/** The types of GraphQL of a plain catalog: that of a row, and that of a new or renamed one. */
function createTypes({ model, aNoun, description, flags }: PlainCatalog) {
  @ObjectType(model, { description, implements: Node })
  class Row extends objectWith({
    id: field.databaseId,
    name: field.text('Name, unique in the business.'),
    ...mapFlags(flags, (text) => field.flag(text)),
    version: field.version,
  }) {}

  @InputType(`${model}Input`, { description: `${aNoun.replace('a', 'A')}, new or renamed.` })
  class Input extends inputWith({
    name: field.text.optional(
      `Name, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT. Required for a new one.`,
    ),
    ...mapFlags(flags, (text) => field.flag.optional(`${text} False unless a new one says otherwise.`)),
  }) {}
  return { Row, Input };
}

export const plainTypes = mapPlainModels(createTypes);
