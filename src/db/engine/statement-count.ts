import { AsyncLocalStorage } from 'node:async_hooks';

/** How many SQL statements one request has sent so far. */
export interface StatementCount {
  statements: number;
  /** The business whose share of the connections the statements take; undefined before the caller is known. */
  payer?: number | undefined;
  /** Bounds the rows that these statements read. */
  readonly answer?: RowBound;
}

/** A bound on the rows that one request may read. */
export interface RowBound {
  /** Why the request may read no more rows; null as long as it may. */
  readonly refusal: Error | null;
  /** Counts a row before it is kept, with the size in which it arrived. False if the row must not be kept. */
  takeRow(bytes: number, cells: number): boolean;
  /** Takes back what was counted for a row that the request does not use. */
  giveBack(bytes: number, cells: number): void;
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

/** Runs a function whose statements count their rows on this bound. They are added to the count of the request elsewhere. */
export function boundRows<T>(answer: RowBound | undefined, run: () => T): T {
  return storage.run({ statements: 0, payer: payerOfStatements(), ...(answer && { answer }) }, run);
}

/** The bound of the request that runs; undefined outside a request. */
export function currentRowBound(): RowBound | undefined {
  return storage.getStore()?.answer;
}

/** An object that stands for the request that runs, the same for all its statements; undefined outside a request. */
export function currentRequest(): object | undefined {
  return storage.getStore();
}

export function countStatement(): void {
  const count = storage.getStore();
  if (count) count.statements++;
}

export function payerOfStatements(): number | undefined {
  return storage.getStore()?.payer;
}
