import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';

let event: Event;

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  event = await service.createEvent(tenant.business, { title: 'active', description: 'With children' });
  for (const status of ['draft', 'canceled', 'deleted'] as const)
    await service.createEvent(tenant.business, { status, title: status });
});

const get = async (path: string) => {
  const { status, body } = await service.call('GET', path, { as: tenant.as.admin });
  expect({ path, status }).toEqual({ path, status: 200 });
  return body.data;
};

/** Converts an event to the earlier shape, which lacks some fields and renames others. */
const earlier = ({
  call_times,
  work_shifts,
  custom_fields,
  created_at,
  modified_at,
  ...head
}: Record<string, unknown>) => {
  expect([call_times, work_shifts, custom_fields].every(Array.isArray)).toBe(true);
  return { ...head, created: created_at, updated: modified_at };
};

test.each([
  '',
  'status=active',
  'status=draft',
  'status=canceled',
  'status=deleted',
  'sort_order=desc',
  'page=2&per_page=2',
  'page=9',
  'page=2147483647&per_page=100',
  '_color=red&_page=0&__proto__=3&utm_source=x',
])('the earlier list returns the same events for ?%s as the current list', async (query) => {
  const today = await get(`/v1/events?${query}`);
  expect(await get(`/v1/objects/events?${query}`)).toEqual({ ...today, data: today.data.map(earlier) });
});

describe('the earlier single event', () => {
  test('has the same values as the current one', async () => {
    const { event: today } = await get(`/v1/events/${event.uuid}`);
    const { event: then, ...others } = await get(`/v1/objects/events/${event.uuid}`);
    expect(then).toEqual(today);
    expect(Object.keys(others)).toEqual(['call_times']);
  });

  test('has rates as text with two decimals, and ids instead of titles', async () => {
    const position = await service.createPosition(tenant.business, { title: 'Bartender', defaultPayRate: '21.5' });
    const { id: skillLevelId } = await service.prisma.skillLevel.create({
      data: { businessId: tenant.business.id, name: 'Expert' },
    });
    const more = { positionId: position.id, skillLevelId, staffNeeded: 7, payUnit: 'day', dressCode: 'Apron' } as const;
    const own = await service.createCallTime(event, { ...more, payRate: '30', startTbd: true });
    const free = await service.createCallTime(event, { positionId: position.id, payRate: '0', payUnit: 'flat' });
    const { id: byDefault } = await service.createCallTime(event, { positionId: position.id });
    const times = { start_time: '2026-12-05 16:00:00', end_time: '2026-12-05 23:30:00' };
    const plain = { ...times, position_id: position.id, skill_level_id: null, count: 2, dress_code: '' };
    expect((await get(`/v1/objects/events/${event.uuid}`)).call_times).toEqual([
      {
        ...times,
        id: own.id,
        position_id: position.id,
        skill_level_id: skillLevelId,
        count: 7,
        payrate: '30.00',
        payrate_unit: 'day',
        dress_code: 'Apron',
      },
      { ...plain, id: free.id, payrate: '0.00', payrate_unit: 'flat' },
      { ...plain, id: byDefault, payrate: '21.50', payrate_unit: 'hour' },
    ]);
  });

  test('also returns a deleted event, which can still be read by its uuid', async () => {
    const [deleted] = (await get('/v1/objects/events?status=deleted')).data;
    expect((await get(`/v1/objects/events/${deleted.uuid}`)).event).toMatchObject({ status: 'deleted' });
    expect((await get(`/v1/events/${deleted.uuid.toUpperCase()}`)).event).toMatchObject({ uuid: deleted.uuid });
  });
});
