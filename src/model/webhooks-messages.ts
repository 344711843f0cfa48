import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { attemptFields, messageFields } from '../fields/webhook-messages.ts';
import { WebhookMessageStatus, WebhookType } from './webhooks-enums.ts';
import { connectionTo } from './connection-to.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith, objectWith } from './shapes.ts';

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

@InputType({ description: 'Filter of webhook messages. All given conditions must hold; null means no condition.' })
class WebhookMessageFilter extends inputWith({
  status: field.of(WebhookMessageStatus).orNull('Messages with this status.'),
  type: field.of(WebhookType).orNull('Messages of this type.'),
}) {}

@ArgsType()
export class WebhookMessageListArgs extends inputOn(CursorArgs, {
  filter: field.of(WebhookMessageFilter).orNull('Lists only messages that match this filter.'),
}) {}

@InputType({ description: 'Which messages of a webhook are sent again.' })
export class ResendWebhookMessagesInput extends inputWith({
  since: field.instant('Messages that were made at this instant or later.'),
  status: field
    .of(WebhookMessageStatus)
    .orNull('Only DELIVERED ones, or only FAILED ones. Without it, all that are not PENDING.'),
  after: field.text.orNull(
    `Goes on behind the messages of an earlier call: its \`nextCursor\`. A call sends at most ${limits.batchRows} messages again.`,
  ),
}) {
  declare status?: 'delivered' | 'failed' | null;
}
