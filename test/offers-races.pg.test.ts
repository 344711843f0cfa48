import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { settleDueOffers } from '../src/bin/due-work.ts';
import type { CallTime, Event } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { offersOf, type AskedPerson } from './support/offers.ts';
import { staffing } from './support/staffing.ts';

/* Races: two processes of the service on one database, and a bystander who holds the event until the requests meet. */
const now = new Date('2026-11-26T15:00:00Z');
let service: TestApp;
let second: TestApp;
let bystander: pg.Client;
let observer: pg.Client;
let tenant: Tenant;
let event: Event;
let callTime: CallTime;
let positionId: number;

beforeAll(async () => {
  service = await startApp({ clock: () => now });
  second = await startApp({ clock: () => now, beside: service });
  const { url } = service.database.config().db;
  [bystander, observer] = [new pg.Client(url!), new pg.Client(url!)];
  await bystander.connect();
  await observer.connect();
  tenant = await service.createTenant();
  positionId = (await service.createPosition(tenant.business)).id;
});

beforeEach(async () => {
  event = await service.createEvent(tenant.business);
  callTime = await service.createCallTime(event, { staffNeeded: 1, positionId });
});

afterAll(async () => {
  await bystander.end();
  await observer.end();
  await second.close();
  await service.close();
});

const one = () => offersOf(service, tenant);
const other = () => offersOf(second, tenant);

/** Makes the calls while the event, and a held qualification, are locked, and lets go once all of them wait. */
async function meet<T>(calls: readonly (() => Promise<T>)[], held?: { readonly id: number }): Promise<T[]> {
  await bystander.query('BEGIN');
  if (held)
    await bystander.query('SELECT 1 FROM user_qualifications WHERE business_id = $1 AND id = $2 FOR UPDATE', [
      tenant.business.id,
      held.id,
    ]);
  await bystander.query('SELECT 1 FROM events WHERE business_id = $1 AND id = $2 FOR UPDATE', [
    tenant.business.id,
    event.id,
  ]);
  const answers = calls.map((call) => call());
  for (let waiting = 0; waiting < calls.length; await wait(10)) {
    const { rows } = await observer.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = rows[0].waiting;
  }
  await bystander.query('COMMIT');
  return Promise.all(answers);
}

/** Nothing is overfilled, nobody has a place without a shift or is twice at once anywhere, and nobody is asked twice. */
async function expectSound(): Promise<void> {
  const businessId = tenant.business.id;
  const shifts = await service.prisma.workShift.findMany({
    where: { businessId, eventId: event.id, status: 'active' },
  });
  const parts = await service.prisma.offerRecipient.findMany({ where: { businessId, eventId: event.id } });
  for (const { id, staffNeeded } of await service.prisma.callTime.findMany({
    where: { businessId, eventId: event.id },
  }))
    expect(shifts.filter(({ callTimeId }) => callTimeId === id).length).toBeLessThanOrEqual(staffNeeded);
  expect(new Set(shifts.map(({ userId }) => userId)).size).toBe(shifts.length);
  for (const { state, workShiftId, userId } of parts)
    if (state === 'accepted') expect(shifts).toContainEqual(expect.objectContaining({ id: workShiftId, userId }));
  const open = parts.filter(({ state }) => ['sent', 'waitlisted', 'requested'].includes(state));
  expect(new Set(open.map(({ userId, callTimeId }) => `${userId} ${callTimeId}`)).size).toBe(open.length);
}

const newShift = (person: AskedPerson) =>
  service.createShift(event, person, { positionId, callTimeId: callTime.id, confirmed: true, confirmedAt: now });

