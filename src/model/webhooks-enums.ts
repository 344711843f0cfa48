import { testWebhookType, webhookTypes } from '../fields/webhook-types.ts';
import { enumOf } from './enum-of.ts';

export const WebhookType = enumOf('WebhookType', 'Type of a webhook message: what has happened.', {
  ...webhookTypes,
  [testWebhookType]: 'A test message was asked for. No webhook can choose this type: it is sent on request.',
});

export const WebhookMessageStatus = enumOf('WebhookMessageStatus', 'What has become of a webhook message.', {
  pending: 'It is sent, or sent again after a failure.',
  delivered: 'The receiver accepted it.',
  failed: 'All attempts have failed: it is not sent again by itself.',
});

export const WebhookDisabledReason = enumOf('WebhookDisabledReason', 'Why a webhook is disabled.', {
  caller: 'A caller disabled it.',
  gone: 'The receiver answered 410.',
  failing: 'Nothing but failures came for days.',
  expired: 'The change log no longer has all changes that it has not read.',
});
