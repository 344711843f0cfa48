import Type from 'typebox';
import type { WebhookMessageRow } from '../db/webhooks.ts';
import { attemptFields, messageFields } from '../fields/webhook-messages.ts';
import { pageNumberInput } from '../paging/input.ts';
import { webhookParams } from '../services/webhooks-input.ts';
import * as messages from '../services/webhooks-messages.ts';
import { answer, envelope } from './envelopes.ts';
import { splitListQuery } from './list-query.ts';
import { listRoute } from './lists.ts';
import { route, type RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';

const noun = { tag: 'Webhooks', isExtension: true } as const;

const message = viewOfList('WebhookMessage', messageFields, { nulls: 'anyOf' });
export const WebhookMessageView = titled<typeof message.schema.properties>('WebhookMessage', {
  ...message.schema.properties,
  payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The body that is sent.' }),
});
export const serializeMessage = (row: WebhookMessageRow) => ({
  ...message.serialize(row),
  payload: JSON.parse(row.payload) as unknown,
});

const { schema: WebhookAttemptView, serialize: serializeAttempt } = viewOfList('WebhookAttempt', attemptFields, {
  nulls: 'anyOf',
});

export function webhookMessageRoutes(app: RestApp): void {
  listRoute(app, {
    ...noun,
    url: '/v1/webhooks/:uuid/messages',
    calls: messages.list,
    summary: 'List the messages of a webhook, newest first',
    params: webhookParams,
    query: Type.Object({ ...messages.messageFilter.properties, ...pageNumberInput() }),
    errorNames: { filter: '' },
    item: WebhookMessageView,
    read: (scope, { params, query }) => messages.list(scope, { ...params, ...splitListQuery(query) }),
    serializeAll: () => serializeMessage,
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/webhooks/:uuid/messages/:message_uuid/attempts',
    calls: messages.listAttempts,
    summary: 'List the attempts to deliver a message, newest first',
    params: messages.messageParams,
    response: envelope(Type.Array(WebhookAttemptView)),
    handle: async (scope, { params }) => answer((await messages.listAttempts(scope, params)).map(serializeAttempt)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/webhooks/:uuid/messages/:message_uuid/actions/resend',
    calls: messages.resend,
    summary: 'Send a message again',
    description: 'Whatever its status. Its header `webhook-id` stays, by which receivers know that they have it.',
    params: messages.messageParams,
    response: envelope(WebhookMessageView),
    handle: async (scope, { params }) =>
      answer(serializeMessage(await messages.resend(scope, params)), 'The message is sent again.'),
  });
}
