import { limits } from '../config/limits.ts';
import { isCanceled, isMissingSchema, isRecoveryConflict, isUnreachable } from '../db/engine/failures.ts';
import type { FallbackReason, Replica } from '../db/engine/replica.ts';
import type { Replicas } from '../db/engine/replicas.ts';
import { readReplicaState } from '../db/revisions.ts';
import type { TenantDb, Transact } from '../db/tenant.ts';
import { Failure } from '../errors.ts';
import type { OperationRecord } from './operation-record.ts';
import type { Scope, Snapshot, SnapshotReads } from './scope.ts';
import { holdSnapshot, type SnapshotScope } from './snapshot.ts';

export interface ReplicaReadsParts {
  readonly replicas: Replicas;
  /** Counts a read that may run on a replica, by where it ran. */
  readonly onRead?: ((source: 'primary' | 'replica') => void) | undefined;
  readonly onFallback?: ((reason: FallbackReason) => void) | undefined;
}

interface CallParts extends ReplicaReadsParts {
  readonly businessId: number;
  /** The data version that was read from the primary with the credential: the least that a replica must have. */
  readonly revision: string;
  /** Transactions that read from one snapshot of the replica. */
  readonly transactOn: (replica: Replica) => Transact;
  readonly openScope: (tx: TenantDb, pageRowsMax: number, lease: ReplicaLease) => SnapshotScope;
  /** Called when rows of a later data version than that of the call are read. */
  readonly onLaterRevision: () => void;
}

/** A read may not be answered by the replica. */
class NotOnReplica extends Error {
  override readonly name = 'NotOnReplica';
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason) {
    super(`The replica is not used: ${reason}.`);
    this.reason = reason;
  }
}

/** Watches what is read from one snapshot of a replica. */
export class ReplicaLease {
  /** Why the primary has to be read instead, and the error that says so. */
  failure: { readonly reason: FallbackReason; readonly error: unknown } | null = null;
  isOpen = false;
  /** Called once it is known whether the replica is as fresh. */
  decide: () => void = () => undefined;
  readonly decided = new Promise<void>((resolve) => (this.decide = resolve));

  /** Runs an operation. Rows that the data version does not cover may be older than on the primary. */
  async watch<T>(operation: OperationRecord, run: () => Promise<T>): Promise<T> {
    try {
      if (operation.replica === 'never') throw new NotOnReplica('uncovered');
      return await run();
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  note(error: unknown): void {
    const reason = reasonOf(error, this.isOpen);
    if (reason) this.failure ??= { reason, error };
  }
}

/**
 * The reads of one call that may run on a replica. Its data version was read from the primary when the call began. A replica whose
 * snapshot has the same one, or a later one, has all that was committed before; otherwise the primary is read. After one such
 * fallback, the call stays on the primary.
 */
export class ReplicaReads implements SnapshotReads {
  readonly #parts: CallParts;
  #isOver = false;
  #first: ReplicaLease | null = null;
  #replica: Replica | null = null;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** Reads no replica any more. What the call writes is newer than the data version that it began with. */
  stayOnPrimary(): void {
    this.#isOver = true;
  }

  /** Stays on the primary as soon as an operation is used that writes. */
  watchWrites(used: (operation: OperationRecord) => void): typeof used {
    return (operation) => {
      if (operation.writes) this.stayOnPrimary();
      used(operation);
    };
  }

  /** Runs a read in a scope on a replica, or else in that of the call. */
  async read<T>(own: Scope, run: (scope: Scope) => Promise<T>): Promise<T> {
    const lease = new ReplicaLease();
    const replica = await this.#take(lease);
    if (!replica) return run(own);
    try {
      const result = await this.#parts.transactOn(replica)(async (tx) => {
        await this.#requireFresh(tx, lease);
        const { scope } = this.#parts.openScope(tx, limits.perPageMax, lease);
        return run({ ...scope, endsWithOperation: true });
      });
      this.#served(replica);
      return result;
    } catch (error) {
      lease.note(error);
      if (!this.#fallBack(replica, lease)) throw error;
      return run(own);
    }
  }

  /** Opens a snapshot on a replica, or else on the primary. */
  async openSnapshot(pageRowsMax: number, openOnPrimary: () => Promise<Snapshot>): Promise<Snapshot> {
    const lease = new ReplicaLease();
    const replica = await this.#take(lease);
    if (!replica) return openOnPrimary();
    const reopen = async () => (this.#fallBack(replica, lease) ? openOnPrimary() : null);
    try {
      const snapshot = await holdSnapshot(this.#parts.transactOn(replica), async (tx) => {
        await this.#requireFresh(tx, lease);
        return this.#parts.openScope(tx, pageRowsMax, lease);
      });
      return { ...snapshot, hasBegun: () => this.#served(replica), reopen };
    } catch (error) {
      lease.note(error);
      const other = await reopen();
      if (!other) throw error;
      return other;
    }
  }

  /** The first read of a call decides whether a replica is used, and which one; those beside it wait for that. */
  async #take(lease: ReplicaLease): Promise<Replica | null> {
    if (this.#first) await this.#first.decided;
    else {
      this.#first = lease;
      this.#replica = this.#isOver ? null : this.#parts.replicas.next();
    }
    if (this.#replica && !this.#isOver) return this.#replica;
    lease.decide();
    this.#parts.onRead?.('primary');
    return null;
  }

  async #requireFresh(tx: TenantDb, lease: ReplicaLease): Promise<void> {
    const { isStandby, revision } = await readReplicaState(tx);
    if (!isStandby) throw new NotOnReplica('down');
    const needed = BigInt(this.#parts.revision);
    if (revision < needed) throw new NotOnReplica('behind');
    if (revision > needed) this.#parts.onLaterRevision();
    lease.isOpen = true;
    lease.decide();
  }

  #served(replica: Replica): void {
    replica.served();
    this.#parts.onRead?.('replica');
  }

  /** Whether the primary has to be read instead. */
  #fallBack(replica: Replica, lease: ReplicaLease): boolean {
    const { failure } = lease;
    if (failure) this.stayOnPrimary();
    lease.decide();
    if (!failure) return false;
    const { reason, error } = failure;
    const { businessId, revision, onFallback, onRead } = this.#parts;
    onFallback?.(reason);
    onRead?.('primary');
    if (reason !== 'uncovered')
      replica.missed(reason, error, reason === 'behind' ? { businessId, revision } : undefined);
    return true;
  }
}

/** Null if the error is no matter of the replica. A refusal of this service is one only while it waits for a connection. */
function reasonOf(error: unknown, isOpen: boolean): FallbackReason | null {
  if (error instanceof NotOnReplica) return error.reason;
  if (error instanceof Failure) return isOpen ? null : 'busy';
  if (isRecoveryConflict(error)) return 'conflict';
  if (isCanceled(error)) return 'timeout';
  if (isMissingSchema(error)) return 'schema';
  return isUnreachable(error) ? 'down' : null;
}
