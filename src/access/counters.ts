import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Health } from '../health.ts';
import { within } from '../within.ts';

/**
 * Counts by key. The first count of a key starts its window. A counter knows no limit, because the limit of a caller can
 * change within a window while the count stays.
 */
export interface Counter {
  /** Adds points in one atomic step, and says how many there are now and when the window ends. */
  add(key: string, points: number): Promise<Count>;
  giveBack(key: string, points: number): Promise<void>;
  forget(key: string): Promise<void>;
}

export interface Count {
  readonly points: number;
  readonly msLeft: number;
}

export interface Counters {
  counter(name: string, windowS: number): Counter;
  close(): Promise<void>;
}

interface CounterHooks {
  readonly health: Health;
  readonly onDegraded?: (() => void) | undefined;
}

/**
 * Counts in Redis, or in this process alone. Resolves when the counters can be used: Redis is connected, or the wait for it has
 * timed out.
 */
export async function createCounters(
  { redis: { url, timeoutMs } }: Pick<Config, 'redis'>,
  { health, onDegraded = () => undefined }: CounterHooks,
): Promise<Counters> {
  const redis = url ? await connect(url, timeoutMs, health) : null;
  const withRedis = createCircuitBreaker(timeoutMs, onDegraded, health);
  return {
    counter: (name, windowS) => {
      const counting = { keyPrefix: `callboard:${name}`, points: Number.MAX_SAFE_INTEGER, duration: windowS };
      const here = new RateLimiterMemory(counting);
      if (!redis) return localCounter(here);
      return sharedCounter(here, new RateLimiterRedis({ ...counting, storeClient: redis }), withRedis);
    },
    close: async () => redis?.disconnect(),
  };
}

const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Count => ({
  points: consumedPoints,
  msLeft: Math.max(0, msBeforeNext),
});

const localCounter = (here: RateLimiterMemory): Counter => ({
  add: async (key, points) => countOf(await here.consume(key, points)),
  giveBack: async (key, points) => void (await here.reward(key, points)),
  forget: async (key) => void (await here.delete(key)),
});

/** Every call is counted in this process as well, which goes on from its own count when the shared one does not answer. */
function sharedCounter(here: RateLimiterMemory, shared: RateLimiterRedis, withFallback: WithFallback): Counter {
  return {
    add: async (key, points) =>
      countOf(await withFallback(await here.consume(key, points), () => shared.consume(key, points))),
    giveBack: async (key, points) =>
      void (await withFallback(await here.reward(key, points), () => shared.reward(key, points))),
    forget: async (key) => void (await withFallback(await here.delete(key), () => shared.delete(key))),
  };
}

/** Gives the answer of the shared count, or the local one when that does not come in time. */
type WithFallback = <T>(local: T, askShared: () => Promise<T>) => Promise<T>;

/** A circuit breaker for all counters of a process: after a timeout it does not ask for a while, so that a call waits once at most. */
function createCircuitBreaker(timeoutMs: number, onDegraded: () => void, health: Health): WithFallback {
  let closesAt = 0;
  return async (local, askShared) => {
    try {
      if (performance.now() >= closesAt) {
        const answer = askShared();
        // An answer that is late shows as well that Redis is back.
        answer.then(() => health.regain('redis', 'counts')).catch(() => undefined);
        return await within(timeoutMs, answer);
      }
    } catch (err) {
      health.lose('redis', 'counts', { err });
      closesAt = performance.now() + limits.settleMs;
    }
    onDegraded();
    return local;
  };
}

async function connect(url: string, timeoutMs: number, health: Health): Promise<Redis> {
  // Imported only where it is configured: not every deployment has Redis.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: 10 * timeoutMs,
    disconnectTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  });
  redis.on('error', (err) => health.lose('redis', 'counts', { err }));
  redis.on('ready', () => health.regain('redis', 'counts'));
  // ioredis goes on trying; meanwhile this process counts alone.
  await within(10 * timeoutMs, redis.connect()).catch(() => undefined);
  return redis;
}
