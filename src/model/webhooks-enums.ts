import { disabledReasons, messageStatuses } from '../fields/codes.ts';
import { testWebhookType, webhookTypes } from '../fields/webhook-types.ts';
import { enumOf } from './enum-of.ts';

export const WebhookType = enumOf('WebhookType', 'Type of a webhook message: what has happened.', {
  ...webhookTypes,
  [testWebhookType]: 'A test message was asked for. No webhook can choose this type: it is sent on request.',
});

export const WebhookMessageStatus = enumOf(
  'WebhookMessageStatus',
  'What has become of a webhook message.',
  messageStatuses,
);

export const WebhookDisabledReason = enumOf('WebhookDisabledReason', 'Why a webhook is disabled.', disabledReasons);
