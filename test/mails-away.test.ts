import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../src/generated/prisma/client.ts';
import { retrySchedule } from '../src/jobs/schedule.ts';
import { startApp, useOneTenant, useService } from './support/app.ts';
import { mailEnv } from './support/config.ts';
import { startMailServer } from './support/mails.ts';
import { until } from './support/webhooks.ts';

/* A mail server that is away, or refuses the service, says nothing of the mails that wait for it. */

let mailServer = await startMailServer();
const { url } = mailServer;
const token = 'a-token-of-the-metrics';
const lines: Record<string, unknown>[] = [];
const service = useService({
  env: { ...mailEnv(url.replace('://', '://callboard:secret@')), METRICS_TOKEN: token, LOG_LEVEL: 'info' },
  logTo: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  // A mail that is charged an attempt waits for five seconds, and then for five minutes: no test waits for that.
  jobs: { watchMs: 10, pauseMs: 10, schedule: retrySchedule, attemptMs: 1500 },
});
const tenant = useOneTenant(service, 'enterprise');

beforeAll(() => service.app.jobs.start());
afterAll(() => mailServer.close());
beforeEach(() => {
  mailServer.refuses = null;
  lines.length = 0;
});

const newPeople = (count: number, kind = 'staff') =>
  Promise.all(
    Array.from({ length: count }, () => {
      const email = `${kind}-${crypto.randomUUID()}@example.com`;
      return service.createUser(tenant.business, 'staff', { email, emailKey: email, passwordHash: null });
    }),
  );
const invite = async (people: readonly User[]) => {
  const { status } = await service.call('POST', '/v1/invitations/batch', {
    as: tenant.as.admin,
    body: { user_ids: people.map(({ id }) => id) },
  });
  expect(status).toBe(201);
};
const mailsTo = (people: readonly User[]) =>
  service.prisma.mail.findMany({
    where: { businessId: tenant.business.id, userId: { in: people.map(({ id }) => id) } },
  });
const areSent = (people: readonly User[]) =>
  until(async () => (await mailsTo(people)).every(({ status }) => status === 'sent'));
const degraded = async () => {
  const { body } = await service.call('GET', '/readyz');
  return ((body as { degraded?: { part: string; message: string }[] }).degraded ?? []).map(({ part }) => part);
};
const metric = async (name: string) => {
  const { body } = await service.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  const [, value] = new RegExp(`^callboard_${name} (.*)$`, 'm').exec(body) ?? [];
  return Number(value ?? 0);
};

/** A figure that took long to read is shown for some time before it is read again. */
const shows = async (name: string, value: number) => (await metric(name)) === value;

const away: Record<string, () => unknown> = {
  'is down': () => mailServer.close(),
  'closes with 421': () => (mailServer.refuses = 'greeting'),
  'refuses the log-in': () => (mailServer.refuses = 'logIn'),
  'refuses the sender': () => (mailServer.refuses = 'sender'),
  'drops each line': () => (mailServer.refuses = 'line'),
};

test.each(Object.entries(away))(
  '40 mails wait while the server %s, and are sent at their first attempt',
  async (what, leave) => {
    await leave();
    mailServer.disconnect();
    const people = await newPeople(40);
    const sentBefore = await metric('mails_total{outcome="sent"}');
    await invite(people);
    await until(async () => (await degraded()).includes('mail'), { timeoutMs: 10_000 });
    // Each pause is twice as long as the one before.
    const asked = mailServer.asked;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(mailServer.asked - asked).toBeLessThan(25);
    // At most one is under way.
    await until(async () => (await mailsTo(people)).filter(({ attemptCount }) => attemptCount > 0).length <= 1);
    expect((await mailsTo(people)).map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 'pending'));
    await until(() => shows('mails_pending', 40));
    expect(await metric('mail_late_seconds')).toBeGreaterThan(0);
    if (what === 'is down') mailServer = await startMailServer(Number(new URL(url).port));
    else mailServer.refuses = null;
    await areSent(people);
    expect((await mailsTo(people)).map(({ attemptCount }) => attemptCount)).toEqual(
      Array.from({ length: 40 }, () => 1),
    );
    expect(await degraded()).toEqual([]);
    await until(() => shows('mails_pending', 0));
    expect((await metric('mails_total{outcome="sent"}')) - sentBefore).toBe(40);
  },
);

test('the server is asked without a mail where none waits any more', async () => {
  mailServer.refuses = 'greeting';
  mailServer.disconnect();
  const [ann] = await newPeople(1);
  await invite([ann!]);
  await until(async () => (await degraded()).includes('mail'), { timeoutMs: 10_000 });
  await service.call('DELETE', `/api/v1/users/${ann!.id}`, { as: tenant.as.admin });
  await until(async () => (await mailsTo([ann!]))[0]?.status === 'dropped');
  mailServer.refuses = null;
  await until(async () => (await degraded()).length === 0);
  expect(lines.filter(({ msg }) => String(msg).startsWith('a mail is not sent'))).toMatchObject([
    { kind: 'invitation' },
  ]);
});

describe.each(['later', 'later2', 'hang', 'drop'])('a mailbox of one person: %s', (kind) => {
  test('delays that mail alone, and the service is not degraded', async () => {
    const [[full], others] = await Promise.all([newPeople(1, kind), newPeople(3)]);
    await invite([full!]);
    await until(async () => {
      const [mail] = await mailsTo([full!]);
      return mail?.attemptCount === 1 && mail.dueAt!.getTime() - mail.createdAt.getTime() < 30_000;
    });
    expect(await degraded()).toEqual([]);
    await invite(others);
    await areSent(others);
    expect((await mailsTo([full!])).map(({ status }) => status)).toEqual(['pending']);
    await service.call('DELETE', `/api/v1/users/${full!.id}`, { as: tenant.as.admin });
  });
});

test('a look that fails is not blamed on the mail server', async () => {
  await service.prisma.$executeRaw`ALTER TABLE mail_cursors RENAME TO gone`;
  await until(async () => (await degraded()).length > 0);
  const { body } = await service.call('GET', '/readyz');
  await service.prisma.$executeRaw`ALTER TABLE gone RENAME TO mail_cursors`;
  expect(body.degraded).toEqual([
    { part: 'mail_jobs', message: expect.stringMatching(/^mails that wait cannot be read/) },
  ]);
  expect(JSON.stringify(body)).not.toContain('mail server');
  await until(async () => (await degraded()).length === 0);
});

test('a process that runs jobs without a mail server says once that mails wait', async () => {
  mailServer.refuses = 'greeting';
  mailServer.disconnect();
  const said: string[] = [];
  const [ann] = await newPeople(1);
  await invite([ann!]);
  const silent = await startApp({
    beside: service,
    env: { LOG_LEVEL: 'warn' },
    clock: () => new Date(Date.now() + 3_600_000),
    logTo: { write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg) },
    jobs: { watchMs: 10 },
  });
  try {
    await silent.app.jobs.start();
    await until(() => said.some((msg) => msg.startsWith('mails wait, and this process sends none')));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(said.filter((msg) => msg.startsWith('mails wait'))).toHaveLength(1);
  } finally {
    await silent.close();
    mailServer.refuses = null;
  }
});
