import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { webhookTypes, type WebhookType } from '../fields/webhook-types.ts';
import { closedObject, oneOf, text, uuidOf } from '../validation/schemas.ts';

export const webhookTypeNames = Object.keys(webhookTypes) as WebhookType[];

export const webhookParams = closedObject({ uuid: uuidOf('webhook') });

const url = Type.String({
  minLength: 1,
  maxLength: limits.webhookUrlChars,
  description: 'URL that messages are sent to: https, without user name, password and fragment, at a public host.',
  examples: ['https://receiver.example/callboard'],
});

const listed = { maxItems: webhookTypeNames.length, uniqueItems: true };

const optional = {
  description: Type.Optional(text(limits.textChars, { description: 'Purpose of the webhook.', examples: ['Payroll'] })),
  types: Type.Optional(
    Type.Array(oneOf(webhookTypeNames), {
      minItems: 1,
      ...listed,
      description:
        'Types of messages that it gets. A new webhook without it gets all types, also those that are added later.',
      examples: [['work_shift.confirmed', 'work_shift.declined']],
    }),
  ),
};

export const newWebhook = closedObject({ url, ...optional });

export const webhookChanges = closedObject({
  url: Type.Optional(url),
  ...optional,
  // A webhook that gets all types is shown without any.
  types: Type.Optional(
    Type.Array(oneOf(webhookTypeNames), { ...listed, description: 'Types of messages that it gets; empty: all.' }),
  ),
});
