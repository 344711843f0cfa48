import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { SkillLevel } from '../model/skill-levels.ts';
import type { Context } from './context.ts';

/** The skill level of a call time, whose id came with that row. Its other fields are read when they are asked for. */
export type SkillLevelOfRow = Pick<SkillLevel, 'id'> & Partial<SkillLevel>;

@Resolver(() => SkillLevel)
export class SkillLevelFields {
  @FieldResolver()
  async name(@Root() level: SkillLevelOfRow, @Ctx() context: Context) {
    return level.name ?? (await readWhole(level, context)).name;
  }

  @FieldResolver()
  async version(@Root() level: SkillLevelOfRow, @Ctx() context: Context) {
    return level.version ?? (await readWhole(level, context)).version;
  }
}

/** A skill level that a call time asks for cannot be deleted, so it is there unless another change came between two statements. */
async function readWhole({ id }: SkillLevelOfRow, { loaders }: Context) {
  const level = await loaders.skillLevelById.load(id);
  if (!level) throw new Error('The skill level has been deleted meanwhile.');
  return level;
}
