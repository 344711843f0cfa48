import { beforeEach, describe, expect, test } from '@jest/globals';
import { settleDueOffers } from '../src/bin/due-work.ts';
import { deleteOffersBefore } from '../src/db/offers.ts';
import { deleteSwapsBefore } from '../src/db/swaps.ts';
import type { CallTime, Event } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer, offersOf, type AskedPerson } from './support/offers.ts';
import { statementsSince, sqlCount } from './support/sql-watch.ts';
import { staffing } from './support/staffing.ts';

/** Three in the afternoon, nine days before the events of the tests. */
let now = new Date('2026-11-26T15:00:00Z');
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
const { assign, move, updateCallTime, deleteCallTime } = staffing(() => service);
const offers = () => offersOf(service, tenant);
let event: Event;
let callTime: CallTime;

const newCallTime = async (more = {}, at: Event = event) =>
  service.createCallTime(at, { positionId, staffNeeded: 1, ...more });
let positionId: number;

beforeEach(async () => {
  now = new Date('2026-11-26T15:00:00Z');
  positionId = (await service.createPosition(tenant.business)).id;
  event = await service.createEvent(tenant.business);
  callTime = await newCallTime();
});

const cancelShift = async (on: CallTime) => {
  const [shift] = await offers().shiftsOn(on);
  expect((await move(tenant.as.admin, 'cancel', shift!.uuid)).code).toBe('OK');
};

