import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* What becomes of the shifts and events of users who are deleted. */

const now = new Date('2026-11-20T12:00:00.000Z');
let tenant: Tenant;

const service = useService({ clock: () => now });

beforeEach(async () => {
  tenant = await service.createTenant();
});

const remove = (id: number, query = '') =>
  service.call('DELETE', `/api/v1/users/${id}${query}`, { as: tenant.as.admin });
const at = (more: object) => service.createEvent(tenant.business, { timezone: 'UTC', ...more });
const shiftsOf = (userId: number) => service.prisma.workShift.findMany({ where: { userId }, orderBy: { id: 'asc' } });

const pastTimes = { start: '2026-11-01 10:00:00', end: '2026-11-01 12:00:00' };
const nextTimes = { start: '2026-12-01 10:00:00', end: '2026-12-01 12:00:00' };

describe('a staff member with shifts', () => {
  beforeEach(async () => {
    const past = await at(pastTimes);
    const next = await at(nextTimes);
    await service.createShift(past, tenant.staff, { ...pastTimes, confirmed: true });
    await service.createShift(next, tenant.staff, { ...nextTimes, confirmed: true });
    // To be determined, at an event to come.
    await service.createShift(next, tenant.staff, { start: null, end: null });
  });

  test('is not deleted while some have not ended; the refusal counts them and names the way out', async () => {
    const answer = await remove(tenant.staff.id);
    expect([answer.status, answer.body.code, answer.body.in_use]).toEqual([409, 'CONFLICT', { work_shifts: 2 }]);
    expect(answer.body.message).toMatch(/shifts that have not ended \(2\).*`shifts` with cancel/);
    expect(Object.keys(answer.body.errors)).toEqual(['shifts']);
    expect((await shiftsOf(tenant.staff.id)).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    const { body } = await service.graphql(`mutation { deleteUser(id: ${tenant.staff.id}) { name } }`, {
      as: tenant.as.admin,
    });
    expect(body.errors[0].extensions).toMatchObject({ code: 'CONFLICT', inUse: { workShifts: 2 } });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['REST', async () => (await remove(tenant.staff.id, '?shifts=cancel')).status],
    [
      'GraphQL',
      async () => {
        const document = `mutation { deleteUser(id: ${tenant.staff.id}, shifts: CANCEL) { name } }`;
        const { body } = await service.graphql(document, { as: tenant.as.admin });
        return body.errors ?? 200;
      },
    ],
  ])('is deleted with them through %s, in one commit; those that have ended stay', async (_dialect, send) => {
    expect(await send()).toBe(200);
    expect((await shiftsOf(tenant.staff.id)).map(({ status, confirmed }) => [status, confirmed])).toEqual([
      ['active', true],
      ['canceled', false],
      ['canceled', false],
    ]);
    const businessId = tenant.business.id;
    const last = await service.prisma.commit.findFirstOrThrow({ where: { businessId }, orderBy: { revision: 'desc' } });
    const changed = await service.prisma.rowChange.findMany({ where: { businessId, batch: last.batch! } });
    expect(changed.map(({ kind }) => kind).sort()).toEqual(['users', 'work_shifts', 'work_shifts']);
  });

  test('a narrowed credential needs the scope of staffing for that, too', async () => {
    const { key } = await service.createKey(tenant.business, { scopes: ['users:write'] });
    const answer = await service.call('DELETE', `/api/v1/users/${tenant.staff.id}?shifts=cancel`, { as: key });
    expect(answer.status).toBe(403);
  });
});

test('nobody confirms a shift of a person who was deleted before they were asked about', async () => {
  const event = await at(nextTimes);
  const shift = await service.createShift(event, tenant.staff, nextTimes);
  await service.prisma.user.updateMany({ where: { id: tenant.staff.id }, data: { deletedAt: now, emailKey: null } });
  const url = `/v1/work_shifts/${shift.uuid}/actions/confirm`;
  expect(await service.call('POST', url, { as: tenant.as.admin })).toMatchObject({ status: 409 });
});

test('a client of events to come is deleted only where these keep the client', async () => {
  const { id } = tenant.client;
  await at({ ...pastTimes, clientId: id });
  await at({ ...nextTimes, clientId: id });
  await at({ ...nextTimes, clientId: id, status: 'canceled' });
  const refused = await remove(id, '?shifts=cancel');
  expect([refused.status, refused.body.in_use]).toEqual([409, { events: 1 }]);
  expect(refused.body.message).toBe(
    'The user has events to come (1): give them another client, or send `events` with keep.',
  );
  expect((await remove(id, '?events=keep')).status).toBe(200);
  expect(await service.prisma.event.count({ where: { clientId: id } })).toBe(3);
});

test('a position in use is not deleted, and the refusal counts what points to it', async () => {
  const event = await at(nextTimes);
  const { positionId } = await service.createCallTime(event);
  const answer = await service.call('DELETE', `/v1/positions/${positionId}`, { as: tenant.as.admin });
  expect(answer).toMatchObject({ status: 409, body: { in_use: { call_times: 1, work_shifts: 0 } } });
  expect(answer.body.message).toMatch(/in use \(call times: 1\): give these another position first/);
});
