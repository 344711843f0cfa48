import { randomUUID } from 'node:crypto';
import { beforeEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, WorkShift } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { staffing, type Move } from './support/staffing.ts';

/** Staff give no shift back from its start on. */
const times = { start: '2990-01-08 16:00:00', end: '2990-01-08 23:30:00' };

let tenant: Tenant;
let event: Event;
let own: WorkShift;
const { move } = staffing(() => service);

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
});

beforeEach(async () => {
  event = await service.createEvent(tenant.business, { clientId: tenant.client.id, ...times });
  const more = { payRate: '20', overrideReason: 'Nobody else had time' };
  own = await service.createShift(event, tenant.staff, { ...times, ...more });
});

const moves: Move[] = ['confirm', 'unconfirm', 'decline', 'cancel', 'delete'];
const ofStaff: Move[] = ['confirm', 'unconfirm', 'decline'];

const stored = ({ id }: WorkShift) => service.prisma.workShift.findFirst({ where: { id } });
const set = (data: object) => service.prisma.workShift.updateMany({ where: { id: own.id }, data });
const setEvent = (status: 'canceled' | 'deleted' | 'draft') =>
  service.prisma.event.updateMany({ where: { id: event.id }, data: { status } });

const results = {
  confirm: { status: 'active', confirmed: true },
  unconfirm: { status: 'active', confirmed: false },
  decline: { status: 'canceled', confirmed: false },
  cancel: { status: 'canceled', confirmed: false },
  delete: { status: 'deleted', confirmed: false },
} as const satisfies Record<Move, object>;

describe.each([
  ['an admin', 'admin', moves],
  ['an API key', 'key', moves],
  ['staff, with their own', 'staff', ofStaff],
] as const)('%s', (_, who, allowed) => {
  test.each(allowed)('may %s a shift; repeating it changes nothing', async (how) => {
    await set({ confirmed: how !== 'confirm' });
    const { code, row } = await move(tenant.as[who], how, own.uuid);
    expect(code).toBe('OK');
    const { status, confirmed } = results[how];
    expect(row).toMatchObject({ uuid: own.uuid, status: status.toUpperCase(), confirmed });
    const after = await stored(own);
    const { modifiedAt, version } = after!;
    const answered = {
      confirmedAt: how === 'confirm' ? modifiedAt : null,
      declinedAt: how === 'decline' ? modifiedAt : null,
      canceledAt: how === 'decline' || how === 'cancel' ? modifiedAt : null,
    };
    expect(after).toEqual({ ...own, status, confirmed, ...answered, modifiedAt, version });
    expect(after!.modifiedAt.getTime()).toBeGreaterThan(own.modifiedAt.getTime());
    expect(row.modifiedAt).toBe(after!.modifiedAt.toISOString());
    expect(await move(tenant.as[who], how, own.uuid)).toEqual({
      code: 'OK',
      message: '',
      errors: {},
      clashes: [],
      row,
    });
    expect(await stored(own)).toEqual(after);
  });
});

describe('staff', () => {
  test('see the pay of their shift, but not its override reason', async () => {
    const { row } = await move(tenant.as.staff, 'confirm', own.uuid);
    expect(row).toMatchObject({ payRate: '20.00', overrideReason: null });
    expect((await move(tenant.as.admin, 'confirm', own.uuid)).row.overrideReason).toBe('Nobody else had time');
  });

  test.each(ofStaff)("cannot %s another person's shift, which is not found", async (how) => {
    const colleague = await service.createUser(tenant.business, 'staff');
    const theirs = await service.createShift(event, colleague);
    const answer = await move(tenant.as.staff, how, theirs.uuid);
    expect(answer.code).toBe('NOT_FOUND');
    expect(answer).toEqual(await move(tenant.as.staff, how, randomUUID()));
    expect(await stored(theirs)).toEqual(theirs);
  });

  test.each(['draft', 'deleted'] as const)('find no shift of an event that is %s', async (status) => {
    await setEvent(status);
    expect((await move(tenant.as.staff, 'decline', own.uuid)).code).toBe('NOT_FOUND');
    expect(await stored(own)).toEqual(own);
  });

  test('cannot restore a canceled shift and do not find a deleted one', async () => {
    await set({ status: 'canceled' });
    expect((await move(tenant.as.staff, 'confirm', own.uuid)).code).toBe('CONFLICT');
    await set({ status: 'deleted' });
    expect((await move(tenant.as.staff, 'confirm', own.uuid)).code).toBe('NOT_FOUND');
    expect(await stored(own)).toMatchObject({ status: 'deleted', confirmed: false });
  });

  test('can decline at a canceled event, but not confirm', async () => {
    await setEvent('canceled');
    expect((await move(tenant.as.staff, 'confirm', own.uuid)).code).toBe('CONFLICT');
    expect((await move(tenant.as.staff, 'decline', own.uuid)).code).toBe('OK');
  });
});

test.each([
  ['canceled', 'confirm'],
  ['canceled', 'unconfirm'],
  ['deleted', 'confirm'],
  ['deleted', 'unconfirm'],
  ['deleted', 'decline'],
  ['deleted', 'cancel'],
] as const)('a shift that is %s takes no %s', async (status, how) => {
  await set({ status });
  expect((await move(tenant.as.admin, how, own.uuid)).code).toBe('CONFLICT');
  expect(await stored(own)).toMatchObject({ status, confirmed: false });
});

test.each(['canceled', 'deleted'] as const)('nobody can be confirmed for an event that is %s', async (status) => {
  await setEvent(status);
  expect((await move(tenant.as.admin, 'confirm', own.uuid)).code).toBe('CONFLICT');
  expect((await move(tenant.as.admin, 'cancel', own.uuid)).code).toBe('OK');
});

test('a canceled shift can be deleted', async () => {
  await set({ status: 'canceled' });
  expect((await move(tenant.as.admin, 'delete', own.uuid)).row.status).toBe('DELETED');
});
