import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';

let event: Event;

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  event = await service.createEvent(tenant.business, { description: 'With children' });
});

const get = async (path: string) => {
  const { status, body } = await service.call('GET', path, { as: tenant.as.admin });
  expect({ path, status }).toEqual({ path, status: 200 });
  return body.data;
};

describe('the earlier single event', () => {
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
});
