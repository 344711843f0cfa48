import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Config } from '../config/config.ts';
import type { WorkerLink } from '../workers/link.ts';

/** Tells other processes of commits, so that they look sooner. Nothing depends on it: a message that is lost costs a part of a second. */
export interface LiveSignals {
  /** Tells the other processes that the business has changed. */
  send(businessId: number): void;
  /** Sets who is told of commits in other processes. */
  onSignal(listener: (businessId: number) => void): void;
  close(): void;
}

const noSignals: LiveSignals = { send: () => undefined, onSignal: () => undefined, close: () => undefined };

/** Signals over Redis, which reach all processes; without it over the primary, to the other workers; otherwise there are none. */
export async function createLiveSignals(
  redis: Config['redis'],
  link: WorkerLink | null,
  onError: (error: Error) => void,
): Promise<LiveSignals> {
  const { url, timeoutMs } = redis;
  if (url) return openRedisSignals(url, timeoutMs, onError);
  return link ? { send: link.sendCommitted, onSignal: link.onCommitted, close: () => undefined } : noSignals;
}

/** A connection that listens can do nothing else, so there are two. */
async function openRedisSignals(url: string, timeoutMs: number, onError: (error: Error) => void): Promise<LiveSignals> {
  const sender = await connect(url, timeoutMs, onError);
  const receiver = await connect(url, timeoutMs, onError);
  const ownName = randomUUID();
  // Two deployments that share one Redis have prefixes of their own.
  const channel = `${sender.options.keyPrefix ?? ''}callboard:commits`;
  receiver.on('ready', () => void receiver.subscribe(channel).catch(() => undefined));
  for (const redis of [sender, receiver]) redis.connect().catch(() => undefined);
  return {
    send: (businessId) => {
      // While Redis does not answer, nothing is kept for it.
      if (sender.status === 'ready') sender.publish(channel, `${ownName} ${businessId}`).catch(() => undefined);
    },
    onSignal: (listener) => {
      receiver.on('message', (_channel, message) => {
        const [name, businessId] = message.split(' ');
        if (name !== ownName) listener(Number(businessId));
      });
    },
    close: () => {
      sender.disconnect();
      receiver.disconnect();
    },
  };
}

async function connect(url: string, timeoutMs: number, onError: (error: Error) => void): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    connectTimeout: 10 * timeoutMs,
    commandTimeout: 10 * timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  });
  redis.on('error', onError);
  return redis;
}
