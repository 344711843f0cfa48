import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root, InputType } from 'type-graphql';
import { Business } from '../model/businesses.ts';
import * as businesses from '../services/businesses.ts';
import type { Context } from './context.ts';
import { readInput } from './inputs.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';

@InputType({ description: 'Changes to the settings of the business: only the given fields change.' })
class UpdateBusinessInput extends inputFrom(businesses.businessChanges) {}

@Resolver()
export class BusinessResolver {
  @Query(() => Business, { nullable: true, description: 'The business of the caller with its settings. For admins.' })
  business(@Ctx() { scope }: Context) {
    return businesses.get(scope, {});
  }

  @Mutation(() => Business, {
    nullable: true,
    description: 'Changes settings of the business: only the given fields. For admins.',
  })
  updateBusiness(
    @Ctx() { scope }: Context,
    @Arg('input', () => UpdateBusinessInput, { description: 'The changes.' }) input: UpdateBusinessInput,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return businesses.update(scope, { ...readInput(input), ...expectVersion(version) });
  }
}

@Resolver(() => Business)
export class BusinessFields {
  /** The name and the plan are known of each caller; settings are read when they are asked for. */
  @FieldResolver()
  async uniqueResourceIds(@Root() { id, uniqueResourceIds }: Business, @Ctx() { loaders }: Context) {
    return uniqueResourceIds ?? (await loaders.businessById.load(id))?.uniqueResourceIds;
  }

  @FieldResolver()
  async waitlistAutoHours(@Root() { id, waitlistAutoHours }: Business, @Ctx() { loaders }: Context) {
    return waitlistAutoHours ?? (await loaders.businessById.load(id))?.waitlistAutoHours;
  }

  @FieldResolver()
  async reminderHours(@Root() { id, reminderHours }: Business, @Ctx() { loaders }: Context) {
    return reminderHours ?? (await loaders.businessById.load(id))?.reminderHours;
  }

  @FieldResolver()
  async approvesSwaps(@Root() { id, approvesSwaps }: Business, @Ctx() { loaders }: Context) {
    return approvesSwaps ?? (await loaders.businessById.load(id))?.approvesSwaps;
  }

  @FieldResolver()
  async strictQueries(@Root() { id, strictQueries }: Business, @Ctx() { loaders }: Context) {
    return strictQueries ?? (await loaders.businessById.load(id))?.strictQueries;
  }

  @FieldResolver()
  async restHours(@Root() { id, restHours }: Business, @Ctx() { loaders }: Context) {
    return restHours === undefined ? (await loaders.businessById.load(id))?.restHours : restHours;
  }

  @FieldResolver()
  async weeklyHours(@Root() { id, weeklyHours }: Business, @Ctx() { loaders }: Context) {
    return weeklyHours === undefined ? (await loaders.businessById.load(id))?.weeklyHours : weeklyHours;
  }

  @FieldResolver()
  async roundingMinutes(@Root() { id, roundingMinutes }: Business, @Ctx() { loaders }: Context) {
    return roundingMinutes === undefined ? (await loaders.businessById.load(id))?.roundingMinutes : roundingMinutes;
  }

  @FieldResolver()
  async roundsInFavour(@Root() { id, roundsInFavour }: Business, @Ctx() { loaders }: Context) {
    return roundsInFavour ?? (await loaders.businessById.load(id))?.roundsInFavour;
  }

  @FieldResolver()
  async overtimeAfterHours(@Root() { id, overtimeAfterHours }: Business, @Ctx() { loaders }: Context) {
    return overtimeAfterHours === undefined
      ? (await loaders.businessById.load(id))?.overtimeAfterHours
      : overtimeAfterHours;
  }

  @FieldResolver()
  async version(@Root() { id, version }: Business, @Ctx() { loaders }: Context) {
    return version ?? (await loaders.businessById.load(id))?.version;
  }

  @FieldResolver()
  async printedCodes(@Root() { id, printedCodes }: Business, @Ctx() { loaders }: Context) {
    return printedCodes ?? (await loaders.businessById.load(id))?.printedCodes;
  }

  @FieldResolver()
  async alwaysTellsLate(@Root() { id, alwaysTellsLate }: Business, @Ctx() { loaders }: Context) {
    return alwaysTellsLate ?? (await loaders.businessById.load(id))?.alwaysTellsLate;
  }
}
