import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Event, User, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer } from './support/offers.ts';
import { createScreen } from './support/screens.ts';

/* A festival of four days in UTC. A shift without a start has a day nevertheless. */

const day = (date: number, time = '00:00:00') => `2026-12-${String(date).padStart(2, '0')} ${time}`;
const at = (date: number, time: string) => new Date(`${day(date, time).replace(' ', 'T')}Z`);
const period = (from: Date, to: Date) => ({ startLocal: from, startsAt: from, endLocal: to, endsAt: to });

/** Tokens hold for a day from here on. */
let now = at(17, '09:00:00');
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
let festival: Event;
let ann: User;
let token: string;
let positionId: number;

const later = (date: number, start: string, end: string) => period(at(date, start), at(date, end));
const unknownStart = { startLocal: null, startsAt: null };

beforeEach(async () => {
  now = at(17, '09:00:00');
  ({ id: positionId } = await service.createPosition(tenant.business));
  festival = await service.createEvent(tenant.business, {
    timezone: 'UTC',
    ...period(at(17, '10:00:00'), at(20, '22:00:00')),
  });
  ann = await service.createUser(tenant.business, 'staff', { phone: '+1 (212) 555-0142' });
  token = await service.tokenOf(ann);
});

/** A shift whose start is to be determined on the 20th, by its call time. */
async function createOpenShift(own: object = {}): Promise<WorkShift> {
  const times = later(20, '08:00:00', '16:00:00');
  const { id: callTimeId } = await service.createCallTime(festival, { positionId, startTbd: true, ...times });
  return service.createShift(festival, ann, { positionId, callTimeId, ...times, ...unknownStart, ...own });
}

describe('while the start of a shift is to be determined', () => {
  test('it is paid by the rate of its day, in sums that are stored and in those that are made', async () => {
    const as = tenant.as.admin;
    const announced = {
      pay_unit: 'flat',
      default_pay_rate: '10.00',
      announced_rates: [{ from: '2026-12-19', pay_rate: '25.00' }],
    };
    expectAnswer(await service.call('PUT', `/v1/positions/${positionId}`, { as, body: announced }), 200);
    // Its end is on the 20th, and the event begins on the 17th.
    await service.createShift(festival, ann, { positionId, ...later(20, '08:00:00', '16:00:00'), ...unknownStart });
    const { body } = await service.graphql(`{ event(id: "${festival.uuid}") { labourCost { planned } } }`, { as });
    const span = 'from=2026-12-17T00:00:00Z&to=2026-12-21T00:00:00Z';
    const report = await service.call('GET', `/v1/labour_cost?${span}&group_by=event`, { as });
    expect([body.data.event, report.body.data.total.planned]).toMatchObject([
      { labourCost: { planned: '25.00' } },
      '25.00',
    ]);
  });

  test('lists find it on the day of its call time alone, in both dialects', async () => {
    const { uuid } = await createOpenShift();
    const as = tenant.as.admin;
    const of = (path: string) => async (query: string) =>
      expectAnswer(await service.call('GET', `${path}?user_id=${ann.id}&${query}`, { as }), 200).data.map(
        (row: { uuid: string }) => row.uuid,
      );
    for (const read of [of('/v1/work_shifts'), of('/v1/attendance')]) {
      expect(await read('from=2026-12-17T00:00:00Z&to=2026-12-20T00:00:00Z')).toEqual([]);
      expect(await read('from=2026-12-20T00:00:00Z&to=2026-12-21T00:00:00Z')).toEqual([uuid]);
    }
    const mine = async (from: string, to: string) =>
      (await service.graphql(`{ myShifts(from: "${from}", to: "${to}") { nodes { uuid } } }`, { as: token })).body.data
        .myShifts.nodes;
    expect(await mine('2026-12-17T00:00:00Z', '2026-12-20T00:00:00Z')).toEqual([]);
    expect(await mine('2026-12-20T00:00:00Z', '2026-12-21T00:00:00Z')).toEqual([{ uuid }]);
  });

  test.each([
    ['the call time', {}, '20261220'],
    ['the call time, also where both times are', { endLocal: null, endsAt: null }, '20261220'],
    [
      'its own end, without a call time',
      { callTimeId: null, endLocal: at(19, '12:00:00'), endsAt: at(19, '12:00:00') },
      '20261219',
    ],
    ['the event, without either', { callTimeId: null, endLocal: null, endsAt: null }, '20261217'],
  ])('a feed shows it on the day of %s', async (_of, own, expected) => {
    await createOpenShift(own);
    const feed = { kind: 'shifts', name: 'Mine' };
    const { path } = expectAnswer(await service.call('POST', '/v1/feeds', { as: token, body: feed }), 201);
    const { body: text } = await service.app.http.inject({ method: 'GET', url: path });
    expect(text).toContain(`DTSTART;VALUE=DATE:${expected}`);
  });

  test('payroll has it in the week of that day', async () => {
    await createOpenShift({ endLocal: null, endsAt: null });
    // Sunday the 20th ends the week of the 14th; Monday the 21st begins another one.
    await service.prisma.callTime.updateMany({
      where: { eventId: festival.id },
      data: later(21, '08:00:00', '16:00:00'),
    });
    const shifts = async (from: string, to: string) =>
      expectAnswer(
        await service.call('GET', `/v1/payroll?from=${from}&to=${to}&user_id=${ann.id}`, { as: tenant.as.admin }),
        200,
      ).total.shifts;
    expect(await shifts('2026-12-14', '2026-12-20')).toBe(0);
    expect(await shifts('2026-12-21', '2026-12-27')).toBe(1);
  });

  test('its person checks in from the beginning of that day on', async () => {
    const { uuid } = await createOpenShift();
    const { check_in_from, check_in_until } = expectAnswer(
      await service.call('GET', `/v1/work_shifts/${uuid}/attendance`, { as: token }),
      200,
    );
    expect([check_in_from, check_in_until]).toEqual([day(19, '23:00:00'), day(20, '20:00:00')]);
  });

  test('a swap of it ends on that day', async () => {
    const { uuid } = await createOpenShift();
    const body = { shift_uuid: uuid };
    const swap = expectAnswer(await service.call('POST', '/v1/shift_swaps', { as: token, body }), 201);
    expect(swap).toMatchObject({ start_time: day(20, '08:00:00'), expires_at: day(20, '08:00:00') });
    const other = await createOpenShift({ callTimeId: null, endLocal: now, endsAt: now });
    expectAnswer(
      await service.call('POST', '/v1/shift_swaps', { as: token, body: { shift_uuid: other.uuid } }),
      409,
      'CONFLICT',
    );
  });
});

