/* What people are asked, and what they answer. */

type Texts<Name extends string> = Readonly<Record<Name, string>>;

export const openStates = ['REQUESTED', 'WAITLISTED', 'SENT'] as const;
export const overStates = ['ACCEPTED', 'DECLINED', 'FILLED', 'EXPIRED', 'WITHDRAWN', 'REFUSED', 'ENDED'] as const;

export const isOpenState = (state: OfferState): boolean => (openStates as readonly OfferState[]).includes(state);

export type OfferState = (typeof openStates)[number] | (typeof overStates)[number];

/** Where and when the work is, as its fields name it. Staff see no more of a call time at which they do not work. */
export interface Place extends Texts<'uuid' | 'eventTitle' | 'position' | 'startsAt' | 'endsAt' | 'timezone'> {
  readonly startTimeTbd: boolean;
  readonly endTimeTbd: boolean;
  readonly venueName: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly dressCode: string | null;
  readonly notesForStaff: string | null;
}

/** The part of a person in an offer. */
export interface Part extends Texts<'uuid' | 'expiresAt' | 'firstName' | 'lastName'> {
  readonly version: number;
  readonly state: OfferState;
  readonly mode: 'FIRST_COME' | 'APPROVAL';
  readonly isClaim: boolean;
  readonly message: string | null;
  readonly waitlistPlace: number | null;
  readonly reason: string | null;
}

export const placeFields = `
  uuid eventTitle position startsAt endsAt startTimeTbd endTimeTbd timezone venueName address city dressCode notesForStaff`;
export const partFields = 'uuid version state mode isClaim message expiresAt waitlistPlace reason firstName lastName';

const answer = (name: 'acceptOffer' | 'declineOffer', more = '', values = '') =>
  `mutation AnswerOffer($id: ID!, $version: Int!${more}) {
  change: ${name}(id: $id, version: $version${values}) { uuid version state waitlistPlace }
}`;

export const acceptOffer = answer('acceptOffer');
export const declineOffer = answer('declineOffer');
export const approveOffer = answer('acceptOffer', ', $override: OverrideInput', ', override: $override');
