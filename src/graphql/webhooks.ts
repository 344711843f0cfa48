import { Arg, Ctx, Mutation, Query, Resolver, InputType } from 'type-graphql';
import { WebhookMessage } from '../model/webhooks-messages.ts';
import { WebhookEndpoint, WebhookEndpointWithSecret } from '../model/webhooks.ts';
import * as actions from '../services/webhooks-actions.ts';
import * as webhooks from '../services/webhooks.ts';
import type { Context } from './context.ts';
import { readArgs, readInput } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { RowId } from './row-ids.ts';
import { inputFrom } from '../model/input-from.ts';
import { newWebhook, webhookChanges } from '../services/webhooks-input.ts';

@InputType({ description: 'A new webhook.' })
class CreateWebhookEndpointInput extends inputFrom(newWebhook) {}

@InputType({ description: 'Changes of a webhook. Only the given fields change.' })
class UpdateWebhookEndpointInput extends inputFrom(webhookChanges) {}

@Resolver(() => WebhookEndpoint)
export class WebhookResolver {
  @Query(() => [WebhookEndpoint], {
    nullable: true,
    description: 'The webhooks of the business, oldest first. For admins, with scope WEBHOOKS.',
  })
  webhookEndpoints(@Ctx() { scope }: Context) {
    return webhooks.list(scope, {});
  }

  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: 'One webhook; null, with an error, if there is none. For admins, with scope WEBHOOKS.',
  })
  webhookEndpoint(@Ctx() { scope }: Context, @RowId('WebhookEndpoint') uuid: string) {
    return webhooks.get(scope, { uuid });
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    nullable: true,
    description:
      'Creates a webhook, which gets what changes from now on. The secret is shown only in this answer. For admins, with scope WEBHOOKS.',
  })
  async createWebhookEndpoint(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The new webhook.' })
    input: CreateWebhookEndpointInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return toWebhookWithSecret(await webhooks.create(withKeyArgument(scope, key), readInput(input)));
  }

  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description:
      'Changes a webhook: only the given fields. Messages that wait to be sent go to the new URL too. For admins, with scope WEBHOOKS.',
  })
  updateWebhookEndpoint(
    @Ctx() { scope }: Context,
    @RowId('WebhookEndpoint') uuid: string,
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'The changes.' }) input: UpdateWebhookEndpointInput,
  ) {
    return webhooks.update(scope, { ...readInput(input), uuid });
  }

  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description: 'Deletes a webhook with its messages, and returns its last state. For admins, with scope WEBHOOKS.',
  })
  deleteWebhookEndpoint(@Ctx() { scope }: Context, @RowId('WebhookEndpoint') uuid: string) {
    return webhooks.remove(scope, { uuid });
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    nullable: true,
    description:
      'Gives a webhook a new secret, shown only in this answer. The secret before signs messages too for 24 hours; rotated once more in that time, the secret in between ends at once. For admins, with scope WEBHOOKS.',
  })
  async rotateWebhookSecret(@Ctx() { scope }: Context, @RowId('WebhookEndpoint') uuid: string) {
    return toWebhookWithSecret(await actions.rotate(scope, { uuid }));
  }

  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description:
      'Disables a webhook: its messages wait until it is enabled. One that is disabled stays as it is. For admins, with scope WEBHOOKS.',
  })
  disableWebhookEndpoint(@Ctx() { scope }: Context, @RowId('WebhookEndpoint') uuid: string) {
    return actions.disable(scope, { uuid });
  }

  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description:
      'Enables a webhook: messages that wait are sent, and changes that it has missed as well. Refused with code CONFLICT if the change log no longer has all of those, unless they are skipped. For admins, with scope WEBHOOKS.',
  })
  enableWebhookEndpoint(
    @Ctx() { scope }: Context,
    @RowId('WebhookEndpoint') uuid: string,
    @Arg('skipMissed', () => Boolean, {
      nullable: true,
      description:
        'Whether changes that were made while the webhook was disabled are left out. Default: they are sent, if the change log still has them.',
    })
    skipMissed: boolean | null,
  ) {
    return actions.enable(scope, { uuid, ...readArgs({ skipMissed }) });
  }

  @Mutation(() => WebhookMessage, {
    nullable: true,
    description:
      'Sends a message of type WEBHOOK_TEST, whatever types the webhook gets. Its attempts show what came of it. For admins, with scope WEBHOOKS.',
  })
  sendTestWebhook(@Ctx() { scope }: Context, @RowId('WebhookEndpoint', { name: 'webhookEndpointId' }) uuid: string) {
    return actions.test(scope, { uuid });
  }
}

const toWebhookWithSecret = <Row>({ webhook, secret }: { webhook: Row; secret: string }) => ({
  webhookEndpoint: webhook,
  secret,
});
