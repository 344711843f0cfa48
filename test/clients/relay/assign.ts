import { commitMutation, graphql, type Environment } from 'relay-runtime';
import type { Assignment, Outcome, Person } from '../dashboard/assignment.ts';
import type { assignShiftMutation as AssignShiftMutation } from '../generated/relay/assignShiftMutation.graphql.ts';
import type { CallTime } from './callTime.ts';

// The call time comes back with its shifts and its coverage, so that the store needs no updater.
const assignShift = graphql`
  mutation assignShiftMutation($input: AssignShiftInput!) @raw_response_type {
    assignShift(input: $input) {
      shift {
        id
        callTime {
          ...callTime_row @relay(mask: false)
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
`;

/** Shows the person on the call time at once. If the service refuses, the store takes them off again. */
export function assign(
  environment: Environment,
  { callTime, person, reason }: Assignment<CallTime, Person>,
): Promise<Outcome> {
  const override = reason === undefined ? null : { reason };
  const shift = { id: 'unsaved', callTime: withPerson(callTime, person) };
  return new Promise((resolve, reject) => {
    commitMutation<AssignShiftMutation>(environment, {
      mutation: assignShift,
      variables: { input: { callTimeId: callTime.id, userId: person.id, override } },
      optimisticResponse: { assignShift: { shift, clashes: [] } },
      onCompleted: (data, errors) => {
        if (data.assignShift) resolve(data.assignShift);
        else reject(new Error(errors?.[0]?.message));
      },
      onError: reject,
    });
  });
}

/** The call time as it will be once the person is assigned. */
function withPerson(callTime: CallTime, person: Person) {
  const { coverage, workShifts } = callTime;
  const [firstName = '', ...lastNames] = person.name.split(' ');
  const shift = { id: 'unsaved', firstName, lastName: lastNames.join(' '), overrideReason: null, user: person };
  return {
    ...callTime,
    coverage: coverage && { ...coverage, assigned: coverage.assigned + 1, open: Math.max(0, coverage.open - 1) },
    workShifts: [...(workShifts ?? []), shift],
  };
}
