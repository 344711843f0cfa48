import { subscriptionExchange, type Client } from '@urql/core';
import { followChanges } from '../dashboard/documents.ts';
import { createSubscribe } from '../dashboard/live.ts';

/** Sends subscriptions as streams of events. */
export function liveExchange(url: string, fetch: typeof globalThis.fetch) {
  const subscribe = createSubscribe(url, fetch);
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: subscribe(
          { query, ...(variables && { variables }) },
          { next: (result) => sink.next(result as never), error: sink.error, complete: sink.complete },
        ),
      }),
    }),
  });
}

/** Keeps the cached rows of an event up to date. The cache finds them by their ids. In React, `useSubscription` does this. */
export function follow(client: Client, eventId: string, onPage: () => void): () => void {
  return client.subscription(followChanges, { eventId, after: null }).subscribe(onPage).unsubscribe;
}
