import { CombinedGraphQLErrors, type ApolloClient } from '@apollo/client';
import type { Assignment, Outcome } from '../dashboard/tour.ts';
import { withPerson } from '../dashboard/with-person.ts';
import { graphql } from '../generated/graphql/gql.ts';
import type { CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

// The call time comes back with its shifts and its coverage, so that the cache needs no update of its own.
const assignShift = graphql(`
  mutation AssignShift($input: AssignShiftInput!) {
    assignShift(input: $input) {
      id
      callTime {
        ...CallTimeRow
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
  try {
    const { data } = await client.mutate({
      mutation: assignShift,
      variables: { input: { callTimeId: callTime.id, userId: person.id, override } },
      optimisticResponse: {
        assignShift: { __typename: 'WorkShift', id: 'unsaved', callTime: withPerson(callTime, person) },
      },
    });
    return { shift: data?.assignShift ?? null, clashes: [] };
  } catch (error) {
    if (!CombinedGraphQLErrors.is(error)) throw error;
    return { shift: null, clashes: error.errors[0]?.extensions?.['clashes'] as Outcome['clashes'] };
  }
}
