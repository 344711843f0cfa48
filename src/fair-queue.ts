/** How many turns there are at a time. */
export interface Shares<Key> {
  /** Turns of all keys together. */
  readonly total: number;
  /** Turns of one key, at least 1. It is asked whenever a turn is free, so that the answer may change. */
  readonly each: (key: Key) => number;
  /** Turns of one group, at least 1. Without it, groups have no limit of their own. */
  readonly eachGroup?: number;
  /** How many may wait. Beyond that, the key with the most waiters loses its last one. */
  readonly waitingMax?: number;
}

/** Whoever wants a turn. A group is a second limit beside that of the key: a waiter needs room in both. */
export interface Waiter<Key> {
  readonly key: Key;
  readonly group?: string | undefined;
}

interface Outcome {
  /** The turn is taken. */
  readonly begin: () => void;
  /** Too many wait. */
  readonly refuse: () => void;
}

interface Waiting<Key> extends Outcome {
  readonly waiter: Waiter<Key>;
}

/**
 * Hands out turns in such a way that no key takes all of them. Each key has a limit, and keys that wait are served in
 * rotation, however many waiters each of them has. Below its limit a key gets every turn that is free, so that one which is
 * alone is not slowed down. The waiters of one key are served in order, except those whose group is at its limit.
 */
export class FairQueue<Key> {
  readonly #shares: Shares<Key>;
  readonly #taken = new Map<Key, number>();
  readonly #takenByGroup = new Map<string, number>();
  /** Those who wait, by key, in order of rotation. No set is empty. */
  readonly #lines = new Map<Key, Set<Waiting<Key>>>();
  #takenCount = 0;
  #waitingCount = 0;
  #isServing = false;

  constructor(shares: Shares<Key>) {
    this.#shares = shares;
  }

  get takenCount(): number {
    return this.#takenCount;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** Whether the key or the group has all the turns that it may have. */
  isAtLimit({ key, group }: Waiter<Key>): boolean {
    if ((this.#taken.get(key) ?? 0) >= this.#shares.each(key)) return true;
    return group !== undefined && (this.#takenByGroup.get(group) ?? 0) >= (this.#shares.eachGroup ?? Infinity);
  }

  /** Takes a turn and returns true, if one is free. */
  tryBegin(waiter: Waiter<Key>): boolean {
    if (this.#takenCount >= this.#shares.total || this.isAtLimit(waiter)) return false;
    this.#take(waiter);
    return true;
  }

  /**
   * Waits for a turn after `tryBegin` has returned false. The returned function stops the wait; it returns false if the
   * wait is over already.
   */
  wait(waiter: Waiter<Key>, outcome: Outcome): () => boolean {
    const waiting = { waiter, ...outcome };
    if (this.#waitingCount >= (this.#shares.waitingMax ?? Infinity) && !this.#makeRoomFor(waiter.key)) {
      outcome.refuse();
      return () => false;
    }
    const line = this.#lines.get(waiter.key);
    if (line) line.add(waiting);
    else this.#lines.set(waiter.key, new Set([waiting]));
    this.#waitingCount++;
    return () => this.#stopWaiting(waiting);
  }

  /** Gives a turn back. Those who may begin then have begun when this returns. */
  end({ key, group }: Waiter<Key>): void {
    this.#takenCount--;
    subtractOne(this.#taken, key);
    if (group !== undefined) subtractOne(this.#takenByGroup, group);
    // A turn that ends as soon as it begins must not nest: the stack would grow by each waiter.
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      for (let next = this.#findNext(); next; next = this.#findNext()) {
        this.#stopWaiting(next);
        this.#moveToEnd(next.waiter.key);
        this.#take(next.waiter);
        next.begin();
      }
    } finally {
      this.#isServing = false;
    }
  }

  /** Refuses the last waiter of the longest line, if that line is longer than the one of this key would become. */
  #makeRoomFor(key: Key): boolean {
    let longest: ReadonlySet<Waiting<Key>> = new Set();
    for (const line of this.#lines.values()) if (line.size > longest.size) longest = line;
    const last = [...longest].at(-1);
    if (!last || longest.size <= (this.#lines.get(key)?.size ?? 0) + 1) return false;
    this.#stopWaiting(last);
    last.refuse();
    return true;
  }

  #findNext(): Waiting<Key> | undefined {
    if (this.#takenCount >= this.#shares.total) return undefined;
    for (const line of this.#lines.values())
      for (const waiting of line) {
        if (!this.isAtLimit(waiting.waiter)) return waiting;
        // Without groups, the others of this key wait for the same limit.
        if (waiting.waiter.group === undefined) break;
      }
    return undefined;
  }

  #stopWaiting(waiting: Waiting<Key>): boolean {
    const { key } = waiting.waiter;
    const line = this.#lines.get(key);
    if (!line?.delete(waiting)) return false;
    if (line.size === 0) this.#lines.delete(key);
    this.#waitingCount--;
    return true;
  }

  #moveToEnd(key: Key): void {
    const line = this.#lines.get(key);
    if (line && this.#lines.delete(key)) this.#lines.set(key, line);
  }

  #take({ key, group }: Waiter<Key>): void {
    this.#takenCount++;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    if (group !== undefined) this.#takenByGroup.set(group, (this.#takenByGroup.get(group) ?? 0) + 1);
  }
}

interface Wait<Key> extends Waiter<Key> {
  /** Longest wait in milliseconds. */
  readonly waitMs: number;
  /** Makes the error of a wait that was too long, or one too many. */
  readonly refusal: () => Error;
}

/** Waits for a turn, and returns the function that gives it back. Throws the refusal. */
export function takeTurn<Key>(queue: FairQueue<Key>, { waitMs, refusal, ...waiter }: Wait<Key>): Promise<() => void> {
  const end = () => queue.end(waiter);
  if (queue.tryBegin(waiter)) return Promise.resolve(end);
  return new Promise((resolve, reject) => {
    const giveUp = () => stopWaiting() && reject(refusal());
    const due = setTimeout(giveUp, waitMs);
    const settle = (how: () => void) => () => {
      clearTimeout(due);
      how();
    };
    const stopWaiting = queue.wait(waiter, {
      begin: settle(() => resolve(end)),
      refuse: settle(() => reject(refusal())),
    });
  });
}

function subtractOne<Key>(counts: Map<Key, number>, key: Key): void {
  const count = (counts.get(key) ?? 0) - 1;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
