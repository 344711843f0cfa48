import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import type { Tenant } from './support/factories.ts';

/* An event is created or changed by its identifier in another system. */

const service = useService();
const mutate = asker(() => service, 'mutation');

let tenant: Tenant;

beforeEach(async () => {
  tenant = await service.createTenant();
  await setting(true);
});

const setting = (uniqueResourceIds: boolean) =>
  service.prisma.business.update({ where: { id: tenant.business.id }, data: { uniqueResourceIds } });

const put = (id: string, body: object, headers: Record<string, string> = {}) =>
  service.call('PUT', `/v1/events/by_resource_id/${id}`, { as: tenant.as.admin, body, headers });

const fields = { title: 'Gala', start_time: '2027-05-01 18:00:00', end_time: '2027-05-01 23:00:00', timezone: 'UTC' };
const stored = () =>
  service.prisma.event.findMany({ where: { businessId: tenant.business.id }, orderBy: { id: 'asc' } });

test('creates an event with 201, and then changes only what is sent, with 200', async () => {
  const first = await put('A-1', { ...fields, venue_name: 'Hall' });
  expect([first.status, first.headers['etag'], first.body.data.title]).toEqual([201, '"1"', 'Gala']);
  const second = await put('A-1', { title: 'Winter gala', resource_id: 'A-1' });
  expect([second.status, second.headers['etag']]).toEqual([200, '"2"']);
  expect(second.body.data).toMatchObject({ uuid: first.body.data.uuid, title: 'Winter gala', venue_name: 'Hall' });
  const again = await put('A-1', { status: 'canceled' });
  expect([again.status, again.body.data.status]).toEqual([200, 'canceled']);
  expect(await stored()).toMatchObject([{ resourceId: 'A-1', venueName: 'Hall', version: 3 }]);
});

test('does the same in GraphQL', async () => {
  const upsert = (input: object, more = '') =>
    mutate(
      tenant.as.admin,
      `($input: UpsertEventInput!) { it: upsertEvent(resourceId: "A-1", input: $input${more}) { isNew event { title version } } }`,
      { input },
    );
  const whole = { title: 'Gala', startTime: fields.start_time, endTime: fields.end_time, timezone: 'UTC' };
  expect((await upsert(whole, ', version: 1')).code).toBe('PRECONDITION_FAILED');
  expect((await upsert(whole)).it).toEqual({ isNew: true, event: { title: 'Gala', version: 1 } });
  expect((await upsert({ title: 'Ball' }, ', version: 1')).it).toEqual({
    isNew: false,
    event: { title: 'Ball', version: 2 },
  });
  expect((await upsert({ title: 'Fair' }, ', version: 1')).code).toBe('PRECONDITION_FAILED');
  expect((await upsert(whole, ', mustBeNew: true')).code).toBe('PRECONDITION_FAILED');
  expect(await upsert({ callTimes: [] })).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: { callTimes: [expect.stringContaining('createCallTime')] },
  });
  expect(await upsert({ resourceId: 'A-2' })).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: { resourceId: [expect.any(String)] },
  });
  await setting(false);
  expect(await upsert(whole)).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('uniqueResourceIds'),
  });
});

test('is refused with the name of the setting where resource ids need not be unique', async () => {
  await setting(false);
  const refused = await put('A-1', fields);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'CONFLICT',
      message: expect.stringContaining('unique_resource_ids'),
      errors: { unique_resource_ids: ['must be true'] },
    },
  ]);
  expect(await stored()).toEqual([]);
});

test('judges a new event as any other, and the id that the body names', async () => {
  expect((await put('A-1', { title: 'Gala' })).body.errors).toMatchObject({
    start_time: ['is required'],
    end_time: ['is required'],
    timezone: ['is required'],
  });
  expect((await put('A-1', { ...fields, status: 'canceled' })).body.errors).toMatchObject({
    status: [expect.any(String)],
  });
  for (const resourceId of ['A-2', 'a-1', 'A-1 ', '', null])
    expect((await put('A-1', { ...fields, resource_id: resourceId })).body.errors).toMatchObject({
      resource_id: [expect.stringContaining('address')],
    });
  expect((await put('x'.repeat(201), fields)).body.errors).toEqual({
    resource_id: ['must have at most 200 characters'],
  });
  expect(await stored()).toEqual([]);
});

