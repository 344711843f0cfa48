import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { limits } from '../config.ts';
import { Login, Viewer } from '../model/viewer.ts';
import * as tokens from '../services/tokens.ts';
import * as viewer from '../services/viewer.ts';
import type { Context } from './context.ts';

@Resolver()
export class TokenResolver {
  @Query(() => Viewer, { description: 'Who is calling, and for which business.' })
  viewer(@Ctx() { scope }: Context) {
    return viewer.get(scope, {});
  }

  @Mutation(() => Login, { description: 'E-mail and password give a personal access token. Needs no credential.' })
  async login(
    @Ctx() { scope }: Context,
    @Arg('email', () => String, { description: 'E-mail address.' }) email: string,
    @Arg('password', () => String, { description: 'Password.' }) password: string,
  ) {
    const { accessToken } = await tokens.login(scope, { email, password });
    return { accessToken, tokenType: 'Bearer', expiresIn: limits.tokenLifetimeS };
  }
}
