import { AsyncLocalStorage } from 'node:async_hooks';

/** How many SQL statements one request has sent so far. */
export interface StatementCount {
  statements: number;
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

export function countStatement(): void {
  const count = storage.getStore();
  if (count) count.statements++;
}
