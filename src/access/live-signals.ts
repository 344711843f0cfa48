import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Config } from '../config/config.ts';
import type { Health } from '../health.ts';

/** Tells other processes of commits, so that they look sooner. Nothing depends on it: a message that is lost costs a part of a second. */
export interface LiveSignals {
  /** Tells the other processes that the business has changed. */
  send(businessId: number): void;
  /** Sets who is told of commits in other processes. */
  onSignal(listener: (businessId: number) => void): void;
  close(): void;
}

const noSignals: LiveSignals = { send: () => undefined, onSignal: () => undefined, close: () => undefined };

/** Opens signals over Redis, which reach all processes. Without Redis there are none. */
export async function createLiveSignals({ url, timeoutMs }: Config['redis'], health: Health): Promise<LiveSignals> {
  if (!url) return noSignals;
  // A connection that listens can do nothing else, so there are two.
  const sender = await connect(url, timeoutMs);
  const receiver = await connect(url, timeoutMs);
  for (const [by, redis] of Object.entries({ sender, receiver })) {
    redis.on('error', (err) => health.lose('redis', by, { err }));
    redis.on('ready', () => health.regain('redis', by));
  }
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

async function connect(url: string, timeoutMs: number): Promise<Redis> {
  const { Redis } = await import('ioredis');
  return new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    connectTimeout: 10 * timeoutMs,
    commandTimeout: 10 * timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  });
}
