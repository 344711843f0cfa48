import { graphql } from '../generated/graphql/gql.ts';

/** A whole staffing screen: an event with its call times, shifts and custom fields. */
export const board = graphql(`
  query Board($uuid: ID!) {
    event(id: $uuid) {
      id
      uuid
      title
      status
      start {
        local
        timezone
      }
      labourCost {
        planned
        currency
      }
      callTimes {
        id
        uuid
        position {
          id
          title
        }
        staffNeeded
        startTime
        payRate
        coverage {
          open
          state
        }
      }
      workShifts {
        id
        uuid
        firstName
        lastName
        confirmed
        startTime
      }
      customFields {
        id
        fieldUuid
        fieldName
        fieldValue
      }
    }
  }
`);

export const eventPage = graphql(`
  query EventPage($first: Int!, $after: String) {
    events(sort: { by: START }, first: $first, after: $after) {
      nodes {
        id
        uuid
        title
        callTimes {
          id
          uuid
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const logIn = graphql(`
  mutation LogIn($email: String!, $password: String!) {
    login(email: $email, password: $password) {
      accessToken
    }
  }
`);

export const createEvent = graphql(`
  mutation CreateEvent($input: CreateEventInput!) {
    createEvent(input: $input) {
      id
      uuid
      title
      status
      startsAt
    }
  }
`);
