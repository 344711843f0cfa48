import { ApolloLink, HttpLink, Observable, type ApolloClient } from '@apollo/client';
import { OperationTypeNode, print } from 'graphql';
import { followChanges } from '../dashboard/documents.ts';
import { createSubscribe } from '../dashboard/live.ts';

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

/** Keeps the cached rows of an event up to date. The cache finds them by their ids. In React, `useSubscription` does this. */
export function follow(client: ApolloClient, eventId: string, onPage: () => void): () => void {
  const subscription = client.subscribe({ query: followChanges, variables: { eventId } }).subscribe(onPage);
  return () => subscription.unsubscribe();
}
