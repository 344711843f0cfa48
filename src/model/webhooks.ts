import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import type * as types from '../fields/webhook-types.ts';
import { WebhookDisabledReason, WebhookType } from './webhooks-enums.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: 'An address that messages about changes are sent to, signed by Standard Webhooks 1.0.',
  implements: Node,
  simpleResolvers: true,
})
export class WebhookEndpoint implements WebhookRow {
  /** Key of the row, for its messages. */
  id!: WebhookRow['id'];

  @Field(() => ID, { description: 'UUID, by which REST names the webhook.' })
  uuid!: WebhookRow['uuid'];

  @Field(() => String, { description: 'URL that messages are sent to.' })
  url!: WebhookRow['url'];

  @Field(() => String, { description: 'Purpose of the webhook.' })
  description!: WebhookRow['description'];

  @Field(() => [WebhookType], { description: 'Types of messages that it gets; empty: all.' })
  types!: WebhookRow['types'];

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'When it was disabled, UTC; null if it is enabled.' })
  disabledAt!: WebhookRow['disabledAt'];

  @Field(() => WebhookDisabledReason, { nullable: true, description: 'Why it is disabled; null if it is enabled.' })
  disabledReason!: WebhookRow['disabledReason'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'Time of the first failure since the last success, UTC; null if the last attempt succeeded.',
  })
  failingSince!: WebhookRow['failingSince'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'Until when the secret before the last rotation signs messages too, UTC; null if it was never rotated.',
  })
  previousSecretExpiresAt!: WebhookRow['previousSecretExpiresAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: WebhookRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Last changed, UTC.' })
  updatedAt!: WebhookRow['updatedAt'];
}

@ObjectType({ description: 'A webhook with the secret that it has just been given.', simpleResolvers: true })
export class WebhookEndpointWithSecret {
  @Field(() => WebhookEndpoint, { description: 'The webhook as it is shown from now on.' })
  webhookEndpoint!: WebhookEndpoint;

  @Field(() => String, {
    description: 'The secret that signs messages: `whsec_` and base64. Shown only in this answer.',
  })
  secret!: string;
}

const urlText = `URL that messages are sent to: https, without user name, password and fragment, at a public host, at most ${limits.webhookUrlChars} characters.`;
const descriptionText = `Purpose of the webhook, at most ${limits.textChars} characters.`;
const typesText =
  'Types of messages that it gets. A new webhook without it gets all types, also those that are added later.';

@InputType({ description: 'A new webhook.' })
export class CreateWebhookEndpointInput {
  @Field(() => String, { description: urlText })
  url!: string;

  @Field(() => String, { nullable: true, description: descriptionText })
  description?: string;

  @Field(() => [WebhookType], { nullable: true, description: typesText })
  types?: types.WebhookType[];
}

@InputType({ description: 'Changes of a webhook. Only the given fields change.' })
export class UpdateWebhookEndpointInput {
  @Field(() => String, { nullable: true, description: urlText })
  url?: string;

  @Field(() => String, { nullable: true, description: descriptionText })
  description?: string;

  @Field(() => [WebhookType], { nullable: true, description: typesText })
  types?: types.WebhookType[];
}
