import { AsyncResource } from 'node:async_hooks';

/**
 * Makes a function run in the async context in which it is made now, whoever calls it. `AsyncResource.bind` would define
 * accessors for each call, which V8 keeps until a full collection.
 */
export function inCurrentContext<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const context = new AsyncResource('callboard');
  return (...args) => context.runInAsyncScope(run, null, ...args);
}
