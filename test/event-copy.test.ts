import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';
import { wholeEvent } from './support/event-dialects.ts';
import { flattenRow } from './support/flat-rows.ts';
import { createFullAndBare } from './support/full-event.ts';
import { sqlCount } from './support/sql-watch.ts';

const mutate = asker(() => service, 'mutation');
const query = asker(() => service, 'query');

const service = useService();
const tenant = useTenant(service);

const copy = async (uuid: string, input: object, as = tenant.as.admin) => {
  const text = `($uuid: ID!, $input: CopyEventInput!) { it: copyEvent(id: $uuid, input: $input) { event { ${wholeEvent} } } }`;
  const { it, ...reply } = await mutate(as, text, { uuid, input });
  return { ...reply, it: flattenRow(it?.event) };
};
const read = async (uuid: string) =>
  flattenRow((await query(tenant.as.admin, `{ it: event(id: "${uuid}") { ${wholeEvent} } }`)).it);
const countEvents = () => service.prisma.event.count({ where: { businessId: tenant.business.id } });
const reasons = async (uuid: string) => {
  const rows = await service.prisma.workShift.findMany({ where: { event: { uuid } }, orderBy: { id: 'asc' } });
  return rows.map(({ overrideReason }) => overrideReason);
};

describe('a copy', () => {
  test('is a draft with the call times and custom values of its original, moved by a week of local time', async () => {
    await createFullAndBare(service, tenant);
    const full = await service.prisma.event.findFirstOrThrow({
      where: { businessId: tenant.business.id, title: 'Full' },
    });
    const original = await read(full.uuid);
    const { code, it } = await copy(full.uuid, { days: 7, title: 'Full again' });
    expect(code).toBe('OK');
    const weekLater = (text: string) => text.replace(/2026-12-(\d\d)/g, (_, day) => `2026-12-${Number(day) + 7}`);
    const { id: _id, uuid: _uuid, createdAt: _c, modifiedAt: _m, callTimes, workShifts, ...own } = original;
    expect(it).toMatchObject({
      ...JSON.parse(weekLater(JSON.stringify(own))),
      title: 'Full again',
      status: 'DRAFT',
      resourceId: null,
      workShifts: [],
    });
    expect(it.callTimes).toHaveLength(3);
    for (const [index, { id, uuid, createdAt: _a, modifiedAt: _b, ...callTime }] of callTimes.entries()) {
      expect(it.callTimes[index]).toMatchObject(JSON.parse(weekLater(JSON.stringify(callTime))));
      expect(it.callTimes[index].id).not.toBe(id);
      expect(it.callTimes[index].uuid).not.toBe(uuid);
    }
    expect(workShifts).toHaveLength(2);
    expect(await read(full.uuid)).toEqual(original);
    expect(await read(it.uuid)).toEqual(it);
  });

  test('of an event with only the required fields keeps its title, and can lie in the past', async () => {
    const event = await service.createEvent(tenant.business, { title: 'Bare', status: 'canceled' });
    expect((await copy(event.uuid, { days: -366 })).it).toMatchObject({
      title: 'Bare',
      status: 'DRAFT',
      startTime: '2025-12-04 18:00:00',
      endTime: '2025-12-04 23:00:00',
      callTimes: [],
    });
  });

  test('keeps the time of day over a change of the clocks', async () => {
    const event = await service.createEvent(tenant.business, {
      start: '2027-03-13 18:00:00',
      end: '2027-03-13 23:00:00',
    });
    await service.createCallTime(event, { start: '2027-03-13 23:00:00', end: '2027-03-14 04:00:00' });
    const { it } = await copy(event.uuid, { days: 1 });
    expect(it).toMatchObject({ startTime: '2027-03-14 18:00:00', startsAt: '2027-03-14T22:00:00.000Z' });
    expect(it.callTimes).toMatchObject([{ endTime: '2027-03-15 04:00:00', endsAt: '2027-03-15T08:00:00.000Z' }]);
  });

  test('is refused if clocks skip a time on the new day, with the name of each item', async () => {
    const event = await service.createEvent(tenant.business, {
      start: '2027-03-13 02:30:00',
      end: '2027-03-13 08:00:00',
    });
    const callTime = await service.createCallTime(event, { start: '2027-03-13 01:00:00', end: '2027-03-13 02:59:59' });
    const shift = await service.createShift(event, tenant.staff, { start: '2027-03-13 02:00:00', end: null });
    const { code, errors } = await copy(event.uuid, { days: 1, withShifts: true });
    expect(code).toBe('VALIDATION_FAILED');
    const skipped =
      'which does not exist in America/New_York because clocks skip it; the nearest valid time is 2027-03-14 03:00:00';
    expect(errors).toEqual({
      days: [
        `would move the start of the event to 2027-03-14 02:30:00, ${skipped}`,
        `would move the end of call time ${callTime.uuid} to 2027-03-14 02:59:59, ${skipped}`,
        `would move the start of work shift ${shift.uuid} to 2027-03-14 02:00:00, ${skipped}`,
      ],
    });
    expect((await copy(event.uuid, { days: 1 })).errors['days']).toHaveLength(2);
    expect(await countEvents()).toBe(1);
  });

  test.each<[string, object, string[]]>([
    ['days beyond what they may be', { days: limits.copyDaysMax + 1 }, ['days']],
    ['a blank and a long title', { days: -limits.copyDaysMax - 1, title: ' '.repeat(201) }, ['days', 'title']],
    ['a blank reason', { days: 1, override: { reason: '' } }, ['override.reason']],
    ['days that lead before 1970', { days: -21_000 }, ['days']],
  ])('is refused with %s', async (_, input, fields) => {
    const event = await service.createEvent(tenant.business);
    const { code, errors } = await copy(event.uuid, input);
    expect({ code, fields: Object.keys(errors).sort() }).toEqual({ code: 'VALIDATION_FAILED', fields });
  });

  test('leaves out a deleted client', async () => {
    const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
    expect((await copy(event.uuid, { days: 1 })).it.clientId).toBe(tenant.client.id);
    const { status } = await service.call('DELETE', `/api/v1/users/${tenant.client.id}?events=keep`, {
      as: tenant.as.admin,
    });
    expect(status).toBe(200);
    expect((await copy(event.uuid, { days: 1 })).it.clientId).toBeNull();
  });

  test('costs the same number of SQL statements with many children as with few', async () => {
    const field = await service.createCustomField(tenant.business);
    const position = await service.createPosition(tenant.business);
    const costs = [];
    for (const children of [1, 12]) {
      const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
      await service.setCustomValue(event, field, 'x');
      const people = [];
      for (let child = 0; child < children; child++) {
        people.push(await service.createUser(tenant.business, 'staff'));
        await service.createCallTime(event, { positionId: position.id });
        await service.createShift(event, people[child]!, { positionId: position.id });
      }
      const before = sqlCount();
      expect((await copy(event.uuid, { days: 30, withShifts: true })).code).toBe('OK');
      costs.push(sqlCount() - before);
    }
    expect(costs[1]).toBe(costs[0]);
    // Four of them read the children of the copy, and the people of its shifts, one notes the origin for the change log, and four read
    // what the rules ask of people and copy what the call times require.
    expect(costs[0]).toBeLessThanOrEqual(24);
  });
});

