import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { SkillLevelRow } from '../db/skill-levels.ts';
import { Version } from './versions.ts';

@ObjectType({ description: 'How skilled a call time may ask its staff to be.', simpleResolvers: true })
export class SkillLevel implements SkillLevelRow {
  @Field(() => Int, { description: 'Numeric id.' })
  id!: SkillLevelRow['id'];

  @Field(() => String, { description: 'Name, unique in the business.' })
  name!: SkillLevelRow['name'];

  @Version()
  version!: SkillLevelRow['version'];
}

@InputType({ description: 'A skill level, new or renamed.' })
export class SkillLevelInput {
  @Field(() => String, {
    description: `Name, at most ${limits.nameChars} characters, unique in the business: another's is refused with code CONFLICT.`,
  })
  name!: string;
}
