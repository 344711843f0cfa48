import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Event, WorkShift } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { staffing, type Move } from './support/staffing.ts';

/* When people confirmed and declined their shifts. */

let now: Date;
let tenant: Tenant;
let event: Event;
let shift: WorkShift;
const { move, updateShift } = staffing(() => service);

const service = useService({ clock: () => now });

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00.000Z');
  tenant = await service.createTenant();
  event = await service.createEvent(tenant.business);
  shift = await service.createShift(event, tenant.staff);
});

const later = (minutes: number) => {
  now = new Date(Date.parse('2026-11-20T12:00:00.000Z') + minutes * 60_000);
};

const answers = '{ confirmedAt declinedAt }';

/** What both dialects show of the shift. */
async function shown(as = tenant.as.admin) {
  const { body } = await service.call('GET', `/v1/work_shifts/${shift.uuid}`, { as });
  const { body: graph } = await service.graphql(`{ workShift(id: "${shift.uuid}") ${answers} }`, { as });
  const { confirmedAt, declinedAt } = graph.data.workShift;
  const inRest = (at: string | null) => at && at.slice(0, 19).replace('T', ' ');
  expect(body.data).toMatchObject({ confirmed_at: inRest(confirmedAt), declined_at: inRest(declinedAt) });
  return { status: body.data.status, confirmedAt, declinedAt };
}

const moved = async (to: Move, as = tenant.as.admin) => {
  expect((await move(as, to, shift.uuid)).code).toBe('OK');
};

describe('the time of a confirmation', () => {
  test('is set by confirming, stays with a repeated one and other changes, and is unset by unconfirming', async () => {
    expect(await shown()).toEqual({ status: 'active', confirmedAt: null, declinedAt: null });
    later(1);
    const { row } = await move(tenant.as.staff, 'confirm', shift.uuid);
    expect(row.confirmedAt).toBe('2026-11-20T12:01:00.000Z');
    later(2);
    await moved('confirm');
    await updateShift(tenant.as.admin, shift.uuid, { payRate: '31' });
    expect(await shown(tenant.as.staff)).toMatchObject({ confirmedAt: '2026-11-20T12:01:00.000Z' });
    await moved('unconfirm');
    expect(await shown()).toMatchObject({ confirmedAt: null });
    later(3);
    await moved('confirm');
    expect(await shown()).toMatchObject({ confirmedAt: '2026-11-20T12:03:00.000Z' });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['other times', () => updateShift(tenant.as.admin, shift.uuid, { startTime: '2026-12-05 18:30:00' })],
    ['a cancellation', () => moved('cancel')],
    ['a decline', () => moved('decline')],
    ['a deletion', () => moved('delete')],
  ])('is unset by %s', async (_what, change) => {
    await moved('confirm');
    await change();
    expect(await shown()).toMatchObject({ confirmedAt: null });
  });

  test('is not copied with an event', async () => {
    await moved('confirm');
    const { body } = await service.call('POST', `/v1/events/${event.uuid}/copy`, {
      as: tenant.as.admin,
      body: { days: 7, with_shifts: true },
    });
    expect(body).toMatchObject({ success: true });
    const copies = await service.prisma.workShift.findMany({
      where: { eventId: { not: event.id }, userId: shift.userId },
    });
    expect(copies.map(({ confirmed, confirmedAt }) => ({ confirmed, confirmedAt }))).toEqual([
      { confirmed: false, confirmedAt: null },
    ]);
  });
});

describe('the time of a decline', () => {
  const declinedAt = '2026-11-20T12:05:00.000Z';

  beforeEach(async () => {
    later(5);
    await moved('decline', tenant.as.staff);
    later(6);
  });

  test('tells a declined shift from a canceled one, also after it was canceled or deleted', async () => {
    expect(await shown()).toEqual({ status: 'canceled', confirmedAt: null, declinedAt });
    await moved('decline');
    await moved('cancel');
    expect(await shown()).toMatchObject({ status: 'canceled', declinedAt });
    await moved('delete');
    expect(await shown()).toMatchObject({ status: 'deleted', declinedAt });
  });

  test('is null for a shift that was canceled first', async () => {
    const other = await service.createShift(await service.createEvent(tenant.business), tenant.staff);
    await move(tenant.as.admin, 'cancel', other.uuid);
    const { row } = await move(tenant.as.staff, 'decline', other.uuid);
    expect(row).toMatchObject({ status: 'CANCELED', declinedAt: null });
  });

  test('is unset once the shift is active again, or another person has it', async () => {
    await updateShift(tenant.as.admin, shift.uuid, { payRate: '31' });
    expect(await shown()).toMatchObject({ declinedAt });
    await updateShift(tenant.as.admin, shift.uuid, { status: 'ACTIVE' });
    expect(await shown()).toEqual({ status: 'active', confirmedAt: null, declinedAt: null });
    await moved('decline');
    const other = await service.createUser(tenant.business, 'staff');
    await updateShift(tenant.as.admin, shift.uuid, { userId: other.id });
    expect(await shown()).toMatchObject({ status: 'canceled', declinedAt: null });
  });

  test.each([
    [{ declined: true }, ['declined']],
    [{ declined: false }, ['active']],
    [{ declined: false, statuses: ['CANCELED'] }, ['canceled']],
    [{ declined: true, statuses: ['ACTIVE', 'DELETED'] }, []],
    [{ statuses: ['CANCELED'] }, ['canceled', 'declined']],
  ])('is a filter of shifts: %j', async (filter: { declined?: boolean; statuses?: string[] }, expected) => {
    const nameOf: Record<string, string> = { [shift.uuid]: 'declined' };
    for (const status of ['active', 'canceled'] as const)
      nameOf[(await service.createShift(event, tenant.staff, { status })).uuid] = status;
    const { body } = await service.graphql(
      `query ($filter: WorkShiftFilter) { event(id: "${event.uuid}") { workShiftsConnection(filter: $filter) { totalCount nodes { uuid } } } }`,
      { as: tenant.as.admin, variables: { filter } },
    );
    const { nodes, totalCount } = body.data.event.workShiftsConnection;
    const names = nodes.map(({ uuid }: { uuid: string }) => nameOf[uuid]).toSorted();
    expect({ names, totalCount }).toEqual({ names: expected, totalCount: expected.length });

    const { declined, statuses = [] } = filter;
    const query = [
      ...(declined === undefined ? [] : [`declined=${declined}`]),
      ...statuses.map((status) => `status=${status.toLowerCase()}`),
    ];
    const list = await service.call('GET', `/v1/work_shifts?event_uuid=${event.uuid}&${query.join('&')}`, {
      as: tenant.as.admin,
    });
    expect(list.body.data.data.map(({ uuid }: { uuid: string }) => nameOf[uuid]).toSorted()).toEqual(expected);
  });

  test('is not in the shapes of the contract', async () => {
    await updateShift(tenant.as.admin, shift.uuid, { status: 'ACTIVE' });
    const { body } = await service.call('GET', `/v1/events/${event.uuid}`, { as: tenant.as.admin });
    const [first] = body.data.work_shifts;
    expect(Object.keys(first).filter((key) => key.endsWith('_at'))).toEqual(['created_at', 'modified_at']);
  });
});