test('takes call times for a new event only', async () => {
  const { id } = await service.createPosition(tenant.business);
  const callTime = { position_id: id, staff_needed: 1, start_time: fields.start_time, end_time: fields.end_time };
  const call_times = [{ ...callTime, people: [{ user_id: tenant.staff.id }] }];
  const created = await put('A-1', { ...fields, call_times });
  expect([created.status, created.body.data]).toMatchObject([201, { call_times: [{}], work_shifts: [{}] }]);
  for (const sent of [call_times, []]) {
    const refused = await put('A-1', { title: 'Changed', call_times: sent });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { call_times: [expect.stringContaining('POST /v1/call_times')] },
    ]);
  }
  expect(await stored()).toMatchObject([{ title: 'Gala' }]);
});

describe('the id in the address', () => {
  const ids = [
    'A/1',
    ' A ',
    ' ',
    '\u{FEFF}A',
    'A',
    'a',
    'Ä',
    'A\u0308',
    '%41',
    '50%',
    'a+b',
    'a b',
    'batch',
    '?#&',
    '🎪',
    'x'.repeat(200),
  ];

  test('is compared exactly as it was sent', async () => {
    for (const [at, id] of ids.entries()) {
      const created = await put(encodeURIComponent(id), { ...fields, title: `Event ${at}` });
      expect({ id, status: created.status }).toEqual({ id, status: 201 });
    }
    for (const [at, id] of ids.entries()) {
      const changed = await put(encodeURIComponent(id), { resource_id: id });
      expect({ id, status: changed.status, title: changed.body.data?.title }).toEqual({
        id,
        status: 200,
        title: `Event ${at}`,
      });
    }
    expect(await stored()).toHaveLength(ids.length);
  });

  test('is not empty', async () => {
    expect((await put('', fields)).status).toBe(404);
  });
});

test('deleted events do not count', async () => {
  const first = await put('A-1', fields);
  await put('A-1', { status: 'deleted' });
  const second = await put('A-1', fields);
  expect(second.status).toBe(201);
  expect(second.body.data.uuid).not.toBe(first.body.data.uuid);
  expect((await put('A-1', { title: 'Ball' })).body.data.uuid).toBe(second.body.data.uuid);
});

test('heeds If-Match and If-None-Match', async () => {
  const new_ = { 'if-none-match': '*' };
  for (const tag of ['*', '"1"']) expect((await put('A-1', fields, { 'if-match': tag })).status).toBe(412);
  expect((await put('A-1', fields, new_)).status).toBe(201);
  expect((await put('A-1', fields, new_)).status).toBe(412);
  expect((await put('A-1', { title: 'Ball' }, { 'if-match': '"2"' })).status).toBe(412);
  expect((await put('A-1', { title: 'Ball' }, { 'if-match': '"1"' })).status).toBe(200);
  expect((await put('A-1', { title: 'Fair' }, { 'if-match': '*' })).status).toBe(200);
  expect(await stored()).toMatchObject([{ title: 'Fair', version: 3 }]);
});

test('of several at once, one creates and the others change', async () => {
  for (let round = 0; round < 5; round++) {
    const puts = Array.from({ length: 4 }, (_, at) => put(`R-${round}`, { ...fields, title: `Event ${at}` }));
    const statuses = (await Promise.all(puts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 201]);
  }
  expect(await stored()).toHaveLength(5);
});

test('beside a create of the same id, nobody gets an error of the service', async () => {
  for (let round = 0; round < 5; round++) {
    const id = `P-${round}`;
    const post = (url: string, body: object) => service.call('POST', url, { as: tenant.as.admin, body });
    const [changed, created, batch] = await Promise.all([
      put(id, fields),
      post('/v1/events', { ...fields, resource_id: id }),
      post('/v1/events/batch', { inputs: [{ ...fields, resource_id: id }] }),
    ]);
    expect([200, 201]).toContain(changed.status);
    expect([201, 409]).toContain(created.status);
    expect(batch.status).toBe(201);
    const made = [changed.status === 201, created.status === 201, batch.body.data[0].error === null];
    expect(made.filter(Boolean)).toHaveLength(1);
  }
  expect(await stored()).toHaveLength(5);
});

test('beside a deletion, the event is created or changed', async () => {
  for (let round = 0; round < 5; round++) {
    const { body } = await put(`D-${round}`, fields);
    const [changed, deleted] = await Promise.all([
      put(`D-${round}`, fields),
      service.call('DELETE', `/v1/events/${body.data.uuid}`, { as: tenant.as.admin }),
    ]);
    expect([[200, 201].includes(changed.status), deleted.status]).toEqual([true, 200]);
  }
});
