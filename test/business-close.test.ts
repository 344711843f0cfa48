import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeDueAttendance, settleDueOffers } from '../src/bin/due-work.ts';
import { useService, type TestAnswer } from './support/app.ts';
import { mailEnv } from './support/config.ts';
import { password, type Tenant } from './support/factories.ts';
import { startMailServer } from './support/mails.ts';
import { createScreen, fromFreshAddress } from './support/screens.ts';
import { callSession } from './support/sessions.ts';
import { keepOpen, openStream } from './support/streams.ts';
import { createEndpoint, startReceiver, until, type Receiver } from './support/webhooks.ts';

/* One row closes a business: no credential of it works, and no job sends anything for it. Another one is beside it, to compare. */

const mailServer = await startMailServer();
const service = useService({
  env: {
    ...mailEnv(mailServer.url),
    CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8',
    CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
    TRUST_PROXY: '127.0.0.1',
  },
  jobs: { watchMs: 20 },
});
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  await service.app.jobs.start();
});
afterAll(async () => {
  await receiver.close();
  await mailServer.close();
});

const keep = keepOpen();
const setClosed = ({ business: { id } }: Tenant, isClosed: boolean) =>
  service.prisma.business.update({ where: { id }, data: { closedAt: isClosed ? new Date() : null } });
const post = (url: string, body: object) => service.call('POST', url, { body, headers: fromFreshAddress() });

/** Uses each credential of a business once, and says by its name whether it was taken. */
async function credentialsOf(tenant: Tenant) {
  const { business, admin, staff, as } = tenant;
  const [{ token: screen }, feed, session, invited, spare] = await Promise.all([
    createScreen(service.prisma, tenant),
    service.createFeed(admin),
    service.createSession(admin),
    service.createInvitation(business),
    service.createUser(business, 'staff', { passwordHash: admin.passwordHash }),
  ]);
  const event = await service.createEvent(business);
  const position = await service.createPosition(business);
  const offered = await service.createCallTime(event, { positionId: position.id, staffNeeded: 3 });
  const recipient = await service.createRecipient(await service.createOffer(offered), staff);
  const secret = await service.createMail(staff, 'offer', recipient.id);
  const passwordSecret = await service.createMail(spare, 'password');
  const bearer = (token: string, url = '/v1/viewer') => service.call('GET', url, { as: token });
  const uses: Record<string, () => Promise<TestAnswer | { status: number }>> = {
    token: () => bearer(as.staff),
    'token in GraphQL': () => service.graphql('{ mySessions { uuid } }', { as: as.staff }),
    key: () => bearer(as.key, '/v1/events'),
    screen: () => bearer(screen, '/v1/my_screen'),
    feed: async () => ({ status: (await service.inject({ url: feed.path, headers: fromFreshAddress() })).statusCode }),
    session: () => callSession(service, 'POST', { body: {}, cookie: session.cookie, headers: fromFreshAddress() }),
    password: () => post('/v1/auth/login', { email: admin.email, password }),
    'mail of an offer': () => post('/v1/mails/offers', { secret }),
    'link to a new password': () =>
      post('/v1/passwords/forgotten/claims', { secret: passwordSecret, password: 'a new one of mine' }),
    invitation: () => post('/v1/invitations/claims', { secret: invited.secret, password: 'the first of mine' }),
  };
  return async () => {
    const statuses: Record<string, number> = {};
    for (const [name, use] of Object.entries(uses)) statuses[name] = (await use()).status;
    return statuses;
  };
}

test('no credential of a closed business works, and all of them do again once it is open', async () => {
  const [closed, other] = [await service.createTenant(), await service.createTenant()];
  const [use, useOther] = [await credentialsOf(closed), await credentialsOf(other)];
  const stream = await keep(openStream(await service.listen(), '/v1/changes/stream', { as: closed.as.key }));
  expect(stream.status).toBe(200);
  await setClosed(closed, true);
  const refused = await use();
  expect(new Set(Object.values(refused))).toEqual(new Set([401, 404]));
  await stream.ended;
  const off = service.offToken({ businessId: closed.business.id, userId: closed.staff.id, kind: 'offer' });
  expect((await post(`/v1/mails/unsubscribe/${off}`, {})).status).toBe(200);
  expect((await post('/v1/passwords/forgotten', { email: closed.admin.email })).status).toBe(200);
  expect(
    await service.prisma.mail.count({ where: { businessId: closed.business.id, kind: 'password', status: 'pending' } }),
  ).toBe(0);
  const taken = await useOther();
  expect(Object.entries(taken).filter(([, status]) => status >= 300)).toEqual([]);
  await setClosed(closed, false);
  expect(await use()).toEqual(taken);
});

test('no job works for a closed business, and what waits is sent once it is open', async () => {
  const [closed, other] = [await service.createTenant(), await service.createTenant()];
  const both = [closed, other];
  for (const { business } of both) {
    await until(() => service.prisma.mailCursor.findFirst({ where: { businessId: business.id } }));
    await createEndpoint(service.database, business, { url: `${receiver.origin}/${business.id}` });
  }
  await setClosed(closed, true);
  const soon = new Date(Date.now() + 3_600_000);
  const wall = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
  for (const { business, staff } of both) {
    const positionId = (await service.createPosition(business)).id;
    const event = await service.createEvent(business, {
      timezone: 'UTC',
      start: wall(soon),
      end: wall(new Date(soon.getTime() + 3_600_000)),
    });
    const place = await service.createCallTime(event, {
      positionId,
      start: wall(soon),
      end: wall(new Date(soon.getTime() + 3_600_000)),
    });
    await service.createRecipient(await service.createOffer(place), staff, { expiresAt: new Date(Date.now() - 1000) });
    await service.createShift(event, staff, {
      positionId,
      start: wall(soon),
      end: wall(new Date(soon.getTime() + 3_600_000)),
    });
  }
  const sentTo = ({ staff, business }: Tenant) => [
    mailServer.to(staff.email).length > 0,
    receiver.received.some(({ path }) => path === `/${business.id}`),
  ];
  await until(() => sentTo(other).every(Boolean));
  // Both waited for the same looks.
  expect(sentTo(closed)).toEqual([false, false]);
  const stateOf = async ({ business }: Tenant) =>
    (await service.prisma.offerRecipient.findFirstOrThrow({ where: { businessId: business.id } })).state;
  await settleDueOffers(service.app.database.prisma, new Date());
  await closeDueAttendance(service.app.database.prisma, new Date());
  expect([await stateOf(closed), await stateOf(other)]).toEqual(['sent', 'expired']);
  await setClosed(closed, false);
  await until(() => sentTo(closed).every(Boolean));
});
