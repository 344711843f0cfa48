import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer, offersOf, type AskedPerson } from './support/offers.ts';
import { staffing } from './support/staffing.ts';
import { swapsOf } from './support/swaps.ts';

/* Offers, waitlists and swaps follow whatever changes a place, whoever changes it and by whatever way. */

/** Three in the afternoon, nine days before the events of the tests. */
const now = new Date('2026-11-26T15:00:00Z');
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
const { assign, updateShift, moveTo, exchange, move } = staffing(() => service);
const offers = () => offersOf(service, tenant);
let event: Event;
let callTime: CallTime;
let positionId: number;
let ann: AskedPerson;
let ben: AskedPerson;

const admin = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  service.call(method, url, { as: tenant.as.admin, ...(body && { body }) });
const done = ({ code }: { code: string }) => expect(code).toBe('OK');
const newShift = (person: AskedPerson, more: object = {}): Promise<WorkShift> =>
  service.createShift(event, person, { positionId, ...more });
/** A day later, so that nobody works twice at once. */
const later = { start: '2026-12-06 16:00:00', end: '2026-12-06 20:00:00' };

beforeEach(async () => {
  positionId = (await service.createPosition(tenant.business)).id;
  event = await service.createEvent(tenant.business, { end: '2026-12-06 23:00:00' });
  callTime = await service.createCallTime(event, { positionId, staffNeeded: 1 });
  [ann, ben] = (await offers().newPeople(2)) as [AskedPerson, AskedPerson];
});

describe('a place that becomes free goes to the waitlist', () => {
  beforeEach(async () => {
    await offers().send(callTime, [ann, ben]);
    for (const person of [ann, ben]) expectAnswer(await offers().accept(callTime, person), 200);
  });

  const ofAnn = async () => (await offers().shiftsOn(callTime))[0]!;

  test.each<[string, () => Promise<unknown>]>([
    [
      'its person is deleted (REST)',
      async () => expectAnswer(await admin('DELETE', `/api/v1/users/${ann.id}?shifts=cancel`), 200),
    ],
    [
      'its person is deleted (GraphQL)',
      async () => {
        const document = `mutation { deleteUser(id: ${ann.id}, shifts: CANCEL) { name } }`;
        expect((await service.graphql(document, { as: tenant.as.admin })).body.errors).toBeUndefined();
      },
    ],
    ['its shift is deleted', async () => done(await move(tenant.as.admin, 'delete', (await ofAnn()).uuid))],
    [
      'its shift is canceled in a batch',
      async () =>
        expectAnswer(await admin('POST', '/v1/work_shifts/batch/cancel', { shift_uuids: [(await ofAnn()).uuid] }), 200),
    ],
    [
      'its shift leaves the call time',
      async () => done(await updateShift(tenant.as.admin, (await ofAnn()).uuid, { callTimeId: null })),
    ],
    [
      'more people are needed',
      async () => expectAnswer(await admin('PUT', `/v1/call_times/${callTime.uuid}`, { staff_needed: 2 }), 200),
    ],
  ])('where %s', async (_what, free) => {
    await free();
    expect(await offers().statesOf(callTime, [ben])).toEqual(['accepted']);
    expect((await offers().shiftsOn(callTime)).map(({ userId }) => userId)).toContain(ben.id);
  });

  test('which is held for a person who leaves, and for the next one after them', async () => {
    const [cid] = (await offers().newPeople(1)) as [AskedPerson];
    const [, offer] = [await offers().send(callTime, [cid]), await offers().partOf(callTime, ben)];
    expect(offer.state).toBe('waitlisted');
    const held = { state: 'sent', expiresAt: new Date(now.getTime() + 3_600_000) } as const;
    await service.prisma.offerRecipient.updateMany({ where: { id: offer.id }, data: held });
    const { id: offerId } = await service.createOffer(callTime);
    const place = { businessId: tenant.business.id, eventId: event.id, callTimeId: callTime.id, offerId };
    await service.prisma.offerRecipient.create({
      data: { ...place, userId: cid.id, state: 'waitlisted', waitlistedAt: now, expiresAt: callTime.startsAt },
    });
    await service.prisma.workShift.updateMany({ where: { callTimeId: callTime.id }, data: { status: 'canceled' } });
    expectAnswer(await admin('PUT', `/api/v1/users/${ben.id}`, { role: 'client' }), 200);
    expect(await offers().statesOf(callTime, [ben, cid])).toEqual(['withdrawn', 'accepted']);
  });
});

