import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Clash } from '../model/clashes.ts';
import { User } from '../model/users.ts';
import type { Context } from './context.ts';

@Resolver(() => Clash)
export class ClashFields {
  @FieldResolver(() => User, { nullable: true, description: 'Overlaps and rules of who can work: the staff member.' })
  user(@Root() { userId }: Clash, @Ctx() { loaders }: Context) {
    return userId ? loaders.userById.load(userId) : null;
  }
}