describe('an offer', () => {
  test('shows an admin who was asked, and each person what they are asked', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    const sent = expectAnswer(await offers().send(callTime, [ann, ben], { message: 'Black <shoes>' }), 201);
    expect(sent).toMatchObject({ mode: 'first_come', message: 'Black <shoes>', call_time_uuid: callTime.uuid });
    expect(sent.recipients).toMatchObject([
      { user_id: ann.id, state: 'sent' },
      { user_id: ben.id, state: 'sent' },
    ]);
    const seen = await service.call('GET', '/v1/offer_recipients', { as: ann.token });
    expect(seen.body.data.data).toMatchObject([
      { user_id: ann.id, event_title: event.title, call_time_uuid: callTime.uuid, start_time: '2026-12-05 16:00:00' },
    ]);
    const { body } = await service.graphql(
      `{ offerRecipients(filter: { states: [SENT] }) { nodes { state mode message user { databaseId } callTime { uuid } offer { uuid } } } }`,
      { as: ann.token },
    );
    expect(body.data.offerRecipients.nodes).toEqual([
      {
        state: 'SENT',
        mode: 'FIRST_COME',
        message: 'Black <shoes>',
        user: { databaseId: ann.id },
        callTime: null,
        offer: null,
      },
    ]);
    const theirs = await service.call('GET', `/v1/offer_recipients/${sent.recipients[1].uuid}`, { as: ann.token });
    expectAnswer(theirs, 404, 'NOT_FOUND');
    expect(expectAnswer(await service.call('GET', `/v1/offers/${sent.uuid}`, { as: tenant.as.key }), 200)).toEqual(
      sent,
    );
  });

  test('that is accepted gives a confirmed shift, and fills the places of the others', async () => {
    const people = (await offers().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    expectAnswer(await offers().send(callTime, people), 201);
    const data = expectAnswer(await offers().accept(callTime, people[0]), 200);
    const [shift, ...others] = await offers().shiftsOn(callTime);
    expect(others).toEqual([]);
    expect(shift).toMatchObject({ userId: people[0].id, confirmed: true, confirmedAt: now, overrideReason: null });
    expect(data).toMatchObject({ state: 'accepted', work_shift_uuid: shift!.uuid });
    expect(await offers().statesOf(callTime, people)).toEqual(['accepted', 'filled', 'filled']);
    // Twice is once.
    expect(expectAnswer(await offers().accept(callTime, people[0]), 200)).toMatchObject({ state: 'accepted' });
    expect(expectAnswer(await offers().accept(callTime, people[1]), 200)).toMatchObject({
      state: 'waitlisted',
      waitlist_place: 1,
    });
    expect(expectAnswer(await offers().accept(callTime, people[2]), 200)).toMatchObject({ waitlist_place: 2 });
    expect(await offers().shiftsOn(callTime)).toHaveLength(1);
  });

  test('gives a place that becomes free to the waitlist, in its order', async () => {
    const people = (await offers().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    await offers().send(callTime, people);
    for (const person of people) await offers().accept(callTime, person);
    await cancelShift(callTime);
    expect(await offers().statesOf(callTime, people)).toEqual(['ended', 'accepted', 'waitlisted']);
    expect(await offers().shiftsOn(callTime)).toMatchObject([{ userId: people[1].id, confirmed: true }]);
    // Whoever is not free any more is passed over.
    const elsewhere = await service.createEvent(tenant.business);
    const busy = {
      eventId: elsewhere.uuid,
      positionId,
      startTime: '2026-12-05 18:00:00',
      endTime: '2026-12-05 20:00:00',
    };
    expect((await assign(tenant.as.admin, { ...busy, userId: people[2].id })).code).toBe('OK');
    await cancelShift(callTime);
    expect(await offers().statesOf(callTime, people)).toEqual(['ended', 'ended', 'waitlisted']);
    expect(await offers().shiftsOn(callTime)).toEqual([]);
  });

  test.each([
    ['shortly before the start', '2026-11-27 09:00:00', '2026-11-26T15:00:00Z', '2026-11-26T17:00:00Z', 'sent'],
    [
      'at night, and so until the morning',
      '2026-12-05 16:00:00',
      '2026-11-27T03:00:00Z',
      '2026-11-27T09:00:00Z',
      'accepted',
    ],
    [
      'at night before an early start',
      '2026-11-27 03:30:00',
      '2026-11-27T03:00:00Z',
      '2026-11-27T08:30:00Z',
      'expired',
    ],
  ])('asks the waitlist first %s, and then the next one', async (_when, start, at, until, then) => {
    callTime = await newCallTime({ start });
    const people = (await offers().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    await offers().send(callTime, people);
    for (const person of people) await offers().accept(callTime, person);
    now = new Date(at);
    await cancelShift(callTime);
    expect(await offers().statesOf(callTime, people)).toEqual(['ended', 'sent', 'waitlisted']);
    const held = await offers().partOf(callTime, people[1]);
    expect(held.expiresAt).toEqual(new Date(until));
    now = new Date(Date.parse(until) + 1);
    expectAnswer(await offers().accept(callTime, people[1]), 409, 'OFFER_CLOSED');
    expect(await settleDueOffers(service.prisma, now)).toBeGreaterThan(0);
    expect(await offers().statesOf(callTime, people)).toEqual(['ended', 'expired', then]);
    if (then !== 'expired')
      expect(expectAnswer(await offers().accept(callTime, people[2]), 200)).toMatchObject({ state: 'accepted' });
  });

  test('waits for an admin where they approve', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    await offers().send(callTime, [ann, ben], { mode: 'approval' });
    expect(expectAnswer(await offers().accept(callTime, ann), 200)).toMatchObject({ state: 'requested' });
    await offers().accept(callTime, ben);
    expect(await offers().shiftsOn(callTime)).toEqual([]);
    expectAnswer(await offers().answer(callTime, ann, 'refuse'), 403, 'FORBIDDEN');
    const refused = await offers().answer(callTime, ann, 'refuse', { reason: 'Next time' }, tenant.as.admin);
    expect(expectAnswer(refused, 200)).toMatchObject({ state: 'refused', reason: 'Next time' });
    const approved = await offers().answer(callTime, ben, 'accept', {}, tenant.as.admin);
    expect(expectAnswer(approved, 200)).toMatchObject({ state: 'accepted' });
    expect(await offers().shiftsOn(callTime)).toMatchObject([{ userId: ben.id, confirmed: true }]);
  });

  test('is declined, and sent again by an admin', async () => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    await offers().send(callTime, [ann]);
    expect(expectAnswer(await offers().decline(callTime, ann), 200)).toMatchObject({ state: 'declined' });
    expectAnswer(await offers().accept(callTime, ann), 409, 'OFFER_CLOSED');
    expectAnswer(await offers().answer(callTime, ann, 'resend'), 403, 'FORBIDDEN');
    expectAnswer(await offers().answer(callTime, ann, 'resend', {}, tenant.as.admin), 200);
    expect(expectAnswer(await offers().accept(callTime, ann), 200)).toMatchObject({ state: 'accepted' });
    expectAnswer(await offers().decline(callTime, ann), 409, 'OFFER_CLOSED');
  });

  test('that was filled is not answered by somebody who is asked again meanwhile', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    await offers().send(callTime, [ann, ben]);
    const first = await offers().partOf(callTime, ann);
    await offers().accept(callTime, ben);
    await cancelShift(callTime);
    expectAnswer(await offers().send(callTime, [ann]), 201);
    const url = `/v1/offer_recipients/${first.uuid}/actions/accept`;
    const refused = await offers().post(ann.token, url);
    expectAnswer(refused, 409, 'CONFLICT');
    expect(refused.body.message).toBe('You are asked again: answer the newer offer.');
    const mutation = `mutation { acceptOffer(id: "${first.uuid}") { uuid } }`;
    const { body } = await service.graphql(mutation, { as: tenant.as.admin });
    expect(body.errors[0].extensions.code).toBe('CONFLICT');
    expectAnswer(await offers().accept(callTime, ann), 200);
  });

  test('that was filled is not accepted from the start on', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    await offers().send(callTime, [ann, ben]);
    await offers().accept(callTime, ben);
    now = callTime.startsAt;
    expectAnswer(await offers().answer(callTime, ann, 'accept', {}, tenant.as.key), 409, 'OFFER_CLOSED');
  });

  test('is taken back from all or from some, but not from who has accepted', async () => {
    const people = (await offers().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    const wide = await newCallTime({ staffNeeded: 3 });
    const { uuid } = expectAnswer(await offers().send(wide, people), 201);
    await offers().accept(wide, people[0]);
    const url = `/v1/offers/${uuid}/actions/withdraw`;
    await offers().post(tenant.as.admin, url, { user_ids: [people[1].id], reason: 'Too far' });
    expect(await offers().statesOf(wide, people)).toEqual(['accepted', 'withdrawn', 'sent']);
    const all = expectAnswer(await offers().post(tenant.as.admin, url), 200);
    expect(all).toMatchObject({ withdrawn_at: '2026-11-26 15:00:00' });
    expect(all.recipients.map(({ state }: { state: string }) => state)).toEqual(['accepted', 'withdrawn', 'withdrawn']);
    expectAnswer(await offers().accept(wide, people[1]), 409, 'OFFER_CLOSED');
  });

  test('asks people some at a time until the places are taken', async () => {
    const people = (await offers().newPeople(5)) as [AskedPerson, AskedPerson, AskedPerson, AskedPerson, AskedPerson];
    await offers().send(callTime, people, { wave_size: 2, wave_minutes: 30 });
    const count = () => service.prisma.offerRecipient.count({ where: { callTimeId: callTime.id } });
    expect(await count()).toBe(2);
    await settleDueOffers(service.prisma, now);
    expect(await count()).toBe(2);
    now = new Date(now.getTime() + 30 * 60_000);
    await settleDueOffers(service.prisma, now);
    expect(await count()).toBe(4);
    expect(expectAnswer(await offers().accept(callTime, people[3]), 200)).toMatchObject({ state: 'accepted' });
    now = new Date(now.getTime() + 30 * 60_000);
    await settleDueOffers(service.prisma, now);
    expect(await count()).toBe(4);
    expect(await service.prisma.offer.findFirst({ where: { callTimeId: callTime.id } })).toMatchObject({
      nextWaveAt: null,
      waitingUserIds: [],
    });
  });

  test('goes to the best candidates, some at a time, and to nobody whom a rule is against', async () => {
    const own = await service.createTenant();
    const { staff, as } = own;
    const { id } = await service.createPosition(own.business);
    const at = await newCallTime({ positionId: id }, await service.createEvent(own.business));
    const [ready, busy] = [
      await service.createUser(own.business, 'staff'),
      await service.createUser(own.business, 'staff'),
    ];
    const all = { startsAt: new Date('2026-12-01T00:00:00Z'), endsAt: new Date('2026-12-31T00:00:00Z') };
    await service.createException(ready, { rule: 'available', ...all });
    await service.createShift(await service.createEvent(own.business), busy);
    const send = (more: object) => offers().post(as.admin, '/v1/offers', { call_time_uuid: at.uuid, ...more });
    const sent = expectAnswer(await send({ candidates: 3, wave_size: 1 }), 201);
    expect(sent.recipients).toMatchObject([{ user_id: ready.id }]);
    expect(sent.waiting_count).toBe(1);
    now = new Date('2026-11-26T16:00:00Z');
    await settleDueOffers(service.prisma, now);
    const { body } = await service.call('GET', `/v1/offers/${sent.uuid}`, { as: as.admin });
    expect(body.data.recipients.map(({ user_id: id }: { user_id: number }) => id)).toEqual([ready.id, staff.id]);
    expectAnswer(await send({ candidates: 3 }), 409, 'CONFLICT');
    for (const people of [{}, { candidates: 1, user_ids: [staff.id] }])
      expect((await send(people)).body.errors).toEqual({ user_ids: [expect.any(String)] });
  });

  test('is deleted long after its end, and so is a swap', async () => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    const sent = expectAnswer(await offers().send(callTime, [ann]), 201);
    await service.createSwap(await service.createShift(event, ann, { positionId }));
    const count = async () => [
      await service.prisma.offer.count({ where: { uuid: sent.uuid } }),
      await service.prisma.offerRecipient.count({ where: { userId: ann.id } }),
      await service.prisma.shiftSwap.count({ where: { fromUserId: ann.id } }),
    ];
    const end = callTime.startsAt.getTime();
    await deleteOffersBefore(service.prisma, new Date(end), 1000);
    await deleteSwapsBefore(service.prisma, new Date(end), 1000);
    expect(await count()).toEqual([1, 1, 1]);
    await deleteOffersBefore(service.prisma, new Date(end + 1000), 1000);
    await deleteSwapsBefore(service.prisma, new Date(end + 1000), 1000);
    expect(await count()).toEqual([0, 0, 0]);
  });

  test('ends by itself, and refuses an answer that comes too late even if the job is late', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    await offers().send(callTime, [ann, ben], { expires_at: '2026-11-26T16:00:00Z' });
    now = new Date('2026-11-26T16:00:00Z');
    expectAnswer(await offers().accept(callTime, ann), 409, 'OFFER_CLOSED');
    expect(await offers().statesOf(callTime, [ann, ben])).toEqual(['sent', 'sent']);
    await settleDueOffers(service.prisma, now);
    expect(await offers().statesOf(callTime, [ann, ben])).toEqual(['expired', 'expired']);
  });

  test('does not book somebody who is busy, unless an admin gives a reason', async () => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    const other = await newCallTime();
    await assign(tenant.as.admin, { callTimeId: other.uuid, userId: ann.id });
    await offers().send(callTime, [ann]);
    expectAnswer(await offers().accept(callTime, ann), 409, 'CLASH');
    const override = { override_reason: 'Agreed' };
    expectAnswer(await offers().answer(callTime, ann, 'accept', override), 403, 'FORBIDDEN');
    const accepted = await offers().answer(callTime, ann, 'accept', override, tenant.as.admin);
    expect(expectAnswer(accepted, 200)).toMatchObject({ state: 'accepted' });
    expect(await offers().shiftsOn(callTime)).toMatchObject([{ overrideReason: 'Agreed' }]);
  });

  test('to 500 people takes as many statements as one to one person', async () => {
    const people = await service.prisma.user.createManyAndReturn({
      data: Array.from({ length: 501 }, (_, index) => ({
        businessId: tenant.business.id,
        role: 'staff' as const,
        ...{ name: `P ${index}`, firstName: 'P', lastName: String(index) },
        ...{ email: `many${index}@offers.example`, emailKey: `many${index}@offers.example` },
      })),
    });
    let before = sqlCount();
    expectAnswer(await offers().send(callTime, people.slice(0, 1)), 201);
    const one = statementsSince(before).length;
    before = sqlCount();
    expect(expectAnswer(await offers().send(callTime, people.slice(1)), 201).recipients).toHaveLength(500);
    expect(statementsSince(before).length - one).toBeLessThanOrEqual(10);
  });
});

