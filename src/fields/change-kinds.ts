import { mapPlainKinds } from './catalogs.ts';
import type { changeOps } from './codes.ts';

/**
 * Kinds of changed rows and what they are, parents before the rows that point to them. A custom field value is part of its
 * event, and a requirement of its position or call time. A table of the change log without its kind does not compile.
 */
export const changeKinds = {
  position: 'A position.',
  ...mapPlainKinds(({ aNoun }) => `${aNoun.replace('a', 'A')}.`),
  user: 'A user.',
  availabilityPattern: 'A weekly window in which a person can or cannot work.',
  availabilityException: 'A span of time in which a person can or cannot work, whatever their patterns say.',
  userQualification: 'A qualification that a person holds.',
  customField: 'A custom field. Its values are part of their events.',
  event: 'An event, or the custom field values of one.',
  callTime: 'A call time.',
  workShift: 'A work shift.',
  attendance: 'What became of a work shift on the day. It has the id and the UUID of the shift.',
  offerRecipient: 'The part of one person in an offer.',
  shiftSwap: "A person's wish to swap a shift, or to hand it over.",
} as const;

export type ChangeKind = keyof typeof changeKinds;

export const changeKindNames = Object.keys(changeKinds) as ChangeKind[];

/** Kind of a change, as a caller sees it. `left`: the row still exists, and the caller does not see it any more. */
export type ChangeOp = keyof typeof changeOps;
