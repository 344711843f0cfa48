import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { readReplicaState } from '../revisions.ts';
import { readSchemaState } from '../migrations/migrations.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { NotOnReplica, type FallbackReason } from './fallback.ts';
import { openServer, type Server } from './pool.ts';
import { createReadOn, readsOf, snapshotsOf, statementNames, type Read, type ReadSnapshot } from './reads.ts';
import { listenerFor, withoutCounting } from './statement-count.ts';

/** Called when a replica, named by host and port, is left out, with the reason, and when it is used again, without. */
type OnChange = (name: string, reason?: FallbackReason, error?: unknown) => void;

/** Reasons that hold for every read, and do not pass soon. */
const unusable: ReadonlySet<FallbackReason> = new Set(['down', 'schema']);

/**
 * A streaming replica with its circuit breaker. It is left out until a check in the background has found it fit: at the start,
 * and after failures. A replica that lacked a data version is checked for that, so that one that stays late is not tried again
 * and again. At normal lag it has it within milliseconds, so the first pauses are short and not reported.
 */
export class Replica {
  isUsed = false;
  readonly #name: string;
  readonly #server: Server;
  readonly snapshot: ReadSnapshot;
  readonly #read: Read;
  readonly #primary: Database;
  readonly #onChange: OnChange;
  #isClosed = false;
  /** Whether it was said that the replica is left out. */
  #isReported = false;
  #misses = 0;
  /** A data version that it did not have. */
  #lacking: { businessId: number; revision: bigint } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { url, tls }: Config['db']['replicas'][number],
    config: Config['db'],
    primary: Database,
    hooks: DatabaseHooks,
    onChange: OnChange,
  ) {
    const { hostname, port } = new URL(url);
    this.#name = `${hostname}:${port || '5432'}`;
    this.#primary = primary;
    this.#onChange = onChange;
    this.#server = openServer(url, { ...config, tls });
    // The disk of a replica says nothing of that of the primary.
    const readOn = createReadOn(statementNames(config), listenerFor(hooks, { failed: () => undefined }));
    this.snapshot = snapshotsOf(this.#server, readOn);
    this.#read = readsOf(this.#server, readOn);
    void this.#check(limits.retryMs);
  }

  /** Notes that it answered a read. */
  served(): void {
    this.#misses = 0;
  }

  /** Notes that it could not answer a read. A read that is not answered in time may mean a frozen server. */
  missed(reason: FallbackReason, error: unknown, lacking?: { businessId: number; revision: bigint }): void {
    if (!this.isUsed) return;
    this.#misses++;
    if (!unusable.has(reason) && reason !== 'timeout' && this.#misses < limits.triesMax) return;
    this.#lacking = lacking;
    this.#leaveOut(reason, error, limits.lookGapMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.isUsed = false;
    clearTimeout(this.#timer);
    await this.#server.pool.end();
  }

  #leaveOut(reason: FallbackReason, error: unknown, pauseMs: number): void {
    this.isUsed = false;
    if (this.#isClosed) return;
    const ownPauseMs = unusable.has(reason) ? limits.retryMs : Math.min(pauseMs, limits.retryMs);
    if (!this.#isReported && ownPauseMs === limits.retryMs) {
      this.#isReported = true;
      this.#onChange(this.#name, reason, error);
    }
    this.#timer = setTimeout(() => void this.#check(ownPauseMs), ownPauseMs).unref();
  }

  /** Uses it again if it is fit, and otherwise checks it once more after a pause. No request pays for it or waits for it. */
  async #check(pauseMs: number): Promise<void> {
    try {
      await withoutCounting(async () => {
        if (!this.#lacking || pauseMs >= limits.retryMs) await this.#requireFit();
        if (!this.#lacking) return;
        const { revision } = await readReplicaState(this.#read, this.#lacking.businessId);
        if (revision < this.#lacking.revision) throw new NotOnReplica('behind', 'The replica is still behind.');
      });
      if (this.#isClosed) return;
      this.#lacking = undefined;
      this.#misses = 0;
      this.isUsed = true;
      if (this.#isReported) this.#onChange(this.#name);
      this.#isReported = false;
    } catch (error) {
      this.#leaveOut(error instanceof NotOnReplica ? error.reason : 'down', error, 2 * pauseMs);
    }
  }

  async #requireFit(): Promise<void> {
    const identify = (read: Read) => read<{ server: string; isStandby: boolean }>(identity);
    const [own, primary] = await Promise.all([identify(this.#read), identify(this.#primary.read)]);
    if (own[0]?.server !== primary[0]?.server)
      throw new NotOnReplica('down', 'DATABASE_READ_URLS names a database that is no replica of DATABASE_URL.');
    if (!own[0]?.isStandby) throw new NotOnReplica('down', 'The server takes writes itself: it is no replica.');
    const { pending } = await readSchemaState(this.#read);
    if (pending.length > 0)
      throw new NotOnReplica('schema', `The replica does not have the migration ${pending.at(-1)} yet.`);
  }
}

/** The identity of a database, which its physical copies share. */
const identity = Prisma.sql`
  SELECT concat_ws('/', system_identifier, current_database(), current_schema()) AS server,
         pg_is_in_recovery() AS "isStandby"
    FROM pg_control_system()`;
