import { PrismaPg } from '@prisma/adapter-pg';
import type { Config } from '../../config/config.ts';
import type { DatabaseTls } from '../../config/database-url.ts';
import { limits } from '../../config/limits.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { listenerFor, openClient } from './client.ts';
import type { Database, DatabaseHooks } from './database.ts';
import type { ServerClient } from './connection.ts';
import type { FallbackReason } from './fallback.ts';
import { FreshReads, type Freshness } from './fresh-reads.ts';
import { readSchemaState } from './migrations.ts';
import { dropUnlessIdle, openPool, schemaOf } from './pool.ts';
import { createReads, type Read } from './reads.ts';
import type { SharedPool } from './shared-pool.ts';
import { withoutCounting } from './statement-count.ts';

/** A data version that a replica did not have. */
export interface Lacking {
  readonly businessId: number;
  readonly revision: string;
}

export interface Replica {
  readonly prisma: PrismaClient;
  /** Makes the reads of a call, each with a check of its own. Null behind a pooler, where no packet has one session for certain. */
  readFresh(freshness: Freshness): Read | null;
  /** Notes that it answered a read. */
  served(): void;
  /** Notes that it could not answer a read, which counts for its circuit breaker. */
  missed(reason: FallbackReason, error: unknown, lacking?: Lacking): void;
}

export interface ReplicaChange {
  /** Host and port. */
  readonly replica: string;
  readonly isUsed: boolean;
  /** Why it is left out. */
  readonly reason?: FallbackReason;
  readonly error?: unknown;
}

export interface ReplicaHooks extends Pick<DatabaseHooks, 'onSql' | 'onSqlAnswered'> {
  /** Called when a replica is left out, and when it is used again. */
  readonly onReplicaChange?: (change: ReplicaChange) => void;
}

