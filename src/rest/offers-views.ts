import Type from 'typebox';
import {
  offerFields,
  openCallTimeFields,
  recipientFields,
  type OfferRow,
  type OpenCallTimeRow,
  type RecipientRow,
} from '../fields/offers.ts';
import type { OfferWithRecipients } from '../services/offers.ts';
import { shapeOf } from './shapes.ts';
import { titled } from './views.ts';

const recipient = shapeOf<RecipientRow>(recipientFields, [
  'offerId',
  'waitlistedAt',
  'workShiftId',
  'eventId',
  'callTimeId',
]);
export const OfferRecipientView = titled('OfferRecipient', recipient.properties);
export const serializeRecipient = recipient.serialize;

const offer = shapeOf<OfferRow>(offerFields, ['eventId', 'callTimeId']);
export const OfferView = titled('Offer', {
  ...offer.properties,
  recipients: Type.Array(OfferRecipientView, {
    description: 'The people in it, in the order in which they were asked.',
  }),
});
export const OfferItemView = titled('OfferItem', offer.properties);
export const serializeOfferItem = offer.serialize;
export const serializeOffer = (row: OfferWithRecipients) => ({
  ...offer.serialize(row),
  recipients: row.recipients.map(serializeRecipient),
});

const openCallTime = shapeOf<OpenCallTimeRow>(openCallTimeFields, ['id']);
export const OpenCallTimeView = titled('OpenCallTime', openCallTime.properties);
export const serializeOpenCallTime = openCallTime.serialize;
