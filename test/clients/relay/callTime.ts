import { graphql } from 'relay-runtime';
import type { callTime_row$data } from '../generated/relay/callTime_row.graphql.ts';

/** A call time as the board shows it. */
export type CallTime = Omit<callTime_row$data, ' $fragmentType'>;

// Without React there is no component that a fragment could belong to, so the data are not masked.
graphql`
  fragment callTime_row on CallTime {
    id
    position {
      id
      title
    }
    coverage {
      needed
      assigned
      open
    }
    workShifts {
      id
      firstName
      lastName
      overrideReason
      user {
        id
        name
      }
    }
  }
`;
