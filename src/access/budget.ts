import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { budgetByPlan, limits, type Config } from '../config.ts';
import type { Actor } from './actor.ts';

export interface BudgetState {
  /** Requests a window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetS: number;
  readonly isSpent: boolean;
}

export interface Budgets {
  /**
   * Takes points from the caller's budget and says what is left. A business has one budget for REST and GraphQL and all
   * its credentials together; who shows no valid credential has one by IP address.
   */
  spend(actor: Actor, ip: string, points: number): Promise<BudgetState>;
  close(): Promise<void>;
}

export function createBudgets(config: Config, onRedisError: (error: Error) => void): Budgets {
  const redis = config.redis.url ? connect(config.redis.url, config.redis.timeoutMs) : null;
  redis?.on('error', onRedisError);
  const limiter = createLimiter(redis);
  return {
    async spend(actor, ip, points) {
      const isAnonymous = actor.kind === 'anonymous';
      const limit = isAnonymous ? config.budget.anonymousPerMinute : budgetByPlan[actor.plan];
      const key = isAnonymous ? `ip:${ip}` : `business:${actor.businessId}`;
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, points);
      return {
        limit,
        remaining: Math.max(0, limit - consumedPoints),
        resetS: Math.min(limits.budgetWindowS, Math.max(0, Math.ceil(msBeforeNext / 1000))),
        isSpent: consumedPoints > limit,
      };
    },
    close: async () => redis?.disconnect(),
  };
}

/**
 * Counts without a limit of its own: what a caller may spend depends on the plan as read for the request, so a change of
 * plan keeps the count. Where Redis does not answer, this process counts for itself until it does again.
 */
function createLimiter(redis: Redis | null): RateLimiterAbstract {
  const options = { keyPrefix: 'callboard:budget', points: Number.MAX_SAFE_INTEGER, duration: limits.budgetWindowS };
  const local = new RateLimiterMemory(options);
  return redis ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: local }) : local;
}

function connect(url: string, timeoutMs: number): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    connectTimeout: 10 * timeoutMs,
    disconnectTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  });
}
