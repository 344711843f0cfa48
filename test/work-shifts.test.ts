import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService, type TestApp } from './support/app.ts';
import { readEvent } from './support/event-dialects.ts';

const service = useService();
const tenant = useOneTenant(service);

type Shift = Record<string, unknown> & { uuid: string };

/** An event's shifts in every place that shows them. */
async function shiftsOf(event: Event, as = tenant.as.admin) {
  const get = async (path: string) => (await service.call('GET', path, { as })).body.data;
  const items = (await get('/v1/events?per_page=100')).data as { uuid: string; work_shifts: Shift[] }[];
  return {
    single: (await get(`/v1/events/${event.uuid}`)).work_shifts as Shift[],
    item: items.find(({ uuid }) => uuid === event.uuid)?.work_shifts as Shift[],
    list: (await get(`/v1/work_shifts/event/${event.uuid}?per_page=100`)).data as Shift[],
    graphql: (await readEvent(service, as, event.uuid)).workShifts as Shift[],
  };
}

const uuidsIn = (places: Record<string, Shift[]>) =>
  Object.fromEntries(Object.entries(places).map(([place, shifts]) => [place, shifts.map(({ uuid }) => uuid)]));

const everywhere = <T>(value: T) => ({ single: value, item: value, list: value, graphql: value });

test('only active shifts are shown, by start, then by creation, with undetermined starts last', async () => {
  const event = await service.createEvent(tenant.business);
  const shift = (more: Parameters<TestApp['createShift']>[2]) => service.createShift(event, tenant.staff, more);
  const undetermined = await shift({ start: null });
  const second = await shift({ start: '2026-12-05 17:00:00' });
  const alsoSecond = await shift({ start: '2026-12-05 17:00:00', end: null });
  await shift({ status: 'canceled' });
  await shift({ status: 'deleted' });
  const first = await shift({ start: '2026-12-05 16:59:59' });
  const alsoUndetermined = await shift({ start: null, end: null });
  const inOrder = [first, second, alsoSecond, undetermined, alsoUndetermined].map(({ uuid }) => uuid);

  expect(uuidsIn(await shiftsOf(event))).toEqual(everywhere(inOrder));
  const { body } = await service.call('GET', `/v1/work_shifts/event/${event.uuid}`, { as: tenant.as.admin });
  expect(body.data.total).toBe(5);
});

test('a shift has the same values in every answer, except for event name and status', async () => {
  const event = await service.createEvent(tenant.business, { title: 'Gala' });
  const position = await service.createPosition(tenant.business, { title: 'Chef', defaultPayRate: '99.99' });
  const worker = await service.createUser(tenant.business, 'staff', { name: 'Ana de la Cruz' });
  const { uuid } = await service.createShift(event, worker, {
    positionId: position.id,
    confirmed: true,
    payRate: '25.5',
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    modifiedAt: new Date('2026-11-20T23:59:59.999Z'),
  });
  const { single, item, list, graphql } = await shiftsOf(event);
  const shown = {
    uuid,
    position: 'Chef',
    first_name: 'Ana',
    last_name: 'de la Cruz',
    start_time: '2026-12-05 16:00:00',
    start_time_tbd: 'false',
    end_time: '2026-12-05 23:30:00',
    end_time_tbd: 'false',
    pay_rate: 25.5,
    confirmed: 'yes',
    created_at: '2026-01-02 03:04:05',
    modified_at: '2026-11-20 23:59:59',
  };
  expect(single).toEqual([{ ...shown, status: 'active' }]);
  expect(item).toEqual(single);
  expect(list).toEqual([{ ...shown, event_name: 'Gala' }]);
  expect(graphql).toMatchObject([
    {
      uuid,
      position: 'Chef',
      firstName: 'Ana',
      lastName: 'de la Cruz',
      startTime: shown.start_time,
      startsAt: '2026-12-05T21:00:00.000Z',
      endTime: shown.end_time,
      endsAt: '2026-12-06T04:30:00.000Z',
      payRate: '25.50',
      confirmed: true,
      status: 'ACTIVE',
      createdAt: '2026-01-02T03:04:05.678Z',
      modifiedAt: '2026-11-20T23:59:59.999Z',
    },
  ]);
});

test.each([
  [
    'start',
    { start: null },
    { start_time: null, start_time_tbd: 'true', end_time_tbd: 'false' },
    { startTime: null, startsAt: null },
  ],
  [
    'end',
    { end: null },
    { end_time: null, end_time_tbd: 'true', start_time_tbd: 'false' },
    { endTime: null, endsAt: null },
  ],
])('a shift whose %s is to be determined has null for it and the flag set', async (_, times, inRest, inGraphql) => {
  const event = await service.createEvent(tenant.business);
  await service.createShift(event, tenant.staff, times);
  const { graphql, ...rest } = await shiftsOf(event);
  for (const shifts of Object.values(rest)) expect(shifts).toMatchObject([inRest]);
  expect(graphql).toMatchObject([inGraphql]);
});

