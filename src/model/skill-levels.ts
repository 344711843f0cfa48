import { Field, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { SkillLevelRow } from '../db/skill-levels.ts';
import { DatabaseId, Node } from './nodes.ts';
import { Version } from './versions.ts';

@ObjectType({ description: 'A level of skill that a call time can require.', implements: Node, simpleResolvers: true })
export class SkillLevel implements SkillLevelRow {
  @DatabaseId()
  id!: SkillLevelRow['id'];

  @Field(() => String, { description: 'Name, unique in the business.' })
  name!: SkillLevelRow['name'];

  @Version()
  version!: SkillLevelRow['version'];
}

@InputType({ description: 'A skill level, new or renamed.' })
export class SkillLevelInput {
  @Field(() => String, {
    description: `Name, at most ${limits.nameChars} characters, unique in the business; a taken one is refused with code CONFLICT.`,
  })
  name!: string;
}
