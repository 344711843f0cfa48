import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { WebhookMessageRow } from '../db/webhooks.ts';
import {
  ResendWebhookMessagesInput,
  WebhookAttempt,
  WebhookMessage,
  WebhookMessageConnection,
  WebhookMessageListArgs,
  WebhookResend,
} from '../model/webhooks-messages.ts';
import * as messages from '../services/webhooks-messages.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { omitNullish, omitNullishDeep } from './omit-undefined.ts';
import { RowId } from './row-ids.ts';

@Resolver(() => WebhookMessage)
export class WebhookMessageResolver {
  @Query(() => WebhookMessageConnection, {
    nullable: true,
    description:
      'The messages of a webhook, newest first, a page at a time, by page number or by cursor. For admins, with scope WEBHOOKS.',
  })
  async webhookMessages(
    @Ctx() { scope }: Context,
    @RowId('WebhookEndpoint', { name: 'webhookEndpointId' }) uuid: string,
    @Args(() => WebhookMessageListArgs) args: WebhookMessageListArgs,
  ) {
    const { filter, page, perPage, first, after } = omitNullishDeep(args);
    return toConnection(await messages.list(scope, { uuid, ...omitNullish({ filter, page, perPage, first, after }) }));
  }

  @Query(() => [WebhookAttempt], {
    nullable: true,
    description: 'The attempts to deliver a message, newest first. For admins, with scope WEBHOOKS.',
  })
  webhookAttempts(
    @Ctx() { scope }: Context,
    @RowId('WebhookMessage', { name: 'webhookMessageId' }) messageUuid: string,
  ) {
    return messages.listAttempts(scope, { messageUuid });
  }

  @Mutation(() => WebhookMessage, {
    nullable: true,
    description:
      'Sends a message again, whatever its status. Its header `webhook-id` stays, by which receivers know that they have it. For admins, with scope WEBHOOKS.',
  })
  resendWebhookMessage(@Ctx() { scope }: Context, @RowId('WebhookMessage') messageUuid: string) {
    return messages.resend(scope, { messageUuid });
  }

  @Mutation(() => WebhookResend, {
    nullable: true,
    description:
      'Sends the messages of a webhook since a time again, oldest first. Those that are still pending are sent anyway and not counted. For admins, with scope WEBHOOKS.',
  })
  resendWebhookMessages(
    @Ctx() { scope }: Context,
    @RowId('WebhookEndpoint', { name: 'webhookEndpointId' }) uuid: string,
    @Arg('input', () => ResendWebhookMessagesInput, { description: 'Which messages.' })
    input: ResendWebhookMessagesInput,
  ) {
    const { since, status, after } = input;
    return messages.resendSince(scope, { uuid, since, ...omitNullish({ status, after }) });
  }

  @FieldResolver(() => GraphQLJSONObject, { description: 'The body that is sent.' })
  payload(@Root() { payload }: WebhookMessageRow) {
    return JSON.parse(payload) as Record<string, unknown>;
  }
}
