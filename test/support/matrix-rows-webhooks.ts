import * as actions from '../../src/services/webhooks-actions.ts';
import * as messages from '../../src/services/webhooks-messages.ts';
import * as webhooks from '../../src/services/webhooks.ts';
import type { Row, Target } from './matrix.ts';

/* The rows of the matrix for webhooks. */

const url = 'https://receiver.example/';
const since = '2026-11-01T00:00:00Z';
const webhook = ({ webhook: { uuid } }: Target) => uuid;
const id = (target: Target) => ({ id: webhook(target) });
const message = ({ webhook: { messageUuid } }: Target) => ({ id: messageUuid });

export const webhookRouteRows: Record<string, Row> = {
  'GET /v1/webhooks': { calls: webhooks.list },
  'POST /v1/webhooks': { calls: webhooks.create, input: () => ({ url }) },
  'GET /v1/webhooks/{uuid}': { calls: webhooks.get, uuid: webhook },
  'PUT /v1/webhooks/{uuid}': { calls: webhooks.update, uuid: webhook, input: () => ({ description: 'Changed' }) },
  'DELETE /v1/webhooks/{uuid}': { calls: webhooks.remove, uuid: webhook },
  'POST /v1/webhooks/{uuid}/actions/rotate': { calls: actions.rotate, uuid: webhook },
  'POST /v1/webhooks/{uuid}/actions/disable': { calls: actions.disable, uuid: webhook },
  'POST /v1/webhooks/{uuid}/actions/enable': {
    calls: actions.enable,
    uuid: ({ webhook: { disabledUuid } }) => disabledUuid,
  },
  'POST /v1/webhooks/{uuid}/actions/test': { calls: actions.test, uuid: webhook },
  'POST /v1/webhooks/{uuid}/actions/resend': { calls: messages.resendSince, uuid: webhook, input: () => ({ since }) },
  'GET /v1/webhooks/{uuid}/messages': { calls: messages.list, uuid: webhook },
  'GET /v1/webhooks/{uuid}/messages/{message_uuid}/attempts': { calls: messages.listAttempts, uuid: webhook },
  'POST /v1/webhooks/{uuid}/messages/{message_uuid}/actions/resend': { calls: messages.resend, uuid: webhook },
};

export const webhookFieldRows: Record<string, Row> = {
  webhookEndpoints: { calls: webhooks.list },
  webhookEndpoint: { calls: webhooks.get, input: id },
  createWebhookEndpoint: { calls: webhooks.create, input: () => ({ input: { url } }) },
  updateWebhookEndpoint: {
    calls: webhooks.update,
    input: (target) => ({ ...id(target), input: { description: 'Changed' } }),
  },
  deleteWebhookEndpoint: { calls: webhooks.remove, input: id },
  rotateWebhookSecret: { calls: actions.rotate, input: id },
  disableWebhookEndpoint: { calls: actions.disable, input: id },
  enableWebhookEndpoint: { calls: actions.enable, input: ({ webhook: { disabledUuid } }) => ({ id: disabledUuid }) },
  sendTestWebhook: { calls: actions.test, input: (target) => ({ webhookEndpointId: webhook(target) }) },
  resendWebhookMessage: { calls: messages.resend, input: message },
  resendWebhookMessages: {
    calls: messages.resendSince,
    input: (target) => ({ webhookEndpointId: webhook(target), input: { since } }),
  },
};
