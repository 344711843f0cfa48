import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMailSecrets } from '../src/access/mail-secrets.ts';
import { limits } from '../src/config/limits.ts';
import { switchableKinds } from '../src/fields/mails.ts';
import type { CallTime, Event, User } from '../src/generated/prisma/client.ts';
import { startApp, useOneTenant, useService } from './support/app.ts';
import { configOf, mailEnv, signingSecret } from './support/config.ts';
import { secretIn, startMailServer } from './support/mails.ts';
import { expectAnswer, offersOf } from './support/offers.ts';
import { staffing } from './support/staffing.ts';
import { swapsOf } from './support/swaps.ts';
import { atOnce, until } from './support/webhooks.ts';

/* Mails, from what happens to the mail server. */

const mailServer = await startMailServer();
/** Three in the afternoon of the business, nine days before the events of the tests. */
const start = new Date('2026-11-26T15:00:00Z');
let now = start;
const options = {
  env: { ...mailEnv(mailServer.url), TRUST_PROXY: '127.0.0.1', CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' },
  clock: () => now,
  jobs: { watchMs: 30, schedule: { ...atOnce }, attemptMs: 1500 },
};
const service = useService(options);
const tenant = useOneTenant(service, 'enterprise');
const { move } = staffing(() => service);
const assign = (at: CallTime, user: User) =>
  service.call('POST', '/v1/work_shifts', {
    as: tenant.as.admin,
    body: { call_time_uuid: at.uuid, user_id: user.id },
  });
const offers = () => offersOf(service, tenant);
let event: Event;
let callTime: CallTime;
let positionId: number;
let from: Record<string, string>;
let address = 0;

beforeAll(async () => {
  await service.app.jobs.start();
  // From then on, changes are told.
  await until(() => service.prisma.mailCursor.findFirst({ where: { businessId: tenant.business.id } }));
});
afterAll(() => mailServer.close());

beforeEach(async () => {
  now = start;
  from = { 'x-forwarded-for': `203.0.113.${++address}` };
  positionId = (await service.createPosition(tenant.business)).id;
  event = await service.createEvent(tenant.business);
  callTime = await service.createCallTime(event, { positionId, staffNeeded: 1 });
});

const newPerson = async (kind = 'staff', more: object = {}) => {
  const email = `${kind}-${crypto.randomUUID()}@example.com`;
  const user = await service.createUser(tenant.business, 'staff', { email, emailKey: email, ...more });
  return { ...user, token: await service.tokenOf(user) };
};
const mailTo = ({ email }: Pick<User, 'email'>, count = 1) => until(() => mailServer.to(email)[count - 1]);
const mailsOf = (user: Pick<User, 'id'>) =>
  service.prisma.mail.findMany({ where: { businessId: tenant.business.id, userId: user.id }, orderBy: { id: 'asc' } });
const statusOf = async (user: Pick<User, 'id'>) => (await mailsOf(user)).map(({ status }) => status);
const post = (url: string, body?: object) => service.call('POST', url, { ...(body && { body }), headers: from });
const answer = (secret: string, what = 'accept') => post('/v1/mails/offers/answers', { secret, answer: what });

describe('another e-mail address', () => {
  test('of somebody who has a password is told to the one before', async () => {
    const ann = await newPerson('ann', { passwordHash: tenant.admin.passwordHash });
    const bea = await newPerson('bea', { passwordHash: null });
    const change = (user: User, email: string) =>
      service.call('PUT', `/api/v1/users/${user.id}`, { as: tenant.as.admin, body: { email } });
    for (const person of [ann, bea]) expect((await change(person, `new-${person.email}`)).status).toBe(200);
    const mail = await mailTo(ann);
    expect(mail.subject).toBe('Your account has another e-mail address');
    expect(mail.text).toContain(tenant.business.name);
    expect(mailServer.to(`new-${ann.email}`)).toEqual([]);
    expect(await mailsOf(bea)).toEqual([]);
  });
});

describe('an offer', () => {
  test('comes by mail, as text and as HTML, and is answered once by its link, without a log-in', async () => {
    const ann = await newPerson('ann', { name: 'Ann\r\nBcc: evil@example.com <Bo>' });
    expectAnswer(await offers().send(callTime, [ann], { message: 'Black <shoes>' }), 201);
    const mail = await mailTo(ann);
    expect(mail).toMatchObject({
      subject: `Can you work? ${event.title}`,
      from: { value: [{ address: 'no-reply@callboard.example', name: tenant.business.name }] },
    });
    expect(mail.text).toContain('Sat, 05 Dec 2026 16:00 – 23:30 (America/New_York)');
    expect(mail.text).toContain('Black <shoes>');
    expect(mail.html).toContain('Black &lt;shoes&gt;');
    expect(mail.html).not.toContain('<Bo>');
    expect(mail.headers.get('bcc')).toBeUndefined();
    const secret = secretIn(mail, 'answer');
    expect(expectAnswer(await post('/v1/mails/offers', { secret }), 200)).toMatchObject({
      event_title: event.title,
      state: 'sent',
      business_name: tenant.business.name,
      message: 'Black <shoes>',
    });
    const { body } = await service.graphql(
      'query ($secret: String!) { mailedOffer(secret: $secret) { state eventTitle } }',
      {
        variables: { secret },
        headers: from,
      },
    );
    expect(body.data.mailedOffer).toEqual({ state: 'SENT', eventTitle: event.title });
    expect(expectAnswer(await answer(secret), 200)).toMatchObject({ state: 'accepted' });
    expectAnswer(await answer(secret), 401, 'INVALID_CREDENTIALS');
    expectAnswer(await answer(secret, 'decline'), 401, 'INVALID_CREDENTIALS');
    expectAnswer(await post('/v1/mails/offers', { secret }), 401, 'INVALID_CREDENTIALS');
    expect(await offers().shiftsOn(callTime)).toMatchObject([{ userId: ann.id, confirmed: true }]);
  });

  test('is answered once where two use its link at the same time', async () => {
    const ann = await newPerson();
    await offers().send(callTime, [ann]);
    const secret = secretIn(await mailTo(ann), 'answer');
    const answers = await Promise.all([answer(secret), answer(secret, 'decline'), answer(secret)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  test('has a link of its own for each person, and none is accepted under the name of another', async () => {
    const [ann, ben] = [await newPerson(), await newPerson()];
    await offers().send(callTime, [ann, ben]);
    const secret = secretIn(await mailTo(ann), 'answer');
    // Ben is logged in, and has Ann's link: it is Ann who answers.
    const taken = await service.call('POST', '/v1/mails/offers/answers', {
      as: ben.token,
      body: { secret, answer: 'accept' },
    });
    expect(expectAnswer(taken, 200)).toMatchObject({ first_name: ann.firstName, state: 'accepted' });
    expect(secretIn(await mailTo(ben), 'answer')).not.toBe(secret);
    expect(await offers().statesOf(callTime, [ann, ben])).toEqual(['accepted', 'filled']);
  });

  test.each([
    [
      'it is withdrawn',
      async ({ id }: User) =>
        void (await service.call(
          'POST',
          `/v1/offers/${(await service.prisma.offer.findFirstOrThrow({ where: { recipients: { some: { userId: id } } } })).uuid}/actions/withdraw`,
          { as: tenant.as.admin, body: {} },
        )),
    ],
    ['it is declined by other ways', async (user: User) => void (await offers().decline(callTime, user as never))],
    ['its time is over', async () => void (now = new Date('2026-12-06T12:00:00Z'))],
    [
      'the password changes',
      async ({ id }: User) =>
        void (await service.call('PUT', `/v1/passwords/users/${id}`, {
          as: tenant.as.admin,
          body: { password: 'another one of mine' },
        })),
    ],
    [
      'the e-mail changes',
      async ({ id }: User) =>
        void (await service.call('PUT', `/api/v1/users/${id}`, {
          as: tenant.as.admin,
          body: { email: `x-${id}@example.com` },
        })),
    ],
    [
      'the person leaves',
      async ({ id }: User) => void (await service.call('DELETE', `/api/v1/users/${id}`, { as: tenant.as.admin })),
    ],
  ])('has a link that ends when %s', async (_when, end) => {
    const ann = await newPerson();
    await offers().send(callTime, [ann]);
    const secret = secretIn(await mailTo(ann), 'answer');
    await end(ann);
    expectAnswer(await answer(secret), 401, 'INVALID_CREDENTIALS');
    expect(await offers().shiftsOn(callTime)).toEqual([]);
  });

  test('has a link that still works after an answer that a rule was against', async () => {
    const ann = await newPerson();
    await offers().send(callTime, [ann]);
    const secret = secretIn(await mailTo(ann), 'answer');
    const other = await service.createShift(event, ann);
    expectAnswer(await answer(secret), 409, 'CLASH');
    await service.prisma.workShift.update({
      where: { businessId_id: { businessId: tenant.business.id, id: other.id } },
      data: { status: 'deleted' },
    });
    expect(expectAnswer(await answer(secret), 200)).toMatchObject({ state: 'accepted' });
  });

  test('has links to the address that is configured, whatever host the request names', async () => {
    const ann = await newPerson();
    const sent = await service.call('POST', '/v1/offers', {
      as: tenant.as.admin,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      body: { call_time_uuid: callTime.uuid, user_ids: [ann.id] },
    });
    expectAnswer(sent, 201);
    const mail = await mailTo(ann);
    expect(`${mail.text}${String(mail.html)}`).not.toContain('evil.example');
    expect(mail.text).toContain('https://staff.callboard.example/app/answer#');
  });

  test('is not mailed for a claim, which is answered at once, and an approved one is told as a shift', async () => {
    const ann = await newPerson();
    await offers().send(callTime, [ann], { mode: 'approval' });
    await mailTo(ann);
    await offers().accept(callTime, ann);
    const { uuid } = await offers().partOf(callTime, ann);
    expectAnswer(
      await service.call('POST', `/v1/offer_recipients/${uuid}/actions/refuse`, {
        as: tenant.as.admin,
        body: { reason: 'Too late' },
      }),
      200,
    );
    const refused = await mailTo(ann, 2);
    expect(refused.subject).toBe(`Your request was refused: ${event.title}`);
    expect(refused.text).toContain('Reason: Too late');
  });
});

describe('a shift', () => {
  test('is told when it is given, changed and canceled, each as things stand then', async () => {
    const ann = await newPerson();
    expectAnswer(await assign(callTime, ann), 201);
    const given = await mailTo(ann);
    expect(given.subject).toBe(`You have a shift: ${event.title}`);
    expect(given.text).toContain('Please confirm it.');
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body: { venue_name: 'Other hall' } });
    const changed = await mailTo(ann, 2);
    expect(changed.subject).toBe(`Your shift has changed: ${event.title}`);
    expect(changed.text).toContain('Other hall');
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body: { status: 'canceled' } });
    expect((await mailTo(ann, 3)).subject).toBe(`You do not work: ${event.title}`);
  });

  test('is told with its day while its start is to be determined', async () => {
    const ann = await newPerson();
    const festival = await service.createEvent(tenant.business, { end: '2026-12-08 23:00:00' });
    const times = { start: '2026-12-07 16:00:00', end: '2026-12-07 23:30:00' };
    expectAnswer(
      await assign(await service.createCallTime(festival, { positionId, startTbd: true, ...times }), ann),
      201,
    );
    expect((await mailTo(ann)).text).toContain('Mon, 07 Dec 2026, time to be determined');
  });

  test('is not told to the person who changed it', async () => {
    const ann = await newPerson();
    await assign(callTime, ann);
    await mailTo(ann);
    const [shift] = await offers().shiftsOn(callTime);
    await move(ann.token, 'decline', shift!.uuid);
    const ben = await newPerson();
    await assign(callTime, ben);
    await mailTo(ben);
    expect(mailServer.to(ann.email)).toHaveLength(1);
  });

  test('is not told of an event that is still a draft', async () => {
    const draft = await service.createEvent(tenant.business, { status: 'draft' });
    const [ann, ben] = [await newPerson(), await newPerson()];
    const at = await service.createCallTime(draft, { positionId, staffNeeded: 2 });
    await assign(at, ann);
    await assign(callTime, ben);
    await mailTo(ben);
    expect(mailServer.to(ann.email)).toEqual([]);
    await service.call('PUT', `/v1/events/${draft.uuid}`, { as: tenant.as.admin, body: { status: 'active' } });
    expect((await mailTo(ann)).subject).toBe(`You have a shift: ${draft.title}`);
  });

  const change = async ({ uuid }: Event, body: object) =>
    expectAnswer(await service.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body }), 200);
  const subjects = ({ email }: User) => mailServer.to(email).map(({ subject }) => subject?.split(':')[0]);
  /** Waits until all that happened before is told. */
  const tellAll = async () => {
    const marker = await newPerson();
    await service.createShift(await service.createEvent(tenant.business), marker);
    await mailTo(marker);
  };
  const atNight = () => (now = new Date('2026-11-27T02:00:00Z'));
  const inTheMorning = () => (now = new Date('2026-11-27T07:00:00Z'));

  test('of a draft that is canceled is told to nobody, and to its person when the event takes place after all', async () => {
    const ann = await newPerson();
    const draft = await service.createEvent(tenant.business, { status: 'draft' });
    await service.createShift(draft, ann);
    await change(draft, { status: 'canceled' });
    await tellAll();
    expect(subjects(ann)).toEqual([]);
    await change(draft, { status: 'active' });
    await mailTo(ann);
    expect(subjects(ann)).toEqual(['You have a shift']);
  });

  test('is told to be gone when its event goes back to draft, is deleted or is canceled, and to be there again', async () => {
    const ann = await newPerson();
    await service.createShift(event, ann);
    await mailTo(ann);
    for (const [index, status] of ['draft', 'deleted', 'canceled'].entries()) {
      await change(event, { status });
      expect((await mailTo(ann, 2 * index + 2)).subject).toBe(`You do not work: ${event.title}`);
      await change(event, { status: 'active' });
      expect((await mailTo(ann, 2 * index + 3)).subject).toBe(`You have a shift: ${event.title}`);
    }
  });

  test('is not told to be gone to whom it was not told to be there, whatever was done within one moment', async () => {
    const people = await Promise.all(['canceled', 'moved', 'draft', 'active', 'back'].map((name) => newPerson(name)));
    const [canceled, moved, draft, active, back] = people;
    const businessId = tenant.business.id;
    const draftEvent = await service.createEvent(tenant.business, { status: 'draft' });
    const other = await service.createEvent(tenant.business);
    await service.createShift(draftEvent, active!);
    const setStatus = ({ id }: Event, status: 'active' | 'canceled' | 'draft') =>
      service.prisma.event.update({ where: { businessId_id: { businessId, id } }, data: { status } });
    const setShift = (user: User, data: object) =>
      service.prisma.workShift.updateMany({ where: { businessId, userId: user.id }, data });
    const add = (user: User, eventId: number) =>
      service.prisma.workShift.create({ data: { businessId, eventId, userId: user.id, positionId } });
    // Each array is one commit, so that no mail can be written in between.
    await service.prisma.$transaction([add(canceled!, event.id), setShift(canceled!, { status: 'canceled' })]);
    await service.prisma.$transaction([add(moved!, event.id), setShift(moved!, { userId: back!.id })]);
    await service.prisma.$transaction([add(draft!, other.id), setStatus(other, 'draft')]);
    await service.prisma.$transaction([setStatus(draftEvent, 'active'), setStatus(draftEvent, 'canceled')]);
    await tellAll();
    expect(people.map((person) => subjects(person))).toEqual([[], [], [], [], ['You have a shift']]);
    expect((await statusOf(canceled!)).concat(await statusOf(moved!))).toEqual(['dropped', 'dropped']);
  });

  test('that is given and taken at night is told neither way in the morning, and one that is given back is', async () => {
    atNight();
    const [ann, ben] = [await newPerson(), await newPerson()];
    const [hers, his] = [await service.createShift(event, ann), await service.createShift(event, ben)];
    const set = ({ id }: { id: number }, status: 'active' | 'canceled') =>
      service.prisma.workShift.update({
        where: { businessId_id: { businessId: tenant.business.id, id } },
        data: { status },
      });
    await until(async () => (await mailsOf(ben)).length > 0);
    for (const shift of [hers, his]) await set(shift, 'canceled');
    await set(his, 'active');
    inTheMorning();
    await mailTo(ben);
    await until(async () => (await statusOf(ann))[0] === 'dropped');
    expect([subjects(ann), subjects(ben)]).toEqual([[], ['You have a shift']]);
    // From then on, what is lost was never there, and what comes is new.
    await change(event, { venue_name: 'Other hall' });
    await set(hers, 'active');
    await mailTo(ann);
    await set(hers, 'canceled');
    await mailTo(ann, 2);
    expect(subjects(ann)).toEqual(['You have a shift', 'You do not work']);
  });

  test.each(['later', 'drop'])('is told to be gone only behind the mail that says it is there: %s', async (kind) => {
    const ann = await newPerson(kind);
    const { id } = await service.createShift(event, ann);
    await until(() => mailServer.tried.includes(ann.email));
    const where = { businessId_id: { businessId: tenant.business.id, id } };
    await service.prisma.workShift.update({ where, data: { status: 'canceled' } });
    await tellAll();
    await until(async () => (await statusOf(ann)).every((status) => status !== 'pending'));
    // Both, or neither if it was canceled before the first could come.
    const told = subjects(ann);
    if (kind === 'drop' || told.length > 0) {
      expect(told[0]).toBe('You have a shift');
      expect(told.at(-1)).toBe('You do not work');
    }
  });

  test('is told once where it stands as the mail before said, as that was written behind both changes', async () => {
    const ann = await newPerson();
    const shift = await service.createShift(event, ann);
    await mailTo(ann);
    const again = (occasion: string) =>
      service.prisma.mail.create({
        data: {
          ...{ businessId: tenant.business.id, userId: ann.id, kind: 'change', subjectId: shift.id, occasion },
          dueAt: now,
        },
      });
    await until(async () => (await statusOf(ann))[0] === 'sent');
    for (const occasion of ['changed 1', 'new 2', 'lost 3']) await again(occasion);
    await until(async () => String(await statusOf(ann)) === 'sent,dropped,dropped,dropped');
    // The same words, but another confirmation is asked for.
    await service.prisma.workShift.update({
      where: { businessId_id: { businessId: tenant.business.id, id: shift.id } },
      data: { confirmed: true },
    });
    await again('changed 4');
    expect((await mailTo(ann, 2)).subject).toBe(`Your shift has changed: ${event.title}`);
  });

  test.each([
    ['venue_name', 'Other hall', 'Other hall'],
    ['room', 'Hall B', 'Hall B'],
    ['address', '9 Elm Street', '9 Elm Street'],
    ['address_line_2', 'Back door', 'Back door'],
    ['city', 'Salem', 'Salem'],
    ['timezone', 'America/Chicago', 'America/Chicago'],
  ])(
    'whose event has another %s is told it, also while its start is to be determined',
    async (field, value, wanted) => {
      const [ann, ben] = [await newPerson(), await newPerson()];
      await service.createShift(event, ann);
      await service.createShift(event, ben, { start: null });
      for (const person of [ann, ben]) await mailTo(person);
      await change(event, { [field]: value });
      for (const person of [ann, ben]) expect((await mailTo(person, 2)).text).toContain(wanted);
    },
  );

  test.each([
    ['start_time', '2026-12-05 15:15:00', '15:15'],
    ['end_time', '2026-12-05 22:45:00', '22:45'],
    ['position_id', null, 'Steward of mails'],
  ])('that has another %s is told it', async (field, value, wanted) => {
    const ann = await newPerson();
    const other = value === null ? await service.createPosition(tenant.business, { title: wanted }) : null;
    const shifts = [
      await service.createShift(event, ann),
      await service.createShift(event, await newPerson(), { start: null }),
    ];
    await mailTo(ann);
    for (const shift of field === 'end_time' ? shifts : shifts.slice(0, 1)) {
      const body = { [field]: value ?? other!.id };
      expectAnswer(await service.call('PUT', `/v1/work_shifts/${shift.uuid}`, { as: tenant.as.admin, body }), 200);
      const { email } = await service.prisma.user.findFirstOrThrow({
        where: { id: shift.userId, businessId: tenant.business.id },
      });
      expect((await mailTo({ email }, 2)).text).toContain(wanted);
    }
  });

  test('has subjects and names with the joiners of their words, on one line', async () => {
    const name = 'می\u200cخواهم\u200d\u00ad\u2028\nOne';
    const ann = await newPerson('ann', { name });
    await service.createShift(await service.createEvent(tenant.business, { title: name }), ann);
    const mail = await mailTo(ann);
    expect(mail.subject).toBe('You have a shift: می\u200cخواهم\u200d\u00ad One');
    expect(mail.to).toMatchObject({ value: [{ name: 'می\u200cخواهم\u200d\u00ad One' }] });
  });
});

