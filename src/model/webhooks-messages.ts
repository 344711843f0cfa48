import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { WebhookMessageRow } from '../db/webhooks.ts';
import type * as stored from '../generated/prisma/client.ts';
import { WebhookMessageStatus, WebhookType } from './webhooks-enums.ts';
import { Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { PageInfo } from './page-info.ts';

@ObjectType({ description: 'A message for one webhook.', implements: Node, simpleResolvers: true })
export class WebhookMessage {
  @Field(() => ID, {
    description:
      'UUID, by which REST names the message. Its header `webhook-id` is `msg_` and the UUID without dashes.',
  })
  uuid!: WebhookMessageRow['uuid'];

  @Field(() => WebhookType, { description: 'What has happened.' })
  type!: WebhookMessageRow['type'];

  @Field(() => WebhookMessageStatus, { description: 'What has become of it.' })
  status!: WebhookMessageRow['status'];

  @Field(() => Int, { description: 'Attempts since it was made, or since it was last sent again on request.' })
  attemptCount!: WebhookMessageRow['attemptCount'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it is sent next, once the webhook is enabled, UTC; null unless it is pending.',
  })
  nextAttemptAt!: WebhookMessageRow['nextAttemptAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: WebhookMessageRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When the receiver accepted it, UTC; null if it has not, or if it is sent again.',
  })
  deliveredAt!: WebhookMessageRow['deliveredAt'];
}

@ObjectType({ description: 'A webhook message with its cursor.', simpleResolvers: true })
export class WebhookMessageEdge {
  @Field(() => String, { description: 'Cursor of this item, to be sent as `after`.' })
  cursor!: string;

  @Field(() => WebhookMessage, { description: 'The message.' })
  node!: WebhookMessage;
}

@ObjectType({ description: 'A page of messages, read by number or from a cursor on.', simpleResolvers: true })
export class WebhookMessageConnection {
  @Field(() => [WebhookMessage], { description: 'The messages of this page, newest first.' })
  nodes!: WebhookMessage[];

  @Field(() => [WebhookMessageEdge], { description: 'The messages of this page, each with its cursor.' })
  edges!: WebhookMessageEdge[];

  @Field(() => Int, { simple: false, description: 'Messages on all pages. Counted only when asked for.' })
  totalCount!: number;

  @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'One try to deliver a message.', simpleResolvers: true })
export class WebhookAttempt {
  @Field(() => GraphQLDateTimeISO, { description: 'When it began, UTC.' })
  at!: stored.WebhookAttempt['at'];

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the answer; null if there was none. Only 2xx is a success.',
  })
  statusCode!: stored.WebhookAttempt['statusCode'];

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  durationMs!: stored.WebhookAttempt['durationMs'];

  @Field(() => String, { nullable: true, description: 'Why it failed; null if it succeeded.' })
  error!: stored.WebhookAttempt['error'];

  @Field(() => String, {
    nullable: true,
    description: 'The first bytes of the answer to an attempt that failed; null if there was none.',
  })
  response!: stored.WebhookAttempt['response'];
}

@ObjectType({ description: 'Messages that are sent again.', simpleResolvers: true })
export class WebhookResend {
  @Field(() => Int, { description: 'How many they are.' })
  resent!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Goes on behind them, sent as `after`; null: there are no more.',
  })
  nextCursor!: string | null;
}

@InputType({ description: 'Filter of webhook messages. All given conditions must hold; null means no condition.' })
export class WebhookMessageFilter {
  @Field(() => WebhookMessageStatus, { nullable: true, description: 'Messages with this status.' })
  status?: (typeof WebhookMessageStatus)[keyof typeof WebhookMessageStatus] | null;

  @Field(() => WebhookType, { nullable: true, description: 'Messages of this type.' })
  type?: (typeof WebhookType)[keyof typeof WebhookType] | null;
}

@ArgsType()
export class WebhookMessageListArgs extends CursorArgs {
  @Field(() => WebhookMessageFilter, { nullable: true, description: 'Lists only messages that match this filter.' })
  filter?: WebhookMessageFilter | null;
}

@InputType({ description: 'Which messages of a webhook are sent again.' })
export class ResendWebhookMessagesInput {
  @Field(() => GraphQLDateTimeISO, { description: 'Messages that were made at this instant or later.' })
  since!: Date;

  @Field(() => WebhookMessageStatus, {
    nullable: true,
    description: 'Only DELIVERED ones, or only FAILED ones. Without it, all that are not PENDING.',
  })
  status?: 'delivered' | 'failed' | null;

  @Field(() => String, {
    nullable: true,
    description: `Goes on behind the messages of an earlier call: its \`nextCursor\`. A call sends at most ${limits.webhookResendMax} messages again.`,
  })
  after?: string | null;
}
