import { Arg, Ctx, Extensions, ID, Mutation, Resolver } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { InvitationResult } from '../model/clashes.ts';
import { ClaimedInvitation, Invitation } from '../model/invitations.ts';
import * as invitations from '../services/invitations.ts';
import type { Context } from './context.ts';
import { RateLimited } from './rate-limited.ts';
import { refusalOf } from './refusals.ts';
import { RowId, toRowKey } from './row-ids.ts';

@Resolver()
export class InvitationResolver {
  @Mutation(() => Invitation, {
    nullable: true,
    description:
      'Makes the link with which a user sets their first password, and voids an earlier one. Refused with code CONFLICT if they have a password: that is `resetPassword`. For admins; an API key cannot invite admins.',
  })
  @RateLimited(invitations.create)
  inviteUser(@Ctx() { scope }: Context, @RowId('User') id: number) {
    return invitations.create(scope, { id });
  }

  @Mutation(() => [InvitationResult], {
    nullable: true,
    description:
      'Makes the links with which several users set their first passwords. A refused one does not affect the others. Returns one result for each. Costs 1 + rows / 25, rounded down, of the rate limit, and counts once among the invitations of the caller. For admins; an API key cannot invite admins.',
  })
  @RateLimited(invitations.createMany)
  async inviteUsers(
    @Ctx() { scope, log }: Context,
    @Arg('userIds', () => [ID], { description: `Ids or databaseIds of the users, at most ${limits.namedItemsMax}.` })
    ids: string[],
  ) {
    const outcomes = await invitations.createMany(scope, {
      userIds: ids.map((id) => toRowKey('User', id) as number),
    });
    return outcomes.map((outcome) =>
      'invitation' in outcome
        ? { invitation: outcome.invitation, error: null }
        : { invitation: null, error: refusalOf(outcome.failure, log).error },
    );
  }

  @Mutation(() => ClaimedInvitation, {
    nullable: true,
    description:
      'Sets your first password with the secret of an invitation, once. Log in then. Needs no credential. After several failures, further attempts are refused for a while.',
  })
  @Extensions({ calls: invitations.claim })
  @RateLimited(invitations.claim)
  claimInvitation(
    @Ctx() { scope }: Context,
    @Arg('secret', () => String, { description: 'The secret in the link, behind the `#`.' }) secret: string,
    @Arg('password', () => String, { description: 'The password, with the same rules as for a new user.' })
    password: string,
  ) {
    return invitations.claim(scope, { secret, password });
  }
}