describe('a swap', () => {
  const swaps = () => swapsOf(service, tenant);
  const subjects = ({ email }: Pick<User, 'email'>) => mailServer.to(email).map(({ subject }) => subject);
  const shiftOf = async (user: User, day = 5) => {
    const times = { start: `2026-12-0${day} 16:00:00`, end: `2026-12-0${day} 23:30:00` };
    const shift = await service.createShift(event, user, { ...times, positionId });
    await mailTo(user);
    return shift;
  };

  test('tells whom it asks, and then who asks, without an approval; nobody what they did themselves', async () => {
    await swaps().set({ approves_swaps: false });
    const [ann, ben] = [await newPerson(), await newPerson()];
    const [hers, his] = [await shiftOf(ann), await shiftOf(ben, 6)];
    const body = { shift_uuid: hers.uuid, other_shift_uuid: his.uuid, message: 'Exam <week>' };
    const asked = expectAnswer(await swaps().request(ann, body), 201);
    const mail = await mailTo(ben, 2);
    expect(mail.subject).toBe(`Can you take this shift? ${event.title}`);
    for (const wanted of [
      `${ann.firstName} ${ann.lastName} asks whether you take this shift:`,
      'Sat, 05 Dec 2026 16:00 – 23:30 (America/New_York)',
      'would take this one of yours:',
      'Sun, 06 Dec 2026 16:00',
      'Exam <week>',
      'https://staff.callboard.example/app/my-shifts',
    ])
      expect(mail.text).toContain(wanted);
    expect(mail.html).toContain('Exam &lt;week&gt;');
    expect(mail.headers.get('list')).toMatchObject({ unsubscribe: {} });
    expectAnswer(await swaps().act(ben.token, asked, 'take'), 200);
    const done = await mailTo(ann, 2);
    expect(done.subject).toBe(`You do not work: ${event.title}`);
    expect(done.text).toContain(`${ben.firstName} ${ben.lastName} has taken this shift of yours:`);
    expect(done.text).toContain('You work this one instead:');
    // Mails of later changes come behind those of the swap.
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body: { venue_name: 'Other hall' } });
    await mailTo(ann, 3);
    await mailTo(ben, 3);
    expect(subjects(ben).slice(2)).toEqual([`Your shift has changed: ${event.title}`]);
    expect(subjects(ann).slice(2)).toEqual([`Your shift has changed: ${event.title}`]);
  });

  test('tells the owner that somebody wants it, and both what an admin decides', async () => {
    await swaps().set({ approves_swaps: true });
    const [ann, ben] = [await newPerson(), await newPerson()];
    const shift = await shiftOf(ann);
    const take = async () => {
      const asked = expectAnswer(await swaps().request(ann, { shift_uuid: shift.uuid, to_user_id: ben.id }), 201);
      expectAnswer(await swaps().act(ben.token, asked, 'take'), 200);
      return asked;
    };
    const first = await take();
    expect((await mailTo(ann, 2)).subject).toBe(`Somebody wants your shift: ${event.title}`);
    expectAnswer(await swaps().act(tenant.as.admin, first, 'refuse', { reason: 'Too few' }), 200);
    const refused = await mailTo(ann, 3);
    expect(refused.subject).toBe(`It does not change hands: ${event.title}`);
    expect(refused.text).toContain('Reason: Too few');
    await until(() => subjects(ben).includes(`It does not change hands: ${event.title}`));
    const second = await take();
    await mailTo(ann, 4);
    expectAnswer(await swaps().act(tenant.as.admin, second, 'approve'), 200);
    expect((await mailTo(ann, 5)).subject).toBe(`You do not work: ${event.title}`);
    await until(() => subjects(ben).includes(`You have a shift: ${event.title}`));
  });

  test('is not mailed to whom it does not name, nor to who has switched such mails off', async () => {
    await swaps().set({ approves_swaps: false });
    const [ann, ben, cid] = [await newPerson(), await newPerson(), await newPerson()];
    expectAnswer(await service.call('PUT', '/v1/mails/personal', { as: ann.token, body: { off: ['swap'] } }), 200);
    const shift = await shiftOf(ann);
    const asked = expectAnswer(await swaps().request(ann, { shift_uuid: shift.uuid }), 201);
    expectAnswer(await swaps().act(ben.token, asked, 'take'), 200);
    // What happens later is told, so that all before it is.
    await shiftOf(cid, 6);
    expect([subjects(ann).length, subjects(ben).length]).toEqual([1, 0]);
  });
});

