import { subscriptionExchange, type Client } from '@urql/core';
import { followChanges } from '../dashboard/follow-changes.ts';
import { createSubscribe } from '../dashboard/live.ts';
import type { FollowChangesSubscription, FollowChangesSubscriptionVariables } from '../generated/graphql/graphql.ts';

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

/** Keeps cached rows up to date. The cache finds them by their ids. In React, `useSubscription` does this. */
export function follow(
  client: Client,
  variables: FollowChangesSubscriptionVariables,
  onPage: (page: FollowChangesSubscription['changes']) => void,
  onError: (error: unknown) => void,
): () => void {
  const subscription = client.subscription(followChanges, variables).subscribe(({ data, error }) => {
    if (error) onError(error);
    if (data) onPage(data.changes);
  });
  return subscription.unsubscribe;
}
