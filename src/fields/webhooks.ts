import type { WebhookEndpoint } from '../generated/prisma/client.ts';
import { fieldList, shown, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

/** The columns of a webhook that may be shown: none holds a secret. */
export const webhookFields = fieldList({
  id: { kind: 'integer' },
  uuid: shown.uuid('UUID of the webhook.'),
  url: shown.text('URL that messages are sent to.'),
  description: shown.text('Purpose of the webhook.'),
  types: shown.webhookTypes('Types of messages that it gets; empty: all.'),
  disabledAt: shown.instant.orNull('When it was disabled, UTC; null if it is enabled.'),
  disabledReason: shown.disabledReason.orNull(
    'Why it is disabled: by a `CALLER`, because the receiver answered 410 (`GONE`), because nothing but failures came for days (`FAILING`), or because the change log no longer has its position (`EXPIRED`); null if it is enabled.',
  ),
  failingSince: shown.instant.orNull(
    'Time of the first failure since the last success, UTC; null if the last attempt succeeded.',
  ),
  previousSecretExpiresAt: shown.instant.orNull(
    'Until when the secret before the last rotation signs messages too, UTC; null if it was never rotated.',
  ),
  createdAt: shown.instant('Created, UTC.'),
  updatedAt: shown.instant('Last changed, UTC.'),
});

export type WebhookRow = RowOf<
  typeof webhookFields,
  Differences<StoredRowOf<typeof webhookFields>, Pick<WebhookEndpoint, keyof typeof webhookFields>>
>;
