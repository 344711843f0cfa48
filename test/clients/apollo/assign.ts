import { CombinedGraphQLErrors, type ApolloClient } from '@apollo/client';
import { assignShift, withPerson } from '../dashboard/assign-shift.ts';
import type { Assignment, Outcome } from '../dashboard/assignment.ts';
import type { AssignShiftMutation, CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

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
