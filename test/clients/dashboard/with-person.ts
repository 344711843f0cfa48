import type { CallTimeRowFragment, PersonFragment } from '../generated/graphql/graphql.ts';

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