describe('what was offered is taken back', () => {
  const changes: [string, () => Promise<unknown>, string][] = [
    ['the event is canceled', () => changeEvent({ status: 'canceled' }), 'The event is canceled.'],
    ['the event is deleted', () => changeEvent({ status: 'deleted' }), 'The event is deleted.'],
    ['the event becomes a draft', () => changeEvent({ status: 'draft' }), 'The event is draft.'],
    [
      'the event moves',
      () => changeEvent({ start_time: '2026-12-06 18:00:00', end_time: '2026-12-06 23:00:00' }),
      'The event has moved.',
    ],
    [
      'the call time moves',
      () => updateCallTime(tenant.as.admin, callTime.uuid, { startTime: '2026-12-05 17:00:00' }),
      'The call time has changed.',
    ],
  ];
  const changeEvent = (body: object) => service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body });

  test.each(changes)('when %s', async (_what, change, reason) => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    const wide = await newCallTime({ staffNeeded: 2 });
    callTime = wide;
    await offers().send(wide, [ann, ben]);
    await offers().accept(wide, ben);
    await change();
    expect(await offers().partOf(wide, ann)).toMatchObject({ state: 'withdrawn', reason });
    expect(await offers().partOf(wide, ben)).toMatchObject({ state: 'accepted' });
  });

  test.each(['draft', 'deleted'])(
    'and the person is told nothing of what the event becomes while it is %s',
    async (status) => {
      const [ann] = (await offers().newPeople(1)) as [AskedPerson];
      const sent = expectAnswer(await offers().send(callTime, [ann]), 201);
      await changeEvent({ status, title: 'Secret plan', venue_name: 'Secret hall', dress_code: 'Masks' });
      const read = (as: string) => service.call('GET', `/v1/offer_recipients/${sent.recipients[0].uuid}`, { as });
      expect(expectAnswer(await read(ann.token), 200)).toMatchObject({
        ...{ state: 'withdrawn', event_title: '', venue_name: '', dress_code: '' },
      });
      expect(expectAnswer(await read(tenant.as.admin), 200)).toMatchObject({ event_title: 'Secret plan' });
    },
  );

  test('when the call time is deleted, with which it goes', async () => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    await offers().send(callTime, [ann]);
    expect((await deleteCallTime(tenant.as.admin, callTime.uuid)).code).toBe('OK');
    expect(await service.prisma.offerRecipient.count({ where: { callTimeId: callTime.id } })).toBe(0);
  });

  test.each([
    ['leaves', (id: number) => service.call('DELETE', `/api/v1/users/${id}`, { as: tenant.as.admin })],
    [
      'changes role',
      (id: number) => service.call('PUT', `/api/v1/users/${id}`, { as: tenant.as.admin, body: { role: 'client' } }),
    ],
  ])('when the person %s', async (_what, change) => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    await offers().send(callTime, [ann]);
    expect((await change(ann.id)).status).toBe(200);
    expect(await offers().partOf(callTime, ann)).toMatchObject({ state: 'withdrawn' });
  });

  test('but not when fewer people are needed or another note is written', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    const wide = await newCallTime({ staffNeeded: 3 });
    await offers().send(wide, [ann, ben]);
    await offers().accept(wide, ann);
    await updateCallTime(tenant.as.admin, wide.uuid, { staffNeeded: 2, dressCode: 'Black' });
    expect(await offers().statesOf(wide, [ann, ben])).toEqual(['accepted', 'sent']);
    await updateCallTime(tenant.as.admin, wide.uuid, { staffNeeded: 1 });
    expect(await offers().statesOf(wide, [ann, ben])).toEqual(['accepted', 'filled']);
  });
});

