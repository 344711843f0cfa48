import { graphql } from '../generated/graphql/gql.ts';

/* The documents of Apollo Client and urql. Relay has its own, because its compiler adds the directives of Relay. */

export const eventList = graphql(`
  query EventList($statuses: [EventStatus!]!, $first: Int!, $after: String) {
    events(filter: { statuses: $statuses }, sort: { by: START }, first: $first, after: $after) {
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
`);

export const renameEvent = graphql(`
  mutation RenameEvent($id: ID!, $title: String!) {
    updateEvent(id: $id, input: { title: $title }) {
      event {
        id
        title
      }
    }
  }
`);

export const staffingBoard = graphql(`
  query StaffingBoard($id: ID!) {
    event(id: $id) {
      id
      title
      start {
        iso
        timezone
      }
      coverage {
        needed
        assigned
      }
      callTimes {
        ...CallTimeRow
      }
    }
  }
`);

export const freeStaff = graphql(`
  query FreeStaff($callTimeId: ID!) {
    staff(freeFor: $callTimeId, first: 1) {
      edges {
        node {
          ...Person
        }
      }
    }
  }
`);

export const cancelShift = graphql(`
  mutation CancelShift($id: ID!) {
    cancelShift(id: $id) {
      id
      status
      callTime {
        ...CallTimeRow
      }
    }
  }
`);

export const readNodes = graphql(`
  query ReadNodes($ids: [ID!]!) {
    nodes(ids: $ids) {
      ...Identity
    }
  }

  fragment Identity on Node {
    id
  }
`);
