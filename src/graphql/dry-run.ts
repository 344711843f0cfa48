import { Arg } from 'type-graphql';

/** The `dryRun` argument of mutations that can show what they would change. */
export const DryRun = () =>
  Arg('dryRun', () => Boolean, {
    nullable: true,
    description:
      'With true, nothing is stored: the result is what it would be, or the refusal. Rows nested in it are as they are stored. Default: false.',
  });

export type DryRun = boolean | null | undefined;