describe('somebody who is asked gets the place by another way', () => {
  const elsewhere = async (person = ann) => {
    const call = await service.createCallTime(event, { positionId, ...later });
    return newShift(person, { callTimeId: call.id, ...later });
  };

  test.each<[string, () => Promise<unknown>]>([
    [
      'assigned (REST)',
      async () =>
        expectAnswer(await admin('POST', '/v1/work_shifts', { call_time_uuid: callTime.uuid, user_id: ann.id }), 201),
    ],
    [
      'assigned (GraphQL)',
      async () => done(await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ann.id })),
    ],
    [
      'assigned in a batch',
      async () =>
        expectAnswer(
          await admin('POST', '/v1/work_shifts/batch', {
            inputs: [{ call_time_uuid: callTime.uuid, user_id: ann.id }],
          }),
          201,
        ),
    ],
    [
      'given the shift of somebody else',
      async () => {
        const { uuid } = await newShift(ben, { callTimeId: callTime.id });
        done(await updateShift(tenant.as.admin, uuid, { userId: ann.id }));
      },
    ],
    [
      'moved there',
      async () => done(await moveTo(tenant.as.admin, (await elsewhere()).uuid, { callTimeId: callTime.uuid })),
    ],
    [
      'exchanged with somebody',
      async () => {
        const there = await newShift(ben, { callTimeId: callTime.id });
        done(await exchange(tenant.as.admin, there.uuid, { otherShiftId: (await elsewhere()).uuid }));
      },
    ],
  ])('by being %s: the part is accepted, and a later yes confirms the shift', async (_way, give) => {
    await service.prisma.callTime.updateMany({ where: { id: callTime.id }, data: { staffNeeded: 2 } });
    expectAnswer(await offers().send(callTime, [ann, ben]), 201);
    await give();
    const [shift] = (await offers().shiftsOn(callTime)).filter(({ userId }) => userId === ann.id);
    expect(await offers().partOf(callTime, ann)).toMatchObject({
      ...{ state: 'accepted', workShiftId: shift!.id, respondedAt: null },
    });
    expect(shift).toMatchObject({ confirmed: false });
    expect(expectAnswer(await offers().accept(callTime, ann), 200)).toMatchObject({
      ...{ state: 'accepted', work_shift_uuid: shift!.uuid, responded_at: '2026-11-26 15:00:00' },
    });
    expect(await service.prisma.workShift.findFirst({ where: { id: shift!.id } })).toMatchObject({ confirmed: true });
  });

  test('in a dry run: their part stays open', async () => {
    await offers().send(callTime, [ann]);
    const body = { call_time_uuid: callTime.uuid, user_id: ann.id };
    expectAnswer(await admin('POST', '/v1/work_shifts?dry_run=true', body), 200);
    expect(await offers().statesOf(callTime, [ann])).toEqual(['sent']);
  });

  test('the others are too late, and not the one who has the last place', async () => {
    await offers().send(callTime, [ann, ben]);
    done(await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ann.id }));
    expect(await offers().statesOf(callTime, [ann, ben])).toEqual(['accepted', 'filled']);
    const override = { reason: 'One more' };
    done(await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ben.id, override }));
    expect(await offers().statesOf(callTime, [ben])).toEqual(['accepted']);
  });

  test.each(['waitlisted', 'requested'] as const)('while their part is %s', async (state) => {
    const offer = await service.createOffer(callTime, { mode: 'approval' });
    const waitlistedAt = state === 'waitlisted' ? now : null;
    await service.createRecipient(offer, ann, { state, waitlistedAt, respondedAt: now });
    await newShift(ben, { callTimeId: callTime.id });
    const override = { reason: 'One more' };
    done(await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ann.id, override }));
    expect(await offers().statesOf(callTime, [ann])).toEqual(['accepted']);
    const { body } = await service.graphql(`mutation ($id: ID!) { acceptOffer(id: $id) { state } }`, {
      as: tenant.as.admin,
      variables: { id: (await offers().partOf(callTime, ann)).uuid },
    });
    expect(body.data.acceptOffer).toEqual({ state: 'ACCEPTED' });
    expect((await offers().shiftsOn(callTime)).at(-1)).toMatchObject({ userId: ann.id, confirmed: true });
  });

  test('a yes counts, too, where the part did not follow before', async () => {
    await offers().send(callTime, [ann]);
    const { id } = await newShift(ann, { callTimeId: callTime.id });
    expect(expectAnswer(await offers().accept(callTime, ann), 200)).toMatchObject({ state: 'accepted' });
    expect(await offers().shiftsOn(callTime)).toMatchObject([{ id, confirmed: true }]);
  });

  test('a later no declines the shift, and their part is over', async () => {
    await offers().send(callTime, [ann]);
    done(await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ann.id }));
    expect(expectAnswer(await offers().decline(callTime, ann), 200)).toMatchObject({ state: 'ended' });
    expect(await offers().shiftsOn(callTime)).toEqual([]);
  });

  test('by a swap: the part is accepted', async () => {
    await swapsOf(service, tenant).set({ approves_swaps: false });
    const { uuid } = await newShift(ben, { callTimeId: callTime.id });
    await service.createRecipient(await service.createOffer(callTime), ann, { state: 'filled' });
    const swap = expectAnswer(
      await swapsOf(service, tenant).request(ben, { shift_uuid: uuid, to_user_id: ann.id }),
      201,
    );
    expectAnswer(await swapsOf(service, tenant).act(ann.token, swap, 'take'), 200);
    expect(await offers().statesOf(callTime, [ann])).toEqual(['accepted']);
  });

  test('the time to answer was over: the part stays over', async () => {
    await offers().send(callTime, [ann]);
    await service.prisma.offerRecipient.updateMany({ where: { userId: ann.id }, data: { expiresAt: now } });
    done(await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: ann.id }));
    expect(await offers().statesOf(callTime, [ann])).toEqual(['expired']);
  });
});

