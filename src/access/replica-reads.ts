import { limits } from '../config/limits.ts';
import { NotOnReplica, type FallbackReason } from '../db/engine/fallback.ts';
import { isCanceled, isMissingSchema, isRecoveryConflict, isUnreachable } from '../db/engine/failures.ts';
import type { Read } from '../db/engine/reads.ts';
import type { Replica } from '../db/engine/replica.ts';
import { readReplicaState } from '../db/revisions.ts';
import { Failure } from '../errors.ts';
import type { OperationRecord } from './operation-record.ts';
import type { Snapshot } from './scope.ts';
import { holdSnapshot, type SnapshotScope } from './snapshot.ts';

export interface ReplicaReadsParts {
  readonly replicas: readonly Replica[];
  /** Counts a read that may run on a replica, by where it ran. */
  readonly onRead?: ((source: 'primary' | 'replica') => void) | undefined;
  readonly onFallback?: ((reason: FallbackReason) => void) | undefined;
}

interface CallParts extends ReplicaReadsParts {
  readonly businessId: number;
  /** The data version that was read from the primary with the credential: the least that a replica must have. */
  readonly revision: string;
  readonly exportTimeoutMs: number;
  /** Called when rows of a later data version than that of the call are read. */
  readonly onLaterRevision: () => void;
}

/** Runs an operation on a snapshot of a replica. */
export type WatchOperation = <T>(operation: OperationRecord, run: () => Promise<T>) => Promise<T>;

/** How many calls have chosen a replica: they take turns. */
let choices = 0;

/**
 * The reads of one call that may run on a replica. Its data version was read from the primary when the call began. A replica whose
 * snapshot has the same one, or a later one, has all that was committed before; otherwise the primary is read. After one such
 * fallback, the call stays on the primary. Each operation has one snapshot for all that it reads, and so has an export.
 */
export class ReplicaReads {
  readonly #parts: CallParts;
  #replica: Replica | null | undefined;
  /** The least data version for the next snapshot. A URL may lead to several replicas, and none may show less than the one before. */
  #least: bigint;
  #hasFallenBack = false;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#least = BigInt(parts.revision);
  }

  /** Reads no replica any more. What the call writes is newer than the data version that it began with. */
  stayOnPrimary(): void {
    this.#replica = null;
  }

  /**
   * Stays on the primary as soon as an operation is used that writes or reads there: what belongs to its rows, or to a cursor that it
   * gives, must not be older than they are.
   */
  watch(used: (operation: OperationRecord) => void): typeof used {
    return (operation) => {
      if (operation.replica === 'never' && operation.roles !== 'anyone') this.stayOnPrimary();
      used(operation);
    };
  }

  /** Runs reads in one snapshot of a replica, or else on the primary. What is read later has a snapshot of its own. */
  async read<T>(primary: Read, run: (read: Read) => Promise<T>): Promise<T> {
    const replica = this.#choose();
    if (!replica) return run(primary);
    try {
      const result = await this.#open(replica, limits.shortWaitMs, async (read) => {
        let isOver = false;
        const found = await run((sql) => (isOver ? this.read(primary, (later) => later(sql)) : read(sql)));
        isOver = true;
        return found;
      });
      this.#served(replica);
      return result;
    } catch (error) {
      const reason = reasonOf(error);
      if (!reason) throw error;
      this.#leave(replica, reason, error);
      return run(primary);
    }
  }

  async openSnapshot(
    openOnPrimary: () => Promise<Snapshot>,
    openScope: (read: Read, watch: WatchOperation) => SnapshotScope,
  ): Promise<Snapshot> {
    const replica = this.#choose();
    if (!replica) return openOnPrimary();
    let failure: { readonly reason: FallbackReason; readonly error: unknown } | null = null;
    const note = (error: unknown): never => {
      const reason = reasonOf(error);
      if (reason) failure ??= { reason, error };
      throw error;
    };
    const watch: WatchOperation = async (operation, run) => {
      // Rows that the data version does not cover may be older than on the primary.
      if (operation.replica === 'never') note(new NotOnReplica('uncovered'));
      return run().catch(note);
    };
    const reopen = async () => {
      if (!failure) return null;
      this.#leave(replica, failure.reason, failure.error);
      return openOnPrimary();
    };
    try {
      const snapshot = await holdSnapshot(
        (run) => this.#open(replica, this.#parts.exportTimeoutMs, run).catch(note),
        (read) => openScope(read, watch),
      );
      return { ...snapshot, hasBegun: () => this.#served(replica), reopen };
    } catch (error) {
      const other = await reopen();
      if (!other) throw error;
      return other;
    }
  }

  /** All reads of a call go where its first one went, so that none shows less than one before it. */
  #choose(): Replica | null {
    if (this.#replica === undefined) {
      const used = this.#parts.replicas.filter(({ isUsed }) => isUsed);
      this.#replica = used[choices++ % used.length] ?? null;
    }
    if (!this.#replica) this.#parts.onRead?.('primary');
    return this.#replica;
  }

  /** Runs reads in a snapshot that is as fresh as it has to be. One that does not begin in time is given up. */
  async #open<T>(replica: Replica, idleMs: number, run: (read: Read) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(new NotOnReplica('timeout'));
      }, limits.shortWaitMs);
    });
    const reading = replica.snapshot(idleMs, async (read) => {
      const { isStandby, revision } = await readReplicaState(read, this.#parts.businessId);
      clearTimeout(timer);
      if (isLate || !isStandby) throw new NotOnReplica(isLate ? 'timeout' : 'down');
      if (revision < this.#least) throw new NotOnReplica('behind');
      this.#least = revision;
      if (revision > BigInt(this.#parts.revision)) this.#parts.onLaterRevision();
      return run(read);
    });
    return Promise.race([reading, late]).finally(() => clearTimeout(timer));
  }

  #served(replica: Replica): void {
    replica.served();
    this.#parts.onRead?.('replica');
  }

  /** Reads the primary from now on. Reads beside each other that fail are one fallback. */
  #leave(replica: Replica, reason: FallbackReason, error: unknown): void {
    const { businessId, onFallback, onRead } = this.#parts;
    this.stayOnPrimary();
    onRead?.('primary');
    if (this.#hasFallenBack) return;
    this.#hasFallenBack = true;
    onFallback?.(reason);
    if (reason !== 'uncovered')
      replica.missed(reason, error, reason === 'behind' ? { businessId, revision: this.#least } : undefined);
  }
}

/** Null if the error is no matter of the replica. */
function reasonOf(error: unknown): FallbackReason | null {
  if (error instanceof NotOnReplica) return error.reason;
  if (error instanceof Failure) return null;
  if (isRecoveryConflict(error)) return 'conflict';
  if (isCanceled(error)) return 'timeout';
  if (isMissingSchema(error)) return 'schema';
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') return 'busy';
  return isUnreachable(error) ? 'down' : null;
}
