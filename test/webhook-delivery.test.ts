import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { atOnce, createEndpoint, startReceiver, until, verify, type Receiver } from './support/webhooks.ts';

/* Webhooks from a change to the receiver, by the jobs of the service. */

let service: TestApp;
let tenant: Tenant;
let receiver: Receiver;

beforeAll(async () => {
  service = await startApp({
    env: { CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8' },
    jobs: { watchMs: 30, schedule: atOnce },
  });
  await service.app.jobs.start();
});

beforeEach(async () => {
  tenant = await service.createTenant();
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

afterAll(() => service.close());

const endpointAt = (url: string, more: object = {}) =>
  createEndpoint(service.database, tenant.business, { url, ...more });

const newEvent = { title: 'Gala', start_time: '2026-12-05 18:00:00', end_time: '2026-12-05 23:00:00', timezone: 'UTC' };

async function createEvent(title = 'Gala'): Promise<string> {
  const { body } = await service.call('POST', '/v1/events', { as: tenant.as.admin, body: { ...newEvent, title } });
  return body.data.uuid as string;
}

const messages = (endpointId: number) =>
  service.prisma.webhookMessage.findMany({
    where: { businessId: tenant.business.id, endpointId },
    orderBy: { id: 'asc' },
    include: { attempts: { orderBy: { id: 'asc' } } },
  });

describe('a change', () => {
  test('is delivered once, signed, with what changed and without values', async () => {
    const { id, plainSecret } = await endpointAt(`${receiver.origin}/hook`);
    const uuid = await createEvent('Secret gala');
    const message = await until(() => receiver.received[0]);
    expect(verify(message, plainSecret)).toEqual({
      type: 'event.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { kind: 'event', uuid, revision: expect.stringMatching(/^\d+$/), fields: [] },
    });
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Callboard\/\d/),
      'webhook-id': expect.stringMatching(/^msg_[\da-f]{32}$/),
    });
    expect(message.text).not.toContain('Secret gala');
    const [stored, ...others] = await until(async () => {
      const rows = await messages(id);
      return rows[0]?.status === 'delivered' && rows;
    });
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ attemptCount: 1, nextAttemptAt: null, attempts: [{ statusCode: 204, error: null }] });
    expect(receiver.received).toHaveLength(1);
  });
});
