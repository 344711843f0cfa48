import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { Offer, OfferRecipient } from '../generated/prisma/client.ts';
import { OfferMode } from '../generated/prisma/enums.ts';
import { instant, int4, nullable, oneOf, visibleText } from '../validation/schemas.ts';
import { fieldList, rowVersion, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

export const joinedText = (description: string) => ({ kind: 'text', isJoined: true, description }) as const;
export const joinedTextOrNull = (description: string) =>
  ({ kind: 'text', isJoined: true, isNullable: true, description }) as const;

/**
 * What a person has to know of a place of work before they answer. They do not see the call time and its event before they have a
 * shift there.
 */
export const placeFields = {
  eventUuid: { kind: 'uuid', isJoined: true, description: 'UUID of the event.' },
  eventTitle: joinedText('Title of the event.'),
  venueName: joinedTextOrNull('Name of the venue.'),
  address: joinedTextOrNull('Street address.'),
  city: joinedTextOrNull('City of the venue.'),
  position: joinedText('Title of the position.'),
  startTime: {
    kind: 'wallTime',
    isJoined: true,
    description: 'Start as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.',
  },
  startsAt: { kind: 'instant', isJoined: true, description: 'Start as an instant, UTC.' },
  startTimeTbd: { kind: 'flag', isJoined: true, description: 'Whether the start is still to be determined.' },
  endTime: {
    kind: 'wallTime',
    isJoined: true,
    description: 'End as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.',
  },
  endsAt: { kind: 'instant', isJoined: true, description: 'End as an instant, UTC.' },
  endTimeTbd: { kind: 'flag', isJoined: true, description: 'Whether the end is still to be determined.' },
  timezone: joinedText('IANA time zone of the event.'),
  dressCode: joinedTextOrNull('Dress code of the call time, or else of the event.'),
  notesForStaff: joinedTextOrNull('Notes shown to staff.'),
} as const;

/** The fields of a place that staff can claim. */
export const openCallTimeFields = fieldList({
  id: { kind: 'integer' },
  uuid: { kind: 'uuid', description: 'UUID of the call time, as in REST.' },
  ...placeFields,
  claims: { kind: 'claims', isJoined: true, description: 'Whether a claim books at once, or asks an admin.' },
  openPlaces: { kind: 'integer', isJoined: true, description: 'Number of places that nobody has.' },
});

/** A call time with open places, as it is shown to the staff who can claim one. */
export type OpenCallTimeRow = RowOf<typeof openCallTimeFields, never>;

/** The fields of one person's part in an offer, with what they were asked. */
export const recipientFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  uuid: { kind: 'uuid', isGenerated: true, description: 'UUID, as in REST.' },
  offerId: { kind: 'integer' },
  offerUuid: { kind: 'uuid', isJoined: true, description: 'UUID of the offer.' },
  state: { kind: 'offerState', description: 'What has become of it.' },
  mode: { kind: 'offerMode', isJoined: true, description: 'How the places go.' },
  isClaim: { kind: 'flag', isJoined: true, description: 'Whether the person claimed the place by themselves.' },
  message: joinedTextOrNull('Message to all who are asked.'),
  expiresAt: {
    kind: 'instant',
    description:
      'When the part ends by itself while it is open: the end of the time to answer, or the start of the work. UTC.',
  },
  respondedAt: {
    kind: 'instant',
    isNullable: true,
    description: 'When the person answered, UTC; null while they have not.',
  },
  waitlistedAt: { kind: 'instant', isNullable: true },
  waitlistPlace: {
    kind: 'integer',
    isJoined: true,
    isNullable: true,
    description: 'Place on the waitlist of the call time, from 1; null unless the state is `WAITLISTED`.',
  },
  reason: {
    kind: 'text',
    isNullable: true,
    description: 'Why it was withdrawn or refused; null if no reason was given.',
  },
  userId: { kind: 'integer' },
  firstName: joinedText('First name of the person.'),
  lastName: joinedText('Last name of the person.'),
  workShiftId: { kind: 'integer', isNullable: true },
  workShiftUuid: {
    kind: 'uuid',
    isJoined: true,
    isNullable: true,
    description: 'UUID of the shift that came of it; null if none did.',
  },
  eventId: { kind: 'integer' },
  callTimeId: { kind: 'integer' },
  callTimeUuid: { kind: 'uuid', isJoined: true, description: 'UUID of the call time.' },
  positionId: { kind: 'integer', isJoined: true },
  ...placeFields,
  createdAt: { kind: 'instant', description: 'Sent first, or claimed, UTC.' },
  modifiedAt: { kind: 'instant', description: 'Last modified, UTC.' },
  version: rowVersion,
});

