import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { BusinessSettings, UpdateBusinessInput } from '../model/businesses-settings.ts';
import * as businesses from '../services/businesses.ts';
import type { Context } from './context.ts';
import { omitUndefined } from './omit-undefined.ts';

@Resolver()
export class BusinessSettingsResolver {
  @Query(() => BusinessSettings, { description: 'Settings of the business. For admins.' })
  businessSettings(@Ctx() { scope }: Context) {
    return businesses.get(scope, {});
  }

  @Mutation(() => BusinessSettings, {
    nullable: true,
    description: 'Changes settings of the business: only the given fields. For admins.',
  })
  updateBusiness(
    @Ctx() { scope }: Context,
    @Arg('input', () => UpdateBusinessInput, { description: 'The changes.' }) input: UpdateBusinessInput,
  ) {
    return businesses.update(scope, omitUndefined(input));
  }
}
