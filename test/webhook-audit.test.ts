import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { webhookWays } from './support/webhook-calls.ts';

/* What is kept about webhooks beside themselves: audit trail, log, idempotency keys. */

const start = new Date('2026-11-20T12:00:00.000Z');
const url = 'https://receiver.example/hook?token=of-the-receiver';
let service: TestApp;
let tenant: Tenant;
let log = '';
const ways = webhookWays(() => service);

beforeAll(async () => {
  const logTo = { write: (line: string) => void (log += line) };
  service = await startApp({ clock: () => start, logTo, env: { LOG_LEVEL: 'trace', LOG_FORMAT: 'json' } });
});
beforeEach(async () => {
  tenant = await service.createTenant();
});
afterAll(() => service.close());

test('the secret of a webhook stands neither in the log, nor in the audit trail, nor under an idempotency key', async () => {
  const key = randomUUID();
  const send = () =>
    service.call('POST', '/v1/webhooks', { as: tenant.as.admin, body: { url }, headers: { 'idempotency-key': key } });
  const { body } = await send();
  const rotated = await ways.GraphQL(tenant.as.admin, 'rotate', { uuid: body.data.uuid });
  const again = await send();
  expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('rotate the secret') } });
  const where = { businessId: tenant.business.id };
  const rows = [
    await service.prisma.auditEntry.findMany({ where }),
    await service.prisma.idempotencyKey.findMany({ where }),
    await service.prisma.rowChange.findMany({ where }),
  ];
  const kept = log + JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  expect(rows[0]).toHaveLength(2);
  expect(rows[1]).toHaveLength(1);
  for (const secret of [body.data.secret, rotated.it.secret]) {
    expect(secret).toMatch(/^whsec_/);
    expect(kept).not.toContain(secret.slice(6, 40));
    expect(kept).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  }
  expect(await service.prisma.webhookEndpoint.count({ where })).toBe(1);
});

test('the audit trail names each change of a webhook, without the path of its URL', async () => {
  const call = ways.REST;
  const { it: webhook } = await call(tenant.as.admin, 'create', {}, { url, types: ['event.created'] });
  const stored = await service.prisma.webhookEndpoint.findFirstOrThrow({ where: { uuid: webhook.uuid } });
  const { uuid: message } = await service.createWebhookMessage(stored);
  await call(tenant.as.admin, 'update', webhook, { url: 'https://other.example/path', types: ['user.deleted'] });
  for (const operation of ['rotate', 'disable', 'enable', 'test'] as const)
    await call(tenant.as.admin, operation, webhook);
  await call(tenant.as.admin, 'resend', { uuid: webhook.uuid, message });
  await call(tenant.as.admin, 'resendSince', webhook, { since: start.toISOString() });
  await call(tenant.as.admin, 'remove', webhook);
  const entries = await service.prisma.auditEntry.findMany({
    where: { businessId: tenant.business.id },
    orderBy: { id: 'asc' },
  });
  const { id } = { id: entries[0]!.subjectId };
  expect(entries.every(({ subjectKind, subjectId }) => subjectKind === 'webhookEndpoint' && subjectId === id)).toBe(
    true,
  );
  const at = { webhook: webhook.uuid, receiver: 'https://receiver.example' };
  const then = { webhook: webhook.uuid, receiver: 'https://other.example' };
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['webhooks.create', { ...at, types: ['event.created'] }],
    [
      'webhooks.update',
      {
        webhook: webhook.uuid,
        receiver: { from: at.receiver, to: then.receiver },
        types: { from: ['event.created'], to: ['user.deleted'] },
      },
    ],
    ['webhooks.rotate', then],
    ['webhooks.disable', then],
    ['webhooks.enable', then],
    ['webhooks.test', { ...then, message: expect.any(String) }],
    ['webhooks.resend', { message }],
    ['webhooks.resendSince', { ...then, since: start.toISOString(), resent: 0 }],
    ['webhooks.delete', then],
  ]);
});
