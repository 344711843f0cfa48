import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Position } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';
import { staffing } from './support/staffing.ts';

let tenant: Tenant;
let stranger: Tenant;
let position: Position;
const { assign, assignMany } = staffing(() => service);

const service = useService();

beforeAll(async () => {
  [tenant, stranger] = [await service.createTenant(), await service.createTenant()];
  position = await service.createPosition(tenant.business, { title: 'Rigger' });
});

const newStaff = () => service.createUser(tenant.business, 'staff');
const deletedStaff = async () => {
  const { id } = await newStaff();
  const [user] = await service.prisma.user.updateManyAndReturn({
    where: { id },
    data: { deletedAt: new Date(), emailKey: null },
  });
  return user!;
};
const newEvent = (more = {}) => service.createEvent(tenant.business, more);

/** An event, a call time on it, and somebody free. */
async function scene(callTimeMore = {}) {
  const event = await newEvent();
  const callTime = await service.createCallTime(event, { positionId: position.id, ...callTimeMore });
  const staff = await newStaff();
  return { event, callTime, staff, onCallTime: { callTimeId: callTime.uuid, userId: staff.id } };
}

const stored = (uuid: string) => service.prisma.workShift.findFirst({ where: { uuid } });

describe('assignShift', () => {
  test('takes position and times of the call time', async () => {
    const { staff, callTime, onCallTime } = await scene();
    const { code, row } = await assign(tenant.as.admin, onCallTime);
    expect(code).toBe('OK');
    expect(row).toMatchObject({
      callTimeId: callTime.id,
      positionId: position.id,
      position: 'Rigger',
      userId: staff.id,
      firstName: staff.firstName,
      status: 'ACTIVE',
      confirmed: false,
      startTime: '2026-12-05 16:00:00',
      startsAt: '2026-12-05T21:00:00.000Z',
      endTime: '2026-12-05 23:30:00',
      endsAt: '2026-12-06T04:30:00.000Z',
      payRate: null,
      overrideReason: null,
    });
  });

  test.each([
    [{ startTbd: true }, null, '2026-12-05 23:30:00'],
    [{ endTbd: true }, '2026-12-05 16:00:00', null],
    [{ startTbd: true, endTbd: true }, null, null],
  ])('leaves the times open that a call time with %j leaves open', async (flags, startTime, endTime) => {
    const { onCallTime } = await scene(flags);
    expect((await assign(tenant.as.admin, onCallTime)).row).toMatchObject({ startTime, endTime });
  });

  test('prefers the position and times in the input; null times stay open', async () => {
    const { onCallTime } = await scene({ startTbd: true });
    const other = await service.createPosition(tenant.business);
    const input = { positionId: other.id, startTime: '2026-12-05 17:00:00', endTime: null, payRate: '27.5' };
    expect((await assign(tenant.as.key, { ...onCallTime, ...input })).row).toMatchObject({
      ...input,
      payRate: '27.50',
    });
  });

  test('needs a position if it has no call time', async () => {
    const { event, staff } = await scene();
    const input = { eventId: event.uuid, userId: staff.id };
    const refused = await assign(tenant.as.admin, input);
    expect(refused.errors).toEqual({ positionId: ['is required without a call time'] });
    const { row } = await assign(tenant.as.admin, { ...input, positionId: position.id });
    expect(row).toMatchObject({ callTimeId: null, startTime: null, endTime: null });
    expect(await stored(row.uuid)).toMatchObject({ eventId: event.id });
  });

  test('needs exactly one of event and call time', async () => {
    const { event, onCallTime, staff } = await scene();
    for (const input of [{ ...onCallTime, eventId: event.uuid }, { userId: staff.id }])
      expect(Object.keys((await assign(tenant.as.admin, input)).errors)).toEqual(['eventId']);
  });

  test('reports every wrong field at once', async () => {
    const { onCallTime } = await scene();
    const shape = await assign(tenant.as.admin, {
      ...onCallTime,
      userId: 0,
      startTime: 'soon',
      payRate: '-1',
      override: { reason: '  ' },
    });
    expect(shape.code).toBe('VALIDATION_FAILED');
    expect(Object.keys(shape.errors).sort()).toEqual(['override.reason', 'payRate', 'startTime', 'userId']);
    const rules = await assign(tenant.as.admin, {
      ...onCallTime,
      userId: tenant.client.id,
      positionId: (await service.createPosition(stranger.business)).id,
      endTime: '2026-12-05 16:00:00',
    });
    expect(rules.errors).toEqual({
      userId: ['must be the id of a staff member of this business'],
      positionId: ['must be the id of a position of this business'],
      endTime: ['must be after the start'],
    });
  });

  test.each([
    ['an admin', async () => tenant.admin.id],
    ['a client', async () => tenant.client.id],
    ["another business's staff", async () => stranger.staff.id],
    ['nobody', async () => 2_147_483_647],
    ['somebody deleted', async () => (await deletedStaff()).id],
  ])('assigns no shift to %s', async (_, user) => {
    const { event, onCallTime } = await scene();
    const { errors } = await assign(tenant.as.admin, { ...onCallTime, userId: await user() });
    expect(Object.keys(errors)).toEqual(['userId']);
    expect(await service.prisma.workShift.count({ where: { eventId: event.id } })).toBe(0);
  });

  test.each(['canceled', 'deleted'] as const)('refuses an event that is %s', async (status) => {
    const { onCallTime, event } = await scene();
    await service.prisma.event.updateMany({ where: { id: event.id }, data: { status } });
    expect(await assign(tenant.as.admin, onCallTime)).toMatchObject({ code: 'CONFLICT', clashes: [] });
  });

  test('works for a draft', async () => {
    const { onCallTime, event } = await scene();
    await service.prisma.event.updateMany({ where: { id: event.id }, data: { status: 'draft' } });
    expect((await assign(tenant.as.admin, onCallTime)).code).toBe('OK');
  });

  test('costs the same number of SQL statements however many rows there are', async () => {
    const { callTime } = await scene({ staffNeeded: 100 });
    const statementsOf = async () => {
      const { id: userId } = await newStaff();
      const before = sqlCount();
      await assign(tenant.as.admin, { callTimeId: callTime.uuid, userId });
      return statementsSince(before);
    };
    const first = await statementsOf();
    for (let more = 0; more < 10; more++)
      await service.createShift(await newEvent(), await newStaff(), { callTimeId: null });
    expect(await statementsOf()).toEqual(first);
    // The credential, the transaction and its origin, event, call time, person, position, how full, overlaps, the shift and its reading,
    // the call time and the person that the answer shows, when the person can work, what is required, and the offers of the event.
    expect(first.length).toBeLessThanOrEqual(17);
  });
});

