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

/** A read may not be answered by the replica. */
export class NotOnReplica extends Error {
  override readonly name = 'NotOnReplica';
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason) {
    super(`The replica is not used: ${reason}.`);
    this.reason = reason;
  }
}