describe('a reminder', () => {
  const remind = (hours: number[]) =>
    service.call('PUT', '/v1/business', { as: tenant.as.admin, body: { reminder_hours: hours } });
  const at = (iso: string) => (now = new Date(iso));

  test('comes once at each of the hours before the start, and anew where the shift moves', async () => {
    expectAnswer(await remind([72, 24]), 200);
    const ann = await newPerson();
    const shift = await service.createShift(event, ann, { createdAt: start });
    await mailTo(ann);
    // The shift starts on 5 December at 21:00 UTC.
    at('2026-12-02T21:00:01Z');
    expect((await mailTo(ann, 2)).subject).toBe(`Reminder: ${event.title}, Sat, 05 Dec 2026 16:00`);
    at('2026-12-04T21:00:01Z');
    await mailTo(ann, 3);
    const moved = {
      startLocal: new Date('2026-12-06T16:00:00Z'),
      startsAt: new Date('2026-12-06T21:00:00Z'),
      endLocal: new Date('2026-12-06T23:00:00Z'),
      endsAt: new Date('2026-12-07T04:00:00Z'),
    };
    await service.prisma.workShift.update({
      where: { businessId_id: { businessId: tenant.business.id, id: shift.id } },
      data: moved,
    });
    const reminders = (count: number) =>
      until(() => mailServer.to(ann.email).filter(({ subject }) => subject?.startsWith('Reminder')).length === count);
    await reminders(3);
    at('2026-12-05T21:00:01Z');
    await reminders(4);
    expect(mailServer.to(ann.email).findLast(({ subject }) => subject?.startsWith('Reminder'))?.subject).toContain(
      'Sun, 06 Dec 2026 16:00',
    );
  });

  test('comes once for all the hours that were over when it was sent, also where they are changed later', async () => {
    expectAnswer(await remind([12, 3]), 200);
    const [ann, ben] = [await newPerson(), await newPerson()];
    const early = await service.createEvent(tenant.business);
    const times = { start: '2026-12-05 05:00:00', end: '2026-12-05 09:00:00', createdAt: start };
    const count = ({ email }: User) => mailServer.to(email).length;
    await service.createShift(early, ann, times);
    await mailTo(ann);
    // The start is at 10:00 of the business. What is due at 22:00 waits for the morning, when the other one is due as well.
    at('2026-12-04T22:00:01Z');
    await until(async () => (await mailsOf(ann)).some(({ kind }) => kind === 'reminder'));
    at('2026-12-05T07:00:00Z');
    await mailTo(ann, 2);
    const remindAnew = async (hours: number[]) => {
      const { id } = tenant.business;
      await service.prisma.business.update({ where: { id }, data: { reminderHours: hours } });
      // The later one's reminder says that those of the earlier one were looked for.
      const marker = await newPerson();
      await service.createShift(early, marker, times);
      await mailTo(marker, 2);
    };
    await remindAnew([4]);
    expect(count(ann)).toBe(2);
    await service.createShift(early, ben, times);
    await mailTo(ben, 2);
    at('2026-12-05T08:00:00Z');
    await remindAnew([2]);
    await mailTo(ann, 3);
    expect(count(ben)).toBe(3);
  });

  test('comes once where two processes send', async () => {
    await remind([24]);
    const second = await startApp({ beside: service, ...options });
    try {
      await second.app.jobs.start();
      const people = await Promise.all(Array.from({ length: 20 }, () => newPerson()));
      for (const person of people) await service.createShift(event, person, { createdAt: start });
      const allAre = (statuses: string) =>
        until(async () => (await Promise.all(people.map(statusOf))).every((own) => String(own) === statuses));
      // All are recorded before the clock moves on: it would end the leases of those that are not.
      await allAre('sent');
      at('2026-12-04T21:00:01Z');
      await allAre('sent,sent');
      const all = people.flatMap((person) => mailServer.to(person.email));
      expect(all).toHaveLength(40);
      expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(40);
    } finally {
      await second.close();
    }
  });

  test('does not come for a canceled shift, a canceled event or a start to be determined', async () => {
    await remind([24]);
    const [ann, ben, cid, dan] = [await newPerson(), await newPerson(), await newPerson(), await newPerson()];
    const off = await service.createEvent(tenant.business, { status: 'canceled' });
    await service.createShift(event, ann, { createdAt: start, status: 'canceled' });
    await service.createShift(event, ben, { createdAt: start, start: null, end: null });
    await service.createShift(off, cid, { createdAt: start });
    await service.createShift(event, dan, { createdAt: start });
    await mailTo(dan);
    at('2026-12-04T21:00:01Z');
    await mailTo(dan, 2);
    const reminders = await service.prisma.mail.findMany({
      where: { kind: 'reminder', userId: { in: [ann.id, ben.id, cid.id] }, businessId: tenant.business.id },
    });
    expect(reminders).toEqual([]);
  });

  test.each([[[0]], [[337]], [[1, 2, 3, 4, 5, 6]], [[24, 24]], [['24']]])('cannot be set to %j', async (hours) => {
    expectAnswer(await remind(hours as number[]), 422);
  });
});

