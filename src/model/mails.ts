import { ObjectType } from 'type-graphql';
import type { SwitchableKind } from '../fields/mails.ts';
import { mailedOfferFields, type MailedOfferRow } from '../fields/offers.ts';
import { enumOf } from './enum-of.ts';
import { objectOf } from './fields.ts';
import { field, objectWith } from './shapes.ts';

const MailKind = enumOf<SwitchableKind>('MailKind', 'A kind of mails that a person can switch off.', {
  offer: 'Offers of shifts, and what becomes of requests.',
  reminder: 'Reminders before a shift starts.',
  change: 'New, changed and canceled shifts.',
  swap: 'Swaps and handovers of shifts, and what becomes of them.',
});

export const OfferAnswer = enumOf<'accept' | 'decline'>('OfferAnswer', 'An answer to an offer.', {
  accept: 'The person wants the place.',
  decline: 'The person does not want it.',
});

@ObjectType({ description: 'An offer that a link in a mail leads to.' })
export class MailedOffer extends objectOf<MailedOfferRow>(mailedOfferFields) {}

@ObjectType({ description: 'What the caller wants to get by mail.' })
export class MailSettings extends objectWith({
  off: field.of([MailKind])('The kinds of mail that the caller does not want.'),
  isSending: field.flag('Whether the service sends mails.'),
}) {}

@ObjectType({ description: 'A kind of mails that was switched off.' })
export class Unsubscribed extends objectWith({ kind: field.of(MailKind)('The kind of mails.') }) {}

@ObjectType({ description: 'A request for a new password. It tells nothing of whether the address is known.' })
export class PasswordRequest extends objectWith({
  expiresIn: field.int('Lifetime of the link that is sent if the address is that of a user, in seconds.'),
}) {}

@ObjectType({ description: 'A password that was set with the link in a mail.' })
export class NewPassword extends objectWith({ email: field.text('E-mail address to log in with.') }) {}
