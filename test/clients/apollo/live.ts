import { ApolloLink, HttpLink, Observable, type ApolloClient } from '@apollo/client';
import { OperationTypeNode, print } from 'graphql';
import { followChanges } from '../dashboard/follow-changes.ts';
import { createSubscribe } from '../dashboard/live.ts';
import type { FollowChangesSubscription, FollowChangesSubscriptionVariables } from '../generated/graphql/graphql.ts';

/** Sends subscriptions as streams of events, and everything else as before. */
export function createLink(uri: string, fetch: typeof globalThis.fetch): ApolloLink {
  const subscribe = createSubscribe(uri, fetch);
  const streams = new ApolloLink(
    ({ query, variables }) =>
      new Observable<ApolloLink.Result>((observer) =>
        subscribe(
          { query: print(query), variables },
          {
            next: (result) => observer.next(result as ApolloLink.Result),
            error: (error) => observer.error(error),
            complete: () => observer.complete(),
          },
        ),
      ),
  );
  const isLive = ({ operationType }: ApolloLink.Operation) => operationType === OperationTypeNode.SUBSCRIPTION;
  return ApolloLink.split(isLive, streams, new HttpLink({ uri, fetch }));
}

/** Keeps cached rows up to date. The cache finds them by their ids. In React, `useSubscription` does this. */
export function follow(
  client: ApolloClient,
  variables: FollowChangesSubscriptionVariables,
  onPage: (page: FollowChangesSubscription['changes']) => void,
  onError: (error: unknown) => void,
): () => void {
  const subscription = client.subscribe({ query: followChanges, variables }).subscribe(({ data, error }) => {
    if (error) onError(error);
    if (data) onPage(data.changes);
  });
  return () => subscription.unsubscribe();
}
