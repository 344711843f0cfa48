import { ObjectType } from 'type-graphql';
import { attemptFields, messageFields } from '../fields/webhook-messages.ts';
import { connectionTo } from './connection-to.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A message for one webhook.', implements: Node })
export class WebhookMessage extends resultOf(messageFields) {}

@ObjectType({ description: 'A page of messages, newest first, read by number or from a cursor on.' })
export class WebhookMessageConnection extends connectionTo(WebhookMessage, 'WebhookMessage', 'messages') {}

@ObjectType({ description: 'One try to deliver a message.' })
export class WebhookAttempt extends resultOf(attemptFields) {}

@ObjectType({ description: 'Messages that are sent again.' })
export class WebhookResend extends objectWith({
  resent: field.int('How many they are.'),
  nextCursor: field.text.orNull('Goes on behind them, sent as `after`; null: there are no more.'),
}) {}
