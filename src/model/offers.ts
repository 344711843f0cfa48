import { ObjectType } from 'type-graphql';
import {
  offerFields,
  openCallTimeFields,
  recipientFields,
  type OfferRow,
  type OpenCallTimeRow,
  type RecipientRow,
} from '../fields/offers.ts';
import { connectionTo } from './connection-to.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: 'The places of a call time, offered to people; or a claim, which is an offer of a person to themselves.',
  implements: Node,
})
export class Offer extends objectOf<OfferRow>(offerFields) {}

@ObjectType({ description: 'A page of offers, the newest first.' })
export class OfferConnection extends connectionTo(Offer, 'Offer', 'offers') {}

@ObjectType({
  description: 'The part of one person in an offer, with what they were asked and what has become of it.',
  implements: Node,
})
export class OfferRecipient extends objectOf<RecipientRow>(recipientFields) {}

@ObjectType({ description: 'A page of the parts of people in offers, the newest first.' })
export class OfferRecipientConnection extends connectionTo(OfferRecipient, 'OfferRecipient', 'parts') {}

@ObjectType({ description: 'A call time with open places that the calling staff member can claim.' })
class OpenCallTime extends objectOf<OpenCallTimeRow>(openCallTimeFields) {}

@ObjectType({ description: 'A page of call times with open places, by start.' })
export class OpenCallTimeConnection extends connectionTo(OpenCallTime, 'OpenCallTime', 'call times') {}
