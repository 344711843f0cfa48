import { ObjectType } from 'type-graphql';
import { WebhookMessageStatus, WebhookType } from './webhooks-enums.ts';
import { connectionTo } from './connection-to.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A message for one webhook.', implements: Node })
export class WebhookMessage extends objectWith({
  uuid: field.id(
    'UUID, by which REST names the message. Its header `webhook-id` is `msg_` and the UUID without dashes.',
  ),
  type: field.of(WebhookType)('What has happened.'),
  status: field.of(WebhookMessageStatus)('What has become of it.'),
  attemptCount: field.int('Attempts since it was made, or since it was last sent again on request.'),
  nextAttemptAt: field.instant.orNull(
    'When it is sent next, once the webhook is enabled, UTC; null unless it is pending.',
  ),
  createdAt: field.instant('Created, UTC.'),
  deliveredAt: field.instant.orNull('When the receiver accepted it, UTC; null if it has not, or if it is sent again.'),
}) {}

@ObjectType({ description: 'A page of messages, newest first, read by number or from a cursor on.' })
export class WebhookMessageConnection extends connectionTo(WebhookMessage, 'WebhookMessage', 'messages') {}

@ObjectType({ description: 'One try to deliver a message.' })
export class WebhookAttempt extends objectWith({
  at: field.instant('When it began, UTC.'),
  statusCode: field.int.orNull('HTTP status of the answer; null if there was none. Only 2xx is a success.'),
  durationMs: field.int('How long it took, in milliseconds.'),
  error: field.text.orNull('Why it failed; null if it succeeded.'),
  response: field.text.orNull('The first bytes of the answer to an attempt that failed; null if there was none.'),
}) {}

@ObjectType({ description: 'Messages that are sent again.' })
export class WebhookResend extends objectWith({
  resent: field.int('How many they are.'),
  nextCursor: field.text.orNull('Goes on behind them, sent as `after`; null: there are no more.'),
}) {}
