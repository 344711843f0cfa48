import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { retrySchedule } from '../src/jobs/schedule.ts';
import { changeable, changes } from './support/changes.ts';
import {
  atOnce,
  createEndpoint,
  newSecret,
  sealSecret,
  startReceiver,
  startTcpReceiver,
  until,
  verify,
  type Receiver,
} from './support/webhooks.ts';

/* Webhooks from a change to the receiver, by the jobs of the service. */

let tenant: Tenant;
let receiver: Receiver;

/** How far the clock of the service is ahead. */
let aheadMs = 0;
/** Retries at once, unless a test sets other waits. */
const schedule = { ...atOnce };
const attemptMs = 1500;
const dayMs = 86_400_000;
const metricsToken = 'a-token-of-the-metrics';

const service = useService({
  env: { CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8', METRICS_TOKEN: metricsToken },
  clock: () => new Date(Date.now() + aheadMs),
  jobs: { watchMs: 30, schedule, attemptMs },
});

beforeAll(async () => {
  await service.app.jobs.start();
});

beforeEach(async () => {
  tenant = await service.createTenant();
  receiver = await startReceiver();
});

afterEach(async () => {
  aheadMs = 0;
  Object.assign(schedule, atOnce);
  await service.prisma.webhookEndpoint.deleteMany();
  await receiver.close();
});

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
    expect(stored).toMatchObject({
      attemptCount: 1,
      nextAttemptAt: null,
      attempts: [{ statusCode: 204, error: null }],
    });
    expect(receiver.received).toHaveLength(1);
  });

  test('is delivered to each endpoint that wants its type, and to no endpoint of another business', async () => {
    const other = await service.createTenant();
    await createEndpoint(service.database, other.business, { url: `${receiver.origin}/other` });
    await endpointAt(`${receiver.origin}/users`, { types: ['user.created'] });
    await endpointAt(`${receiver.origin}/events`, { types: ['event.created', 'event.updated'] });
    await endpointAt(`${receiver.origin}/all`);
    await createEvent();
    await service.createUser(tenant.business, 'staff');
    await until(() => receiver.received.length === 4);
    const got = receiver.received.map(({ path, type }) => `${path} ${type}`).sort();
    expect(got).toEqual(['/all event.created', '/all user.created', '/events event.created', '/users user.created']);
  });

  test('has the type of what the operation did', async () => {
    const rows = await changeable(service, tenant);
    await endpointAt(receiver.origin);
    const operations = ['updateEvent', 'updateCallTime', 'confirmShift', 'declineShift', 'deleteShift'];
    const types: (string | undefined)[] = [];
    for (const [index, name] of operations.entries()) {
      expect(await changes[name]!.send(service, tenant.as.admin, rows)).toBe('OK');
      await until(() => receiver.received.length > index);
      types.push(receiver.received[index]?.type);
    }
    expect(types).toEqual([
      'event.updated',
      'call_time.updated',
      'work_shift.confirmed',
      'work_shift.declined',
      'work_shift.deleted',
    ]);
  });

  test('of many rows in one commit is delivered whole', async () => {
    const { id } = await endpointAt(receiver.origin);
    const { business } = tenant;
    const [{ id: fieldId }, event] = [await service.createCustomField(business), await service.createEvent(business)];
    const users = Array.from({ length: 700 }, (_, n) => ({
      ...{ businessId: business.id, role: 'staff' as const, name: `P ${n}`, firstName: 'P', lastName: `${n}` },
      ...{ email: `p${n}@${business.id}.example`, emailKey: `p${n}@${business.id}.example` },
    }));
    await service.prisma.$transaction([
      service.prisma.customFieldValue.create({
        data: { businessId: business.id, eventId: event.id, customFieldId: fieldId, value: 'x' },
      }),
      service.prisma.user.createMany({ data: users }),
    ]);
    await until(() => receiver.received.length >= 703);
    await until(async () => (await messages(id)).every(({ status }) => status === 'delivered'));
    const ids = new Set(receiver.received.map((message) => message.id));
    expect([ids.size, receiver.received.length]).toEqual([703, 703]);
  });
});

