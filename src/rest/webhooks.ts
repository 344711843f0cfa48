import Type from 'typebox';
import { webhookFields } from '../fields/webhooks.ts';
import * as actions from '../services/webhooks-actions.ts';
import { newWebhook, webhookChanges, webhookParams } from '../services/webhooks-input.ts';
import * as messages from '../services/webhooks-messages.ts';
import * as webhooks from '../services/webhooks.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';
import { serializeMessage, WebhookMessageView } from './webhooks-messages.ts';

const noun = { tag: 'Webhooks', isExtension: true } as const;

const { schema: WebhookView, serialize: serializeWebhook } = viewOfList('Webhook', webhookFields, {
  omit: ['id'],
  nulls: 'anyOf',
});

const WebhookWithSecret = titled('WebhookWithSecret', {
  ...WebhookView.properties,
  secret: textSchema('The secret that signs messages: `whsec_` and base64. Shown only in this answer.'),
});

export function webhookRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/webhooks',
    calls: webhooks.list,
    summary: 'List the webhooks of the business, oldest first',
    response: envelope(Type.Array(WebhookView)),
    handle: async (scope) => answer((await webhooks.list(scope, {})).map(serializeWebhook)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/webhooks',
    calls: webhooks.create,
    summary: 'Create a webhook',
    description: 'It gets what changes from now on. The answer alone holds the secret that signs its messages.',
    conflicts: true,
    body: newWebhook,
    status: 201,
    created: '/v1/webhooks/:uuid',
    response: envelope(WebhookWithSecret),
    handle: async (scope, { body }) => {
      const { webhook, secret } = await webhooks.create(scope, body);
      return answer({ ...serializeWebhook(webhook), secret }, 'Webhook created. Its secret is shown this once.');
    },
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/webhooks/:uuid',
    calls: webhooks.get,
    summary: 'Read one webhook',
    params: webhookParams,
    response: envelope(WebhookView),
    handle: async (scope, { params }) => answer(serializeWebhook(await webhooks.get(scope, params))),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/webhooks/:uuid',
    calls: webhooks.update,
    summary: 'Change a webhook',
    description: 'Changes only the fields sent. Messages that wait to be sent go to the new URL too.',
    params: webhookParams,
    body: webhookChanges,
    response: envelope(WebhookView),
    handle: async (scope, { params, body }) =>
      answer(serializeWebhook(await webhooks.update(scope, { ...params, ...body })), 'Webhook updated.'),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/webhooks/:uuid',
    calls: webhooks.remove,
    summary: 'Delete a webhook with its messages',
    description: 'Answers with its last state.',
    params: webhookParams,
    response: envelope(WebhookView),
    handle: async (scope, { params }) =>
      answer(serializeWebhook(await webhooks.remove(scope, params)), 'Webhook deleted.'),
  });

  addActions(app);
}

function addActions(app: RestApp): void {
  const action = { ...noun, method: 'POST', params: webhookParams } as const;

  route(app, {
    ...action,
    url: '/v1/webhooks/:uuid/actions/rotate',
    calls: actions.rotate,
    summary: 'Give a webhook a new secret',
    description:
      'The answer alone holds it. The secret before signs messages too for 24 hours. Rotated once more in that time, the secret in between ends at once.',
    response: envelope(WebhookWithSecret),
    handle: async (scope, { params }) => {
      const { webhook, secret } = await actions.rotate(scope, params);
      return answer({ ...serializeWebhook(webhook), secret }, 'Secret rotated. It is shown this once.');
    },
  });

  route(app, {
    ...action,
    url: '/v1/webhooks/:uuid/actions/disable',
    calls: actions.disable,
    summary: 'Disable a webhook',
    description: 'Its messages wait until it is enabled. One that is disabled stays as it is.',
    response: envelope(WebhookView),
    handle: async (scope, { params }) =>
      answer(serializeWebhook(await actions.disable(scope, params)), 'Webhook disabled.'),
  });

  route(app, {
    ...action,
    url: '/v1/webhooks/:uuid/actions/enable',
    calls: actions.enable,
    summary: 'Enable a webhook',
    description:
      'Messages that wait are sent, and changes that it has missed as well. Refused with 409 if the change log no longer has all of those, unless `skip_missed=true` leaves them out.',
    conflicts: true,
    query: actions.enableOptions,
    response: envelope(WebhookView),
    handle: async (scope, { params, query }) =>
      answer(serializeWebhook(await actions.enable(scope, { ...params, ...query })), 'Webhook enabled.'),
  });

  route(app, {
    ...action,
    url: '/v1/webhooks/:uuid/actions/test',
    calls: actions.test,
    summary: 'Send a test message to a webhook',
    description:
      'A message of type `webhook.test`, whatever types the webhook gets. Its attempts show what came of it.',
    conflicts: true,
    response: envelope(WebhookMessageView),
    handle: async (scope, { params }) =>
      answer(serializeMessage(await actions.test(scope, params)), 'Test message stored. It is sent at once.'),
  });

  route(app, {
    ...action,
    url: '/v1/webhooks/:uuid/actions/resend',
    calls: messages.resendSince,
    summary: 'Send the messages of a webhook since a time again',
    description:
      'Oldest first, at most 1,000 in one call. `next_cursor`, sent as `after`, goes on behind them. Messages that are still pending are sent anyway and not counted.',
    body: messages.resendOptions,
    response: envelope(
      titled('WebhookResend', {
        resent: Type.Integer({ description: 'How many messages are sent again.' }),
        next_cursor: Type.Union([Type.String(), Type.Null()], {
          description: 'Goes on behind them, sent as `after`; null: there are no more.',
        }),
      }),
    ),
    handle: async (scope, { params, body }) => {
      const { resent, nextCursor } = await messages.resendSince(scope, { ...params, ...body });
      return answer({ resent, next_cursor: nextCursor }, `Messages that are sent again: ${resent}.`);
    },
  });
}
