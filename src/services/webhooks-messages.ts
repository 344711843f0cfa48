import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin, webhookEdit } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import {
  countMessages,
  countMessagesOfWebhooks,
  messageOrder,
  readAttempts,
  readMessagePage,
  readMessagesByUuids,
  readMessagesOfWebhooks,
  resendMessage,
  resendMessages,
  resendOrder,
  shownMessage,
  type MessageOfWebhook,
  type WebhookMessageRow,
} from '../db/webhooks.ts';
import { invalid, notFound } from '../errors.ts';
import { codesOf, messageStatuses } from '../fields/codes.ts';
import { testWebhookType } from '../fields/webhook-types.ts';
import { memoize } from '../memoize.ts';
import { groupBy } from '../paging/group-by.ts';
import { decodeCursor, encodeCursor } from '../paging/cursors.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage, readPagesByParent } from '../paging/pages.ts';
import { closedObject, idOf, instant, oneOf, optionalFields, text, uuidOf } from '../validation/schemas.ts';
import { uuidsInput } from './events-input.ts';
import { webhookParams, webhookTypeNames } from './webhooks-input.ts';
import { lockedWebhook, webhookDetails, webhookOrNotFound } from './webhooks.ts';

const messageTypes = [...webhookTypeNames, testWebhookType] as const;

export const messageFilter = optionalFields({
  status: oneOf(codesOf(messageStatuses), 'Lists only messages with this status.'),
  type: oneOf(messageTypes, 'Lists only messages of this type.'),
});

/** Reads one page of the messages of a webhook, newest first. */
export const list = operation({
  name: 'webhooks.listMessages',
  roles: admin,
  scopes: ['webhooks'],
  input: closedObject({ ...webhookParams.properties, filter: Type.Optional(messageFilter), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { uuid, filter = {}, ...request }) => {
    const { id } = await webhookOrNotFound(scope.db, uuid);
    return readPage<WebhookMessageRow>(scope, request, {
      order: messageOrder,
      rows: (window) => readMessagePage(scope.db, id, filter, window),
      count: () => countMessages(scope.db, id, filter),
    });
  },
});

export const getByUuids = variantOf(list, {
  input: uuidsInput,
  run: ({ db }, { uuids }) => readMessagesByUuids(db, uuids),
});

/** Reads the same page of the messages of each of many webhooks, in one statement and one that counts. */
export const getPagesByWebhooks = operation({
  name: 'webhooks.messagePagesOf',
  roles: admin,
  scopes: ['webhooks'],
  isPart: true,
  input: closedObject({ ids: Type.Array(idOf('webhook')), filter: Type.Optional(messageFilter), ...pageInput() }),
  rules: [pageRule],
  run: (scope, { ids, filter = {}, ...request }) =>
    readPagesByParent<MessageOfWebhook>(
      scope,
      request,
      ids,
      async (window) => {
        const rowsOf = groupBy('endpointId', await readMessagesOfWebhooks(scope.db, ids, filter, window));
        const counts = memoize(() => countMessagesOfWebhooks(scope.db, ids, filter));
        return (id) => ({ rows: rowsOf(id), total: async () => (await counts()).get(id) ?? 0 });
      },
      messageOrder,
    ),
});

/** REST names the webhook as well. A message of another webhook is then not found. */
const messageInput = closedObject({ uuid: Type.Optional(uuidOf('webhook')), messageUuid: uuidOf('webhook message') });

export const messageParams = Type.Object({ ...webhookParams.properties, messageUuid: uuidOf('webhook message') });

/** Lists the attempts to deliver a message, newest first. */
export const listAttempts = operation({
  name: 'webhooks.listAttempts',
  roles: admin,
  scopes: ['webhooks'],
  input: messageInput,
  run: async ({ db }, { uuid, messageUuid }) => {
    const message = await db.webhookMessage.findFirst({
      where: { uuid: messageUuid, ...(uuid !== undefined && { endpoint: { uuid } }) },
      select: { id: true },
    });
    if (!message) throw notFound('webhook message');
    return readAttempts(db, [message.id], limits.perPageMax);
  },
});

/** The attempts of each of many messages, newest first, in one statement. */
export const getAttemptsByMessages = operation({
  name: 'webhooks.attemptsOf',
  roles: admin,
  scopes: ['webhooks'],
  isPart: true,
  input: closedObject({ messageIds: Type.Array(Type.Unsafe<bigint>({})) }),
  run: async ({ db }, { messageIds }) => {
    const attempts = await readAttempts(db, messageIds, limits.perPageMax);
    return messageIds.map((id) => attempts.filter(({ messageId }) => messageId === id));
  },
});

/** Sends a message again, whatever has become of it. Its `webhook-id` stays, by which receivers know that they have it. */
export const resend = operation({
  ...webhookEdit,
  name: 'webhooks.resend',
  input: messageInput,
  run: (scope, { uuid, messageUuid }) =>
    scope.transaction(async (tx) => {
      const { db } = tx;
      const resent = await resendMessage(db, { uuid: messageUuid, endpointUuid: uuid }, tx.clock());
      if (!resent) throw notFound('webhook message');
      tx.record({ kind: 'webhookEndpoint', id: resent.endpointId, details: { message: messageUuid } });
      return db.webhookMessage.findFirstOrThrow({ where: { uuid: messageUuid }, select: shownMessage });
    }),
});

export const resendOptions = closedObject({
  since: instant('Sends again the messages that were made then or later.'),
  status: Type.Optional(
    oneOf(
      ['delivered', 'failed'],
      'Sends only messages with this status again. Without it, all that are not `PENDING`.',
    ),
  ),
  after: Type.Optional(
    text(limits.tokenChars, {
      description: `Goes on behind the messages of an earlier call: its \`nextCursor\`. A call sends at most ${limits.batchRows} messages again.`,
    }),
  ),
});

/** Sends the messages since a time again, oldest first, a bounded number in each call. */
export const resendSince = operation({
  ...webhookEdit,
  name: 'webhooks.resendSince',
  input: closedObject({ ...webhookParams.properties, ...resendOptions.properties }),
  rules: [{ over: ['after'], check: (_scope, { after }) => readResendCursor(after).errors }],
  run: (scope, { uuid, since, status, after: cursor }) =>
    scope.transaction(async (tx) => {
      const { after, errors } = readResendCursor(cursor);
      if (errors.after) throw invalid({ after: errors.after });
      const webhook = await lockedWebhook(tx, uuid);
      const atMost = limits.batchRows;
      const ids = await resendMessages(tx.db, webhook.id, { since, after, status, atMost }, tx.clock());
      const last = ids.at(-1);
      const details = { ...webhookDetails(webhook), since: since.toISOString(), resent: ids.length };
      tx.record({ kind: 'webhookEndpoint', id: webhook.id, details });
      const isAll = last === undefined || ids.length < atMost;
      return { resent: ids.length, nextCursor: isAll ? null : encodeCursor(resendOrder, { id: last }) };
    }),
});

function readResendCursor(cursor: string | undefined): { after?: string; errors: { after?: string[] } } {
  if (cursor === undefined) return { errors: {} };
  const position = decodeCursor(resendOrder, cursor);
  return position
    ? { after: position.value, errors: {} }
    : { errors: { after: ['must be a cursor of an earlier call'] } };
}
