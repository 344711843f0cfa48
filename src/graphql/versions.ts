import { Arg, Int } from 'type-graphql';

/** The `version` argument of every change to a row that counts its changes. */
export const Version = () =>
  Arg('version', () => Int, {
    nullable: true,
    description:
      'The `version` of the row that the change expects: refused with code PRECONDITION_FAILED if somebody has changed it since. Without it, the version is not checked.',
  });

export type Version = number | null | undefined;

export const expectVersion = (version: Version) => (typeof version === 'number' ? { expectedVersions: [version] } : {});
