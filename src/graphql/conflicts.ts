import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Conflict, ConflictConnection } from '../model/conflicts.ts';
import { CursorArgs } from '../model/page-args.ts';
import { User } from '../model/users.ts';
import * as conflicts from '../services/conflicts.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { RowId } from './row-ids.ts';
import { PeriodArgs } from './reports-args.ts';

@Resolver(() => Conflict)
export class ConflictResolver {
  @Query(() => ConflictConnection, {
    nullable: true,
    description:
      'People who are assigned to two shifts at the same time, or against a rule of who can work, on active and draft events within a span of time.',
  })
  @RateLimited(conflicts.list)
  async conflicts(
    @Ctx() { scope }: Context,
    @Args(() => PeriodArgs) period: PeriodArgs,
    @RowId('User', {
      name: 'userId',
      nullable: true,
      description: 'Lists only conflicts of the staff member (a user) of this id.',
    })
    userId: number | null | undefined,
    @Args(() => CursorArgs) page: CursorArgs,
  ) {
    return toConnection(await conflicts.list(scope, { ...period, ...readArgs({ userId, ...page }) }));
  }

  @FieldResolver(() => User, { description: 'The staff member.' })
  staff(@Root() { userId }: Conflict, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }
}
