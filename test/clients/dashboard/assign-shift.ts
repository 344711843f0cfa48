import { graphql } from '../generated/graphql/gql.ts';
import type { CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

// The call time comes back with its shifts and its coverage, so that no cache needs an update of its own.
export const assignShift = graphql(`
  mutation AssignShift($input: AssignShiftInput!) {
    assignShift(input: $input) {
      shift {
        id
        callTime {
          ...CallTimeRow
        }
      }
      clashes {
        kind
        needed
        eventTitle
        startsAt
        endsAt
      }
    }
  }

  fragment CallTimeRow on CallTime {
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
        ...Person
      }
    }
  }

  fragment Person on User {
    id
    name
  }
`);

/** The call time as it will be once the person is assigned. */
export function withPerson(callTime: CallTimeRowFragment, person: PersonFragment): CallTimeRowFragment {
  const { coverage, workShifts } = callTime;
  const [firstName = '', ...lastNames] = person.name.split(' ');
  return {
    ...callTime,
    coverage: coverage && { ...coverage, assigned: coverage.assigned + 1, open: Math.max(0, coverage.open - 1) },
    workShifts: [
      ...(workShifts ?? []),
      {
        __typename: 'WorkShift',
        id: 'unsaved',
        firstName,
        lastName: lastNames.join(' '),
        overrideReason: null,
        user: person,
      },
    ],
  };
}
