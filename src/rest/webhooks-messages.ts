import Type from 'typebox';
import type { WebhookMessageRow } from '../db/webhooks.ts';
import { codesOf, messageStatuses } from '../fields/codes.ts';
import { pageNumberInput } from '../paging/input.ts';
import { webhookParams } from '../services/webhooks-input.ts';
import * as messages from '../services/webhooks-messages.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { instantSchema, textSchema } from './formats.ts';
import { splitListQuery } from './list-query.ts';
import { listRoute } from './lists.ts';
import { route, type RestApp } from './route.ts';
import { viewOf } from './views.ts';

const noun = { tag: 'Webhooks', isExtension: true } as const;

const instantOrNull = (description: string) => Type.Union([instantSchema('Time'), Type.Null()], { description });

export const { schema: WebhookMessageView, serialize: serializeMessage } = viewOf<WebhookMessageRow>('WebhookMessage')({
  uuid: textSchema('UUID of the message. Its header `webhook-id` is `msg_` and the UUID without dashes.'),
  type: oneOf<string>(messages.messageTypes, 'What has happened.'),
  status: oneOf<string>(
    codesOf(messageStatuses),
    '`pending`: it is sent, or sent again, at `next_attempt_at`. `failed`: it is not sent again by itself.',
  ),
  attempt_count: Type.Integer({
    description: 'Attempts since it was made, or since it was last sent again on request.',
  }),
  next_attempt_at: instantOrNull('When it is sent next, once the webhook is enabled; null unless it is pending.'),
  created_at: instantSchema('Created'),
  delivered_at: instantOrNull('When the receiver accepted it; null if it has not, or if it is sent again.'),
  payload: [
    Type.Record(Type.String(), Type.Unknown(), { description: 'The body that is sent.' }),
    ({ payload }) => JSON.parse(payload) as Record<string, unknown>,
  ],
});

type Attempt = Awaited<ReturnType<typeof messages.listAttempts>>[number];

const { schema: WebhookAttemptView, serialize: serializeAttempt } = viewOf<Attempt>('WebhookAttempt')({
  at: instantSchema('When it began'),
  status_code: Type.Union([Type.Integer(), Type.Null()], {
    description: 'HTTP status of the answer; null if there was none. Only 2xx is a success.',
  }),
  duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed; null if it succeeded.' }),
  response: Type.Union([Type.String(), Type.Null()], {
    description: 'The first bytes of the answer to an attempt that failed; null if there was none.',
  }),
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