test.each([
  [null, null],
  ['0', 0],
  ['0.01', 0.01],
  ['20', 20],
  ['9999999999.99', 9999999999.99],
])('a stored rate of %j is shown as %j: null means the rate of the position', async (payRate, shown) => {
  const event = await service.createEvent(tenant.business);
  await service.createShift(event, tenant.staff, { payRate });
  const { graphql, ...rest } = await shiftsOf(event);
  for (const shifts of Object.values(rest)) expect(shifts.map(({ pay_rate }) => pay_rate)).toEqual([shown]);
  expect(graphql.map((shift) => shift['payRate'])).toEqual([payRate === null ? null : Number(payRate).toFixed(2)]);
});

test('the shifts of a deleted user keep their names', async () => {
  const times = { start: '2025-12-05 16:00:00', end: '2025-12-05 23:00:00' };
  const event = await service.createEvent(tenant.business, times);
  const worker = await service.createUser(tenant.business, 'staff', { name: 'Jo Gone' });
  const { uuid } = await service.createShift(event, worker, times);
  const before = await shiftsOf(event);
  expect(await service.call('DELETE', `/api/v1/users/${worker.id}`, { as: tenant.as.admin })).toMatchObject({
    status: 200,
  });
  expect(await shiftsOf(event)).toEqual(before);
  expect(before.list).toMatchObject([{ uuid, first_name: 'Jo', last_name: 'Gone' }]);
});

test('shifts across midnight and across a clock change keep their wall-clock times', async () => {
  const event = await service.createEvent(tenant.business, {
    start: '2027-03-13 18:00:00',
    end: '2027-03-14 05:00:00',
  });
  await service.createShift(event, tenant.staff, { start: '2027-03-13 22:00:00', end: '2027-03-14 04:00:00' });
  const { list, graphql } = await shiftsOf(event);
  expect(list).toMatchObject([{ start_time: '2027-03-13 22:00:00', end_time: '2027-03-14 04:00:00' }]);
  expect(graphql).toMatchObject([{ startsAt: '2027-03-14T03:00:00.000Z', endsAt: '2027-03-14T08:00:00.000Z' }]);
});

describe('the list of an event', () => {
  let event: Event;
  let uuids: string[];
  const get = (query: string, uuid = event.uuid) =>
    service.call('GET', `/v1/work_shifts/event/${uuid}?${query}`, { as: tenant.as.admin });

  beforeAll(async () => {
    event = await service.createEvent(tenant.business);
    const bystander = await service.createEvent(tenant.business);
    uuids = [];
    for (let index = 0; index < 16; index++) {
      await service.createShift(bystander, tenant.staff);
      uuids.push((await service.createShift(event, tenant.staff)).uuid);
    }
  });

  test('has 15 shifts per page by default', async () => {
    const { data, ...page } = (await get('')).body.data;
    expect(page).toEqual({ current_page: 1, per_page: 15, total: 16, last_page: 2 });
    expect(data.map(({ uuid }: Shift) => uuid)).toEqual(uuids.slice(0, 15));
  });

  test('shows shifts with the same start exactly once over all pages', async () => {
    for (const perPage of [1, 5, 16, 100]) {
      const seen: string[] = [];
      const lastPage = Math.ceil(16 / perPage);
      for (let page = 1; page <= lastPage; page++) {
        const { data, ...shown } = (await get(`page=${page}&per_page=${perPage}`)).body.data;
        expect(shown).toEqual({ current_page: page, per_page: perPage, total: 16, last_page: lastPage });
        seen.push(...data.map(({ uuid }: Shift) => uuid));
      }
      expect(seen).toEqual(uuids);
    }
  });

  test('is empty past the end and has the right total', async () => {
    const expected = { data: [], total: 16, last_page: 1 };
    for (const page of [3, 2_147_483_647])
      expect((await get(`page=${page}&per_page=100`)).body.data).toMatchObject({ ...expected, current_page: page });
  });

  test('of an event without shifts has one page', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    expect((await get('', uuid)).body).toEqual({
      success: true,
      data: { current_page: 1, data: [], per_page: 15, total: 0, last_page: 1 },
      message: '',
    });
  });

  test('accepts an upper-case uuid and a deleted event', async () => {
    expect((await get('', event.uuid.toUpperCase())).body.data.total).toBe(16);
    const deleted = await service.createEvent(tenant.business, { status: 'deleted', title: 'Was a gala' });
    await service.createShift(deleted, tenant.staff);
    expect((await get('', deleted.uuid)).body.data.data).toMatchObject([{ event_name: 'Was a gala' }]);
  });
});
