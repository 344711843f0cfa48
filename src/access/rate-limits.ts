import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Actor } from './actor.ts';
import { callerAt } from './address.ts';
import type { Counters } from './counters.ts';

/** Whose rate limit it is. */
export type Payer = 'business' | 'person' | 'address';

export interface RateLimitState {
  readonly payer: Payer;
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
   * Takes points from the rate limits of the caller, or gives some back, and says what is left. A point is a request; tenths are
   * counted. A business has one rate limit for REST and GraphQL and all its keys, tokens and screens together. Log-ins on the pages
   * have another one by person, and one for all of the business. A caller without a valid credential has two by IP address:
   * requests that may hold a log-in have one of their own, so that refused credentials do not use it up.
   */
  consume(actor: Actor, ip: string, points: number, purpose: Purpose): Promise<RateLimitState>;
}

/** The limit is that of the plan as read for the request: a change of plan takes effect at once and keeps the count. */
export function createRateLimits(config: Config['rateLimits'], counters: Counters): RateLimits {
  const parts = limits.rateLimitParts;
  // The name tells these counts from those of earlier versions, which counted whole requests in the same Redis.
  const counter = counters.counter('rate-limit-parts', limits.rateLimitWindowS);

  /** The counts that a request is added to. What the first refuses is not added to the second. */
  function countsOf(actor: Actor, ip: string, purpose: Purpose): { payer: Payer; key: string; limit: number }[] {
    if (actor.kind === 'anonymous') {
      const key = `${purpose === 'log-in' ? 'log-in' : 'ip'}:${callerAt(ip)}`;
      return [{ payer: 'address', key, limit: config.anonymousPerMinute }];
    }
    const limit = config.byPlan[actor.plan];
    if (actor.kind !== 'user' || !actor.isConsole)
      return [{ payer: 'business', key: `business:${actor.businessId}`, limit }];
    return [
      { payer: 'person', key: `person:${actor.businessId}:${actor.userId}`, limit: config.personPerMinute },
      { payer: 'business', key: `pages:${actor.businessId}`, limit: limit * limits.pagesShare },
    ];
  }

  return {
    async consume(actor, ip, points, purpose) {
      let state: RateLimitState | null = null;
      for (const { payer, key, limit } of countsOf(actor, ip, purpose)) {
        const { points: taken, msLeft } = await counter.add(key, Math.round(points * parts));
        const consumed = taken / parts;
        const remaining = Math.max(0, Math.floor(limit - consumed));
        const isExceeded = consumed > limit;
        if (!state || isExceeded || remaining < state.remaining)
          state = {
            payer,
            limit,
            remaining,
            resetS: Math.min(limits.rateLimitWindowS, Math.ceil(msLeft / 1000)),
            isExceeded,
          };
        if (isExceeded && points > 0) break;
      }
      return state!;
    },
  };
}
