import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { withoutCounting } from '../db/engine/statement-count.ts';
import { readRevisions } from '../db/revisions.ts';
import { Counts, FairQueue } from '../fair-queue.ts';
import type { Health } from '../health.ts';
import { type KnownActor, rightsOf } from './actor.ts';
import { createCredentialCheck } from './held-credentials.ts';
import { LiveTicks, type ShareRead } from './live-ticks.ts';

export interface LiveParts {
  readonly database: Pick<Database, 'read'>;
  readonly clock: () => Date;
  readonly signals: LiveSignals;
  readonly log: Pick<Logger, 'warn'>;
}

/** Follows the data versions of the businesses that have streams in this process. */
export interface Live {
  /** Opens the ticks of a stream of this caller. */
  follow(actor: KnownActor): LiveTicks;
  /** Says that a transaction of this process has changed the business. */
  committed(businessId: number): void;
  close(): void;
}

/**
 * Looks every 300 ms which data versions have risen, in one statement for all businesses, and sooner after a commit. Nothing in
 * the writing transaction tells of the change: NOTIFY takes a lock of the whole database at each commit. At each look the
 * credentials of the streams are checked, those of changed businesses before their streams get the tick.
 */
export function createLive({ database, clock, signals, log }: LiveParts): Live {
  const streams = new Map<LiveTicks, KnownActor>();
  const streamsOf = new Counts<number>();
  const check = createCredentialCheck(database.read, clock);
  const shared = createSharedReads();
  const turns = new FairQueue<number>({ total: 1, each: () => 1 });
  let checkedAt = -Infinity;
  let isClosed = false;

  async function look(): Promise<void> {
    const revisions = await readRevisions(database.read, streamsOf.keys());
    const now = performance.now();
    // Half a look early, because timers are not exact.
    const isCheckDue = now - checkedAt > limits.lookMs / 2;
    const revisionOf = ({ businessId }: KnownActor) => revisions.get(businessId) ?? '0';
    const due = [...streams].filter(([ticks, actor]) => isCheckDue || ticks.revision !== revisionOf(actor));
    if (due.length === 0) return;
    const refusalOf = await check(due.map(([, actor]) => actor));
    if (isCheckDue) checkedAt = now;
    shared.clear();
    for (const [ticks, actor] of due) {
      const refusal = refusalOf(actor);
      if (refusal) ticks.refuse(refusal);
      else if (ticks.revision !== revisionOf(actor)) ticks.tick(revisionOf(actor));
    }
  }

  const looks = createLooks(look, log);
  const committedSomewhere = (businessId: number) => {
    if (streamsOf.of(businessId) > 0) looks.soon();
  };
  signals.onSignal(committedSomewhere);

  return {
    follow(actor) {
      const { businessId, revision } = actor;
      const rights = `${businessId} ${rightsOf(actor)}`;
      const onEnd = (ticks: LiveTicks) => {
        streams.delete(ticks);
        streamsOf.add(businessId, -1);
        if (streams.size === 0) looks.stop();
      };
      const takeTurn = async () => {
        const end = await turns.take({
          key: businessId,
          refusal: () => new Error('A stream waits for as long as it takes.'),
        });
        const beganAt = performance.now();
        return () => {
          // After a long turn the process is left to requests for as long.
          const ms = performance.now() - beganAt;
          if (ms < limits.liveShortTurnMs) end();
          else setTimeout(end, ms).unref();
        };
      };
      const ticks = new LiveTicks(revision, { onEnd, shareAt: (at) => shared.of(`${rights} ${at}`), takeTurn });
      streams.set(ticks, actor);
      streamsOf.add(businessId, 1);
      if (isClosed) void ticks.return();
      else looks.start();
      return ticks;
    },
    committed(businessId) {
      signals.send(businessId);
      committedSomewhere(businessId);
    },
    close() {
      isClosed = true;
      for (const ticks of [...streams.keys()]) void ticks.return();
      looks.stop();
    },
  };
}

/** Runs one look at a time, regularly or sooner. While the database does not answer, the pauses grow and the streams stay. */
function createLooks(look: () => Promise<void>, log: LiveParts['log']) {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let endedAt = -Infinity;
  let isLooking = false;
  let isWanted = false;
  let isOn = false;
  let failures = 0;

  const plan = (ms: number) => {
    const at = performance.now() + ms;
    if (!isOn || isLooking || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    // The request that asks for a look does not count its statements.
    timer = withoutCounting(() => setTimeout(() => void run(), ms));
    timer.unref();
  };
  const run = async () => {
    isLooking = true;
    isWanted = false;
    dueAt = Infinity;
    try {
      await look();
      failures = 0;
    } catch (error) {
      failures++;
      if (failures === 1) log.warn({ err: error }, 'live updates wait: the database does not answer');
    } finally {
      isLooking = false;
      endedAt = performance.now();
      plan(isWanted ? limits.lookGapMs : Math.min(limits.lookMs * 2 ** failures, limits.retryMaxMs));
    }
  };
  return {
    start() {
      if (isOn) return;
      isOn = true;
      plan(limits.lookMs);
    },
    stop() {
      isOn = false;
      clearTimeout(timer);
      dueAt = Infinity;
    },
    soon() {
      isWanted = true;
      plan(Math.max(0, endedAt + limits.lookGapMs - performance.now()));
    },
  };
}

/** Reads that streams of equal rights share at one tick, a few at a time. */
function createSharedReads() {
  const reads = new Map<string, Promise<unknown>>();
  const inTurn = pLimit(limits.parallelMax);
  return {
    clear: () => reads.clear(),
    of:
      (prefix: string): ShareRead =>
      <T>(key: string, run: () => Promise<T>) => {
        const name = `${prefix} ${key}`;
        const known = reads.get(name) as Promise<T> | undefined;
        if (known) return known;
        const read = inTurn(run);
        reads.set(name, read);
        return read;
      },
  };
}

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
