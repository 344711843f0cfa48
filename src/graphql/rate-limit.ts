import { Ctx, Query, Resolver } from 'type-graphql';
import { RateLimit } from '../model/rate-limit.ts';
import * as rateLimit from '../services/rate-limit.ts';
import type { Context } from './context.ts';

@Resolver()
export class RateLimitResolver {
  @Query(() => RateLimit, {
    description:
      'What is left of the request budget. To ask costs nothing beyond the request itself. Needs no credential.',
  })
  async rateLimit(@Ctx() { scope }: Context) {
    const { limit, remaining, resetS } = await rateLimit.get(scope, {});
    return { limit, remaining, resetSeconds: resetS };
  }
}
