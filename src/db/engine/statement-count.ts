import { AsyncLocalStorage } from 'node:async_hooks';

/** How many SQL statements one request has sent so far. */
export interface StatementCount {
  statements: number;
  /** Bounds the rows that these statements read. */
  readonly answer?: RowBound;
}

export interface RowBound {
  /** Why the request may read no more rows; null as long as it may. */
  readonly refusal: Error | null;
  /** Counts cells before they are kept, with the length of their texts. False if they must not be kept. */
  takeRow(bytes: number, cells: number): boolean;
  /** Whether there is memory for a large answer to this caller now. */
  hasRoom?(): boolean;
  /** Forgets what was counted so far, because a new answer to the same request begins. */
  restart?(): void;
}

const storage = new AsyncLocalStorage<StatementCount>();

/** Adds the statements that `run` sends, now or later, to this count. Concurrent requests have counts of their own. */
export function countStatementsOn<T>(count: StatementCount, run: () => T): T {
  return storage.run(count, run);
}

/** Runs a function whose statements are added to no request's count. */
export function withoutCounting<T>(run: () => T): T {
  return storage.exit(run);
}

/** The bound of the request that runs; undefined outside a request. */
export function currentRowBound(): RowBound | undefined {
  return storage.getStore()?.answer;
}

export function countStatement(): void {
  const count = storage.getStore();
  if (count) count.statements++;
}
