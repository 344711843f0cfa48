import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import {
  offerFields,
  openCallTimeFields,
  recipientFields,
  type OfferRow,
  type OpenCallTimeRow,
  type RecipientRow,
} from '../fields/offers.ts';
import { inputsOf } from '../fields/field-list.ts';
import { connectionTo } from './connection-to.ts';
import { OfferState } from './enums.ts';
import { inputOf, objectOf } from './fields.ts';
import { Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith } from './shapes.ts';

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

@InputType({ description: 'An offer of the places of a call time: to some people, or to the best candidates.' })
export class OfferShiftInput extends inputOn(inputOf(offerFields, inputsOf(offerFields)), {
  userIds: field
    .rowIds('User')
    .optional(
      `Ids of the staff members, the ones to be asked first before the others, at most ${limits.wholeListMax}.`,
    ),
  candidates: field.int.optional(
    `Asks so many of the candidates, the best first, whom no rule is against, at most ${limits.wholeListMax}. Send either this or \`userIds\`.`,
  ),
}) {}

@InputType('OfferFilter', { description: 'Filter of offers. All given conditions must hold.' })
class OfferFilterInput extends inputWith({
  eventId: field.rowId('Event').orNull('At the event of this id.'),
  callTimeId: field.rowId('CallTime').orNull('Of the places of the call time of this id.'),
}) {}

@ArgsType()
export class OfferPageArgs extends inputOn(CursorArgs, {
  filter: field.of(OfferFilterInput).orNull('Lists only offers that match this filter. Default: all.'),
}) {}

@InputType('OfferRecipientFilter', { description: 'Filter of parts in offers. All given conditions must hold.' })
class RecipientFilterInput extends inputWith({
  eventId: field.rowId('Event').orNull('At the event of this id.'),
  callTimeId: field.rowId('CallTime').orNull('On the call time of this id.'),
  userId: field.rowId('User').orNull('Of the user of this id.'),
  states: field.of([OfferState]).orNull('In one of these states. Default: all.'),
}) {}

@ArgsType()
export class RecipientPageArgs extends inputOn(CursorArgs, {
  filter: field.of(RecipientFilterInput).orNull('Lists only parts that match this filter. Default: all.'),
}) {}
