import { Arg, Ctx, Extensions, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { Revocation } from '../model/api-keys.ts';
import { Business } from '../model/businesses.ts';
import { User } from '../model/users.ts';
import { Login, Viewer } from '../model/viewer.ts';
import * as tokens from '../services/tokens.ts';
import * as viewer from '../services/viewer.ts';
import type { Context } from './context.ts';
import { RateLimited } from './rate-limited.ts';

const scopeDescription =
  'Scopes of the token as in REST, with a single space between them (`read events:write`), for a token that may do less than its user. Without it, the token is `full`.';

@Resolver(() => Viewer)
export class ViewerFields {
  @FieldResolver(() => User, { nullable: true, description: 'The user; null for a business API key.' })
  user(@Root() { userId }: Viewer, @Ctx() { loaders }: Context) {
    return userId === undefined ? null : loaders.userById.load(userId);
  }

  @FieldResolver(() => Business, { description: 'Business that the caller belongs to.' })
  business(@Ctx() { scope }: Context) {
    return viewer.businessOf(scope);
  }
}

@Resolver()
export class TokenResolver {
  @Query(() => Viewer, { description: 'The caller and their business.' })
  @Extensions({ calls: viewer.get })
  viewer(@Ctx() { scope }: Context) {
    return viewer.get(scope, {});
  }

  // Nullable, so that a request with several log-ins makes every attempt and counts each of them.
  @Mutation(() => Login, {
    nullable: true,
    description:
      'Returns a personal access token for an e-mail and password; null, with an error, if they are wrong. Needs no credential. After several wrong attempts, further ones are refused for a while.',
  })
  @Extensions({ calls: tokens.login })
  @RateLimited(tokens.login)
  async login(
    @Ctx() { scope }: Context,
    @Arg('email', () => String, { description: 'E-mail address.' }) email: string,
    @Arg('password', () => String, { description: 'Password of the user.' }) password: string,
    @Arg('scope', () => String, { nullable: true, description: scopeDescription }) narrowedTo?: string | null,
  ) {
    const input = { email, password, ...(narrowedTo !== undefined && { scope: narrowedTo }) };
    return { ...(await tokens.login(scope, input)), tokenType: 'Bearer', expiresIn: limits.credentialLifetimeS };
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description: 'Logs out: revokes the personal access token used in the call. For every role, not with an API key.',
  })
  async logout(@Ctx() { scope }: Context) {
    return { revoked: await tokens.revokeUsed(scope, {}) };
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description:
      'Logs out everywhere: revokes all of your personal access tokens. For every role, not with an API key.',
  })
  async logoutEverywhere(@Ctx() { scope }: Context) {
    return { revoked: await tokens.revokeAllOwn(scope, {}) };
  }
}
