import type { Messages } from '../messages/messages.ts';

export interface Qualification {
  readonly id: string;
  readonly name: string;
}

/** As the service shows it. */
export interface StoredRequirement {
  readonly minLevel: number | null;
  readonly qualification: Qualification | null;
}

export const nameRequirements = (stored: readonly StoredRequirement[], { qualifications }: Messages): string =>
  stored
    .map(({ qualification, minLevel }) => {
      const name = qualification?.name ?? '';
      return minLevel === null ? name : qualifications.requirements.atLeast(name, minLevel);
    })
    .join(', ');
