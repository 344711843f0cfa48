import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Revocation } from '../model/api-keys.ts';
import { Session } from '../model/sessions.ts';
import * as sessions from '../services/sessions.ts';
import type { Context } from './context.ts';

@Resolver()
export class SessionResolver {
  @Query(() => [Session], {
    nullable: true,
    description:
      'Where the caller is logged in, oldest first, at most the 100 newest. For every role, not with an API key.',
  })
  mySessions(@Ctx() { scope }: Context) {
    return sessions.list(scope, {});
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description: 'Ends one of your log-ins. For every role, not with an API key.',
  })
  async revokeSession(
    @Ctx() { scope }: Context,
    @Arg('uuid', () => ID, { description: 'UUID of the log-in.' }) uuid: string,
  ) {
    await sessions.revoke(scope, { uuid });
    return { revoked: 1 };
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description: 'Ends all of your log-ins except the one used in the call. For every role, not with an API key.',
  })
  async revokeOtherSessions(@Ctx() { scope }: Context) {
    return { revoked: await sessions.revokeOthers(scope, {}) };
  }
}
