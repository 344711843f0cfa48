import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Actor } from './actor.ts';
import { callerAt } from './address.ts';
import type { Counters } from './counters.ts';

export interface RateLimitState {
  /** Requests in a window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetS: number;
  readonly isExceeded: boolean;
}

/** The purposes of a request without a valid credential. */
export type Purpose = 'log-in' | 'other';

export interface RateLimits {
  /**
   * Takes points from the rate limit of the caller, or gives some back, and says what is left. A point is a request; tenths are
   * counted. A business has one rate limit for REST and
   * GraphQL and all its credentials together. A caller without a valid credential has two by IP address: requests that may
   * hold a log-in have one of their own, so that refused credentials do not use it up.
   */
  consume(actor: Actor, ip: string, points: number, purpose: Purpose): Promise<RateLimitState>;
}

/** The limit is that of the plan as read for the request: a change of plan takes effect at once and keeps the count. */
export function createRateLimits(config: Config['rateLimits'], counters: Counters): RateLimits {
  const parts = limits.rateLimitParts;
  // The name tells these counts from those of earlier versions, which counted whole requests in the same Redis.
  const counter = counters.counter('rate-limit-parts', limits.rateLimitWindowS);
  return {
    async consume(actor, ip, points, purpose) {
      const isAnonymous = actor.kind === 'anonymous';
      const limit = isAnonymous ? config.anonymousPerMinute : config.byPlan[actor.plan];
      const key = isAnonymous
        ? `${purpose === 'log-in' ? 'log-in' : 'ip'}:${callerAt(ip)}`
        : `business:${actor.businessId}`;
      const { points: taken, msLeft } = await counter.add(key, Math.round(points * parts));
      const consumed = taken / parts;
      return {
        limit,
        remaining: Math.max(0, Math.floor(limit - consumed)),
        resetS: Math.min(limits.rateLimitWindowS, Math.ceil(msLeft / 1000)),
        isExceeded: consumed > limit,
      };
    },
  };
}