describe('at the same moment', () => {
  test('two people accept the last place: one has it, and one is on the waitlist', async () => {
    const [ann, ben] = (await one().newPeople(2)) as [AskedPerson, AskedPerson];
    await one().send(callTime, [ann, ben]);
    await meet([() => one().accept(callTime, ann), () => other().accept(callTime, ben)]);
    expect((await one().statesOf(callTime, [ann, ben])).sort()).toEqual(['accepted', 'waitlisted']);
    expect(await one().shiftsOn(callTime)).toHaveLength(1);
    await expectSound();
  });

  test('50 people accept 10 places: exactly 10 have shifts, and 40 are on the waitlist', async () => {
    callTime = await service.createCallTime(event, { staffNeeded: 10, positionId });
    const people = await one().newPeople(50);
    await one().send(callTime, people);
    const answers = await Promise.all(
      people.map((person, index) => (index % 2 ? one() : other()).accept(callTime, person)),
    );
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
    const states = await one().statesOf(callTime, people);
    expect(states.filter((state) => state === 'accepted')).toHaveLength(10);
    expect(states.filter((state) => state === 'waitlisted')).toHaveLength(40);
    expect(await one().shiftsOn(callTime)).toHaveLength(10);
    await expectSound();
  });

  const changeEvent = (body: object) => second.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body });
  test.each([
    ['canceled', () => changeEvent({ status: 'canceled' })],
    ['deleted', () => second.call('DELETE', `/v1/events/${event.uuid}`, { as: tenant.as.admin })],
    ['moved', () => changeEvent({ start_time: '2026-12-06 18:00:00', end_time: '2026-12-06 23:00:00' })],
  ])('one person accepts and the event is %s: the answer counts, or the offer is taken back', async (_what, change) => {
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    await one().send(callTime, [ann]);
    const [accepted] = await meet([() => one().accept(callTime, ann), change]);
    const [state] = await one().statesOf(callTime, [ann]);
    expect([accepted!.status, state]).toEqual(accepted!.status === 200 ? [200, 'accepted'] : [409, 'withdrawn']);
    await expectSound();
  });

  test('an offer is taken back and accepted: one of both', async () => {
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    const { body } = await one().send(callTime, [ann]);
    const [accepted] = await meet([
      () => one().accept(callTime, ann),
      () => other().post(tenant.as.admin, `/v1/offers/${body.data.uuid}/actions/withdraw`),
    ]);
    const [state] = await one().statesOf(callTime, [ann]);
    expect([accepted!.status, state]).toEqual(accepted!.status === 200 ? [200, 'accepted'] : [409, 'withdrawn']);
    await expectSound();
  });

  test('an admin assigns somebody and somebody else accepts the same place: one of both', async () => {
    const [ann, ben] = (await one().newPeople(2)) as [AskedPerson, AskedPerson];
    await one().send(callTime, [ann]);
    const { assign } = staffing(() => second);
    const input = { callTimeId: callTime.uuid, userId: ben.id };
    await meet<unknown>([() => one().accept(callTime, ann), () => assign(tenant.as.admin, input)]);
    const [shift, ...others] = await one().shiftsOn(callTime);
    expect(others).toEqual([]);
    expect(await one().statesOf(callTime, [ann])).toEqual([shift!.userId === ann.id ? 'accepted' : 'waitlisted']);
    await expectSound();
  });

  test('a wave starts and the last place goes: nobody is asked for nothing', async () => {
    const people = (await one().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    await one().send(callTime, people, { wave_size: 1, wave_minutes: 1 });
    const later = new Date(now.getTime() + 60_000);
    await meet<unknown>([() => one().accept(callTime, people[0]), () => settleDueOffers(second.prisma, later)]);
    expect(await one().statesOf(callTime, [people[0]])).toEqual(['accepted']);
    const asked = await service.prisma.offerRecipient.findMany({ where: { callTimeId: callTime.id, state: 'sent' } });
    expect(asked).toEqual([]);
    await expectSound();
  });

  test('a place becomes free twice over, and two people are on the waitlist: one of them has it', async () => {
    const people = (await one().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    await one().send(callTime, people);
    for (const person of people) await one().accept(callTime, person);
    const [shift] = await one().shiftsOn(callTime);
    const cancel = (of: TestApp) => () => staffing(() => of).move(tenant.as.admin, 'cancel', shift!.uuid);
    await meet<unknown>([cancel(service), cancel(second), () => settleDueOffers(second.prisma, now)].slice(0, 2));
    expect(await one().statesOf(callTime, people)).toEqual(['ended', 'accepted', 'waitlisted']);
    await expectSound();
  });

  test('one person accepts two offers at the same time: one of both', async () => {
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    const also = await service.createCallTime(await service.createEvent(tenant.business), {
      staffNeeded: 1,
      positionId,
    });
    await one().send(callTime, [ann]);
    await one().send(also, [ann]);
    const answers = await Promise.all([one().accept(callTime, ann), other().accept(also, ann)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await service.prisma.workShift.count({ where: { userId: ann.id, status: 'active' } })).toBe(1);
  });

  test('a person leaves and accepts: one of both', async () => {
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    await one().send(callTime, [ann]);
    const [accepted] = await meet([
      () => one().accept(callTime, ann),
      () => second.call('DELETE', `/api/v1/users/${ann.id}`, { as: tenant.as.admin }),
    ]);
    const [state] = await one().statesOf(callTime, [ann]);
    expect(state).toBe(accepted!.status === 200 ? 'accepted' : 'withdrawn');
    await expectSound();
  });

  test('a shift is dropped and its place is offered: the place goes to one person only', async () => {
    const [ann, ben] = (await one().newPeople(2)) as [AskedPerson, AskedPerson];
    const shift = await newShift(ann);
    await service.createRecipient(await service.createOffer(callTime), ben, { state: 'filled' });
    const [, accepted] = await meet<unknown>([
      () => one().post(ann.token, `/v1/work_shifts/${shift.uuid}/actions/drop`),
      () => other().accept(callTime, ben),
    ]);
    expect(accepted).toMatchObject({ status: 200 });
    expect(await one().statesOf(callTime, [ben])).toEqual(['accepted']);
    expect(await one().shiftsOn(callTime)).toMatchObject([{ userId: ben.id }]);
    await expectSound();
  });

  /** A person who holds what the call time requires, and the request that takes it away. */
  async function newHolder() {
    const [person] = (await one().newPeople(1)) as [AskedPerson];
    const { id: qualificationId } = await service.createQualification(tenant.business);
    const held = await service.createHeld(person, { qualificationId });
    const { businessId, eventId, id: callTimeId } = callTime;
    await service.prisma.requirement.create({ data: { businessId, eventId, callTimeId, qualificationId } });
    const lose = () => second.call('DELETE', `/v1/user_qualifications/${held.id}`, { as: tenant.as.admin });
    return { person, held, lose };
  }

  test('a person accepts and loses a required qualification: they have it still, or are refused', async () => {
    const { person, held, lose } = await newHolder();
    await one().send(callTime, [person]);
    const [accepted, lost] = await meet([() => one().accept(callTime, person), lose], held);
    expect(lost!.status).toBe(200);
    const [state] = await one().statesOf(callTime, [person]);
    expect([accepted!.status, accepted!.body.code, state]).toEqual(
      accepted!.status === 200 ? [200, undefined, 'accepted'] : [409, 'CLASH', 'sent'],
    );
    await expectSound();
  });

  test('a person takes a swap and loses a required qualification: they have it still, or are refused', async () => {
    await service.prisma.business.updateMany({ data: { approvesSwaps: false } });
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    const shift = await newShift(ann);
    const { person, held, lose } = await newHolder();
    const { body } = await service.call('POST', '/v1/shift_swaps', {
      as: ann.token,
      body: { shift_uuid: shift.uuid, to_user_id: person.id },
    });
    const take = () => one().post(person.token, `/v1/shift_swaps/${body.data.uuid}/actions/take`);
    const [taken, lost] = await meet([take, lose], held);
    expect(lost!.status).toBe(200);
    const { userId } = await service.prisma.workShift.findFirstOrThrow({ where: { id: shift.id } });
    expect([taken!.status, taken!.body.code, userId]).toEqual(
      taken!.status === 200 ? [200, undefined, person.id] : [409, 'CLASH', ann.id],
    );
    await expectSound();
  });

  test('a person whose qualification is gone since the offer is refused', async () => {
    const { person, lose } = await newHolder();
    await one().send(callTime, [person]);
    expect((await lose()).status).toBe(200);
    const refused = await one().accept(callTime, person);
    expect([refused.status, refused.body.code]).toEqual([409, 'CLASH']);
    expect(await one().statesOf(callTime, [person])).toEqual(['sent']);
    await expectSound();
  });

  test('the job that expires is late: an answer is refused, and the job ends the part afterwards', async () => {
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    await one().send(callTime, [ann]);
    await service.prisma.offerRecipient.updateMany({ where: { userId: ann.id }, data: { expiresAt: now } });
    const [accepted] = await meet<unknown>([
      () => one().accept(callTime, ann),
      () => settleDueOffers(second.prisma, now),
    ]);
    expect(accepted).toMatchObject({ status: 409, body: { code: 'OFFER_CLOSED' } });
    expect(await one().statesOf(callTime, [ann])).toEqual(['expired']);
    await expectSound();
  });
});

describe('a swap, at the same moment', () => {
  const request = async (of: TestApp, { token }: AskedPerson, body: object) =>
    of.call('POST', '/v1/shift_swaps', { as: token, body });
  const take =
    (of: TestApp, { token }: AskedPerson, uuid: string) =>
    () =>
      of.call('POST', `/v1/shift_swaps/${uuid}/actions/take`, { as: token });
  const stored = () => service.prisma.shiftSwap.findMany({ where: { eventId: event.id } });

  beforeEach(() => service.prisma.business.updateMany({ data: { approvesSwaps: false } }));

  test.each(['drop', 'decline'])('is asked for while the shift is dropped (%s): one of both', async (action) => {
    const [ann] = (await one().newPeople(1)) as [AskedPerson];
    const shift = await newShift(ann);
    const [dropped, asked] = await meet([
      () => one().post(ann.token, `/v1/work_shifts/${shift.uuid}/actions/${action}`),
      () => request(second, ann, { shift_uuid: shift.uuid }),
    ]);
    expect([dropped!.status, asked!.status].sort()).toEqual(asked!.status === 201 ? [201, 409] : [200, 409]);
    expect(await stored()).toHaveLength(asked!.status === 201 ? 1 : 0);
  });

  test('is taken while the shift is dropped, canceled or taken by somebody else: one person has it, or nobody', async () => {
    const [ann, ben, cid] = (await one().newPeople(3)) as [AskedPerson, AskedPerson, AskedPerson];
    const shift = await newShift(ann);
    const { uuid } = (await request(service, ann, { shift_uuid: shift.uuid })).body.data;
    const answers = await meet([
      take(service, ben, uuid),
      take(second, cid, uuid),
      () => second.call('POST', `/v1/work_shifts/${shift.uuid}/actions/cancel`, { as: tenant.as.admin }),
    ]);
    const taken = answers.slice(0, 2).filter(({ status }) => status === 200);
    const [swap] = await stored();
    expect([taken.length, swap!.state]).toEqual(taken.length === 1 ? [1, 'done'] : [0, 'void']);
    await expectSound();
  });

  test('two swaps of the same two shifts are taken crosswise: one of both, and nobody waits for ever', async () => {
    const [ann, ben] = (await one().newPeople(2)) as [AskedPerson, AskedPerson];
    const elsewhere = await service.createEvent(tenant.business);
    const day = { start: '2026-12-06 16:00:00', end: '2026-12-06 23:30:00', positionId };
    const [hers, his] = [await newShift(ann), await service.createShift(elsewhere, ben, day)];
    const uuidOf = async (person: AskedPerson, of: { uuid: string }, wanted: { uuid: string }) =>
      (await request(service, person, { shift_uuid: of.uuid, other_shift_uuid: wanted.uuid })).body.data.uuid;
    const [one_, two] = [await uuidOf(ann, hers, his), await uuidOf(ben, his, hers)];
    const answers = await meet([take(service, ben, one_), take(second, ann, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const shifts = await service.prisma.workShift.findMany({ where: { id: { in: [hers.id, his.id] } } });
    expect(new Map(shifts.map(({ id, userId }) => [id, userId]))).toEqual(
      new Map([
        [hers.id, ben.id],
        [his.id, ann.id],
      ]),
    );
  });
});
