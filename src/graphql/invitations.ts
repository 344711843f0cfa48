import { Arg, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { ClaimedInvitation, Invitation } from '../model/invitations.ts';
import * as invitations from '../services/invitations.ts';
import type { Context } from './context.ts';
import { RateLimited } from './rate-limited.ts';
import { RowId } from './row-ids.ts';

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
