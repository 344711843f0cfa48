import type { Failure } from '../errors.ts';

/** Runs a read for all streams of equal rights that ask for it at the same tick. */
export type ShareRead = <T>(key: string, run: () => Promise<T>) => Promise<T>;

type Waiting = { resolve: (result: IteratorResult<string>) => void; reject: (failure: Failure) => void };

const over: IteratorResult<string> = { done: true, value: undefined };

/**
 * Ticks of a stream: the data version of the business, each time that it has changed. A reader that is slow gets only the newest
 * one. The iterator is written by hand: an async generator that waits could not be ended before its wait is over.
 */
export class LiveTicks implements AsyncIterableIterator<string> {
  /** Data version of the last tick, at first that of the request which opened the stream. */
  revision: string;
  readonly #onEnd: (ticks: LiveTicks) => void;
  readonly #shareAt: (revision: string) => ShareRead;
  #unread: string | null = null;
  #end: Failure | 'returned' | null = null;
  #waiting: Waiting | null = null;

  constructor(revision: string, onEnd: (ticks: LiveTicks) => void, shareAt: (revision: string) => ShareRead) {
    this.revision = revision;
    this.#onEnd = onEnd;
    this.#shareAt = shareAt;
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

  /** Shares a read among the streams that get the same tick. */
  share<T>(key: string, run: () => Promise<T>): Promise<T> {
    return this.#shareAt(this.revision)(key, run);
  }

  #take(revision: string): string {
    this.#unread = null;
    return revision;
  }

  #close(end: Failure | 'returned'): void {
    this.#unread = null;
    if (this.#end) return;
    this.#end = end;
    this.#onEnd(this);
  }
}
