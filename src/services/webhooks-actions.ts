import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { webhookEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readLogAfter, readLogEnd } from '../db/change-log.ts';
import { shownMessage, type LockedWebhook } from '../db/webhooks.ts';
import { conflict } from '../errors.ts';
import { testWebhookType } from '../fields/webhook-types.ts';
import { closedObject, optionalFields } from '../validation/schemas.ts';
import { webhookParams } from './webhooks-input.ts';
import { changeWebhook, generateSecret, lockedWebhook, webhookDetails } from './webhooks.ts';

/**
 * Gives a webhook a new secret. The one before signs too for a day. If the webhook is rotated once more meanwhile, the secret between
 * the two ends at once, because its answer may have been lost: receivers still have the one before, which signs no longer for that.
 */
export const rotate = operation({
  ...webhookEdit,
  name: 'webhooks.rotate',
  input: webhookParams,
  run: async (scope, { uuid }, { sealSecret }) => {
    const secret = generateSecret();
    const webhook = await changeWebhook(scope, uuid, (before) => {
      const now = scope.clock();
      const isRotating = before.previousSecretExpiresAt !== null && before.previousSecretExpiresAt > now;
      const changes = {
        secret: sealSecret(secret),
        ...(!isRotating && {
          previousSecret: before.secret,
          previousSecretExpiresAt: new Date(now.getTime() + limits.credentialLifetimeS * 1000),
        }),
      };
      return { changes };
    });
    return { webhook, secret };
  },
});

/** Disables a webhook. Its messages stay, and are sent once it is enabled. */
export const disable = operation({
  ...webhookEdit,
  name: 'webhooks.disable',
  input: webhookParams,
  run: (scope, { uuid }) =>
    changeWebhook(scope, uuid, ({ disabledAt }) =>
      disabledAt ? null : { changes: { disabledAt: scope.clock(), disabledReason: 'caller' } },
    ),
});

export const enableOptions = optionalFields({
  skipMissed: Type.Boolean({
    description:
      'Whether changes that were made while the webhook was disabled are left out. Without it, they are sent, if the change log still has them.',
  }),
});

/** Enables a webhook. It goes on where it was, unless the caller wants to skip what it has missed. */
export const enable = operation({
  ...webhookEdit,
  name: 'webhooks.enable',
  input: closedObject({ ...webhookParams.properties, ...enableOptions.properties }),
  run: (scope, { uuid, skipMissed = false }) =>
    changeWebhook(scope, uuid, async (before, tx) => {
      if (!before.disabledAt) return null;
      const position = skipMissed ? await readLogEnd(tx.db) : await positionOf(tx, before);
      const changes = { ...position, disabledAt: null, disabledReason: null, failingSince: null };
      return { changes, ...(skipMissed && { details: { skipMissed } }) };
    }),
});

/** The position of a webhook in the change log. Throws if the log does not lead on from there, so that nobody loses changes unnoticed. */
async function positionOf({ db }: Scope, { revision, changeId }: LockedWebhook) {
  const position = { revision, changeId };
  if (await readLogAfter(db, position, { limit: 1 })) return position;
  throw conflict(
    'The change log no longer has all changes that the webhook has missed. Enable it with the option to skip them, and read again what they were about.',
  );
}

/** Stores a test message for a webhook, whatever types it gets. */
export const test = operation({
  ...webhookEdit,
  name: 'webhooks.test',
  input: webhookParams,
  run: (scope, { uuid }) =>
    scope.transaction(async (tx) => {
      const webhook = await lockedWebhook(tx, uuid);
      if (webhook.disabledAt) throw conflict('The webhook is disabled. Enable it to send a test message.');
      const { businessId } = tx;
      const now = tx.clock();
      const data = { kind: 'webhookEndpoint', uuid };
      const message = await tx.db.webhookMessage.create({
        data: {
          businessId,
          endpointId: webhook.id,
          type: testWebhookType,
          payload: JSON.stringify({ type: testWebhookType, timestamp: now.toISOString(), data }),
          createdAt: now,
          nextAttemptAt: now,
        },
        select: shownMessage,
      });
      const details = { ...webhookDetails(webhook), message: message.uuid };
      tx.record({ kind: 'webhookEndpoint', id: webhook.id, details });
      return message;
    }),
});
