import { Environment, Network, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';
import { createSubscribeFunction } from './live.ts';

/** `fetch` sends the header `Authorization`. */
export function createEnvironment(url: string, fetch: typeof globalThis.fetch): Environment {
  return new Environment({
    network: Network.create(
      async ({ text }, variables) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body: JSON.stringify({ query: text, variables }),
        });
        return (await response.json()) as GraphQLResponse;
      },
      createSubscribeFunction(url, fetch),
    ),
    store: new Store(new RecordSource()),
  });
}