describe('at night', () => {
  test('mails that can wait come in the morning, and others at once', async () => {
    await service.call('PUT', '/v1/business', { as: tenant.as.admin, body: { timezone: 'Asia/Kolkata' } });
    // 23:45 in Kolkata.
    now = new Date('2026-11-26T18:15:00Z');
    const [ann, ben] = [await newPerson(), await newPerson()];
    await offers().send(callTime, [ann]);
    const soon = await service.createCallTime(event, { positionId, staffNeeded: 1 });
    // Its answer is wanted before the morning.
    await offers().send(soon, [ben], { expires_at: '2026-11-26T20:00:00Z' });
    await mailTo(ben);
    expect((await mailsOf(ann))[0]).toMatchObject({
      status: 'pending',
      attemptCount: 0,
      dueAt: new Date('2026-11-27T01:30:00Z'),
    });
    now = new Date('2026-11-27T01:30:00Z');
    await mailTo(ann);
    await service.call('PUT', '/v1/business', { as: tenant.as.admin, body: { timezone: 'UTC' } });
  });
});

describe('the mail server', () => {
  test.each(['later', 'later2', 'drop'])('gets a mail again, with the same Message-ID: %s', async (kind) => {
    const ann = await newPerson(kind);
    await offers().send(callTime, [ann]);
    await until(async () => (await statusOf(ann))[0] === 'sent');
    const ids = mailServer.to(ann.email).map(({ messageId }) => messageId);
    expect(new Set(ids)).toEqual(new Set([`<${(await mailsOf(ann))[0]!.uuid}@staff.callboard.example>`]));
    expect(ids).toHaveLength(kind === 'drop' ? 2 : 1);
  });

  test('refuses an address for good: admins see why, until a mail is taken or the address changes', async () => {
    const ann = await newPerson('bounce');
    await offers().send(callTime, [ann]);
    await until(async () => (await statusOf(ann))[0] === 'failed');
    await until(() =>
      service.prisma.user.findFirst({
        where: { businessId: tenant.business.id, id: ann.id, mailFault: { not: null } },
      }),
    );
    const { body } = await service.call('GET', `/v1/staff?search=${ann.email}`, { as: tenant.as.admin });
    expect(body.data.data).toMatchObject([{ mail_fault: '550 No such user here' }]);
    const own = await service.graphql('{ offerRecipients { nodes { user { email mailFault } } } }', { as: ann.token });
    expect(own.body.data.offerRecipients.nodes).toEqual([{ user: { email: ann.email, mailFault: null } }]);
    expect(mailServer.tried.filter((each) => each === ann.email)).toHaveLength(1);
    await service.call('PUT', `/api/v1/users/${ann.id}`, { as: tenant.as.admin, body: { email: `new-${ann.email}` } });
    const { mailFault } = await service.prisma.user.findFirstOrThrow({
      where: { businessId: tenant.business.id, id: ann.id },
    });
    expect(mailFault).toBeNull();
  });

  test('that hangs on one mail keeps back no other', async () => {
    const [hang, ...others] = [
      await newPerson('hang'),
      ...(await Promise.all(Array.from({ length: 12 }, () => newPerson()))),
    ];
    const place = await service.createCallTime(event, { positionId, staffNeeded: 20 });
    await offers().send(place, [hang, ...others]);
    await Promise.all(others.map((person) => mailTo(person)));
    await until(async () => (await mailsOf(hang))[0]!.attemptCount > 1);
    await service.call('DELETE', `/api/v1/users/${hang.id}`, { as: tenant.as.admin });
  });
});

