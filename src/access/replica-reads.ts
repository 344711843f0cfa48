import { limits } from '../config/limits.ts';
import { NotOnReplica, type FallbackReason } from '../db/engine/fallback.ts';
import { isCanceled, isMissingSchema, isRecoveryConflict, isUnreachable } from '../db/engine/failures.ts';
import type { Read } from '../db/engine/reads.ts';
import type { Replica } from '../db/engine/replica.ts';
import type { Replicas } from '../db/engine/replicas.ts';
import { currentRowBound } from '../db/engine/statement-count.ts';
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
 * fallback, the call stays on the primary. Reports and exports have one snapshot for all that they read. The statements of other
 * operations have one each, as they would on the primary, so only those that failed are read again.
 */
export class ReplicaReads implements SnapshotReads {
  readonly #parts: CallParts;
  #isOver = false;
  #first: ReplicaLease | null = null;
  #replica: Replica | null = null;
  #statements: Read | null | undefined;
  #hasFallenBack = false;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** Reads no replica any more. What the call writes is newer than the data version that it began with. */
  stayOnPrimary(): void {
    this.#isOver = true;
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

  /** Reads statements on a replica, or else from the primary. */
  readStatements(primary: Read): Read {
    return async (sql) => {
      const replica = this.#choose();
      const read = replica && (this.#statements ??= this.#readOn(replica));
      if (!replica || !read) {
        this.#parts.onRead?.('primary');
        return primary(sql);
      }
      try {
        const rows = await read<never>(sql);
        this.#served(replica);
        return rows;
      } catch (error) {
        // Too many rows are refused wherever they come from.
        const reason = error === currentRowBound()?.refusal ? null : reasonOf(error, false);
        if (!reason) throw error;
        this.#leave(replica, reason, error);
        return primary(sql);
      }
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

  #readOn(replica: Replica): Read | null {
    const { businessId, revision, onLaterRevision } = this.#parts;
    return replica.readFresh({ businessId, revision: BigInt(revision), onLater: onLaterRevision });
  }

  /** All reads of a call go where its first one went, so that none shows less than one before it. */
  #choose(): Replica | null {
    if (this.#isOver) return null;
    const replica = (this.#replica ??= this.#parts.replicas.next());
    if (!replica) this.stayOnPrimary();
    return replica;
  }

  /** The first snapshot of a call decides whether those beside it are opened on the replica: they wait for that. */
  async #take(lease: ReplicaLease): Promise<Replica | null> {
    if (this.#first) await this.#first.decided;
    else this.#first = lease;
    const replica = this.#choose();
    if (replica) return replica;
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
    if (failure) this.#leave(replica, failure.reason, failure.error);
    lease.decide();
    return failure !== null;
  }

  /** Reads the primary from now on. Reads beside each other that fail are one fallback. */
  #leave(replica: Replica, reason: FallbackReason, error: unknown): void {
    const { businessId, revision, onFallback, onRead } = this.#parts;
    this.stayOnPrimary();
    onRead?.('primary');
    if (this.#hasFallenBack) return;
    this.#hasFallenBack = true;
    onFallback?.(reason);
    if (reason !== 'uncovered')
      replica.missed(reason, error, reason === 'behind' ? { businessId, revision } : undefined);
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
