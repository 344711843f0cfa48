import { ObjectType } from 'type-graphql';
import { webhookFields } from '../fields/webhooks.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

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
