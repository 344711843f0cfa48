import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import { webhookTypes, type WebhookType } from '../fields/webhook-types.ts';
import { closed, oneOf, text, uuidOf } from '../validation/schemas.ts';

/** The columns of a webhook that may be shown: none holds a secret. */
export const shownWebhook = {
  id: true,
  uuid: true,
  url: true,
  description: true,
  types: true,
  disabledAt: true,
  disabledReason: true,
  failingSince: true,
  previousSecretExpiresAt: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Readonly<Record<keyof WebhookRow, true>>;

/** Why a webhook is disabled. */
export const disabledReasons = ['caller', 'gone', 'failing', 'expired'] as const;

export const webhookTypeNames = Object.keys(webhookTypes) as WebhookType[];

export const webhookParams = Type.Object({ uuid: uuidOf('webhook') }, closed);

const url = Type.String({
  minLength: 1,
  maxLength: limits.webhookUrlChars,
  description: 'URL that messages are sent to: https, without user name, password and fragment, at a public host.',
  examples: ['https://receiver.example/callboard'],
});

const optional = {
  description: Type.Optional(
    text(limits.webhookDescriptionChars, { description: 'Purpose of the webhook.', examples: ['Payroll'] }),
  ),
  types: Type.Optional(
    Type.Array(oneOf(webhookTypeNames), {
      minItems: 1,
      maxItems: webhookTypeNames.length,
      uniqueItems: true,
      description: 'Types of messages that it gets. A new webhook without it gets all types, also those that are added later.',
      examples: [['work_shift.confirmed', 'work_shift.declined']],
    }),
  ),
};

export const newWebhook = Type.Object({ url, ...optional }, closed);

export const webhookChanges = Type.Object({ url: Type.Optional(url), ...optional }, closed);
