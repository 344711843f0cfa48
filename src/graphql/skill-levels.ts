import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { SkillLevel, SkillLevelInput } from '../model/skill-levels.ts';
import * as skillLevels from '../services/skill-levels.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';

@Resolver(() => SkillLevel)
export class SkillLevelResolver {
  @Query(() => [SkillLevel], { nullable: true, description: 'The skill levels of the business, by name. For admins.' })
  skillLevels(@Ctx() { scope }: Context) {
    return skillLevels.list(scope, {});
  }

  @Query(() => SkillLevel, {
    nullable: true,
    description: 'One skill level; null, with an error, if there is none. For admins.',
  })
  skillLevel(@Ctx() { scope }: Context, @RowId('SkillLevel') id: number) {
    return skillLevels.get(scope, { id });
  }

  @Mutation(() => SkillLevel, { nullable: true, description: 'Creates a skill level. For admins.' })
  createSkillLevel(
    @Ctx() { scope }: Context,
    @Arg('input', () => SkillLevelInput, { description: 'The new skill level.' }) { name }: SkillLevelInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return skillLevels.create(withKeyArgument(scope, key), { name });
  }

  @Mutation(() => SkillLevel, { nullable: true, description: 'Renames a skill level. For admins.' })
  updateSkillLevel(
    @Ctx() { scope }: Context,
    @RowId('SkillLevel') id: number,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => SkillLevelInput, { description: 'The new name.' }) { name }: SkillLevelInput,
  ) {
    return skillLevels.rename(scope, { id, name, ...expectVersion(version) });
  }

  @Mutation(() => SkillLevel, {
    nullable: true,
    description:
      'Deletes a skill level permanently and returns its last state. Refused with code CONFLICT, and counts in `extensions.inUse`, while call times require it. For admins.',
  })
  deleteSkillLevel(
    @Ctx() { scope }: Context,
    @RowId('SkillLevel') id: number,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return skillLevels.remove(scope, { id, ...expectVersion(version) });
  }
}
