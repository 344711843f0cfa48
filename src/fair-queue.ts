/** How many turns there are at a time. */
export interface Shares<Key> {
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

interface Wait<Key> extends Waiter<Key> {
  /** Longest wait in milliseconds; without it, there is no limit. */
  readonly waitMs?: number;
  /** Makes the error of a wait that was too long, or one too many. */
  readonly refusal: () => Error;
}

interface Waiting<Key> {
  readonly waiter: Waiter<Key>;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** How much each key has. A key that has nothing takes no memory. */
export class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, change: number): void {
    const count = this.of(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  keys(): Key[] {
    return [...this.#counts.keys()];
  }
}

/**
 * Hands out turns in such a way that no key takes all of them. Each key has a limit, and keys that wait are served in
 * rotation, however many waiters each of them has. Below its limit a key gets every turn that is free, so that one which is
 * alone is not slowed down. The waiters of one key are served in order, except those whose group is at its limit.
 */
export class FairQueue<Key> {
  readonly #shares: Shares<Key>;
  readonly #taken = new Counts<Key>();
  readonly #takenByGroup = new Counts<string>();
  /** Those who wait, by key, in order of rotation. No set is empty. */
  readonly #lines = new Map<Key, Set<Waiting<Key>>>();
  #takenCount = 0;
  #waitingCount = 0;

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
    if (this.#taken.of(key) >= this.#shares.each(key)) return true;
    return group !== undefined && this.#takenByGroup.of(group) >= (this.#shares.eachGroup ?? Infinity);
  }

  /** Waits for a turn, and returns the function that gives it back. Throws the refusal. */
  take({ waitMs, refusal, ...waiter }: Wait<Key>): Promise<() => void> {
    const end = () => this.#end(waiter);
    if (this.#takenCount < this.#shares.total && !this.isAtLimit(waiter)) {
      this.#count(waiter, 1);
      return Promise.resolve(end);
    }
    if (this.#waitingCount >= (this.#shares.waitingMax ?? Infinity) && !this.#makeRoomFor(waiter.key))
      return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => () => {
        clearTimeout(due);
        this.#leave(waiting);
        how();
      };
      const waiting = {
        waiter,
        begin: settle(() => resolve(end)),
        refuse: settle(() => reject(refusal())),
      };
      const due = waitMs === undefined ? undefined : setTimeout(waiting.refuse, waitMs);
      const line = this.#lines.get(waiter.key);
      if (line) line.add(waiting);
      else this.#lines.set(waiter.key, new Set([waiting]));
      this.#waitingCount++;
    });
  }

  #end(waiter: Waiter<Key>): void {
    this.#count(waiter, -1);
    for (let next = this.#findNext(); next; next = this.#findNext()) {
      const { key } = next.waiter;
      next.begin();
      const line = this.#lines.get(key);
      if (line && this.#lines.delete(key)) this.#lines.set(key, line);
      this.#count(next.waiter, 1);
    }
  }

  /** Refuses the last waiter of the longest line, if that line is longer than the one of this key would become. */
  #makeRoomFor(key: Key): boolean {
    let longest: ReadonlySet<Waiting<Key>> = new Set();
    for (const line of this.#lines.values()) if (line.size > longest.size) longest = line;
    const last = [...longest].at(-1);
    if (!last || longest.size <= (this.#lines.get(key)?.size ?? 0) + 1) return false;
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

  #leave(waiting: Waiting<Key>): void {
    const { key } = waiting.waiter;
    const line = this.#lines.get(key);
    if (!line?.delete(waiting)) return;
    if (line.size === 0) this.#lines.delete(key);
    this.#waitingCount--;
  }

  #count({ key, group }: Waiter<Key>, change: 1 | -1): void {
    this.#takenCount += change;
    this.#taken.add(key, change);
    if (group !== undefined) this.#takenByGroup.add(group, change);
  }
}
