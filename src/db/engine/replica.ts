import { PrismaPg } from '@prisma/adapter-pg';
import type { Config } from '../../config/config.ts';
import type { DatabaseTls } from '../../config/database-url.ts';
import { limits } from '../../config/limits.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { listenerFor, openClient } from './client.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { readSchemaState } from './migrations.ts';
import { dropUnlessIdle, openPool, schemaOf } from './pool.ts';
import type { SharedPool } from './shared-pool.ts';
import { withoutCounting } from './statement-count.ts';

/** Why a read went to the primary after a replica was tried. */
export type FallbackReason =
  /** The replica has not replayed what the caller may have seen. */
  | 'behind'
  /** The replay of the replica had to stop the read. */
  | 'conflict'
  /** The read took too long there. */
  | 'timeout'
  /** No connection to it was free in time. */
  | 'busy'
  /** The data version does not cover all rows of the export, or they belong to the log of the primary. */
  | 'uncovered'
  /** It cannot be reached, takes writes itself, or belongs to another primary. */
  | 'down'
  /** Its schema is that of an earlier version. */
  | 'schema';

/** A data version that a replica did not have. */
export interface Lacking {
  readonly businessId: number;
  readonly revision: string;
}

export interface Replica {
  readonly prisma: PrismaClient;
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

/** Reasons that hold for every read, so that the replica is left out at once. */
const unusable: ReadonlySet<FallbackReason> = new Set(['down', 'schema']);

/**
 * A streaming replica with its circuit breaker. It is left out until a check in the background has found it fit: at the start,
 * and after failures. A replica that lacked a data version is checked for that, so that one that stays late is not tried again
 * and again.
 */
export class StandbyReplica implements Replica {
  readonly prisma: PrismaClient;
  isUsed = false;
  readonly #name: string;
  readonly #pool: SharedPool;
  readonly #primary: Database;
  readonly #config: Config['db'];
  readonly #hooks: ReplicaHooks;
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
    this.prisma = openClient(new PrismaPg(this.#pool, schemaOf(url)), config, listener, limits.shareWaitMs);
  }

  /** Has it checked for the first time. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    void this.#check();
  }

  served(): void {
    this.#misses = 0;
  }

  missed(reason: FallbackReason, error: unknown, lacking?: Lacking): void {
    if (!this.isUsed) return;
    this.#misses++;
    if (!unusable.has(reason) && this.#misses < limits.replicaMissesMax) return;
    this.#lacking = lacking;
    this.#leaveOut(reason, error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.isUsed = false;
    clearTimeout(this.#timer);
    await this.prisma.$disconnect();
    if (!this.#pool.ending) await this.#pool.end();
  }

  #leaveOut(reason: FallbackReason, error: unknown): void {
    this.isUsed = false;
    if (this.#isClosed) return;
    if (!this.#isReported) this.#hooks.onReplicaChange?.({ replica: this.#name, isUsed: false, reason, error });
    this.#isReported = true;
    this.#timer = setTimeout(() => void this.#check(), this.#config.replicaPauseMs).unref();
  }

  /** Uses it again if it is fit, and otherwise checks it once more after a pause. No request pays for it or waits for it. */
  async #check(): Promise<void> {
    try {
      await withoutCounting(() => this.#requireFit());
      if (this.#isClosed) return;
      this.#misses = 0;
      this.isUsed = true;
      if (this.#isReported) this.#hooks.onReplicaChange?.({ replica: this.#name, isUsed: true });
      this.#isReported = false;
    } catch (error) {
      this.#leaveOut(error instanceof UnfitReplica ? error.reason : 'down', error);
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