/** The fields of an offer that a link in a mail shows. */
export const mailedOfferFields = fieldList({
  businessName: joinedText('Name of the business that offers it.'),
  firstName: recipientFields.firstName,
  state: recipientFields.state,
  mode: recipientFields.mode,
  message: recipientFields.message,
  expiresAt: recipientFields.expiresAt,
  ...placeFields,
});

export type MailedOfferRow = RowOf<typeof mailedOfferFields, never>;

export type RecipientRow = RowOf<
  typeof recipientFields,
  Differences<StoredRowOf<typeof recipientFields>, Omit<OfferRecipient, 'businessId'>>
>;

/** The fields of an offer that all in it share. */
export const offerFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  uuid: { kind: 'uuid', isGenerated: true, description: 'UUID, as in REST.' },
  eventId: { kind: 'integer' },
  callTimeId: { kind: 'integer' },
  callTimeUuid: { kind: 'uuid', isJoined: true, description: 'UUID of the call time whose places are offered.' },
  mode: {
    kind: 'offerMode',
    description: 'How the places go.',
    input: Type.Optional(oneOf(Object.values(OfferMode), 'How the places go. Default: to whoever accepts first.')),
  },
  isClaim: { kind: 'flag', description: 'Whether it is a claim, which is an offer of a person to themselves.' },
  message: {
    kind: 'text',
    isNullable: true,
    description: 'Message to all who are asked; null if there is none.',
    input: Type.Optional(
      nullable(
        visibleText(limits.remarkChars, {
          description: 'Message to all who are asked.',
          examples: ['Black shoes, please. Parking is paid.'],
        }),
      ),
    ),
  },
  expiresAt: {
    kind: 'instant',
    description: 'Until when people can answer, UTC.',
    input: Type.Optional(
      instant(
        'Until when the people can answer. Default: the start of the call time, beyond which it may not lie; required while that is to be determined.',
      ),
    ),
  },
  waveSize: {
    kind: 'integer',
    isNullable: true,
    description: 'How many people are asked at a time; null: all at once.',
    input: Type.Optional(int4(1, limits.wholeListMax, 'Asks so many people at a time. Default: all at once.')),
  },
  waveMinutes: {
    kind: 'integer',
    isNullable: true,
    description: 'Minutes until the next people are asked; null without waves.',
    input: Type.Optional(
      int4(1, limits.waveMinutesMax, 'Minutes until the next people are asked, while places are open. Default: 60.'),
    ),
  },
  nextWaveAt: {
    kind: 'instant',
    isNullable: true,
    description: 'When the next people are asked, UTC; null: nobody else will be.',
  },
  waitingCount: { kind: 'integer', isJoined: true, description: 'How many people are still to be asked.' },
  createdById: { kind: 'integer', isNullable: true },
  createdAt: { kind: 'instant', description: 'Created, UTC.' },
  withdrawnAt: { kind: 'instant', isNullable: true, description: 'When it was taken back, UTC; null if it was not.' },
  version: rowVersion,
});

export type OfferRow = RowOf<
  typeof offerFields,
  Differences<StoredRowOf<typeof offerFields>, Omit<Offer, 'businessId' | 'waitingUserIds'>>
>;