/** A replica must not be used. The message is for operators. */
class UnfitReplica extends Error {
  override readonly name = 'UnfitReplica';
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Reasons that hold for every read, and do not pass soon. */
const unusable: ReadonlySet<FallbackReason> = new Set(['down', 'schema']);

/** Reasons for which the replica is left out at once. A statement that is not answered in time may mean a frozen server. */
const urgent: ReadonlySet<FallbackReason> = new Set([...unusable, 'timeout']);

/**
 * A streaming replica with its circuit breaker. It is left out until a check in the background has found it fit: at the start,
 * and after failures. A replica that lacked a data version is checked for that, so that one that stays late is not tried again
 * and again. At normal lag it has it within milliseconds, so the first pauses are short and not reported.
 */
export class StandbyReplica implements Replica {
  readonly prisma: PrismaClient;
  isUsed = false;
  readonly #name: string;
  readonly #pool: SharedPool;
  readonly #primary: Database;
  readonly #config: Config['db'];
  readonly #hooks: ReplicaHooks;
  readonly #reads: ReturnType<typeof createReads>;
  #isPooled = false;
  #hasBegun = false;
  #isClosed = false;
  /** Whether it was said that the replica is left out. */
  #isReported = false;
  #misses = 0;
  #lacking: Lacking | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { url, tls }: { url: string; tls: DatabaseTls | null },
    config: Config['db'],
    primary: Database,
    hooks: ReplicaHooks,
  ) {
    const { hostname, port } = new URL(url);
    this.#name = `${hostname}:${port || '5432'}`;
    this.#config = config;
    this.#primary = primary;
    this.#hooks = hooks;
    this.#pool = openPool(url, { ...config, tls });
    this.#pool.on('release', dropUnlessIdle);
    // The disk of a replica says nothing of that of the primary.
    const listener = listenerFor(hooks, { failed: () => undefined });
    this.#reads = createReads(config.prepare, listener);
    this.prisma = openClient(new PrismaPg(this.#pool, schemaOf(url)), config, listener, limits.shareWaitMs);
  }

  /** Has it checked for the first time. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    void this.#check(this.#config.replicaPauseMs);
  }

  readFresh(freshness: Freshness): Read | null {
    if (this.#isPooled) return null;
    const fresh = new FreshReads(this.#pool, this.#config.prepare, freshness);
    return this.#reads((statement, isBrief) => fresh.query(statement, isBrief));
  }

  served(): void {
    this.#misses = 0;
  }

  missed(reason: FallbackReason, error: unknown, lacking?: Lacking): void {
    if (!this.isUsed) return;
    this.#misses++;
    if (!urgent.has(reason) && this.#misses < limits.replicaMissesMax) return;
    this.#lacking = lacking;
    this.#leaveOut(reason, error, limits.replicaLatePauseMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.isUsed = false;
    clearTimeout(this.#timer);
    await this.prisma.$disconnect();
    if (!this.#pool.ending) await this.#pool.end();
  }

  #leaveOut(reason: FallbackReason, error: unknown, pauseMs: number): void {
    this.isUsed = false;
    if (this.#isClosed) return;
    const { replicaPauseMs } = this.#config;
    const ownPauseMs = unusable.has(reason) ? replicaPauseMs : Math.min(pauseMs, replicaPauseMs);
    if (!this.#isReported && ownPauseMs === replicaPauseMs) {
      this.#isReported = true;
      this.#hooks.onReplicaChange?.({ replica: this.#name, isUsed: false, reason, error });
    }
    this.#timer = setTimeout(() => void this.#check(ownPauseMs), ownPauseMs).unref();
  }

  /** Uses it again if it is fit, and otherwise checks it once more after a pause. No request pays for it or waits for it. */
  async #check(pauseMs: number): Promise<void> {
    const isLate = this.#lacking !== undefined && pauseMs < this.#config.replicaPauseMs;
    try {
      await withoutCounting(() => (isLate ? this.#requireReplayed() : this.#requireFit()));
      if (this.#isClosed) return;
      this.#misses = 0;
      this.isUsed = true;
      if (this.#isReported) this.#hooks.onReplicaChange?.({ replica: this.#name, isUsed: true });
      this.#isReported = false;
    } catch (error) {
      this.#leaveOut(error instanceof UnfitReplica ? error.reason : 'down', error, 2 * pauseMs);
    }
  }

  async #requireFit(): Promise<void> {
    const [own, primary] = await Promise.all([identify(this.prisma), identify(this.#primary.prisma)]);
    if (own.server !== primary.server)
      throw new UnfitReplica('down', 'DATABASE_READ_URLS names a database that is no replica of DATABASE_URL.');
    if (!own.isStandby) throw new UnfitReplica('down', 'The server takes writes itself: it is no replica.');
    const { pending } = await readSchemaState(this.prisma);
    if (pending.length > 0)
      throw new UnfitReplica('schema', `The replica does not have the migration ${pending.at(-1)} yet.`);
    const client = (await this.#pool.connect()) as unknown as ServerClient & { release(): void };
    this.#isPooled = client.connection.isShared;
    client.release();
    await this.#requireReplayed();
  }

  async #requireReplayed(): Promise<void> {
    if (this.#lacking && !(await hasRevision(this.prisma, this.#lacking)))
      throw new UnfitReplica('behind', 'The replica is still behind.');
    this.#lacking = undefined;
  }
}

interface Identity {
  /** Identity of the database, which its physical copies share. */
  readonly server: string;
  readonly isStandby: boolean;
}

async function identify(prisma: PrismaClient): Promise<Identity> {
  const [identity] = await prisma.$queryRaw<Identity[]>`
    SELECT concat_ws('/', system_identifier, current_database(), current_schema()) AS server,
           pg_is_in_recovery() AS "isStandby"
      FROM pg_control_system()`;
  if (!identity) throw new Error('PostgreSQL does not say who it is.');
  return identity;
}

async function hasRevision(prisma: PrismaClient, { businessId, revision }: Lacking): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ revision: bigint }[]>`
    SELECT revision FROM business_revisions WHERE business_id = ${businessId}`;
  return (row?.revision ?? 0n) >= BigInt(revision);
}
