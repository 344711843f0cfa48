import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, Position } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { staffing } from './support/staffing.ts';

let tenant: Tenant;
let stranger: Tenant;
let event: Event;
let position: Position;
const { createCallTime, updateCallTime, deleteCallTime } = staffing(() => service);

const service = useService();

beforeAll(async () => {
  [tenant, stranger] = [await service.createTenant(), await service.createTenant()];
  event = await service.createEvent(tenant.business);
  position = await service.createPosition(tenant.business, { title: 'Rigger', defaultPayRate: '31.5', payUnit: 'day' });
});

const least = () => ({
  positionId: position.id,
  staffNeeded: 3,
  startTime: '2026-12-05 16:00:00',
  endTime: '2026-12-05 23:30:00',
});

const stored = (uuid: string) => service.prisma.callTime.findFirst({ where: { uuid } });

describe('createCallTime', () => {
  test('needs only the required fields and takes rate and unit from the position', async () => {
    const { code, row } = await createCallTime(tenant.as.admin, event.uuid, least());
    expect(code).toBe('OK');
    expect(row).toMatchObject({
      ...least(),
      position: 'Rigger',
      skillLevelId: null,
      startsAt: '2026-12-05T21:00:00.000Z',
      endsAt: '2026-12-06T04:30:00.000Z',
      startTimeTbd: false,
      endTimeTbd: false,
      notesForStaff: null,
      payRate: '31.50',
      payUnit: 'DAY',
      dressCode: null,
    });
    expect(await stored(row.uuid)).toMatchObject({ eventId: event.id, businessId: tenant.business.id, payRate: null });
  });

  test('stores every field, and the event shows them', async () => {
    const skill = await service.prisma.skillLevel.create({ data: { businessId: tenant.business.id, name: 'Expert' } });
    const all = {
      ...least(),
      skillLevelId: skill.id,
      startTimeTbd: true,
      endTimeTbd: true,
      notesForStaff: 'Side door',
      payUnit: 'FLAT',
      dressCode: 'Black',
    };
    const { row } = await createCallTime(tenant.as.key, event.uuid, { ...all, payRate: '9999999999.99' });
    expect(row).toMatchObject({ ...all, payRate: '9999999999.99' });
    const { body } = await service.call('GET', `/v1/events/${event.uuid}`, { as: tenant.as.admin });
    expect(body.data.call_times).toContainEqual(expect.objectContaining({ uuid: row.uuid, dress_code: 'Black' }));
  });

  test('reports every wrong field at once', async () => {
    const foreign = await service.createPosition(stranger.business);
    const shape = await createCallTime(tenant.as.admin, event.uuid, {
      ...least(),
      staffNeeded: 0,
      startTime: '2026-02-30 10:00:00',
      payRate: '1.234',
      dressCode: 'x'.repeat(20_001),
    });
    expect(shape.code).toBe('VALIDATION_FAILED');
    expect(Object.keys(shape.errors).sort()).toEqual(['dressCode', 'payRate', 'staffNeeded', 'startTime']);
    const rules = await createCallTime(tenant.as.admin, event.uuid, {
      ...least(),
      positionId: foreign.id,
      skillLevelId: 2_147_483_647,
      endTime: '2026-12-05 16:00:00',
    });
    expect(rules.errors).toEqual({
      positionId: ['must be the id of a position of this business'],
      skillLevelId: ['must be the id of a skill level of this business'],
      endTime: ['must be after the start'],
    });
  });

  test.each([10_001, -1, 2_147_483_648])('refuses staffNeeded %i', async (staffNeeded) => {
    const { row } = await createCallTime(tenant.as.admin, event.uuid, { ...least(), staffNeeded });
    expect(row).toBeNull();
  });

  test('refuses a time that the zone of the event skips', async () => {
    const paris = await service.createEvent(tenant.business, { timezone: 'Europe/Paris' });
    const { errors } = await createCallTime(tenant.as.admin, paris.uuid, {
      ...least(),
      startTime: '2026-03-29 02:30:00',
    });
    expect(errors['startTime']![0]).toContain('2026-03-29 03:00:00');
  });

  test.each(['canceled', 'deleted'] as const)('refuses an event that is %s', async (status) => {
    const gone = await service.createEvent(tenant.business, { status });
    const { code } = await createCallTime(tenant.as.admin, gone.uuid, least());
    expect(code).toBe('CONFLICT');
    expect(await service.prisma.callTime.count({ where: { eventId: gone.id } })).toBe(0);
  });
});

