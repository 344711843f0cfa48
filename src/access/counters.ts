import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';

/**
 * Counts by key, each key for a window that its first count starts. It knows no limit: what a caller may do can change
 * within a window, and keeps the count.
 */
export interface Counter {
  /** One atomic step: adds the points and says how many there are now, and for how long. */
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

/** Ready to count: connected to Redis, or given up waiting for it for now. */
export async function createCounters(
  { url, timeoutMs }: Config['redis'],
  onRedisError: (error: Error) => void,
  onDegraded: () => void = () => undefined,
): Promise<Counters> {
  const redis = url ? await connect(url, timeoutMs, onRedisError) : null;
  const patience = createPatience(timeoutMs, onDegraded);
  return {
    counter: (name, windowS) => {
      const counting = { keyPrefix: `callboard:${name}`, points: Number.MAX_SAFE_INTEGER, duration: windowS };
      const here = new RateLimiterMemory(counting);
      return redis
        ? sharedCounter(here, new RateLimiterRedis({ ...counting, storeClient: redis }), patience)
        : localCounter(here);
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

/** Every call is counted here as well, so that where Redis does not answer, this process goes on from what it knows. */
function sharedCounter(here: RateLimiterMemory, shared: RateLimiterRedis, patience: Patience): Counter {
  return {
    add: async (key, points) =>
      countOf(await patience(await here.consume(key, points), () => shared.consume(key, points))),
    giveBack: async (key, points) =>
      void (await patience(await here.reward(key, points), () => shared.reward(key, points))),
    forget: async (key) => void (await patience(await here.delete(key), () => shared.delete(key))),
  };
}

/** Redis's answer; what is known here when there is none in time. */
type Patience = <T>(known: T, ask: () => Promise<T>) => Promise<T>;

/** One for all counters of a process: after waiting in vain it does not ask for a while, so that a call waits once at most. */
function createPatience(timeoutMs: number, onDegraded: () => void): Patience {
  let asksAgainAt = 0;
  return async (known, ask) => {
    try {
      if (performance.now() >= asksAgainAt) return await within(timeoutMs, ask());
    } catch {
      asksAgainAt = performance.now() + limits.redisPauseMs;
    }
    onDegraded();
    return known;
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
  // Imported when asked for, as all that not every deployment has.
  const { Redis } = await import('ioredis');
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
