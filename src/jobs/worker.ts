import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { SecretBox } from '../access/secret-box.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { bindToBusiness } from '../db/tenant.ts';
import { findEndpointsWithWork, type DisabledReason, type EndpointKey } from '../db/webhook-delivery.ts';
import type { Health } from '../health.ts';
import { announceEndings } from './announce.ts';
import { sendDueMessages, type DeliveryParts } from './deliver.ts';
import { disable } from './disable.ts';
import { storeNewMessages } from './fan-out.ts';
import { resealSecrets } from './reseal.ts';
import type { EndpointJob, JobQueue } from './queue.ts';
import { retrySchedule } from './schedule.ts';
import { createTargets, type TargetConfig } from './targets.ts';

export interface WorkerParts extends Partial<Omit<DeliveryParts, 'targets' | 'secretBox'>> {
  readonly database: Database;
  readonly log: FastifyBaseLogger;
  readonly secretBox: SecretBox;
  readonly health: Health;
  readonly targets: TargetConfig;
  /** How often it looks for work. */
  readonly watchMs?: number;
}

export interface Worker {
  /** Looks for work soon: something was written. */
  wake(): void;
  /** Ends: running attempts have so much time, then they are given up, and made again by another process. */
  stop(timeoutMs: number): Promise<void>;
}

/**
 * Delivers webhooks until it is stopped. It looks for endpoints with work, makes jobs for them, and does jobs, its own and those of
 * other processes. The queue is opened when there is work for the first time.
 */
export function startWorker(parts: WorkerParts): Worker {
  const { database, log, health, watchMs = limits.lookMs } = parts;
  const delivery: DeliveryParts = {
    clock: () => new Date(),
    schedule: retrySchedule,
    attemptMs: limits.deliveryMs,
    ...parts,
    targets: createTargets(parts.targets),
  };
  const stopping = new AbortController();
  const abandon = new AbortController();
  // Each attempt that is under way listens.
  setMaxListeners(0, abandon.signal);
  const running = new Set<Promise<void>>();
  let queue: JobQueue | null = null;
  let wakeUp = new AbortController();

  // Read once, and from time to time while there are secrets that cannot be read, which their businesses may rotate.
  let resealAt = 0;
  const reseal = async (): Promise<void> => {
    const endpoints = await resealSecrets(database, parts.secretBox, log);
    resealAt = endpoints > 0 ? performance.now() + limits.jobRetryMs : Infinity;
    if (endpoints > 0) health.lose('webhook_secrets', 'reseal', { endpoints }, 'error');
    else health.regain('webhook_secrets', 'reseal');
  };
  let announceAt = 0;
  const look = async (): Promise<void> => {
    if (performance.now() >= resealAt) await reseal();
    if (performance.now() >= announceAt) {
      await announceEndings(database, delivery.clock());
      announceAt = performance.now() + limits.housekeepingMs;
    }
    const found = await findEndpointsWithWork(database.prisma, delivery.clock(), limits.pageRows);
    if (found.length === 0 || stopping.signal.aborted) return;
    queue ??= await openQueue(database, log);
    // Half of the places: one business with many slow receivers leaves the others to the rest.
    await queue.add(found, Math.ceil(limits.pageRows / 2));
    const free = limits.pageRows - running.size;
    if (free > 0) for (const job of await queue.take(free)) begin(queue, job);
  };
  const begin = (from: JobQueue, job: EndpointJob) => {
    const work = doJob(job)
      .catch((err: unknown) => log.warn({ err, ...keyOf(job) }, 'webhooks of an endpoint could not be sent'))
      .then(() => from.done(job))
      .catch((err: unknown) => log.warn({ err, ...keyOf(job) }, 'a job could not be ended'))
      .finally(() => {
        const wasFull = running.size >= Math.floor(limits.pageRows / 2);
        running.delete(work);
        if (wasFull) wakeUp.abort();
      });
    running.add(work);
  };
  const doJob = async ({ businessId, endpointId }: EndpointJob): Promise<void> => {
    const { db, transact } = bindToBusiness(database.prisma, businessId, undefined, database.read);
    const endsAt = performance.now() + limits.webhookSliceMs;
    const isOver = () => stopping.signal.aborted || performance.now() > endsAt;
    const stopSending = (reason: DisabledReason) =>
      disable({ transact, log, clock: delivery.clock }, { businessId, endpointId }, reason);
    for (let hasMore = true; hasMore && !isOver();) {
      const read = await storeNewMessages(transact, endpointId, delivery.clock);
      if (read === 'expired') return stopSending('expired');
      const { count, verdict } = await sendDueMessages(delivery, db, endpointId, { isOver, abandon: abandon.signal });
      if (verdict) return stopSending(verdict);
      // The next look finds the messages that come meanwhile.
      hasMore = read === 'more' || count >= limits.messagesAtATime;
    }
  };

  let isFailing = false;
  const lookSafely = async (): Promise<void> => {
    try {
      await look();
      health.regain('jobs', 'look');
      isFailing = false;
    } catch (err) {
      health.lose('jobs', 'look', { err });
      isFailing = true;
    }
  };
  const watch = async () => {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController();
      await lookSafely();
      const signal = AbortSignal.any([wakeUp.signal, stopping.signal]);
      await wait(isFailing ? limits.retryMs : watchMs, undefined, { signal }).catch(() => undefined);
      await wait(limits.lookGapMs);
    }
  };
  const watching = watch();

  return {
    wake: () => wakeUp.abort(),
    stop: async (timeoutMs) => {
      stopping.abort();
      await watching;
      const timer = setTimeout(() => abandon.abort(), timeoutMs);
      await Promise.all(running);
      clearTimeout(timer);
      await queue?.close();
    },
  };
}

const keyOf = ({ businessId, endpointId }: EndpointKey): EndpointKey => ({ businessId, endpointId });

/** Imported only where there is work, so that a service without webhooks does not load it. */
async function openQueue(database: Database, log: FastifyBaseLogger): Promise<JobQueue> {
  const { openJobQueue } = await import('./queue.ts');
  return openJobQueue(database, (err) => log.warn({ err }, 'the job queue reports an error'));
}
