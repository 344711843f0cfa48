import { InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as types from '../fields/webhook-types.ts';
import { webhookFields } from '../fields/webhooks.ts';
import { WebhookType } from './webhooks-enums.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, inputWith, objectWith } from './shapes.ts';

@ObjectType({
  description: 'An address that messages about changes are sent to, signed by Standard Webhooks 1.0.',
  implements: Node,
})
export class WebhookEndpoint extends resultOf(webhookFields) {}

@ObjectType({ description: 'A webhook with the secret that it has just been given.' })
export class WebhookEndpointWithSecret extends objectWith({
  webhookEndpoint: field.of(WebhookEndpoint)('The webhook as it is shown from now on.'),
  secret: field.text('The secret that signs messages: `whsec_` and base64. Shown only in this answer.'),
}) {}

const urlText = `URL that messages are sent to: https, without user name, password and fragment, at a public host, at most ${limits.webhookUrlChars} characters.`;
const descriptionText = `Purpose of the webhook, at most ${limits.textChars} characters.`;
const typesText =
  'Types of messages that it gets. A new webhook without it gets all types, also those that are added later.';

@InputType({ description: 'A new webhook.' })
export class CreateWebhookEndpointInput extends inputWith({
  url: field.text(urlText),
  description: field.text.optional(descriptionText),
  types: field.of([WebhookType]).optional(typesText),
}) {
  declare types?: types.WebhookType[];
}

@InputType({ description: 'Changes of a webhook. Only the given fields change.' })
export class UpdateWebhookEndpointInput extends inputWith({
  url: field.text.optional(urlText),
  description: field.text.optional(descriptionText),
  types: field.of([WebhookType]).optional(typesText),
}) {
  declare types?: types.WebhookType[];
}
