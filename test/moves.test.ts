import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, WorkShift } from '../src/generated/prisma/client.ts';
import { formatUtc } from '../src/time/wall-clock.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* What becomes of the call times and shifts of an event that gets other times or another zone. */

let now: Date;
let tenant: Tenant;
let event: Event;
let callTime: CallTime;
let shift: WorkShift;
let as: string;

const service = useService({ clock: () => now });

beforeEach(async () => {
  now = new Date('2026-06-01T12:00:00.000Z');
  tenant = await service.createTenant();
  as = tenant.as.admin;
  event = await service.createEvent(tenant.business, {
    start: '2026-07-01 18:00:00',
    end: '2026-07-01 23:00:00',
    timezone: 'Europe/Berlin',
  });
  callTime = await service.createCallTime(event, times);
  const { positionId } = callTime;
  shift = await service.createShift(event, tenant.staff, { ...times, positionId, callTimeId: callTime.id, ...agreed });
});

const times = { start: '2026-07-01 16:00:00', end: '2026-07-01 23:30:00' };
const agreed = { confirmed: true, confirmedAt: new Date('2026-05-01T00:00:00.000Z') };

const put = (body: object, url = `/v1/events/${event.uuid}`) => service.call('PUT', url, { as, body });
const byDays = (days: number, more: object = {}) =>
  put({ start_time: day(1 + days, '18:00'), end_time: day(1 + days, '23:00'), ...more });
const day = (number: number, time: string) =>
  formatUtc(new Date(Date.parse(`2026-07-01T${time}:00Z`) + (number - 1) * 86_400_000));
const stored = async (id = shift.id) => {
  const row = await service.prisma.workShift.findFirstOrThrow({ where: { id, businessId: tenant.business.id } });
  return { start: row.startLocal && formatUtc(row.startLocal), confirmed: row.confirmed, confirmedAt: row.confirmedAt };
};
const storedCallTime = async () => {
  const where = { id: callTime.id, businessId: tenant.business.id };
  const { startLocal, endLocal, overrideReason } = await service.prisma.callTime.findFirstOrThrow({ where });
  return { start: formatUtc(startLocal), end: formatUtc(endLocal), overrideReason };
};