describe('an attempt that fails', () => {
  const firstMessage = async (endpointId: number) => (await messages(endpointId))[0];

  test('is repeated with the same id until the receiver accepts the message', async () => {
    const { id, plainSecret } = await endpointAt(receiver.origin);
    receiver.answer = (_message, response) =>
      response.writeHead(receiver.received.length < 3 ? 500 : 200).end('{"error":"try later"}');
    await createEvent();
    const message = await until(async () => {
      const first = await firstMessage(id);
      return first?.status === 'delivered' && first;
    });
    expect(new Set(receiver.received.map((received) => received.id)).size).toBe(1);
    for (const received of receiver.received) verify(received, plainSecret);
    expect(message.attempts.map(({ statusCode, error, response }) => [statusCode, error, response])).toEqual([
      [500, 'status 500', '{"error":"try later"}'],
      [500, 'status 500', '{"error":"try later"}'],
      [200, null, null],
    ]);
    const endpoint = await service.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } });
    expect(endpoint).toMatchObject({ failingSince: null, disabledAt: null });
  });

  test('is the last one after ten', async () => {
    const { id } = await endpointAt(receiver.origin);
    receiver.answer = (_message, response) => response.writeHead(400).end();
    await createEvent();
    const message = await until(async () => {
      const first = await firstMessage(id);
      return first?.status === 'failed' && first;
    });
    expect(message).toMatchObject({ attemptCount: 10, nextAttemptAt: null, deliveredAt: null });
    expect(receiver.received).toHaveLength(10);
  });

  test('is one that redirects: nobody follows', async () => {
    const { id } = await endpointAt(`${receiver.origin}/hook`);
    schedule.delaysMs = [];
    receiver.answer = (_message, response) =>
      response.writeHead(307, { location: `${receiver.origin}/elsewhere` }).end();
    await createEvent();
    const message = await until(async () => {
      const first = await firstMessage(id);
      return first?.status === 'failed' && first;
    });
    expect(message.attempts).toMatchObject([{ statusCode: 307, error: 'status 307' }]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  test.each([
    ['5 seconds later, and up to a fifth more', undefined, 5000, 6000],
    ['when the receiver asks for it', '3600', 3_600_000, 3_600_000],
    ['not later than after a day', '9999999', dayMs, dayMs],
  ])('is repeated %s', async (_when, retryAfter, leastMs, mostMs) => {
    Object.assign(schedule, retrySchedule);
    const { id } = await endpointAt(receiver.origin);
    receiver.answer = (_message, response) =>
      response.writeHead(503, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    const before = Date.now();
    await createEvent();
    const message = await until(async () => {
      const first = await firstMessage(id);
      // The message and its attempts are read one after the other.
      return first?.attemptCount === 1 && first.attempts.length === 1 && first;
    });
    expect(message).toMatchObject({ status: 'pending' });
    const [attempt] = message.attempts;
    expect(message.nextAttemptAt!.getTime()).toBeGreaterThanOrEqual(before + leastMs);
    expect(message.nextAttemptAt!.getTime()).toBeLessThanOrEqual(
      attempt!.at.getTime() + attempt!.durationMs + mostMs + 1000,
    );
    // When it is due, it is sent.
    aheadMs = mostMs + 1000;
    await until(() => receiver.received.length === 2);
  });
});

describe('an endpoint is disabled', () => {
  const disabled = (id: number) =>
    until(async () => {
      const endpoint = await service.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } });
      return endpoint.disabledAt && endpoint;
    });

  test('when it answers 410, and gets nothing more', async () => {
    const { id } = await endpointAt(receiver.origin);
    receiver.answer = (_message, response) => response.writeHead(410).end();
    await createEvent();
    expect(await disabled(id)).toMatchObject({ disabledReason: 'gone' });
    const { uuid } = await service.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } });
    expect(await service.prisma.auditEntry.findFirst({ where: { businessId: tenant.business.id } })).toMatchObject({
      ...{ action: 'webhooks.disable', outcome: 'done', actorKind: 'service', actorId: null },
      ...{ subjectKind: 'webhookEndpoint', subjectId: id },
      details: { webhook: uuid, receiver: receiver.origin, reason: 'gone' },
    });
    expect(await messages(id)).toMatchObject([{ status: 'failed', attemptCount: 1 }]);
    const { id: otherId } = await endpointAt(`${receiver.origin}/other`);
    receiver.answer = (_message, response) => response.writeHead(200).end();
    await createEvent();
    await until(async () => (await messages(otherId))[0]?.status === 'delivered');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/other']);
  });

  test('after five days of nothing but failures', async () => {
    Object.assign(schedule, retrySchedule);
    const { id } = await endpointAt(receiver.origin);
    receiver.answer = (_message, response) => response.writeHead(500).end();
    await createEvent();
    await until(async () => (await messages(id))[0]?.attempts.length === 1);
    aheadMs = 5 * dayMs - 60_000;
    await until(async () => (await messages(id))[0]?.attempts.length === 2);
    expect(await service.prisma.webhookEndpoint.findFirst({ where: { id } })).toMatchObject({ disabledAt: null });
    aheadMs = 5 * dayMs + 3_600_000;
    expect(await disabled(id)).toMatchObject({ disabledReason: 'failing' });
  });

  test('when the log no longer has the changes since its last message', async () => {
    const { id } = await endpointAt(receiver.origin, { revision: 1n });
    await createEvent();
    expect(await disabled(id)).toMatchObject({ disabledReason: 'expired' });
    expect(receiver.received).toEqual([]);
  });
});

test('during a rotation, messages are signed with both secrets, and after it with the new one', async () => {
  const oldSecret = newSecret();
  const { id, plainSecret } = await endpointAt(receiver.origin, {
    previousSecret: sealSecret(service.database, oldSecret),
    previousSecretExpiresAt: new Date(Date.now() + 3_600_000),
  });
  await createEvent();
  const during = await until(() => receiver.received[0]);
  verify(during, plainSecret);
  verify(during, oldSecret);
  await service.prisma.webhookEndpoint.updateMany({ where: { id }, data: { previousSecretExpiresAt: new Date() } });
  await createEvent();
  const after = await until(() => receiver.received[1]);
  verify(after, plainSecret);
  expect(() => verify(after, oldSecret)).toThrow('No matching signature found');
});

