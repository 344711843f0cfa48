import { registerEnumType } from 'type-graphql';
import { testWebhookType, webhookTypes } from '../fields/webhook-types.ts';
import type * as types from '../fields/webhook-types.ts';

/** Types of webhook messages: WORK_SHIFT_CONFIRMED for `work_shift.confirmed`. */
export const WebhookType = Object.fromEntries(
  [...Object.keys(webhookTypes), testWebhookType].map((type) => [type.replace('.', '_').toUpperCase(), type]),
) as { readonly [T in types.WebhookType | typeof testWebhookType as UnderscoredType<T>]: T };

type UnderscoredType<T extends string> = Uppercase<T extends `${infer Noun}.${infer Verb}` ? `${Noun}_${Verb}` : T>;

export const WebhookMessageStatus = { PENDING: 'pending', DELIVERED: 'delivered', FAILED: 'failed' } as const;

export const WebhookDisabledReason = {
  CALLER: 'caller',
  GONE: 'gone',
  FAILING: 'failing',
  EXPIRED: 'expired',
} as const;

registerEnumType(WebhookType, {
  name: 'WebhookType',
  description: 'Type of a webhook message: what has happened.',
  valuesConfig: {
    ...(Object.fromEntries(
      Object.entries(webhookTypes).map(([type, description]) => [
        type.replace('.', '_').toUpperCase(),
        { description },
      ]),
    ) as Record<keyof typeof WebhookType, { description: string }>),
    WEBHOOK_TEST: {
      description: 'A test message was asked for. No webhook can choose this type: it is sent on request.',
    },
  },
});
registerEnumType(WebhookMessageStatus, {
  name: 'WebhookMessageStatus',
  description: 'What has become of a webhook message.',
  valuesConfig: {
    PENDING: { description: 'It is sent, or sent again after a failure.' },
    DELIVERED: { description: 'The receiver accepted it.' },
    FAILED: { description: 'All attempts have failed: it is not sent again by itself.' },
  },
});
registerEnumType(WebhookDisabledReason, {
  name: 'WebhookDisabledReason',
  description: 'Why a webhook is disabled.',
  valuesConfig: {
    CALLER: { description: 'A caller disabled it.' },
    GONE: { description: 'The receiver answered 410.' },
    FAILING: { description: 'Nothing but failures came for days.' },
    EXPIRED: { description: 'The change log no longer has all changes that it has not read.' },
  },
});
