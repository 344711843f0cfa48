import { Arg, Int } from 'type-graphql';

/** The `version` argument of every change to a row that counts its changes. */
export const ExpectedVersion = () =>
  Arg('version', () => Int, {
    nullable: true,
    description:
      'The `version` of the row that the change expects: refused with code PRECONDITION_FAILED if somebody has changed it since. Without it, the version is not checked.',
  });

export type ExpectedVersion = number | null | undefined;

export const expectVersion = (version: ExpectedVersion) =>
  typeof version === 'number' ? { expectedVersions: [version] } : {};
