import { Arg, Int } from 'type-graphql';

/** The argument of every change of a row that counts its changes. */
export const Version = () =>
  Arg('version', () => Int, {
    nullable: true,
    description:
      'The `version` of the row that the change is meant for: refused with code PRECONDITION_FAILED where somebody changed it since. Whatever it is, if not given.',
  });

export type Version = number | null | undefined;

export const meantFor = (version: Version) => (typeof version === 'number' ? { versions: [version] } : {});