describe('an event whose start and end change by the same difference', () => {
  test('takes its call times and shifts along, which lose their confirmation, and says so', async () => {
    const answer = await byDays(35);
    expect([answer.status, answer.body.data.moved]).toEqual([200, { call_times: 1, work_shifts: 1 }]);
    expect(await storedCallTime()).toEqual({ start: day(36, '16:00'), end: day(36, '23:30'), overrideReason: null });
    expect(await stored()).toEqual({ start: day(36, '16:00'), confirmed: false, confirmedAt: null });
    expect((await put({ title: 'Gala' })).body.data).not.toHaveProperty('moved');
  });

  test('is written back as its change was answered, and moves no further', async () => {
    const { data } = (await byDays(35)).body;
    expect(data.moved).toEqual({ call_times: 1, work_shifts: 1 });
    const again = await put({ ...data, title: 'Gala' });
    expect([again.status, again.body.data.title, again.body.data.moved]).toEqual([200, 'Gala', undefined]);
    // A later answer tells of nothing that moved, and the report of an earlier write is still no fault.
    expect((await put({ title: 'Ball', moved: { call_times: 7 } })).body.data.title).toBe('Ball');
    expect(await storedCallTime()).toMatchObject({ start: day(36, '16:00'), end: day(36, '23:30') });
  });

  test('does so through GraphQL, and by the difference on the clocks, across their changes', async () => {
    const { body } = await service.graphql(
      `mutation { updateEvent(id: "${event.uuid}", input: { startTime: "2026-11-01 18:00:00", endTime: "2026-11-01 23:00:00" }) {
         event { callTimes { startTime startsAt } } moved { callTimes workShifts } } }`,
      { as: tenant.as.admin },
    );
    expect(body).toEqual({
      data: {
        updateEvent: {
          event: { callTimes: [{ startTime: '2026-11-01 16:00:00', startsAt: '2026-11-01T15:00:00.000Z' }] },
          moved: { callTimes: 1, workShifts: 1 },
        },
      },
    });
  });

  test('leaves all where they are if the caller keeps them', async () => {
    const answer = await byDays(35, { children: 'keep' });
    expect([answer.status, answer.body.data.moved]).toEqual([200, undefined]);
    expect(await stored()).toEqual({ start: times.start, confirmed: true, confirmedAt: agreed.confirmedAt });
    expect((await put({ children: 'drop' })).body.errors).toEqual({ children: [expect.any(String)] });
  });

  test('with shifts that have ended does not move, but by itself', async () => {
    now = new Date('2026-07-02T12:00:00.000Z');
    as = await service.tokenOf(tenant.admin);
    const refused = await byDays(35);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toMatch(/have ended \(1\)/);
    expect(refused.body.errors.start_time[0]).toMatch(/`children`/);
    expect((await byDays(35, { children: 'keep' })).status).toBe(200);
    expect(await stored()).toMatchObject({ start: times.start, confirmed: true });
  });

  test('leaves what is to be determined, and asks for new confirmations there, too', async () => {
    const { id } = await service.createShift(event, tenant.staff, { start: null, end: null, ...agreed });
    const gone = await service.createShift(event, tenant.staff, { ...times, status: 'canceled' });
    expect((await byDays(1)).body.data.moved).toEqual({ call_times: 1, work_shifts: 3 });
    expect(await stored(id)).toEqual({ start: null, confirmed: false, confirmedAt: null });
    expect(await stored(gone.id)).toMatchObject({ start: day(2, '16:00') });
  });

  test('is refused where a time would fall into a gap of the clocks, with the next valid time', async () => {
    await put({ start_time: '2026-07-01 16:00:00' }, `/v1/call_times/${callTime.uuid}`);
    const late = await service.createCallTime(event, { start: '2026-07-01 23:00:00', end: '2026-07-02 02:30:00' });
    const answer = await put({ start_time: '2027-03-27 18:00:00', end_time: '2027-03-27 23:00:00' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.start_time[0]).toMatch(
      /2026-07-02 02:30:00.*2027-03-28 02:30:00.*Europe\/Berlin.*2027-03-28 03:00:00/,
    );
    expect(late.startLocal).toEqual(
      (await service.prisma.callTime.findFirstOrThrow({ where: { id: late.id } })).startLocal,
    );
  });

  test('is refused where it books people twice, unless there is a reason', async () => {
    const other = await service.createEvent(tenant.business, {
      start: '2026-08-05 18:00:00',
      end: '2026-08-05 23:00:00',
      timezone: 'Europe/Berlin',
    });
    await service.createShift(other, tenant.staff, { start: '2026-08-05 18:00:00', end: '2026-08-05 20:00:00' });
    const refused = await byDays(35);
    expect([refused.status, refused.body.code]).toEqual([409, 'CLASH']);
    expect(await stored()).toMatchObject({ start: times.start, confirmed: true });
    expect((await byDays(35, { override_reason: 'Agreed' })).status).toBe(200);
    const { overrideReason } = await service.prisma.workShift.findFirstOrThrow({ where: { id: shift.id } });
    expect(overrideReason).toBe('Agreed');
  });
});

describe('an event of which one end changes', () => {
  test('moves nothing, and is refused where it leaves a call time, unless there is a reason', async () => {
    expect((await put({ end_time: '2026-07-02 01:00:00' })).body.data).not.toHaveProperty('moved');
    const changes = { start_time: '2026-07-02 00:30:00', end_time: '2026-07-02 03:00:00' };
    const refused = await put(changes);
    expect([refused.status, refused.body.code]).toEqual([409, 'CLASH']);
    expect(refused.body.errors.start_time[0]).toContain(callTime.uuid);
    const { body } = await service.graphql(
      `mutation { updateEvent(id: "${event.uuid}", input: { startTime: "2026-07-02 00:30:00", endTime: "2026-07-02 03:00:00" }) {
         clashes { kind callTimeUuid } } }`,
      { as: tenant.as.admin },
    );
    expect(body.data.updateEvent.clashes).toEqual([{ kind: 'OUTSIDE_EVENT', callTimeUuid: callTime.uuid }]);
    expect((await put({ ...changes, override_reason: 'Built the day before' })).status).toBe(200);
    expect(await storedCallTime()).toMatchObject({ start: times.start, overrideReason: 'Built the day before' });
    expect(await stored()).toMatchObject({ start: times.start, confirmed: true });
    // It needs none any more.
    await put({ start_time: '2026-07-01 18:00:00' });
    expect(await storedCallTime()).toMatchObject({ overrideReason: null });
  });
});

describe('an event that gets another zone', () => {
  test('keeps what the clocks show, and shifts lose their confirmation with their instants', async () => {
    expect((await put({ timezone: 'Europe/Paris' })).body.data).not.toHaveProperty('moved');
    expect(await stored()).toMatchObject({ confirmed: true });
    const answer = await put({ timezone: 'Asia/Tokyo' });
    expect(answer.body.data.moved).toEqual({ call_times: 1, work_shifts: 1 });
    expect(await stored()).toEqual({ start: times.start, confirmed: false, confirmedAt: null });
  });

  test('and other times is moved by the difference on the clocks', async () => {
    const answer = await byDays(1, { timezone: 'Asia/Tokyo' });
    expect(answer.body.data.moved).toEqual({ call_times: 1, work_shifts: 1 });
    expect(await storedCallTime()).toMatchObject({ start: day(2, '16:00') });
  });
});

describe('a call time that does not touch its event', () => {
  const beside = { start_time: '2026-06-29 08:00:00', end_time: '2026-06-29 16:00:00' };
  const create = (more: object) =>
    service.call('POST', '/v1/call_times', {
      as: tenant.as.admin,
      body: { event_uuid: event.uuid, position_id: callTime.positionId, staff_needed: 1, ...beside, ...more },
    });

  test('is created only with a reason, which it shows', async () => {
    const refused = await create({});
    expect(refused).toMatchObject({ status: 409, body: { code: 'CLASH', clashes: [{ kind: 'OUTSIDE_EVENT' }] } });
    const made = await create({ override_reason: 'Early build' });
    expect([made.status, made.body.data.override_reason]).toEqual([201, 'Early build']);
    // What ends as the event starts touches it.
    expect((await create({ end_time: '2026-07-01 18:00:00' })).body.data.override_reason).toBe('');
    expect((await create({ end_time_tbd: true })).status).toBe(201);
    // So does a load-in on the day of the event, without touching it.
    expect((await create({ start_time: '2026-07-01 08:00:00', end_time: '2026-07-01 09:00:00' })).status).toBe(201);
  });

  test('is changed to be there only with a reason, and stays there without another one', async () => {
    const url = `/v1/call_times/${callTime.uuid}`;
    expect((await put(beside, url)).status).toBe(409);
    expect((await put({ ...beside, override_reason: 'Early build' }, url)).status).toBe(200);
    expect((await put({ end_time: '2026-06-29 17:00:00' }, url)).body.data.override_reason).toBe('Early build');
    expect((await put({ start_time: times.start, end_time: times.end }, url)).body.data.override_reason).toBe('');
  });

  test('has its event found on its own day, and not on the days between', async () => {
    await create({ override_reason: 'Early build' });
    const found = async (from: string, to: string) => {
      const url = `/v1/events?runs_from=${from}T00:00:00Z&runs_to=${to}T00:00:00Z`;
      const { body } = await service.call('GET', url, { as: tenant.as.admin });
      return [body.data.total, body.data.data.length];
    };
    expect(await found('2026-06-28', '2026-06-29')).toEqual([0, 0]);
    expect(await found('2026-06-29', '2026-06-30')).toEqual([1, 1]);
    expect(await found('2026-06-30', '2026-07-01')).toEqual([0, 0]);
    expect(await found('2026-07-01', '2026-07-02')).toEqual([1, 1]);
  });
});
