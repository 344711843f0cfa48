import { CombinedGraphQLErrors, type ApolloClient } from '@apollo/client';
import type { Assignment, Outcome } from '../dashboard/tour.ts';
import { withPerson } from '../dashboard/with-person.ts';
import { graphql } from '../generated/graphql/gql.ts';
import type { AssignShiftMutation, CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

// The call time comes back with its shifts and its coverage, so that the cache needs no update of its own.
const assignShift = graphql(`
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
`);

/** Shows the person on the call time at once. If the service refuses, the cache takes them off again. */
export async function assign(
  client: ApolloClient,
  { callTime, person, reason }: Assignment<CallTimeRowFragment, PersonFragment>,
): Promise<Outcome> {
  const override = reason === undefined ? null : { reason };
  const expected = { __typename: 'WorkShift', id: 'unsaved', callTime: withPerson(callTime, person) } as const;
  try {
    const { data } = await client.mutate({
      mutation: assignShift,
      variables: { input: { callTimeId: callTime.id, userId: person.id, override } },
      optimisticResponse: { assignShift: { __typename: 'ShiftPayload', shift: expected, clashes: [] } },
    });
    return data?.assignShift ?? { shift: null, clashes: [] };
  } catch (error) {
    const { assignShift: refused } = (CombinedGraphQLErrors.is(error) ? error.data : null) ?? {};
    if (!refused) throw error;
    return refused as NonNullable<AssignShiftMutation['assignShift']>;
  }
}
