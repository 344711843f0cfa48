import type { Client } from '@urql/core';
import type { OptimisticMutationConfig } from '@urql/exchange-graphcache';
import { assignShift, withPerson } from '../dashboard/assign-shift.ts';
import type { Assignment, Outcome } from '../dashboard/assignment.ts';
import { CallTimeRowFragmentDoc, PersonFragmentDoc } from '../generated/graphql/graphql.ts';
import type { AssignShiftInput, CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

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
