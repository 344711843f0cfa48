import type { OfferState, OwnPartFragment, PartFieldsFragment } from '../../../generated/pages/console/offers.ts';

/* What people are asked, and what they answer. */

export const openStates: readonly OfferState[] = ['REQUESTED', 'WAITLISTED', 'SENT'];
export const overStates: readonly OfferState[] = [
  ...(['ACCEPTED', 'DECLINED', 'FILLED', 'EXPIRED', 'WITHDRAWN', 'REFUSED', 'ENDED'] as const),
];

export const isOpenState = (state: OfferState): boolean => openStates.includes(state);

/** Where and when the work is, as its fields name it. */
export type Place = Omit<OwnPartFragment, Exclude<keyof PartFieldsFragment, 'uuid'>>;
