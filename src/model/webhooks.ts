import { ObjectType } from 'type-graphql';
import type { WebhookRow } from '../db/webhooks.ts';
import { WebhookDisabledReason, WebhookType } from './webhooks-enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: 'An address that messages about changes are sent to, signed by Standard Webhooks 1.0.',
  implements: Node,
})
export class WebhookEndpoint
  extends objectWith({
    uuid: field.id('UUID, by which REST names the webhook.'),
    url: field.text('URL that messages are sent to.'),
    description: field.text('Purpose of the webhook.'),
    types: field.of([WebhookType])('Types of messages that it gets; empty: all.'),
    disabledAt: field.instant.orNull('When it was disabled, UTC; null if it is enabled.'),
    disabledReason: field.of(WebhookDisabledReason).orNull('Why it is disabled; null if it is enabled.'),
    failingSince: field.instant.orNull(
      'Time of the first failure since the last success, UTC; null if the last attempt succeeded.',
    ),
    previousSecretExpiresAt: field.instant.orNull(
      'Until when the secret before the last rotation signs messages too, UTC; null if it was never rotated.',
    ),
    createdAt: field.instant('Created, UTC.'),
    updatedAt: field.instant('Last changed, UTC.'),
  })
  implements WebhookRow
{
  /** Key of the row, for its messages. */
  id!: WebhookRow['id'];
}

@ObjectType({ description: 'A webhook with the secret that it has just been given.' })
export class WebhookEndpointWithSecret extends objectWith({
  webhookEndpoint: field.of(WebhookEndpoint)('The webhook as it is shown from now on.'),
  secret: field.text('The secret that signs messages: `whsec_` and base64. Shown only in this answer.'),
}) {}