describe('a copy with shifts', () => {
  let event: Event;
  let second: User;

  beforeEach(async () => {
    event = await service.createEvent(tenant.business);
    second = await service.createUser(tenant.business, 'staff');
  });

  test('has the active shifts, unconfirmed and without a reason, each on its call time', async () => {
    const callTime = await service.createCallTime(event);
    const { id: callTimeId, positionId } = callTime;
    const all = { callTimeId, positionId, payRate: '19.99' };
    await service.createShift(event, tenant.staff, { ...all, confirmed: true, overrideReason: 'Asked for' });
    await service.createShift(event, second, { ...all, start: null, end: null });
    for (const status of ['canceled', 'deleted'] as const) await service.createShift(event, second, { ...all, status });
    const { it } = await copy(event.uuid, { days: 1, withShifts: true });
    const same = { callTimeId: it.callTimes[0].id, positionId, confirmed: false, status: 'ACTIVE', payRate: '19.99' };
    expect(it.workShifts).toHaveLength(2);
    expect(it.workShifts).toMatchObject([
      { ...same, userId: tenant.staff.id, startTime: '2026-12-06 16:00:00', endTime: '2026-12-06 23:30:00' },
      { ...same, userId: second.id, startTime: null, endTime: null, startsAt: null },
    ]);
    expect(await reasons(it.uuid)).toEqual([null, null]);
  });

  test('leaves out people who are deleted or no longer staff', async () => {
    for (const user of [tenant.staff, second]) await service.createShift(event, user);
    await service.call('DELETE', `/api/v1/users/${tenant.staff.id}?shifts=cancel`, { as: tenant.as.admin });
    expect((await copy(event.uuid, { days: 1, withShifts: true })).it.workShifts).toMatchObject([
      { userId: second.id },
    ]);
    await service.prisma.user.updateMany({ where: { id: second.id }, data: { role: 'client' } });
    expect((await copy(event.uuid, { days: 1, withShifts: true })).it.workShifts).toEqual([]);
  });

  test('is refused if somebody is busy, unless a reason is given, which is stored where it was needed', async () => {
    for (const user of [tenant.staff, second]) await service.createShift(event, user);
    const other = await service.createEvent(tenant.business, {
      start: '2026-12-12 12:00:00',
      end: '2026-12-12 20:00:00',
    });
    const busy = await service.createShift(other, second, { start: '2026-12-12 12:00:00', end: '2026-12-12 17:00:00' });
    const before = await countEvents();
    const { code, extensions } = await copy(event.uuid, { days: 7, withShifts: true });
    expect(code).toBe('CLASH');
    expect(extensions.clashes).toEqual([
      {
        kind: 'OVERLAP',
        user: { id: expect.any(String), databaseId: second.id },
        shiftUuid: busy.uuid,
        eventUuid: other.uuid,
        eventTitle: other.title,
        startsAt: '2026-12-12T17:00:00.000Z',
        endsAt: '2026-12-12T22:00:00.000Z',
        minutes: 60,
      },
    ]);
    expect(await countEvents()).toBe(before);
    expect((await copy(event.uuid, { days: 7 })).code).toBe('OK');
    const override = { reason: 'They asked for it' };
    const { it } = await copy(event.uuid, { days: 7, withShifts: true, override });
    expect(await reasons(it.uuid)).toEqual([null, override.reason]);
    const free = await copy(event.uuid, { days: 8, withShifts: true, override });
    expect(await reasons(free.it.uuid)).toEqual([null, null]);
  });

  test('onto the same day clashes with its original', async () => {
    const shift = await service.createShift(event, second);
    const { code, extensions } = await copy(event.uuid, { days: 0, withShifts: true });
    expect(code).toBe('CLASH');
    expect(extensions.clashes).toMatchObject([{ kind: 'OVERLAP', shiftUuid: shift.uuid, minutes: 450 }]);
  });

  test('names clashes within the copy by the uuids of the original', async () => {
    const { id: callTimeId, uuid, positionId } = await service.createCallTime(event, { staffNeeded: 1 });
    const shifts = [
      await service.createShift(event, second, { callTimeId, positionId }),
      await service.createShift(event, second, { callTimeId, positionId, start: null, end: null }),
    ];
    const { code, extensions } = await copy(event.uuid, { days: 7, withShifts: true });
    expect(code).toBe('CLASH');
    expect(extensions.clashes).toHaveLength(3);
    expect(extensions.clashes).toEqual(
      expect.arrayContaining([
        { kind: 'OVERFILLED', callTimeUuid: uuid, needed: 1, assigned: 1 },
        ...shifts.map((shift) =>
          expect.objectContaining({ kind: 'POSSIBLE_OVERLAP', shiftUuid: shift.uuid, eventUuid: event.uuid }),
        ),
      ]),
    );
  });
});
