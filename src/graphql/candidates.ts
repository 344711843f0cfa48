import { Args, Ctx, FieldResolver, Query, Resolver, Root, ArgsType } from 'type-graphql';
import { Candidate, CandidateConnection } from '../model/candidates.ts';
import { User } from '../model/users.ts';
import * as candidates from '../services/candidates.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { RowId } from './row-ids.ts';
import { pageWith } from '../model/page-args.ts';

@ArgsType()
class CandidateArgs extends pageWith(candidates.candidateFilter) {}

@Resolver(() => Candidate)
export class CandidateResolver {
  @Query(() => CandidateConnection, {
    nullable: true,
    description:
      'The whole staff as candidates for a call time, ranked, each with the reasons. The hard reasons are those for which `assignShift` is refused with code CLASH. For admins.',
  })
  @RateLimited(candidates.list)
  async candidates(
    @Ctx() { scope }: Context,
    @RowId('CallTime', { name: 'callTimeId' }) uuid: string,
    @Args(() => CandidateArgs) args: CandidateArgs,
  ) {
    return toConnection(await candidates.list(scope, { ...readArgs(args), uuid }));
  }

  @FieldResolver(() => User, { description: 'The staff member.' })
  user(@Root() { userId }: Candidate, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }
}