describe('offers as they are read', () => {
  test('are listed, with claims and those that nobody was asked by, for admins, in both dialects', async () => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    const first = expectAnswer(await offers().send(callTime, [ann]), 201);
    const waiting = await service.createOffer(await newCallTime({}));
    const url = `/v1/offers?event_uuid=${event.uuid}&per_page=1`;
    const page = expectAnswer(await service.call('GET', url, { as: tenant.as.admin }), 200);
    expect(page).toMatchObject({ total: 2, data: [{ uuid: waiting.uuid, version: 1 }] });
    const next = await service.call('GET', `${url}&page=2`, { as: tenant.as.key });
    expect(expectAnswer(next, 200).data).toMatchObject([{ uuid: first.uuid, call_time_uuid: callTime.uuid }]);
    const query = (filter: string) =>
      `{ offers(filter: { ${filter} }, first: 5) { totalCount nodes { uuid recipients { firstName } } } }`;
    const { body } = await service.graphql(query(`callTimeId: "${callTime.uuid}"`), { as: tenant.as.admin });
    expect(body.data.offers).toEqual({
      totalCount: 1,
      nodes: [{ uuid: first.uuid, recipients: [{ firstName: ann.firstName }] }],
    });
    expectAnswer(await service.call('GET', url, { as: ann.token }), 403, 'FORBIDDEN');
  });

  test('stand at their event and call time, with the shift that came of them, and to staff only their own', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    const wide = await newCallTime({ staffNeeded: 2 });
    await offers().send(wide, [ann, ben]);
    await offers().accept(wide, ann);
    const query = `{ event(id: "${event.uuid}") { offerRecipients { ...Part } callTimes { uuid offerRecipients { state } } } }
      fragment Part on OfferRecipient { state workShift { firstName } event { uuid } fullPosition { databaseId title } position }`;
    const ofAdmin = (await service.graphql(query, { as: tenant.as.admin })).body.data.event;
    const { title } = await service.prisma.position.findFirstOrThrow({ where: { id: positionId } });
    const shared = { event: { uuid: event.uuid }, fullPosition: { databaseId: positionId, title }, position: title };
    const hers = { ...shared, state: 'ACCEPTED', workShift: { firstName: ann.firstName } };
    expect(ofAdmin.offerRecipients).toEqual([hers, { ...shared, state: 'SENT', workShift: null }]);
    const ofCall = ofAdmin.callTimes.find(({ uuid }: CallTime) => uuid === wide.uuid);
    expect(ofCall.offerRecipients).toEqual([{ state: 'ACCEPTED' }, { state: 'SENT' }]);
    const ofAnn = (await service.graphql(query, { as: ann.token })).body.data.event;
    expect(ofAnn.offerRecipients).toMatchObject([{ state: 'ACCEPTED' }]);
    const url = `/v1/offer_recipients?event_uuid=${event.uuid}`;
    const { data } = expectAnswer(await service.call('GET', url, { as: tenant.as.admin }), 200);
    expect(data[0].position_id).toBe(positionId);
  });
});

