import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root, ArgsType, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { WebhookMessageRow } from '../db/webhooks.ts';
import { WebhookAttempt, WebhookMessage, WebhookMessageConnection, WebhookResend } from '../model/webhooks-messages.ts';
import { WebhookEndpoint } from '../model/webhooks.ts';
import * as messages from '../services/webhooks-messages.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RowId } from './row-ids.ts';
import { inputFrom } from '../model/input-from.ts';
import { filteredPage } from '../model/page-args.ts';

@ArgsType()
class WebhookMessageListArgs extends filteredPage('WebhookMessageFilter', messages.messageFilter, 'messages') {}

@InputType({ description: 'Which messages of a webhook are sent again.' })
class ResendWebhookMessagesInput extends inputFrom(messages.resendOptions) {}

@Resolver(() => WebhookMessage)
export class WebhookMessageResolver {
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
    return messages.resendSince(scope, { uuid, ...readArgs(input) });
  }

  @FieldResolver(() => [WebhookAttempt], {
    nullable: true,
    description: `The attempts to deliver the message, newest first, at most ${limits.perPageMax}.`,
  })
  attempts(@Root() { id }: WebhookMessageRow, @Ctx() { loaders }: Context) {
    return loaders.attemptsByMessageId.load(id);
  }

  @FieldResolver(() => GraphQLJSONObject, { description: 'The body that is sent.' })
  payload(@Root() { payload }: WebhookMessageRow) {
    return JSON.parse(payload) as Record<string, unknown>;
  }
}

@Resolver(() => WebhookEndpoint)
export class WebhookFields {
  @FieldResolver(() => WebhookMessageConnection, {
    nullable: true,
    description: 'Messages of the webhook, newest first, one page at a time, by page number or by cursor.',
  })
  async messages(
    @Root() { id }: WebhookEndpoint,
    @Ctx() { loaders }: Context,
    @Args(() => WebhookMessageListArgs) args: WebhookMessageListArgs,
  ) {
    return toConnection(await loaders.messagePagesByWebhookId(readArgs(args)).load(id));
  }
}
