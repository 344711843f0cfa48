import type { CallFieldsFragment } from '../../../generated/pages/types.ts';
import type { Messages } from '../messages/messages.ts';

/** As the service shows it. */
export type StoredRequirement = CallFieldsFragment['requirements'][number];

export const nameRequirements = (stored: readonly StoredRequirement[], { qualifications }: Messages): string =>
  stored
    .map(({ qualification, minLevel }) => {
      const name = qualification?.name ?? '';
      return minLevel === null ? name : qualifications.requirements.atLeast(name, minLevel);
    })
    .join(', ');
