import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { keys, possibleTypes, resolvers, updates } from '../settings/graphcache.ts';
import { optimistic } from './assign.ts';
import { liveExchange } from './live.ts';

/** `fetch` sends the header `Authorization`. */
export function createClient(url: string, fetch: typeof globalThis.fetch): Client {
  return new Client({
    url,
    fetch,
    exchanges: [
      cacheExchange({ keys, possibleTypes, resolvers, updates, optimistic }),
      fetchExchange,
      liveExchange(url, fetch),
    ],
  });
}