describe('an open call time', () => {
  const open = async (person: AskedPerson) => {
    const answer = await service.call('GET', '/v1/open_call_times?per_page=5', { as: person.token });
    const { data, total } = expectAnswer(answer, 200);
    expect(total).toBe(data.length);
    return data;
  };
  const claim = (person: AskedPerson, { uuid }: CallTime) =>
    offers().post(person.token, `/v1/open_call_times/${uuid}/actions/claim`);

  test('is shown to staff of its position, who claim it at once or ask for it', async () => {
    const [ann, ben, cal] = (await offers().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    const other = await service.createPosition(tenant.business);
    const far = await service.createEvent(tenant.business, {
      start: '2026-12-20 18:00:00',
      end: '2026-12-20 23:00:00',
    });
    const past = { start: '2026-11-01 09:00:00', end: '2026-11-01 10:00:00', positionId: other.id };
    await service.createShift(far, ben, past);
    const claimable = await newCallTime({ claims: 'open' });
    expect(await open(ann)).toMatchObject([{ uuid: claimable.uuid, claims: 'open', open_places: 1 }]);
    expect(await open(ben)).toEqual([]);
    expectAnswer(await claim(ben, claimable), 404, 'NOT_FOUND');
    expectAnswer(await claim(ann, callTime), 404, 'NOT_FOUND');
    const claimed = await claim(ann, claimable);
    const part = expectAnswer(claimed, 201);
    expect(part).toMatchObject({ state: 'accepted', is_claim: true });
    expect(claimed.headers['location']).toBe(`/v1/offer_recipients/${part.uuid}`);
    expect(await offers().shiftsOn(claimable)).toMatchObject([{ userId: ann.id, confirmed: true }]);
    expect(await open(cal)).toEqual([]);
    expect(expectAnswer(await claim(cal, claimable), 201)).toMatchObject({ state: 'waitlisted', waitlist_place: 1 });
    expectAnswer(await claim(cal, claimable), 404, 'NOT_FOUND');
    await updateCallTime(tenant.as.admin, callTime.uuid, { claims: 'APPROVAL' });
    const [dan] = (await offers().newPeople(1)) as [AskedPerson];
    expect(expectAnswer(await claim(dan, callTime), 201)).toMatchObject({ state: 'requested', mode: 'approval' });
    expect(expectAnswer(await offers().decline(callTime, dan), 200)).toMatchObject({ state: 'declined' });
  });

  test('of any position is shown until somebody has worked: bookings, cancellations and no-shows hide none', async () => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    const other = await service.createPosition(tenant.business);
    const far = await service.createEvent(tenant.business, {
      start: '2026-12-20 18:00:00',
      end: '2026-12-20 23:00:00',
    });
    const claimable = await newCallTime({ claims: 'open' });
    const past = { start: '2026-11-01 09:00:00', end: '2026-11-01 10:00:00', positionId: other.id };
    const shown = async () => (await open(ann)).map(({ uuid }: { uuid: string }) => uuid).includes(claimable.uuid);
    await service.createShift(far, ann, { positionId: other.id });
    await service.createShift(far, ann, { ...past, status: 'canceled' });
    expect(await shown()).toBe(true);
    const missed = await service.createShift(far, ann, past);
    expect(await shown()).toBe(false);
    const { businessId, id, eventId, uuid } = missed;
    await service.prisma.attendance.create({ data: { businessId, id, eventId, uuid, noShow: true } });
    expect(await shown()).toBe(true);
  });
});

