import { graphql, Observable, requestSubscription, type Environment, type SubscribeFunction } from 'relay-runtime';
import { createSubscribe } from '../dashboard/live.ts';
import type { liveSubscription as LiveSubscription } from '../generated/relay/liveSubscription.graphql.ts';

/** Sends subscriptions as streams of events. */
export function createSubscribeFunction(url: string, fetch: typeof globalThis.fetch): SubscribeFunction {
  const subscribe = createSubscribe(url, fetch);
  return ({ text }, variables) =>
    Observable.create((sink) =>
      subscribe(
        { query: text ?? '', variables },
        {
          next: (result) => sink.next(result as never),
          error: (error) => sink.error(error as Error),
          complete: sink.complete,
        },
      ),
    );
}

const subscription = graphql`
  subscription liveSubscription($kinds: [ChangeKind!], $eventId: ID, $after: String) {
    changes(kinds: $kinds, eventId: $eventId, after: $after) {
      changes {
        op
        nodeId
        node {
          id
          ... on Event {
            title
            status
            start {
              local
              utc
            }
          }
        }
      }
      nextCursor
    }
  }
`;

/** Keeps stored rows up to date. The store finds them by their ids. In React, `useSubscription` does this. */
export function follow(
  environment: Environment,
  variables: LiveSubscription['variables'],
  onPage: (page: LiveSubscription['response']['changes']) => void,
  onError: (error: unknown) => void,
): () => void {
  const { dispose } = requestSubscription<LiveSubscription>(environment, {
    subscription,
    variables,
    onNext: (response) => {
      if (response) onPage(response.changes);
    },
    onError,
  });
  return dispose;
}