describe('unsubscribing', () => {
  const offOf = async (as: string) =>
    (await service.call('GET', '/v1/mails/personal', { as })).body.data.off as string[];

  test('takes one click by RFC 8058, again and again, and ends mails of the kind alone', async () => {
    const ann = await newPerson();
    await offers().send(callTime, [ann]);
    const mail = await mailTo(ann);
    expect(mail.headerLines.map(({ line }) => line)).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const { url } = (mail.headers.get('list') as unknown as { unsubscribe: { url: string } }).unsubscribe;
    const path = url.replace('https://staff.callboard.example', '');
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ]) {
      const reply = await service.app.http.inject({
        method: 'POST',
        url: path,
        headers: { ...from, 'content-type': type },
        payload: 'List-Unsubscribe=One-Click',
      });
      expect(reply.statusCode).toBe(200);
    }
    expect(await offOf(ann.token)).toEqual(['offer']);
    const other = await service.createCallTime(event, { positionId, staffNeeded: 1 });
    await offers().send(other, [ann]);
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body: { room: '1' } });
    const later = await service.createEvent(tenant.business, {
      start: '2026-12-15 18:00:00',
      end: '2026-12-15 23:00:00',
    });
    const at = await service.createCallTime(later, {
      positionId,
      staffNeeded: 1,
      start: '2026-12-15 18:00:00',
      end: '2026-12-15 23:00:00',
    });
    expectAnswer(await assign(at, ann), 201);
    expect((await mailTo(ann, 2)).subject).toBe(`You have a shift: ${later.title}`);
  });

  test.each(switchableKinds)('works by the tokens that earlier versions derived, for mails of the kind %s', (kind) => {
    const of = { businessId: 1, userId: 2_147_483_647, kind };
    expect(createMailSecrets([{ kid: 'test', secret: signingSecret }]).readOffToken(service.offToken(of))).toEqual(of);
  });

  test('refuses a token that is not whole, and never stops mails about passwords', async () => {
    const ann = await newPerson();
    await offers().send(callTime, [ann]);
    const token = secretIn(await mailTo(ann), 'unsubscribe');
    for (const bad of [token.replace('offer', 'password'), token.replace('offer', 'reminder'), `${token}0`, 'x'])
      expectAnswer(await post(`/v1/mails/unsubscribe/${bad}`), 401, 'INVALID_CREDENTIALS');
    const { body } = await service.graphql('mutation ($token: String!) { unsubscribe(token: $token) { kind } }', {
      variables: { token },
      headers: from,
    });
    expect(body.data.unsubscribe).toEqual({ kind: 'OFFER' });
    expectAnswer(
      await service.call('PUT', '/v1/mails/personal', {
        as: ann.token,
        body: { off: ['offer', 'reminder', 'change', 'swap'] },
      }),
      200,
    );
    expectAnswer(await service.call('PUT', '/v1/mails/personal', { as: ann.token, body: { off: ['password'] } }), 422);
    expectAnswer(await post('/v1/passwords/forgotten', { email: ann.email }), 200);
    expect((await mailTo(ann, 2)).subject).toBe('A new password');
    const own = await service.graphql('mutation { updateMailSettings(input: { off: [REMINDER] }) { off isSending } }', {
      as: ann.token,
    });
    expect(own.body.data.updateMailSettings).toEqual({ off: ['REMINDER'], isSending: true });
  });
});

