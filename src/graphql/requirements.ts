import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { plainTypes } from '../model/catalogs-plain.ts';
import { Requirement } from '../model/requirements.ts';
import type { Context } from './context.ts';

@Resolver(() => Requirement)
export class RequirementFields {
  @FieldResolver(() => plainTypes.Qualification, { nullable: true, description: 'The qualification.' })
  qualification(@Root() { qualificationId }: Requirement, @Ctx() { loaders }: Context) {
    return loaders.plainRowById.Qualification.load(qualificationId);
  }
}
