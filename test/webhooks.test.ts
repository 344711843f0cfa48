import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createSecretBox, webhookKeysOf } from '../src/access/secret-box.ts';
import { limits } from '../src/config/limits.ts';
import { readLogEnd } from '../src/db/change-log.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { startApp, useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { webhookWays, type Webhook } from './support/webhook-calls.ts';

const start = new Date('2026-11-20T12:00:00.000Z');
const dayMs = 86_400_000;
let now = start;
let tenant: Tenant;

const service = useService({ clock: () => now });
beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});
const url = 'https://receiver.example/hook?token=of-the-receiver';

const ways = webhookWays(() => service);
const create = async (input: object = {}, as = tenant.as.admin): Promise<Webhook> =>
  (await ways.REST(as, 'create', {}, { url, ...input })).it as Webhook;
const stored = (uuid: string) => service.prisma.webhookEndpoint.findFirstOrThrow({ where: { uuid } });
const box = () => createSecretBox(webhookKeysOf([], service.database.config().auth.secrets));
const logEnd = () => readLogEnd(bindToBusiness(service.prisma, tenant.business.id).db);

const createMessage = async ({ uuid }: Webhook, more: object = {}) =>
  service.createWebhookMessage(await stored(uuid), more);

describe.each(Object.entries(ways))('through %s, a webhook', (_name, call) => {
  test('is created with a secret that only this answer shows', async () => {
    const { code, it: made } = await call(tenant.as.admin, 'create', {}, { url, types: ['event.created'] });
    expect(code).toBe('OK');
    expect(made).toEqual({
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      url,
      description: '',
      types: ['event.created'],
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      previous_secret_expires_at: null,
      created_at: start.toISOString(),
      updated_at: start.toISOString(),
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const { secret, ...shown } = made;
    expect((await call(tenant.as.admin, 'list', {})).it).toEqual([shown]);
    expect((await call(tenant.as.admin, 'get', made)).it).toEqual(shown);
    const row = await stored(made.uuid);
    expect(row.secret).not.toContain(secret.slice(6));
    expect(box().open(row.secret)).toBe(secret);
  });

  test('reads the change log from the moment on at which it is created', async () => {
    await service.createEvent(tenant.business);
    const { it } = await call(tenant.as.admin, 'create', {}, { url });
    expect(await stored(it.uuid)).toMatchObject(await logEnd());
  });

  test('is changed only in the fields sent', async () => {
    const { secret: _, ...before } = await create({ description: 'Payroll', types: ['user.created'] });
    now = new Date(start.getTime() + 1000);
    const changed = { ...before, url: 'https://other.example/', updated_at: now.toISOString() };
    expect((await call(tenant.as.admin, 'update', before, { url: 'https://other.example/' })).it).toEqual(changed);
    const types = ['user.deleted'];
    const emptied = { ...changed, description: '', types };
    expect((await call(tenant.as.admin, 'update', before, { description: '', types })).it).toEqual(emptied);
    expect((await call(tenant.as.admin, 'get', before)).it).toEqual(emptied);
    now = new Date(start.getTime() + 2000);
    expect((await call(tenant.as.admin, 'update', before, {})).it).toEqual(emptied);
  });

  test('is deleted with its messages', async () => {
    const webhook = await create();
    const { id } = await createMessage(webhook);
    const { secret: _, ...shown } = webhook;
    expect((await call(tenant.as.admin, 'remove', webhook)).it).toEqual(shown);
    expect((await call(tenant.as.admin, 'get', webhook)).code).toBe('NOT_FOUND');
    expect(await service.prisma.webhookMessage.count({ where: { id } })).toBe(0);
  });

  test('keeps the secret before a rotation for a day, and no longer if it is rotated once more meanwhile', async () => {
    const webhook = await create();
    const secrets = async () => {
      const { secret, previousSecret, previousSecretExpiresAt } = await stored(webhook.uuid);
      return [box().open(secret), previousSecret && box().open(previousSecret), previousSecretExpiresAt];
    };
    const inADay = () => new Date(now.getTime() + dayMs);
    const { it: first } = await call(tenant.as.key, 'rotate', webhook);
    expect(first.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(first.previous_secret_expires_at).toBe(inADay().toISOString());
    expect(await secrets()).toEqual([first.secret, webhook.secret, inADay()]);
    now = new Date(start.getTime() + dayMs - 1);
    const { it: second } = await call(tenant.as.key, 'rotate', webhook);
    const end = new Date(start.getTime() + dayMs);
    expect(await secrets()).toEqual([second.secret, webhook.secret, end]);
    now = end;
    const { it: third } = await call(tenant.as.key, 'rotate', webhook);
    expect(await secrets()).toEqual([third.secret, second.secret, inADay()]);
    expect((await call(tenant.as.key, 'get', webhook)).it).not.toHaveProperty('secret');
  });

  test('is disabled and enabled, and goes on where it was', async () => {
    const webhook = await create();
    const before = await stored(webhook.uuid);
    const disabled = { disabled_at: start.toISOString(), disabled_reason: 'caller' };
    expect((await call(tenant.as.admin, 'disable', webhook)).it).toMatchObject(disabled);
    now = new Date(start.getTime() + 1000);
    expect((await call(tenant.as.admin, 'disable', webhook)).it).toMatchObject(disabled);
    await service.createEvent(tenant.business);
    const enabled = { disabled_at: null, disabled_reason: null, failing_since: null };
    expect((await call(tenant.as.admin, 'enable', webhook)).it).toMatchObject(enabled);
    expect((await call(tenant.as.admin, 'enable', webhook)).it).toMatchObject(enabled);
    expect(await stored(webhook.uuid)).toMatchObject({ revision: before.revision, changeId: before.changeId });
  });

  test('leaves out what it has missed if its caller wants so', async () => {
    const webhook = await create();
    const failing = { disabledAt: now, disabledReason: 'failing', failingSince: now, changeId: 1n };
    await service.prisma.webhookEndpoint.updateMany({ where: { uuid: webhook.uuid }, data: failing });
    await service.createEvent(tenant.business);
    const { it } = await call(tenant.as.admin, 'enable', webhook, { skipMissed: true });
    expect(it).toMatchObject({ disabled_reason: null, failing_since: null });
    expect(await stored(webhook.uuid)).toMatchObject(await logEnd());
  });

  test('does not lose changes unnoticed where the change log has expired', async () => {
    const webhook = await create();
    const expired = { disabledAt: now, disabledReason: 'expired', revision: 5n };
    await service.prisma.webhookEndpoint.updateMany({ where: { uuid: webhook.uuid }, data: expired });
    const { code, message } = await call(tenant.as.admin, 'enable', webhook);
    expect([code, message]).toEqual(['CONFLICT', expect.stringContaining('option to skip them')]);
    expect(await stored(webhook.uuid)).toMatchObject(expired);
    expect((await call(tenant.as.admin, 'enable', webhook, { skipMissed: true })).code).toBe('OK');
    expect(await stored(webhook.uuid)).toMatchObject({ disabledAt: null, ...(await logEnd()) });
  });

  test('gets a test message, whatever its types', async () => {
    const webhook = await create({ types: ['event.created'] });
    const { it: message } = await call(tenant.as.admin, 'test', webhook);
    expect(message).toEqual({
      uuid: expect.any(String),
      type: 'webhook.test',
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: start.toISOString(),
      created_at: start.toISOString(),
      delivered_at: null,
      payload: {
        type: 'webhook.test',
        timestamp: start.toISOString(),
        data: { kind: 'webhookEndpoint', uuid: webhook.uuid },
      },
    });
    expect((await call(tenant.as.admin, 'messages', webhook)).it).toEqual([message]);
    await call(tenant.as.admin, 'disable', webhook);
    expect((await call(tenant.as.admin, 'test', webhook)).code).toBe('CONFLICT');
  });

  test('lists its messages, newest first, by status and type', async () => {
    const webhook = await create();
    const other = await create();
    const made = [
      await createMessage(webhook, { status: 'failed', deliveredAt: null }),
      await createMessage(webhook, { type: 'user.deleted' }),
      await createMessage(webhook),
    ].map(({ uuid }) => uuid);
    await createMessage(other);
    const list = async (input?: object) =>
      (await call(tenant.as.admin, 'messages', webhook, input)).it.map(({ uuid }: Webhook) => made.indexOf(uuid));
    expect(await list()).toEqual([2, 1, 0]);
    expect(await list({ status: 'failed' })).toEqual([0]);
    expect(await list({ status: 'delivered' })).toEqual([2, 1]);
    expect(await list({ type: 'user.deleted' })).toEqual([1]);
    expect(await list({ status: 'pending' })).toEqual([]);
    expect(await list({ perPage: 2, page: 2 })).toEqual([0]);
    expect((await call(tenant.as.admin, 'messages', { uuid: randomUUID() })).code).toBe('NOT_FOUND');
  });

  test('shows the attempts of a message, newest first', async () => {
    const webhook = await create();
    const { uuid: message, id: messageId, businessId } = await createMessage(webhook);
    const refused = { statusCode: 500, durationMs: 12, error: 'The receiver answered 500.', response: 'Oops' };
    await service.prisma.webhookAttempt.create({ data: { businessId, messageId, at: now, ...refused } });
    const later = new Date(now.getTime() + 5000);
    await service.prisma.webhookAttempt.create({
      data: { businessId, messageId, at: later, durationMs: 3, statusCode: 204 },
    });
    expect((await call(tenant.as.admin, 'attempts', { uuid: webhook.uuid, message })).it).toEqual([
      { at: later.toISOString(), status_code: 204, duration_ms: 3, error: null, response: null },
      { at: now.toISOString(), status_code: 500, duration_ms: 12, error: refused.error, response: 'Oops' },
    ]);
    const unknown = { uuid: webhook.uuid, message: randomUUID() };
    expect((await call(tenant.as.admin, 'attempts', unknown)).code).toBe('NOT_FOUND');
  });

  test('sends one message again, whatever its status', async () => {
    const webhook = await create();
    const { uuid: message } = await createMessage(webhook, { attemptCount: 7 });
    now = new Date(start.getTime() + 1000);
    const { it } = await call(tenant.as.admin, 'resend', { uuid: webhook.uuid, message });
    expect(it).toMatchObject({
      uuid: message,
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: now.toISOString(),
      delivered_at: null,
    });
    const unknown = { uuid: webhook.uuid, message: randomUUID() };
    expect((await call(tenant.as.admin, 'resend', unknown)).code).toBe('NOT_FOUND');
  });

  test('sends all messages since a time again, a bounded number in each call', async () => {
    const webhook = await create();
    const { id: endpointId, businessId } = await stored(webhook.uuid);
    const old = await createMessage(webhook, { createdAt: new Date(start.getTime() - 1) });
    const pending = await createMessage(webhook, { status: 'pending', attemptCount: 3, nextAttemptAt: start });
    const columns = { businessId, endpointId, type: 'event.created', payload: '{}', createdAt: start };
    const rows = Array.from({ length: limits.batchRows + 5 }, (_, index) => ({
      ...columns,
      status: index % 2 ? 'failed' : 'delivered',
      nextAttemptAt: null,
    }));
    await service.prisma.webhookMessage.createMany({ data: rows });
    const since = start.toISOString();
    const failed = await call(tenant.as.admin, 'resendSince', webhook, { since, status: 'failed' });
    expect(failed.it).toEqual({ resent: 502, next_cursor: null });
    await service.prisma.webhookMessage.updateMany({
      where: { endpointId, status: 'pending', id: { not: pending.id } },
      data: { status: 'failed', nextAttemptAt: null },
    });
    const { it: first } = await call(tenant.as.admin, 'resendSince', webhook, { since });
    expect(first).toEqual({ resent: limits.batchRows, next_cursor: expect.any(String) });
    const { it: rest } = await call(tenant.as.admin, 'resendSince', webhook, { since, after: first.next_cursor });
    expect(rest).toEqual({ resent: 5, next_cursor: null });
    const states = await service.prisma.webhookMessage.groupBy({
      by: ['status', 'attemptCount'],
      where: { endpointId },
      _count: true,
      orderBy: { attemptCount: 'asc' },
    });
    expect(states).toEqual([
      { status: 'pending', attemptCount: 0, _count: 1005 },
      { status: 'delivered', attemptCount: old.attemptCount, _count: 1 },
      { status: 'pending', attemptCount: 3, _count: 1 },
    ]);
    const wrong = await call(tenant.as.admin, 'resendSince', webhook, { since, after: 'nothing' });
    expect([wrong.code, Object.keys(wrong.errors)]).toEqual(['VALIDATION_FAILED', ['after']]);
  });

  test('is refused over the limit of a business', async () => {
    await create();
    const {
      id: _,
      uuid: __,
      ...row
    } = await service.prisma.webhookEndpoint.findFirstOrThrow({
      where: { businessId: tenant.business.id },
    });
    await service.prisma.webhookEndpoint.createMany({
      data: Array.from({ length: limits.receiversMax - 1 }, () => row),
    });
    const { code, message } = await call(tenant.as.admin, 'create', {}, { url });
    expect([code, message]).toEqual(['CONFLICT', `A business can have at most ${limits.receiversMax} webhooks.`]);
    expect((await call(tenant.as.admin, 'list', {})).it).toHaveLength(limits.receiversMax);
  });

  test.each([
    ['no URL', 'receiver', 'must be a URL that starts with https:// or http://'],
    ['another protocol', 'ftp://receiver.example/', 'must be a URL that starts with https:// or http://'],
    ['white space', ' https://receiver.example/', 'must be a URL that starts with https:// or http://'],
    ['a user name', 'https://me@receiver.example/', 'must not have a user name or password'],
    ['a fragment', 'https://receiver.example/#top', 'must not have a fragment'],
    ['an empty fragment', 'https://receiver.example/#', 'must not have a fragment'],
    ...[
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '10.1.2.3',
      '169.254.169.254',
      '172.31.0.1',
      '192.168.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '[::1]',
      '[::]',
      '[::ffff:10.0.0.1]',
      '[64:ff9b::a00:1]',
      '[fd00::1]',
      '[fe80::1]',
      '[2002:a00:1::]',
    ].map((host): [string, string, string] => [
      `the host ${host}`,
      `https://${host}/`,
      'must have a host that is public, and no private address or localhost',
    ]),
  ])('is refused with %s', async (_what, wrong, message) => {
    const refusal = await call(tenant.as.admin, 'create', {}, { url: wrong });
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', errors: { url: [message] } });
    const webhook = await create();
    const change = await call(tenant.as.admin, 'update', webhook, { url: wrong });
    expect(change).toMatchObject({ code: 'VALIDATION_FAILED', errors: { url: [message] } });
  });

  test('is refused with all of its faults at once', async () => {
    const input = { url: 'https://me@10.0.0.1/', description: 'x'.repeat(201) };
    const { code, errors } = await call(tenant.as.admin, 'create', {}, input);
    expect([code, Object.keys(errors).sort(), errors['url']?.length]).toEqual([
      'VALIDATION_FAILED',
      ['description', 'url'],
      2,
    ]);
    const long = await call(tenant.as.admin, 'create', {}, { url: `https://a.example/${'x'.repeat(2000)}` });
    expect(long.errors).toEqual({ url: ['must have at most 2000 characters'] });
    for (const types of [['event.created', 'event.created'], ['webhook.test']]) {
      const wrong = await call(tenant.as.admin, 'create', {}, { url, types });
      expect([wrong.code, Object.keys(wrong.errors)[0]]).toEqual([
        'VALIDATION_FAILED',
        expect.stringMatching(/^types/),
      ]);
    }
  });

  test('names public addresses of both kinds', async () => {
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 'receiver.example:8443', 'xn--bcher-kva.example'])
      expect((await call(tenant.as.admin, 'create', {}, { url: `https://${host}/` })).code).toBe('OK');
  });
});

test('in production only https is allowed, and addresses inside where the operator allows them', async () => {
  const env = { NODE_ENV: 'production', CALLBOARD_WEBHOOK_ALLOW: '10.1.0.0/16,::1' };
  const strict = await startApp({ beside: service, env, clock: () => now });
  const send = async (to: string) => {
    const { body } = await strict.call('POST', '/v1/webhooks', { as: tenant.as.admin, body: { url: to } });
    return body.errors?.url ?? 'OK';
  };
  expect(await send('http://receiver.example/')).toEqual(['must be a URL that starts with https://']);
  for (const host of ['10.1.2.3', 'localhost', '[::1]']) expect(await send(`https://${host}/`)).toBe('OK');
  for (const host of ['10.2.2.3', '127.0.0.1'])
    expect(await send(`https://${host}/`)).toEqual([expect.stringContaining('public')]);
  await strict.close();
});