describe('a swap is void', () => {
  test.each<[string, (shift: WorkShift, other: number) => Promise<unknown>]>([
    ['of it', async ({ uuid }, other) => done(await updateShift(tenant.as.admin, uuid, { positionId: other }))],
    [
      'of its call time',
      async (_shift, other) =>
        expectAnswer(await admin('PUT', `/v1/call_times/${callTime.uuid}`, { position_id: other }), 200),
    ],
    [
      'of its call time, in a batch',
      async (_shift, other) => {
        const changes = [{ call_time_uuid: callTime.uuid, position_id: other }];
        expectAnswer(await admin('POST', '/v1/call_times/batch', { event_uuid: event.uuid, changes }), 200);
      },
    ],
  ])('when a shift of it gets another position by a change %s', async (_what, change) => {
    const elsewhere = await service.createEvent(tenant.business);
    const own = await service.createShift(elsewhere, ann, { positionId });
    const wanted = await newShift(ben, { callTimeId: callTime.id, ...later });
    const swap = expectAnswer(
      await swapsOf(service, tenant).request(ann, { shift_uuid: own.uuid, other_shift_uuid: wanted.uuid }),
      201,
    );
    await change(wanted, (await service.createPosition(tenant.business)).id);
    expect(await swapsOf(service, tenant).stateOf(swap)).toBe('void');
    expect((await offers().shiftsOn(callTime))[0]).toMatchObject({ userId: ben.id, confirmed: false });
  });
});
