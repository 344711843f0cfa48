import type { LiveTicks } from '../access/live-ticks.ts';
import { Failure } from '../errors.ts';

export interface LiveRead<Item> {
  /** Null if there is nothing to send. */
  readonly item: Item | null;
  /** Whether there is more to read at once, before the next tick. */
  readonly hasMore: boolean;
}

const over = { done: true, value: undefined } as const;

/**
 * What a stream sends: items that are read at each tick. A read that fails because the database does not answer is made again at
 * the next look; any other failure ends the stream. Written by hand, as `LiveTicks` is, so that it ends at once.
 */
export class LiveItems<Item> implements AsyncIterableIterator<Item> {
  readonly #ticks: LiveTicks;
  readonly #read: () => Promise<LiveRead<Item>>;
  #unread: Item | null;
  #hasMore: boolean;

  /** `first` was read when the stream was opened. */
  constructor(ticks: LiveTicks, first: LiveRead<Item>, read: () => Promise<LiveRead<Item>>) {
    this.#ticks = ticks;
    this.#read = read;
    this.#unread = first.item;
    this.#hasMore = first.hasMore;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Item>> {
    for (;;) {
      if (this.#ticks.isReturned) return over;
      this.#ticks.requireValid();
      const unread = this.#unread;
      this.#unread = null;
      if (unread !== null) return { done: false, value: unread };
      if (!this.#hasMore && (await this.#ticks.next()).done) return over;
      await this.#readOn();
    }
  }

  return(): Promise<IteratorResult<Item>> {
    void this.#ticks.return();
    return Promise.resolve(over);
  }

  async #readOn(): Promise<void> {
    try {
      const { item, hasMore } = await this.#read();
      this.#unread = item;
      this.#hasMore = hasMore;
    } catch (error) {
      if (error instanceof Failure && error.code !== 'UNAVAILABLE') throw error;
      this.#hasMore = false;
      this.#ticks.repeat();
    }
  }
}
