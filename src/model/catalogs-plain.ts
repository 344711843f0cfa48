import { InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { mapPlainModels } from '../fields/catalogs.ts';
import { Node } from './nodes.ts';
import { field, inputWith, objectWith } from './shapes.ts';

/** The types of GraphQL of a plain catalog: that of a row, and that of a new or renamed one. */
function createTypes(model: string, aNoun: string, description: string) {
  @ObjectType(model, { description, implements: Node })
  class Row extends objectWith({
    id: field.databaseId,
    name: field.text('Name, unique in the business.'),
    version: field.version,
  }) {}

  @InputType(`${model}Input`, { description: `${aNoun.replace('a', 'A')}, new or renamed.` })
  class Input extends inputWith({
    name: field.text.optional(
      `Name, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT. Required for a new one.`,
    ),
  }) {}
  return { Row, Input };
}

export const plainTypes = mapPlainModels(({ model, aNoun, description }) => createTypes(model, aNoun, description));
