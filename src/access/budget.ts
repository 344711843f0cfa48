import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
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

/** Ready to count: connected to Redis, or given up waiting for it for now. */
export async function createBudgets(config: Config, onRedisError: (error: Error) => void): Promise<Budgets> {
  const { url, timeoutMs } = config.redis;
  const redis = url ? await connect(url, timeoutMs, onRedisError) : null;
  const counter = redis ? sharedCounter(redis, timeoutMs) : localCounter();
  return {
    async spend(actor, ip, points) {
      const isAnonymous = actor.kind === 'anonymous';
      const limit = isAnonymous ? config.budget.anonymousPerMinute : budgetByPlan[actor.plan];
      const key = isAnonymous ? `ip:${ip}` : `business:${actor.businessId}`;
      const { consumedPoints, msBeforeNext } = await counter(key, points);
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
 * plan keeps the count.
 */
type Counter = (key: string, points: number) => Promise<RateLimiterRes>;

const counting = {
  keyPrefix: 'callboard:budget',
  points: Number.MAX_SAFE_INTEGER,
  duration: limits.budgetWindowS,
};

function localCounter(): Counter {
  const limiter = new RateLimiterMemory(counting);
  return (key, points) => limiter.consume(key, points);
}

/** Every call is counted here as well, so that where Redis does not answer, this process goes on from what it knows. */
function sharedCounter(redis: Redis, timeoutMs: number): Counter {
  const shared = new RateLimiterRedis({ ...counting, storeClient: redis });
  const countHere = localCounter();
  return async (key, points) => {
    const local = await countHere(key, points);
    try {
      return await within(timeoutMs, shared.consume(key, points));
    } catch {
      return local;
    }
  };
}

/** Gives up after the time, but not on an answer that has arrived while this process was busy with something else. */
async function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error('Redis was too slow.'));
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), timeoutMs);
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function connect(url: string, timeoutMs: number, onError: (error: Error) => void): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: 10 * timeoutMs,
    disconnectTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  });
  redis.on('error', onError);
  // It goes on trying by itself; meanwhile this process counts alone.
  await within(10 * timeoutMs, redis.connect()).catch(() => undefined);
  return redis;
}
