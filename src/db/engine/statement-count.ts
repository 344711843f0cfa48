import { AsyncLocalStorage } from 'node:async_hooks';

/** How many SQL statements one request has sent so far. */
export interface Tally {
  statements: number;
}

const tallies = new AsyncLocalStorage<Tally>();

/** Whatever this starts, however late, counts on this tally: requests that run at the same time keep apart. */
export const countingOn = <T>(tally: Tally, run: () => T): T => tallies.run(tally, run);

/** What this starts counts for nobody. */
export const uncounted = <T>(run: () => T): T => tallies.exit(run);

export function countStatement(): void {
  const tally = tallies.getStore();
  if (tally) tally.statements++;
}
