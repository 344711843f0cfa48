/**
 * Why a read went to the primary after a replica was tried: it has not replayed what the caller may have seen (`behind`), its replay
 * had to stop the read (`conflict`), it took too long (`timeout`), no connection to it was free (`busy`), the data version does not
 * cover all rows (`uncovered`), its schema is that of an earlier version (`schema`), or it cannot be reached, takes writes itself or
 * belongs to another primary (`down`).
 */
export type FallbackReason = 'behind' | 'conflict' | 'timeout' | 'busy' | 'uncovered' | 'schema' | 'down';

/** A read may not be answered by the replica. The message is for operators. */
export class NotOnReplica extends Error {
  override readonly name = 'NotOnReplica';
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason, message = `The replica is not used: ${reason}.`) {
    super(message);
    this.reason = reason;
  }
}
