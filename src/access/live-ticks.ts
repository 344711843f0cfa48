import { setImmediate as yieldToOthers, setTimeout as wait } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import { currentRowBound } from '../db/engine/statement-count.ts';
import type { Failure } from '../errors.ts';

/** Runs a read for all streams of equal rights that ask for it at the same tick. */
export type ShareRead = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** How the streams of a process are connected. */
interface TickParts {
  readonly onEnd: (ticks: LiveTicks) => void;
  readonly shareAt: (revision: string) => ShareRead;
  /** Waits for the turn of the stream, and returns the function that ends it. */
  readonly takeTurn: () => Promise<() => void>;
}

type Waiting = { resolve: (result: IteratorResult<string>) => void; reject: (failure: Failure) => void };

const over: IteratorResult<string> = { done: true, value: undefined };

/**
 * Ticks of a stream: the data version of the business, each time that it has changed. A reader that is slow gets only the newest
 * one. The iterator is written by hand: an async generator that waits could not be ended before its wait is over.
 */
export class LiveTicks implements AsyncIterableIterator<string> {
  /** Data version of the last tick, at first that of the request which opened the stream. */
  revision: string;
  readonly #parts: TickParts;
  #endTurn: (() => void) | null = null;
  #unread: string | null = null;
  #end: Failure | 'returned' | null = null;
  #waiting: Waiting | null = null;

  constructor(revision: string, parts: TickParts) {
    this.revision = revision;
    this.#parts = parts;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves at the next tick. Throws once the credential of the stream no longer allows it. */
  next(): Promise<IteratorResult<string>> {
    if (this.#unread !== null) return Promise.resolve({ done: false, value: this.#take(this.#unread) });
    if (this.#end === 'returned') return Promise.resolve(over);
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** Whether nothing is read any more. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  get isReturned(): boolean {
    return this.#end === 'returned';
  }

  /** Throws once the credential of the stream no longer allows it. */
  requireValid(): void {
    if (this.#end && this.#end !== 'returned') throw this.#end as Error;
  }

  return(): Promise<IteratorResult<string>> {
    this.#close('returned');
    this.#waiting?.resolve(over);
    this.#waiting = null;
    return Promise.resolve(over);
  }

  /** Announces a data version. */
  tick(revision: string): void {
    if (this.#end) return;
    this.revision = revision;
    this.#unread = revision;
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = null;
    waiting.resolve({ done: false, value: this.#take(revision) });
  }

  /** Asks for a tick although nothing has changed, because the read at the last one failed. */
  repeat(): void {
    this.revision = '';
  }

  /** Ends the stream. Nothing is read with its credential any more. */
  refuse(failure: Failure): void {
    this.#close(failure);
    this.#unread = null;
    this.#waiting?.reject(failure);
    this.#waiting = null;
  }

  /**
   * Waits until this stream may read and compute: streams do so one at a time, and only while there is memory for what comes of it.
   * Other requests are served between two turns. Resolves without a turn when the stream is over.
   */
  async beginTurn(): Promise<void> {
    const bound = currentRowBound();
    while (!this.#end && !this.#endTurn) {
      const end = await this.#parts.takeTurn();
      await yieldToOthers();
      if (this.#end || bound?.hasRoom?.() === false) end();
      else {
        this.#endTurn = end;
        bound?.restart?.();
        return;
      }
      while (!this.#end && bound?.hasRoom?.() === false) await wait(limits.pollMs, undefined, { ref: false });
    }
  }

  /** Why the stream may read no more rows in this turn. The database may report it as an error of its own. */
  get rowRefusal(): Error | null {
    return currentRowBound()?.refusal ?? null;
  }

  endTurn(): void {
    this.#endTurn?.();
    this.#endTurn = null;
  }

  /** Shares a read among the streams that get the same tick. */
  share<T>(key: string, run: () => Promise<T>): Promise<T> {
    return this.#parts.shareAt(this.revision)(key, run);
  }

  #take(revision: string): string {
    this.#unread = null;
    return revision;
  }

  #close(end: Failure | 'returned'): void {
    this.#unread = null;
    if (this.#end) return;
    this.#end = end;
    this.endTurn();
    this.#parts.onEnd(this);
  }
}
