import { commitMutation, fetchQuery, graphql, type Environment } from 'relay-runtime';
import type { EventList, EventStatus } from '../dashboard/tour.ts';
import type { eventsQuery as EventsQuery } from '../generated/relay/eventsQuery.graphql.ts';
import type { eventsRenameMutation as RenameMutation } from '../generated/relay/eventsRenameMutation.graphql.ts';
import { watch } from './watch.ts';

const eventsQuery = graphql`
  query eventsQuery($statuses: [EventStatus!]!, $first: Int!, $after: String) {
    events(filter: { statuses: $statuses }, sort: { by: START }, first: $first, after: $after)
      @connection(key: "events_events") {
      edges {
        node {
          id
          title
          status
          start {
            local
            utc
          }
          coverage {
            open
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`;

/** In React, `usePaginationFragment` does this. */
export async function openList(environment: Environment, statuses: EventStatus[], first: number): Promise<EventList> {
  const list = await watch<EventsQuery>(environment, eventsQuery, { statuses, first });
  return {
    rows: () => list.data().events?.edges.map(({ node }) => node) ?? [],
    loadMore: async () => {
      const page = list.data().events?.pageInfo;
      if (!page?.hasNextPage) return false;
      await fetchQuery(environment, eventsQuery, { statuses, first, after: page.endCursor }).toPromise();
      return true;
    },
  };
}

export function rename(environment: Environment, id: string, title: string): Promise<void> {
  return new Promise((resolve, reject) => {
    commitMutation<RenameMutation>(environment, {
      mutation: graphql`
        mutation eventsRenameMutation($id: ID!, $title: String!) {
          updateEvent(id: $id, input: { title: $title }) {
            event {
              id
              title
            }
          }
        }
      `,
      variables: { id, title },
      onCompleted: () => resolve(),
      onError: reject,
    });
  });
}
