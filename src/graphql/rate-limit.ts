import { Ctx, Extensions, Query, Resolver } from 'type-graphql';
import { RateLimit } from '../model/rate-limit.ts';
import * as rateLimit from '../services/rate-limit.ts';
import type { Context } from './context.ts';

@Resolver()
export class RateLimitResolver {
  @Query(() => RateLimit, {
    description: 'State of the rate limit. This field costs nothing beyond the request itself and needs no credential.',
  })
  @Extensions({ calls: rateLimit.get })
  async rateLimit(@Ctx() { scope }: Context) {
    const { limit, remaining, resetS } = await rateLimit.get(scope, {});
    return { limit, remaining, resetSeconds: resetS };
  }
}
