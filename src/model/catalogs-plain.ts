import { Field, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { mapPlainModels, type PlainRow } from '../fields/catalogs.ts';
import { DatabaseId, Node } from './nodes.ts';
import { Version } from './versions.ts';

/** The types of GraphQL of a plain catalog: that of a row, and that of a new or renamed one. */
function createTypes(model: string, aNoun: string, description: string) {
  @ObjectType(model, { description, implements: Node, simpleResolvers: true })
  class Row implements PlainRow {
    @DatabaseId()
    id!: number;

    @Field(() => String, { description: 'Name, unique in the business.' })
    name!: string;

    @Version()
    version!: number;
  }

  @InputType(`${model}Input`, { description: `${aNoun.replace('a', 'A')}, new or renamed.` })
  class Input {
    @Field(() => String, {
      nullable: true,
      description: `Name, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT. Required for a new one.`,
    })
    name?: string;
  }
  return { Row, Input };
}

export const plainTypes = mapPlainModels(({ model, aNoun, description }) => createTypes(model, aNoun, description));
