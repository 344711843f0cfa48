import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { switchableKinds } from '../src/fields/mails.ts';
import type { User } from '../src/generated/prisma/client.ts';
import { startApp, useOneTenant, useService, type TestApp } from './support/app.ts';
import { mailEnv, signingSecret } from './support/config.ts';
import { secretIn, startMailServer } from './support/mails.ts';
import { expectAnswer, offersOf } from './support/offers.ts';
import { until } from './support/webhooks.ts';

/* JWT_SECRETS are rotated while mails wait, and after others were sent. */

const mailServer = await startMailServer();
const lines: Record<string, unknown>[] = [];
const env = { ...mailEnv(mailServer.url), TRUST_PROXY: '127.0.0.1' };
// It runs no jobs, and has a secret that the two processes with jobs lack.
const service = useService({ env });
const tenant = useOneTenant(service, 'enterprise');
const withSecret = (secret: string) =>
  startApp({
    beside: service,
    env: { ...env, JWT_SECRETS: secret, LOG_LEVEL: 'info' },
    logTo: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    jobs: { watchMs: 10, pauseMs: 10 },
  });
let before: TestApp;
let after: TestApp;
beforeAll(async () => {
  before = await withSecret(`test:${signingSecret},old:an-earlier-secret-of-these-tests-0123`);
  await before.app.jobs.start();
  await until(() => service.prisma.mailCursor.findFirst({ where: { businessId: tenant.business.id } }));
});
afterAll(async () => {
  await after.close();
  await mailServer.close();
});

const mailTo = ({ email }: Pick<User, 'email'>, subject: RegExp) =>
  until(() => mailServer.to(email).find((mail) => subject.test(mail.subject ?? '')));
const pathIn = (text = '') => /https:\/\/staff\.callboard\.example\/app\/unsubscribe#(\S+)/.exec(text)![1]!;
const unsubscribe = (token: string) =>
  after.app.http.inject({ method: 'POST', url: `/v1/mails/unsubscribe/${token}`, payload: {} });

test('mails that wait are sent with links that work, and earlier ones can be unsubscribed from', async () => {
  const offers = offersOf(service, tenant);
  const [ann, bo, cy] = [...(await offers.newPeople(3))] as unknown as readonly [User, User, User];
  const event = await service.createEvent(tenant.business);
  const callTime = await service.createCallTime(event, { staffNeeded: 3 });
  await service.prisma.user.updateMany({
    where: { businessId: tenant.business.id, id: cy.id },
    data: { passwordHash: null },
  });
  expectAnswer(await offers.send(callTime, [ann]), 201);
  const early = await mailTo(ann, /^Can you work/);

  // Three wait.
  mailServer.refuses = 'greeting';
  mailServer.disconnect();
  expectAnswer(await offers.send(callTime, [bo]), 201);
  const invited = await before.call('POST', `/api/v1/users/${cy.id}/invitation`, { as: tenant.as.admin });
  expect(expectAnswer(invited, 201).is_mailed).toBe(true);
  expectAnswer(await before.call('POST', '/v1/passwords/forgotten', { body: { email: tenant.admin.email } }), 200);
  await until(
    async () =>
      (await service.prisma.mail.count({ where: { businessId: tenant.business.id, status: 'pending' } })) === 3,
  );
  await before.close();
  after = await withSecret('new:a-later-secret-of-these-tests-alone-0123');
  await after.app.jobs.start();
  mailServer.refuses = null;

  const offered = await mailTo(bo, /^Can you work/);
  const answered = await after.call('POST', '/v1/mails/offers/answers', {
    body: { secret: secretIn(offered, 'answer'), answer: 'accept' },
  });
  expect(expectAnswer(answered, 200)).toMatchObject({ state: 'accepted' });
  const claimed = await after.call('POST', '/v1/invitations/claims', {
    body: { secret: secretIn(await mailTo(cy, /./), 'invitation'), password: 'the first of mine' },
  });
  expect(expectAnswer(claimed, 200)).toEqual({ email: cy.email });
  const set = await after.call('POST', '/v1/passwords/forgotten/claims', {
    body: { secret: secretIn(await mailTo(tenant.admin, /./), 'new-password'), password: 'a new one of mine' },
  });
  expect(expectAnswer(set, 200)).toEqual({ email: tenant.admin.email });
  expect(lines.filter(({ msg }) => String(msg).startsWith('the link of a mail is made anew'))).toHaveLength(3);

  const token = pathIn(early.text);
  for (const wrong of [
    token.replace('offer', 'reminder'),
    token.replace('offer', 'invitation'),
    `9999999999${token}`,
    `${token}0`,
  ])
    expect((await unsubscribe(wrong)).statusCode).toBe(401);
  expect((await unsubscribe(token)).statusCode).toBe(200);
  const { mailOff } = await service.prisma.user.findFirstOrThrow({
    where: { businessId: tenant.business.id, id: ann.id },
  });
  expect(mailOff).toEqual(['offer']);
});

test('tokens that an earlier version derived work as long as their secret is in the list', async () => {
  const of = { businessId: tenant.business.id, userId: tenant.staff.id };
  for (const kind of switchableKinds) {
    const token = service.offToken({ ...of, kind });
    expect((await unsubscribe(token)).statusCode).toBe(401);
    const there = await service.app.http.inject({ method: 'POST', url: `/v1/mails/unsubscribe/${token}`, payload: {} });
    expect(there.statusCode).toBe(200);
  }
});
