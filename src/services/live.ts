import { setTimeout as wait } from 'node:timers/promises';
import type { LiveTicks } from '../access/live-ticks.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';

export interface LiveRead<Item> {
  /** Null if there is nothing to send. */
  readonly item: Item | null;
  /** Whether there is more to read at once, before the next tick. */
  readonly hasMore: boolean;
}

const over = { done: true, value: undefined } as const;

/**
 * The items that a stream sends, which are read at each tick. A read that fails because the database does not answer is made again at
 * the next look; any other failure ends the stream. Written by hand, as `LiveTicks` is, so that it ends at once.
 */
export class LiveItems<Item> implements AsyncIterableIterator<Item> {
  readonly #ticks: LiveTicks;
  readonly #read: () => Promise<LiveRead<Item>>;
  #unread: Item | null;
  #hasMore: boolean;

  readonly #takesTurns: boolean;

  /** `first` was read when the stream was opened. Streams whose items are large take turns. */
  constructor(ticks: LiveTicks, first: LiveRead<Item>, read: () => Promise<LiveRead<Item>>, takesTurns: boolean) {
    this.#ticks = ticks;
    this.#read = read;
    this.#unread = first.item;
    this.#hasMore = first.hasMore;
    this.#takesTurns = takesTurns;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** An item comes with the turn of its stream, which ends with `endTurn`, at the latest by the next call. */
  async next(): Promise<IteratorResult<Item>> {
    for (;;) {
      this.endTurn();
      if (this.#unread === null && !this.#hasMore && (await this.#ticks.next()).done) return over;
      if (this.#takesTurns) await this.#ticks.beginTurn();
      if (this.#ticks.isReturned) return over;
      this.#ticks.requireValid();
      if (this.#unread === null) await this.#readOn();
      const unread = this.#unread;
      this.#unread = null;
      if (unread !== null) return { done: false, value: unread };
    }
  }

  /** Whether nothing comes any more but the end. */
  get isOver(): boolean {
    return this.#ticks.isOver;
  }

  endTurn(): void {
    this.#ticks.endTurn();
  }

  /** Computes what is sent of an item, in the turn of the stream; again later if there is no memory for it now. */
  async compute<T>(run: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++)
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'UNAVAILABLE') || tries === limits.triesMax) throw error;
        this.endTurn();
        await wait(tries * limits.retryMs, undefined, { ref: false });
        await this.#ticks.beginTurn();
        this.#ticks.requireValid();
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
    } catch (failure) {
      const error = this.#ticks.rowRefusal ?? failure;
      if (error instanceof Failure && error.code !== 'UNAVAILABLE') throw error;
      this.#hasMore = false;
      this.#ticks.repeat();
    }
  }
}