describe('assignShifts', () => {
  test('returns a result for each assignment and counts the ones before it', async () => {
    const { callTime, event } = await scene({ staffNeeded: 1 });
    const [first, second] = [await newStaff(), await newStaff()];
    const on = (userId: number, more = {}) => ({ callTimeId: callTime.uuid, userId, ...more });
    const { code, row } = await assignMany(tenant.as.admin, [
      on(first.id),
      on(second.id),
      on(second.id, { override: { reason: 'Training' } }),
      on(tenant.client.id),
      { callTimeId: randomUUID(), userId: first.id },
      on(first.id, { startTime: 'soon' }),
    ]);
    expect(code).toBe('OK');
    expect(row.map(({ shift }: { shift: unknown }) => shift !== null)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
    const [, overfilled, forced, ...others] = row;
    expect(overfilled).toMatchObject({
      clashes: [{ kind: 'OVERFILLED', callTimeUuid: callTime.uuid, needed: 1, assigned: 1, shiftUuid: null }],
      error: { code: 'CLASH', errors: [] },
    });
    expect(forced.shift).toMatchObject({ userId: second.id, overrideReason: 'Training' });
    expect(forced.error).toBeNull();
    expect(others.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'VALIDATION_FAILED',
    ]);
    expect(others[0].error.errors).toEqual([
      { field: 'userId', messages: ['must be the id of a staff member of this business'] },
    ]);
    expect(await service.prisma.workShift.count({ where: { eventId: event.id } })).toBe(2);
  });

  test('reports an overlap with an earlier shift of the same list', async () => {
    const { callTime, staff } = await scene();
    const input = { callTimeId: callTime.uuid, userId: staff.id };
    const { row } = await assignMany(tenant.as.admin, [input, input]);
    expect(row[1].clashes).toMatchObject([
      { kind: 'OVERLAP', shiftUuid: row[0].shift.uuid, startsAt: '2026-12-05T21:00:00.000Z', minutes: 450 },
    ]);
  });

  test('accepts an empty list and at most a hundred assignments', async () => {
    expect((await assignMany(tenant.as.admin, [])).row).toEqual([]);
    const { errors } = await assignMany(
      tenant.as.admin,
      Array.from({ length: 101 }, () => ({ userId: 1 })),
    );
    expect(errors).toEqual({ inputs: ['must have at most 100 items'] });
  });

  test('takes the SQL statements of one for a hundred, and a few more to judge faulty ones', async () => {
    const { callTime, event } = await scene({ staffNeeded: 1000 });
    const good = async () => ({ callTimeId: callTime.uuid, userId: (await newStaff()).id });
    const mixed = async (index: number) => {
      const { callTimeId, userId } = await good();
      const all = [
        { callTimeId, userId },
        { eventId: event.uuid, userId, positionId: position.id },
        { callTimeId, userId: tenant.client.id },
        { callTimeId: randomUUID(), userId },
        { callTimeId, userId, payRate: '-1', positionId: position.id },
        { eventId: event.uuid, userId, startTime: 'soon' },
      ];
      return all[index % all.length]!;
    };
    const statementsOf = async (count: number, make: (index: number) => Promise<object>) => {
      const inputs = await Promise.all(Array.from({ length: count }, (_, index) => make(index)));
      const before = sqlCount();
      const { code, row } = await assignMany(tenant.as.admin, inputs);
      expect([code, row.length]).toEqual(['OK', count]);
      return sqlCount() - before;
    };
    const one = await statementsOf(1, good);
    expect(await statementsOf(100, good)).toBe(one);
    expect(await statementsOf(100, mixed)).toBeLessThanOrEqual(one + 5);
  });
});
