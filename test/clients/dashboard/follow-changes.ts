import { graphql } from '../generated/graphql/gql.ts';

// It selects all that the screens show of an event, and what their lists are filtered and sorted by.
export const followChanges = graphql(`
  subscription FollowChanges($kinds: [ChangeKind!], $eventId: ID, $after: String) {
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
`);