describe('a receiver', () => {
  const lastAttempt = async (id: number) => (await messages(id))[0]?.attempts[0];

  test('that never answers has its time, and delays no other', async () => {
    const silent = await startTcpReceiver(() => undefined);
    const slow = await endpointAt(silent.origin);
    const fast = await endpointAt(receiver.origin);
    schedule.delaysMs = [];
    for (let count = 0; count < 12; count++) await createEvent();
    await until(async () => (await messages(fast.id)).filter(({ status }) => status === 'delivered').length === 12);
    // The fast endpoint has all of its messages before the slow one has answered, or failed to answer, the first.
    const first = await until(() => lastAttempt(slow.id));
    const lastFast = (await messages(fast.id))
      .map(({ deliveredAt }) => deliveredAt!.getTime())
      .sort((a, b) => b - a)[0]!;
    expect(first).toMatchObject({ statusCode: null, error: 'no answer within 1.5 s' });
    expect(lastFast).toBeLessThan(first.at.getTime() + first.durationMs + 2 * attemptMs);
    await until(async () => (await messages(slow.id)).every(({ status }) => status === 'failed'));
    await until(() => silent.countOpen() === 0);
    await silent.close();
  });

  test.each([
    ['closes at once', (socket: { destroy(): void }) => socket.destroy()],
    ['answers something else', (socket: { end(text: string): void }) => socket.end('SSH-2.0-OpenSSH\r\n')],
  ])('that %s has failed', async (_what, onConnection) => {
    const broken = await startTcpReceiver(onConnection);
    const { id } = await endpointAt(broken.origin);
    schedule.delaysMs = [];
    await createEvent();
    const attempt = await until(() => lastAttempt(id));
    expect(attempt).toMatchObject({ statusCode: null, error: expect.any(String) });
    await broken.close();
  });

  test.each([200, 500])('that answers %i with 1 GB is cut off', async (status) => {
    let sent = 0;
    const chunk = Buffer.alloc(65_536, 'x');
    const endless = await startTcpReceiver((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 ${status} OK\r\ncontent-length: 1073741824\r\n\r\n`);
        const more = () => {
          while (!socket.destroyed && sent < 1_073_741_824) {
            sent += chunk.length;
            if (!socket.write(chunk)) return void socket.once('drain', more);
          }
        };
        more();
      });
    });
    const { id } = await endpointAt(endless.origin);
    schedule.delaysMs = [];
    await createEvent();
    const attempt = await until(() => lastAttempt(id));
    expect(attempt.statusCode).toBe(status);
    expect(attempt.response).toBe(status === 200 ? null : 'x'.repeat(1024));
    await until(() => endless.countOpen() === 0);
    expect(sent).toBeLessThan(16_777_216);
    await endless.close();
  });

  test('that sends its answer byte by byte has its time', async () => {
    const drip = await startTcpReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const timer = setInterval(() => socket.write('a'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    const { id } = await endpointAt(drip.origin);
    schedule.delaysMs = [];
    await createEvent();
    expect(await until(() => lastAttempt(id))).toMatchObject({ error: 'no answer within 1.5 s' });
    await until(() => drip.countOpen() === 0);
    await drip.close();
  });
});

test('the metrics count attempts, and show what waits and which endpoints are disabled', async () => {
  const figures = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const { body } = await service.app.http.inject({ url: '/metrics', headers });
    const lines = body.split('\n').filter((line) => line.startsWith('callboard_webhook_') && !line.includes('_bucket'));
    return Object.fromEntries(
      lines
        .map((line) => line.replace('callboard_webhook_', '').split(' ') as [string, string])
        .map(([name, value]) => [name, Number(value)]),
    ) as Record<string, number>;
  };
  const before = await figures();
  const accepting = await endpointAt(receiver.origin);
  await endpointAt('http://10.0.0.1/');
  const { id: goneId } = await endpointAt(`${receiver.origin}/gone`);
  receiver.answer = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 204).end();
  Object.assign(schedule, retrySchedule);
  await createEvent();
  await until(async () => (await messages(accepting.id))[0]?.status === 'delivered');
  await until(() => service.prisma.webhookEndpoint.findFirst({ where: { id: goneId, disabledAt: { not: null } } }));
  const after = await until(async () => {
    const read = await figures();
    return (read['attempt_duration_seconds_count{outcome="refused"}'] ?? 0) > 0 && read;
  });
  const grown = (outcome: string) => {
    const name = `attempt_duration_seconds_count{outcome="${outcome}"}`;
    return (after[name] ?? 0) - (before[name] ?? 0);
  };
  expect([grown('delivered'), grown('failed'), grown('refused')]).toEqual([1, 1, 1]);
  expect(after).toMatchObject({ messages_pending: 1, endpoints_enabled: 2, endpoints_disabled: 1, late_seconds: 0 });
});