test('open call times are counted as they are listed', async () => {
  const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
  const [free, half, full, own, asked] = await Promise.all(
    [1, 2, 1, 2, 1].map((staffNeeded) => newCallTime({ staffNeeded, claims: 'open' })),
  );
  const canceled = await service.createEvent(tenant.business, { status: 'canceled' });
  await newCallTime({ claims: 'open' }, canceled);
  await newCallTime({ claims: 'open', start: '2026-11-26 09:00:00', end: '2026-11-26 10:00:00' });
  for (const { id: callTimeId } of [half!, full!]) await service.createShift(event, ben, { positionId, callTimeId });
  await service.createShift(event, ann, { positionId, callTimeId: own!.id });
  await service.createShift(event, ann, { positionId, start: '2026-11-01 09:00:00', end: '2026-11-01 10:00:00' });
  await offers().send(asked!, [ann]);
  const answer = await service.call('GET', '/v1/open_call_times', { as: ann.token });
  const { data, total } = expectAnswer(answer, 200);
  expect(new Set(data.map(({ uuid }: { uuid: string }) => uuid))).toEqual(new Set([free!.uuid, half!.uuid]));
  expect(total).toBe(2);
});

describe('bad input', () => {
  const cases: [string, object, number, string, string[]?][] = [
    [
      '10,000 people',
      { user_ids: Array.from({ length: 10_000 }, (_, id) => id + 1) },
      422,
      'VALIDATION_FAILED',
      ['user_ids'],
    ],
    ['nobody', { user_ids: [] }, 422, 'VALIDATION_FAILED', ['user_ids']],
    ['an end in the past', { expires_at: '2026-11-26T14:00:00Z' }, 422, 'VALIDATION_FAILED', ['expires_at']],
    ['an end after the start', { expires_at: '2026-12-06T14:00:00Z' }, 422, 'VALIDATION_FAILED', ['expires_at']],
    ['a message of 1 MB', { message: 'x'.repeat(1_000_000) }, 413, 'PAYLOAD_TOO_LARGE', []],
    ['a message of 1,001 characters', { message: 'x'.repeat(1001) }, 422, 'VALIDATION_FAILED', ['message']],
    ['an empty message', { message: ' ' }, 422, 'VALIDATION_FAILED', ['message']],
    ['a NUL in the message', { message: 'a\u0000b' }, 422, 'VALIDATION_FAILED', ['message']],
    ['an unknown mode', { mode: 'auction' }, 422, 'VALIDATION_FAILED', ['mode']],
    ['waves of nobody', { wave_size: 0 }, 422, 'VALIDATION_FAILED', ['wave_size']],
  ];
  test.each(cases)('%s is refused', async (_what, more, status, code, fields) => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    const { body, ...answer } = await offers().send(callTime, [ann], more);
    expect({ status: answer.status, code: body.code, fields: Object.keys(body.errors ?? {}) }).toEqual({
      status,
      code,
      fields,
    });
  });

  test('people of another business are unknown, and so is its call time', async () => {
    const stranger = await service.createTenant();
    const { body } = await offers().send(callTime, [stranger.staff]);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { user_ids: [expect.stringContaining('must be ids')] },
    });
    const theirs = await service.createCallTime(await service.createEvent(stranger.business), {});
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    expectAnswer(await offers().send(theirs, [ann]), 404, 'NOT_FOUND');
  });

  test.each(['draft', 'canceled'] as const)('nothing is offered at a %s event', async (status) => {
    const [ann] = (await offers().newPeople(1)) as [AskedPerson];
    const other = await service.createEvent(tenant.business, { status });
    expectAnswer(await offers().send(await newCallTime({}, other), [ann]), 409, 'CONFLICT');
  });

  test('what has started, is full, or has an open start without an end of the time to answer is refused', async () => {
    const [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
    await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ben.id });
    expectAnswer(await offers().send(callTime, [ann]), 409, 'CONFLICT');
    const tbd = await newCallTime({ startTbd: true });
    expectAnswer(await offers().send(tbd, [ann]), 422, 'VALIDATION_FAILED');
    expectAnswer(await offers().send(tbd, [ann], { expires_at: '2026-12-01T00:00:00Z' }), 201);
    expectAnswer(await offers().send(tbd, [ann], { expires_at: '2026-12-01T00:00:00Z' }), 409, 'CONFLICT');
    now = new Date('2026-12-05T22:00:00Z');
    const body = { call_time_uuid: (await newCallTime()).uuid, user_ids: [ann.id] };
    expectAnswer(await offers().post(tenant.as.key, '/v1/offers', body), 409, 'CONFLICT');
  });
});
