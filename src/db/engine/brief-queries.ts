import type pg from 'pg';
import type { NamedQuery } from './named-query.ts';
import type { SharedPool } from './shared-pool.ts';
import { currentRequest } from './statement-count.ts';

/** Sends a query together with those of the same request that come before the event loop goes on. */
export type QueryBriefly = (query: NamedQuery) => Promise<pg.QueryResult>;

/** Requests never share a batch: its rows count for one of them, and so does its turn. */
export function createBriefReads(pool: SharedPool): QueryBriefly {
  const waitingByRequest = new WeakMap<object, NamedQuery[]>();

  const join = (query: NamedQuery): void => {
    const request = currentRequest() ?? {};
    const waiting = waitingByRequest.get(request);
    if (waiting) {
      waiting.push(query);
      return;
    }
    const queries = [query];
    waitingByRequest.set(request, queries);
    // Every promise that is settled by now goes on before this, and may send another statement.
    process.nextTick(() => {
      waitingByRequest.delete(request);
      pool.queryTogether(queries);
    });
  };

  return (query) =>
    new Promise((resolve, reject) => {
      query.callback = (error, result) => (result ? resolve(result) : reject(error as Error));
      join(query);
    });
}
