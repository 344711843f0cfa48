import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the process small beside a PostgreSQL server, at little cost: V8 collects sooner instead of taking what memory there
 * is, and does not optimise Prisma's WebAssembly, whose compilation takes 50 MB that never come back and which runs but once
 * for each kind of query. What is young is collected by one thread: more of them would want the cores that PostgreSQL is at
 * work on; and what a place in the code allocated for long once, it does not allocate for long from then on: such places serve
 * requests, too. The embedded database is WebAssembly that runs all the time: there it stays as it is.
 * Performance notes: src/guide/performance.md#garbage-collection
 */
export function limitMemory(): void {
  setFlagsFromString(`--heap-growing-percent=20`);
  setFlagsFromString('--liftoff-only');
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--no-allocation-site-pretenuring');
}