describe('a forgotten password', () => {
  const forget = (email: string) => post('/v1/passwords/forgotten', { email });
  const set = (secret: string, password = 'a new one of mine') =>
    post('/v1/passwords/forgotten/claims', { secret, password });

  test('is set anew by a link that works once, and all log-ins end', async () => {
    const ann = await newPerson();
    expectAnswer(await forget(`  ${ann.email.toUpperCase()} `), 200);
    const secret = secretIn(await mailTo(ann), 'new-password');
    expectAnswer(await set(secret, 'short'), 422);
    expect(expectAnswer(await set(secret), 200)).toEqual({ email: ann.email });
    expectAnswer(await set(secret), 401, 'INVALID_CREDENTIALS');
    expectAnswer(await service.call('GET', '/v1/viewer', { as: ann.token }), 401);
    expectAnswer(
      await service.call('POST', '/v1/auth/login', {
        body: { email: ann.email, password: 'a new one of mine' },
        headers: from,
      }),
      200,
    );
    const entry = await service.prisma.auditEntry.findFirst({
      where: { businessId: tenant.business.id, action: 'passwords.setForgotten' },
    });
    expect(entry).toMatchObject({ actorId: ann.id, subjectId: ann.id, details: { revokedTokens: 1 } });
  });

  test('has the same answer, not sooner, for an unknown address, and for a user without a password', async () => {
    const [ann, none] = [await newPerson(), await newPerson('none', { passwordHash: null })];
    const answers = [];
    for (const email of [ann.email, none.email, 'nobody@example.com']) {
      const begun = performance.now();
      const { status, body } = await forget(email);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(249);
      answers.push({ status, body });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    await mailTo(ann);
    expect(mailServer.to(none.email)).toEqual([]);
  });

  test('has a link that ends after an hour, and when the password changes by other ways', async () => {
    const ann = await newPerson();
    await forget(ann.email);
    const first = secretIn(await mailTo(ann), 'new-password');
    now = new Date(start.getTime() + 3_600_000);
    expectAnswer(await set(first), 401, 'INVALID_CREDENTIALS');
    await forget(ann.email);
    const second = secretIn(await mailTo(ann, 2), 'new-password');
    await service.call('PUT', `/v1/passwords/users/${ann.id}`, {
      as: tenant.as.admin,
      body: { password: 'another one of mine' },
    });
    expectAnswer(await set(second), 401, 'INVALID_CREDENTIALS');
  });
});

describe('an invitation', () => {
  test('is mailed, and its link works until a newer one is made', async () => {
    const ann = await newPerson('ann', { passwordHash: null });
    const invite = () => service.call('POST', `/api/v1/users/${ann.id}/invitation`, { as: tenant.as.admin });
    const { body } = await invite();
    expect(body.data.is_mailed).toBe(true);
    const secret = secretIn(await mailTo(ann), 'invitation');
    expect(body.data.path).toBe(`/app/invitation#${secret}`);
    const claimed = await post('/v1/invitations/claims', { secret, password: 'the first of mine' });
    expect(expectAnswer(claimed, 200)).toEqual({ email: ann.email });
  });
});

describe('the limits of the plan', () => {
  test('bound the mails of a business and of each person in a day, but not those about passwords', async () => {
    const small = await service.createTenant('free');
    const ann = await service.createUser(small.business, 'staff');
    await until(() => service.prisma.mailCursor.findFirst({ where: { businessId: small.business.id } }));
    const data = Array.from({ length: 9 }, () => ({
      businessId: small.business.id,
      userId: ann.id,
      kind: 'change' as const,
      status: 'sent' as const,
      createdAt: now,
    }));
    await service.prisma.mail.createMany({ data });
    const own = await service.createEvent(small.business);
    for (let count = 0; count < 3; count++) await service.createShift(own, ann);
    await mailTo(ann);
    const count = () => service.prisma.mail.count({ where: { businessId: small.business.id, userId: ann.id } });
    expect(await count()).toBe(10);
    const all = Array.from({ length: 490 }, () => ({ ...data[0]!, userId: small.admin.id }));
    await service.prisma.mail.createMany({ data: all });
    expectAnswer(await post('/v1/passwords/forgotten', { email: ann.email }), 200);
    await mailTo(ann, 2);
    expect(await count()).toBe(11);
  });

  test('leave others theirs when anybody asks for passwords, and colleagues for swaps', async () => {
    const small = await service.createTenant('free');
    const [ann, bob] = [
      await service.createUser(small.business, 'staff'),
      await service.createUser(small.business, 'staff'),
    ];
    await until(() => service.prisma.mailCursor.findFirst({ where: { businessId: small.business.id } }));
    const sent = (kind: 'password' | 'swap', userId: number, length: number) =>
      service.prisma.mail.createMany({
        data: Array.from({ length }, () => ({
          ...{ businessId: small.business.id, userId, kind, status: 'sent' as const, createdAt: now },
        })),
      });
    await sent('password', bob.id, 500);
    await sent('swap', bob.id, 490);
    await sent('swap', ann.id, 10);
    await service.createShift(await service.createEvent(small.business), ann);
    expect((await mailTo(ann)).subject).toMatch(/^You have a shift/);
  });
});

describe('an address', () => {
  test('gets no more invitations because its user is deleted and made anew, whatever the case of its letters', async () => {
    const small = await service.createTenant('free');
    const email = `victim-${crypto.randomUUID()}@example.com`;
    const mailed: boolean[] = [];
    for (let round = 0; round < 4; round++) {
      const user = {
        name: 'Vic Tim',
        email: round % 2 === 0 ? email : email.toUpperCase(),
        role: 'staff',
        password: null,
      };
      const made = await service.call('POST', '/api/v1/users/batch', { as: small.as.admin, body: { inputs: [user] } });
      const { id } = made.body.data[0].user as { id: number };
      for (let time = 0; time < 3; time++) {
        const invited = await service.call('POST', `/api/v1/users/${id}/invitation`, { as: small.as.admin });
        mailed.push(expectAnswer(invited, 201).is_mailed);
      }
      const mutation = `mutation { inviteUser(id: ${id}) { isMailed } }`;
      if (round === 3)
        expect((await service.graphql(mutation, { as: small.as.admin })).body.data.inviteUser.isMailed).toBe(false);
      expect((await service.call('DELETE', `/api/v1/users/${id}`, { as: small.as.admin })).status).toBe(200);
    }
    expect(mailed).toEqual([...Array<boolean>(10).fill(true), false, false]);
  });

  test('gets a link to a new password after an outsider has asked for many, and notices as well', async () => {
    const small = await service.createTenant('free');
    const { email } = small.admin;
    const forget = (last: number) =>
      service.call('POST', '/v1/passwords/forgotten', {
        body: { email },
        headers: { 'x-forwarded-for': `198.51.100.${last}` },
      });
    for (let call = 0; call < 12; call++) expectAnswer(await forget(Math.floor(call / 5)), 200);
    await mailTo(small.admin, 12);
    expectAnswer(await forget(100), 200);
    expect((await mailTo(small.admin, 13)).subject).toBe('A new password');
    // The bound of an hour, in which all those links work.
    for (let call = 0; call < 12; call++) expectAnswer(await forget(200 + Math.floor(call / 5)), 200);
    const links = () => service.prisma.mail.count({ where: { businessId: small.business.id, kind: 'password' } });
    expect(await links()).toBe(limits.passwordLinksMax);
    const moved = { email: `new-${email}` };
    const { status } = await service.call('PUT', `/api/v1/users/${small.admin.id}`, {
      as: small.as.admin,
      body: moved,
    });
    expect(status).toBe(200);
    await until(() =>
      mailServer.to(email).some(({ subject }) => subject === 'Your account has another e-mail address'),
    );
    now = new Date(start.getTime() + 3_600_000);
    expectAnswer(await service.call('POST', '/v1/passwords/forgotten', { body: moved, headers: from }), 200);
    await mailTo(moved);
  });
});

describe('a service without a mail server', () => {
  test('says so to whoever has forgotten a password, and stores no mail', async () => {
    const silent = await startApp({ beside: service, clock: () => now });
    try {
      const ann = await newPerson('ann', { passwordHash: null });
      const forgotten = await silent.call('POST', '/v1/passwords/forgotten', { body: { email: tenant.admin.email } });
      expectAnswer(forgotten, 409, 'CONFLICT');
      const invited = await silent.call('POST', `/api/v1/users/${ann.id}/invitation`, { as: tenant.as.admin });
      expect(expectAnswer(invited, 201)).toMatchObject({ is_mailed: false });
      expect(await mailsOf(ann)).toEqual([]);
      expect((await silent.call('GET', '/v1/mails/personal', { as: ann.token })).body.data).toEqual({
        off: [],
        is_sending: false,
      });
    } finally {
      await silent.close();
    }
  });

  test.each([
    [{ SMTP_URL: 'smtp://x' }, 'MAIL_FROM and PUBLIC_URL is missing'],
    [{ ...mailEnv(), MAIL_FROM: 'A <a@example.com>' }, 'MAIL_FROM is not valid'],
    [{ ...mailEnv(), SMTP_URL: 'http://x' }, 'SMTP_URL is not valid'],
  ])('does not start with %j', (env, fault) => {
    expect(() => configOf(env)).toThrow(fault);
  });
});
