import { AsyncLocalStorage } from 'node:async_hooks';

/** How many SQL statements one request has sent so far. */
export interface StatementCount {
  statements: number;
}

const storage = new AsyncLocalStorage<StatementCount>();

/** Counts the statements that `run` sends, now or later, on this count. Requests that run at the same time keep apart. */
export function countStatementsOn<T>(count: StatementCount, run: () => T): T {
  return storage.run(count, run);
}

/** Runs something whose statements count for no request. */
export function withoutCounting<T>(run: () => T): T {
  return storage.exit(run);
}

export function countStatement(): void {
  const count = storage.getStore();
  if (count) count.statements++;
}
