import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Position } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { staffing } from './support/staffing.ts';

let tenant: Tenant;
let position: Position;
const { updateShift } = staffing(() => service);

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
  position = await service.createPosition(tenant.business, { title: 'Rigger' });
});

const newStaff = () => service.createUser(tenant.business, 'staff');

/** An event, a call time on it, and somebody free. */
async function scene() {
  const event = await service.createEvent(tenant.business);
  const callTime = await service.createCallTime(event, { positionId: position.id });
  return { event, callTime, staff: await newStaff() };
}

const stored = (uuid: string) => service.prisma.workShift.findFirst({ where: { uuid } });

describe('updateShift', () => {
  async function assigned(more = {}) {
    const it = await scene();
    const shift = await service.createShift(it.event, it.staff, { positionId: position.id, ...more });
    return { ...it, shift, change: (input: object) => updateShift(tenant.as.admin, shift.uuid, input) };
  }

  test('changes only the given fields, and null clears a field', async () => {
    const { shift, change, callTime } = await assigned({ payRate: '30', confirmed: true });
    const { row } = await change({ payRate: null, callTimeId: callTime.uuid });
    expect(row).toMatchObject({ payRate: null, callTimeId: callTime.id, confirmed: true });
    const { callTimeId, payRate, payUnit, modifiedAt, version, ...others } = (await stored(shift.uuid))!;
    expect(shift).toMatchObject(others);
    expect([callTimeId, payRate, payUnit, version]).toEqual([callTime.id, null, null, 2]);
    expect(modifiedAt.getTime()).toBeGreaterThan(shift.modifiedAt.getTime());
    expect((await change({ callTimeId: null })).row.callTimeId).toBeNull();
  });

  test('changes nothing without given fields', async () => {
    const { shift, change } = await assigned({ confirmed: true });
    expect((await change({})).code).toBe('OK');
    expect(await stored(shift.uuid)).toEqual(shift);
  });

  test.each([
    ['another person', false, async () => ({ userId: (await newStaff()).id })],
    ['another start', false, async () => ({ startTime: '2026-12-05 16:30:00' })],
    ['an open end', false, async () => ({ endTime: null })],
    ['the times it has', true, async () => ({ startTime: '2026-12-05 16:00:00', endTime: '2026-12-05 23:30:00' })],
    ['another rate', true, async () => ({ payRate: '99' })],
    ['another position', true, async () => ({ positionId: (await service.createPosition(tenant.business)).id })],
  ])('with %s, stays confirmed: %j', async (_, confirmed, input) => {
    const { change } = await assigned({ confirmed: true });
    expect((await change(await input())).row.confirmed).toBe(confirmed);
  });

  test('reports every wrong field at once', async () => {
    const { change } = await assigned();
    const elsewhere = await scene();
    const { errors } = await change({
      callTimeId: elsewhere.callTime.uuid,
      positionId: 2_147_483_647,
      userId: tenant.admin.id,
      endTime: '2026-12-05 16:00:00',
    });
    expect(Object.keys(errors).sort()).toEqual(['callTimeId', 'endTime', 'positionId', 'userId']);
    expect((await change({ callTimeId: 'x' })).errors).toHaveProperty('callTimeId');
  });

  test.each(['canceled', 'deleted'] as const)('restores a %s shift, unconfirmed', async (status) => {
    const { change } = await assigned({ status });
    expect((await change({ status: 'ACTIVE' })).row).toMatchObject({ status: 'ACTIVE', confirmed: false });
  });

  test('does not restore a shift of a deleted user, but changes its pay', async () => {
    const { staff, change } = await assigned({ status: 'canceled' });
    await service.prisma.user.updateMany({
      where: { id: staff.id },
      data: { deletedAt: new Date(), emailKey: null },
    });
    expect(Object.keys((await change({ status: 'ACTIVE' })).errors)).toEqual(['userId']);
    expect((await change({ payRate: '12' })).row.payRate).toBe('12.00');
  });

  test('of a canceled event changes only pay and status', async () => {
    const { event, change } = await assigned();
    await service.prisma.event.updateMany({ where: { id: event.id }, data: { status: 'canceled' } });
    expect((await change({ startTime: '2026-12-05 17:00:00' })).code).toBe('CONFLICT');
    expect((await change({ payRate: '12' })).code).toBe('OK');
    expect((await change({ status: 'CANCELED' })).row.status).toBe('CANCELED');
    expect((await change({ status: 'ACTIVE' })).code).toBe('CONFLICT');
  });
});
