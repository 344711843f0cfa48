import type { Client } from '@urql/core';
import type { OptimisticMutationConfig } from '@urql/exchange-graphcache';
import type { Assignment, Outcome } from '../dashboard/tour.ts';
import { withPerson } from '../dashboard/with-person.ts';
import { graphql } from '../generated/graphql/gql.ts';
import { CallTimeRowFragmentDoc, PersonFragmentDoc } from '../generated/graphql/graphql.ts';
import type { AssignShiftInput, CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

// The call time comes back with its shifts and its coverage, so that the cache needs no update of its own.
const assignShift = graphql(`
  mutation AssignShiftByUrql($input: AssignShiftInput!) {
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

/** What the cache shows until the service has answered. */
export const optimistic: OptimisticMutationConfig = {
  assignShift: ({ input }: { input: AssignShiftInput }, cache) => {
    const callTime = cache.readFragment(CallTimeRowFragmentDoc, `CallTime:${input.callTimeId}`);
    const person = cache.readFragment(PersonFragmentDoc, `User:${input.userId}`);
    if (!callTime || !person) return null;
    const shift = { __typename: 'WorkShift', id: 'unsaved', callTime: withPerson(callTime, person) };
    return { __typename: 'ShiftPayload', shift, clashes: [] };
  },
};

/** Shows the person on the call time at once. If the service refuses, the cache takes them off again. */
export async function assign(
  client: Client,
  { callTime, person, reason }: Assignment<CallTimeRowFragment, PersonFragment>,
): Promise<Outcome> {
  const override = reason === undefined ? null : { reason };
  const input = { callTimeId: callTime.id, userId: person.id, override };
  const { data, error } = await client.mutation(assignShift, { input }).toPromise();
  if (error && !data?.assignShift) throw error;
  return data?.assignShift ?? { shift: null, clashes: [] };
}