describe('updateCallTime', () => {
  test('changes only the given fields, and null clears a field', async () => {
    const { uuid } = await service.createCallTime(event, {
      payRate: '40',
      payUnit: 'day',
      notesForStaff: 'Ring',
      dressCode: 'Black',
    });
    const before = await stored(uuid);
    const { code, row } = await updateCallTime(tenant.as.admin, uuid, {
      notesForStaff: null,
      dressCode: '',
      payRate: '41.5',
      startTimeTbd: true,
    });
    expect(code).toBe('OK');
    expect(row).toMatchObject({ notesForStaff: null, dressCode: null, payRate: '41.50', startTimeTbd: true });
    const { startTbd, notesForStaff, dressCode, payRate, modifiedAt, version, ...others } = (await stored(uuid))!;
    expect(before).toMatchObject({ ...others, version: version - 1 });
    expect({ startTbd, notesForStaff, dressCode, payRate: String(payRate) }).toEqual({
      startTbd: true,
      notesForStaff: null,
      dressCode: null,
      payRate: '41.5',
    });
    expect(modifiedAt.getTime()).toBeGreaterThan(before!.modifiedAt.getTime());
    expect((await updateCallTime(tenant.as.admin, uuid, { payRate: null })).row.payRate).toBe('20.00');
  });

  test('changes nothing without given fields', async () => {
    const { uuid } = await service.createCallTime(event);
    const before = await stored(uuid);
    expect((await updateCallTime(tenant.as.admin, uuid, {})).code).toBe('OK');
    expect(await stored(uuid)).toEqual(before);
  });

  test('applies its rules to the resulting call time', async () => {
    const { uuid } = await service.createCallTime(event);
    const { errors } = await updateCallTime(tenant.as.admin, uuid, { endTime: '2026-12-05 15:00:00' });
    expect(errors).toEqual({ endTime: ['must be after the start'] });
  });

  test('does not move shifts', async () => {
    const callTime = await service.createCallTime(event);
    const shift = await service.createShift(event, tenant.staff, { callTimeId: callTime.id });
    await updateCallTime(tenant.as.admin, callTime.uuid, { startTime: '2026-12-05 10:00:00', positionId: position.id });
    expect(await service.prisma.workShift.findFirst({ where: { id: shift.id } })).toEqual(shift);
  });

  test('refuses fewer places than assigned people unless allowOverfill is set', async () => {
    const callTime = await service.createCallTime(event, { staffNeeded: 5 });
    for (const status of ['active', 'active', 'active', 'canceled', 'deleted'] as const)
      await service.createShift(event, tenant.staff, { callTimeId: callTime.id, status });
    const change = (more: object) => updateCallTime(tenant.as.admin, callTime.uuid, more);
    const refused = await change({ staffNeeded: 2 });
    expect(refused).toMatchObject({
      code: 'CLASH',
      clashes: [{ kind: 'OVERFILLED', callTimeUuid: callTime.uuid, needed: 2, assigned: 3 }],
    });
    expect((await stored(callTime.uuid))!.staffNeeded).toBe(5);
    expect((await change({ staffNeeded: 3 })).code).toBe('OK');
    expect((await change({ staffNeeded: 1, allowOverfill: true })).row.staffNeeded).toBe(1);
    // A number that is too small already may stay or rise.
    expect((await change({ notesForStaff: 'Crowded' })).code).toBe('OK');
    expect((await change({ staffNeeded: 2 })).code).toBe('OK');
  });
});

describe('deleteCallTime', () => {
  test('deletes it, returns its last state, and keeps the history', async () => {
    const callTime = await service.createCallTime(event, { positionId: position.id });
    const shifts = [
      await service.createShift(event, tenant.staff, { callTimeId: callTime.id, status: 'canceled' }),
      await service.createShift(event, tenant.staff, { callTimeId: callTime.id, status: 'deleted' }),
    ];
    const { code, row } = await deleteCallTime(tenant.as.admin, callTime.uuid);
    expect(code).toBe('OK');
    expect(row).toMatchObject({ uuid: callTime.uuid, position: 'Rigger' });
    expect(await stored(callTime.uuid)).toBeNull();
    const kept = await service.prisma.workShift.findMany({ where: { id: { in: shifts.map(({ id }) => id) } } });
    expect(kept.map(({ callTimeId, status }) => [callTimeId, status]).sort()).toEqual([
      [null, 'canceled'],
      [null, 'deleted'],
    ]);
    expect((await deleteCallTime(tenant.as.admin, callTime.uuid)).code).toBe('NOT_FOUND');
  });

  test('is refused while it has active shifts', async () => {
    const callTime = await service.createCallTime(event);
    const shift = await service.createShift(event, tenant.staff, { callTimeId: callTime.id });
    const refused = await deleteCallTime(tenant.as.admin, callTime.uuid);
    expect(refused.code).toBe('CONFLICT');
    expect(refused.message).toContain('1');
    expect(await service.prisma.workShift.findFirst({ where: { id: shift.id } })).toEqual(shift);
  });
});
