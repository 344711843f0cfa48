import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer, offersOf, type AskedPerson } from './support/offers.ts';

const now = new Date('2026-11-26T15:00:00Z');
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
let ann: AskedPerson;
let callTime: CallTime;
let shift: WorkShift;

const set = async (body: object) =>
  expectAnswer(await service.call('PUT', '/v1/business', { as: tenant.as.admin, body }), 200);
const act = (action: string, as = ann.token) =>
  service.call('POST', `/v1/work_shifts/${shift.uuid}/actions/${action}`, { as });

beforeEach(async () => {
  [ann] = (await offersOf(service, tenant).newPeople(1)) as [AskedPerson];
  const event = await service.createEvent(tenant.business);
  const { id: positionId } = await service.createPosition(tenant.business);
  // Nine days ahead.
  callTime = await service.createCallTime(event, { positionId, staffNeeded: 1 });
  const times = { positionId, callTimeId: callTime.id, confirmed: true, confirmedAt: now };
  shift = await service.createShift(event, ann, times);
  await set({ drop_deadline_hours: null, admins_drop: false });
});

describe('a shift is dropped by its person', () => {
  test('at any time without a deadline, and its place goes to the waitlist', async () => {
    const offers = offersOf(service, tenant);
    const [ben] = (await offers.newPeople(1)) as [AskedPerson];
    const offer = await service.createOffer(callTime);
    await service.createRecipient(offer, ben, { state: 'waitlisted', waitlistedAt: now });
    expect(expectAnswer(await act('drop'), 200)).toMatchObject({ status: 'canceled', drop_requested_at: null });
    expect(await offers.statesOf(callTime, [ben])).toEqual(['accepted']);
  });

  test.each(['drop', 'decline', 'unconfirm'])('behind the deadline only by asking an admin (%s)', async (action) => {
    await set({ drop_deadline_hours: 24 * 10 });
    const asked = expectAnswer(await act(action), 200);
    expect(asked).toMatchObject({ status: 'active', confirmed: true, drop_requested_at: '2026-11-26 15:00:00' });
    expect(expectAnswer(await act(action), 200)).toMatchObject({ version: asked.version });
    expect(expectAnswer(await act('keep'), 200)).toMatchObject({
      status: 'active',
      confirmed: true,
      drop_requested_at: null,
    });
    await act(action);
    expect(expectAnswer(await act('cancel', tenant.as.admin), 200)).toMatchObject({
      status: 'canceled',
      drop_requested_at: null,
    });
  });

  test('before the deadline by themselves', async () => {
    await set({ drop_deadline_hours: 24 });
    expect(expectAnswer(await act('decline'), 200)).toMatchObject({
      status: 'canceled',
      declined_at: '2026-11-26 15:00:00',
    });
  });

  test('only by asking where admins drop, but one that is not confirmed is declined', async () => {
    await set({ admins_drop: true });
    expect(expectAnswer(await act('drop'), 200)).toMatchObject({ status: 'active' });
    await act('unconfirm', tenant.as.admin);
    expect(expectAnswer(await act('decline'), 200)).toMatchObject({ status: 'canceled' });
  });

  test('only by asking also in two steps of one GraphQL request', async () => {
    await set({ drop_deadline_hours: 24 * 10 });
    const it = `id: "${shift.uuid}"`;
    const steps = `mutation { a: unconfirmShift(${it}) { confirmed } b: declineShift(${it}) { status dropRequestedAt } }`;
    const { body } = await service.graphql(steps, { as: ann.token });
    expect(body.data).toEqual({
      a: { confirmed: true },
      b: { status: 'ACTIVE', dropRequestedAt: '2026-11-26T15:00:00.000Z' },
    });
  });

  test('behind the deadline freely once a change has taken their confirmation', async () => {
    await set({ drop_deadline_hours: 24 * 10, admins_drop: true });
    const body = { start_time: '2026-12-05 17:00:00' };
    expectAnswer(await service.call('PUT', `/v1/work_shifts/${shift.uuid}`, { as: tenant.as.admin, body }), 200);
    expect(expectAnswer(await act('decline'), 200)).toMatchObject({ status: 'canceled' });
  });

  test.each(['drop', 'decline', 'unconfirm'])('not from its start on (%s), but an admin cancels it', async (action) => {
    const started = { startsAt: now, startLocal: new Date('2026-11-26T10:00:00Z') };
    for (const confirmed of [true, false]) {
      await service.prisma.workShift.updateMany({ where: { uuid: shift.uuid }, data: { ...started, confirmed } });
      expectAnswer(await act(action), 409, 'CONFLICT');
    }
    expect(expectAnswer(await act('cancel', tenant.as.admin), 200)).toMatchObject({ status: 'canceled' });
    expect(expectAnswer(await act('decline'), 200)).toMatchObject({ status: 'canceled', declined_at: null });
  });

  test('by the day of the call time while the start is to be determined', async () => {
    const { callTimes, workShifts } = { callTimes: service.prisma.callTime, workShifts: service.prisma.workShift };
    await workShifts.updateMany({ where: { uuid: shift.uuid }, data: { startsAt: null, startLocal: null } });
    await callTimes.updateMany({ where: { id: callTime.id }, data: { startTbd: true } });
    await set({ drop_deadline_hours: 24 * 10 });
    expect(expectAnswer(await act('drop'), 200)).toMatchObject({ status: 'active' });
    const early = { startsAt: new Date(now.getTime() - 1000), startLocal: new Date('2026-11-26T09:59:59Z') };
    await callTimes.updateMany({ where: { id: callTime.id }, data: early });
    expectAnswer(await act('decline'), 409, 'CONFLICT');
  });
});
