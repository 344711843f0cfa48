import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { createFullAndBare } from './support/full-event.ts';

/* A client reads a row, changes one field, and sends all of it back. */

let uuid: string;

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  await createFullAndBare(service, tenant);
  const where = { businessId: tenant.business.id, title: 'Full' };
  ({ uuid } = await service.prisma.event.findFirstOrThrow({ where }));
});

const read = async (url: string) => {
  const { status, body } = await service.call('GET', url, { as: tenant.as.admin });
  expect(status).toBe(200);
  return body.data;
};
const put = (url: string, body: object) => service.call('PUT', url, { as: tenant.as.admin, body });

describe('an event', () => {
  const url = () => `/v1/events/${uuid}`;
  const earlier = () => `/v1/objects/events/${uuid}`;
  const listed = async (list: string) =>
    ((await read(`${list}?per_page=100`)).data as { uuid: string }[]).find((item) => item.uuid === uuid);

  test.each<[string, () => Promise<object>]>([
    ['the event of a single read', async () => (await read(url())).event],
    ['a whole single read', () => read(url())],
    ['the event of an earlier single read', async () => (await read(earlier())).event],
    ['a whole earlier single read', () => read(earlier())],
    ['an item of the list', async () => (await listed('/v1/events')) ?? {}],
    ['an item of the earlier list', async () => (await listed('/v1/objects/events')) ?? {}],
  ])('%s can be sent back with another field', async (_title, readShape) => {
    const shape = await readShape();
    expect(shape).not.toEqual({});
    const before = await read(url());
    const wrapped =
      'event' in shape ? { ...shape, event: { ...(shape.event as object), room: 'x' } } : { ...shape, room: 'x' };
    const answer = await put(url(), wrapped);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    expect(await read(url())).toEqual(before);
    expect((await listed('/v1/events')) as object).toMatchObject({ room: 'x' });
    await put(url(), { room: '' });
  });

  test('what create returned can be sent back', async () => {
    const body = { title: 'New', start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'UTC' };
    const made = await service.call('POST', '/v1/events', { as: tenant.as.admin, body });
    expect(await put(`/v1/events/${made.body.data.uuid}`, { ...made.body.data, title: 'Newer' })).toMatchObject({
      status: 200,
      body: { data: { title: 'Newer' } },
    });
  });

  test.each([
    ['id', 0],
    ['uuid', '743f33ae-84e8-4f12-a50f-c82bd84c61c1'],
    ['business_id', 0],
    ['created_at', '2001-01-01 00:00:00'],
    ['modified_at', null],
    ['created', 'yesterday'],
    ['updated', 5],
    ['start_date_time', '2001-01-01 00:00:00'],
    ['call_times', []],
    ['work_shifts', {}],
    ['custom_fields', [{}]],
  ])('%s with another value is refused and named, beside all other faults', async (field, value) => {
    const before = await read(url());
    const { status, body } = await put(url(), {
      [field]: value,
      title: 'Other',
      colour: 'red',
      end_time: '1999-01-01 00:00:00',
    });
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual({
      [field]: [expect.stringMatching(/^is read-only: /)],
      colour: ['is not a known field'],
      end_time: [expect.any(String)],
    });
    expect(await read(url())).toEqual(before);
  });

  test('that a field shows what another one changes, the error says', async () => {
    const { body } = await put(url(), { start_date_time: '2027-01-01 00:00:00' });
    expect(body.errors.start_date_time[0]).toMatch(/send start_time/);
  });

  test('two values of one field are refused', async () => {
    const { event } = await read(url());
    const { status, body } = await put(url(), { event, title: 'Another' });
    expect([status, body.errors]).toEqual([422, { event: ['has another value of title than the body'] }]);
  });
});

describe('a user', () => {
  test('can be sent back with another field, and not with other read-only values', async () => {
    const url = `/api/v1/users/${tenant.staff.id}`;
    const user = await read(url);
    const changed = await put(url, { ...user, name: 'Kim Other' });
    expect(changed).toMatchObject({ status: 200, body: { data: { id: user.id, name: 'Kim Other' } } });
    // The time of the last change is another one now.
    for (const field of ['id', 'created_at', 'updated_at']) {
      const { status, body } = await put(url, {
        ...(await read(url)),
        [field]: field === 'id' ? 0 : user.updated_at + 'x',
      });
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
      expect(body.errors[field]).toEqual([expect.stringMatching(/^is read-only: /)]);
    }
    expect((await put(url, { password: 'not by this route' })).body.errors).toEqual({
      password: ['is not a known field'],
    });
  });
});