describe('a screen checks in', () => {
  const tap = async () => {
    const { token: screen } = await createScreen(service.prisma, tenant, { checkInEventUuid: festival.uuid });
    const body = { name: ann.name, phone_digits: '0142' };
    return service.call('POST', '/v1/my_screen/check_in', { as: screen, body });
  };
  const create = (...times: Parameters<typeof later>) =>
    service.createShift(festival, ann, { positionId, ...later(...times) });

  test('the shift that begins, and not the one of the morning that was missed', async () => {
    const missed = await create(17, '10:00:00', '12:00:00');
    const next = await create(17, '13:30:00', '18:00:00');
    now = at(17, '13:00:00');
    expect(expectAnswer(await tap(), 200).shift_uuid).toBe(next.uuid);
    expect(await service.prisma.attendance.count({ where: { id: missed.id } })).toBe(0);
  });

  test('the shift of today, whatever was noted of yesterday', async () => {
    await create(17, '10:00:00', '12:00:00');
    const noShow = await create(18, '06:00:00', '08:00:00');
    const today = await create(18, '09:00:00', '18:00:00');
    now = at(18, '08:30:00');
    const body = { no_show: true };
    expectAnswer(
      await service.call('PUT', `/v1/work_shifts/${noShow.uuid}/attendance`, { as: tenant.as.admin, body }),
      200,
    );
    expect(expectAnswer(await tap(), 200).shift_uuid).toBe(today.uuid);
  });

  test('out whoever is there, and then in for the next shift', async () => {
    const first = await create(17, '10:00:00', '13:00:00');
    const second = await create(17, '13:00:00', '18:00:00');
    now = at(17, '10:00:00');
    expect(expectAnswer(await tap(), 200)).toMatchObject({ shift_uuid: first.uuid, checked_out_at: null });
    now = at(17, '12:50:00');
    expect(expectAnswer(await tap(), 200)).toMatchObject({
      shift_uuid: first.uuid,
      checked_out_at: at(17, '12:50:00').toISOString(),
    });
    now = at(17, '13:00:00');
    expect(expectAnswer(await tap(), 200)).toMatchObject({ shift_uuid: second.uuid, checked_out_at: null });
  });

  test('nobody while no shift of theirs is open', async () => {
    await create(17, '10:00:00', '12:00:00');
    now = at(18, '08:30:00');
    expectAnswer(await tap(), 409, 'CONFLICT');
  });
});
