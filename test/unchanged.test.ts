import { beforeEach, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { changeable, type Noun, type Rows, storedRow } from './support/changes.ts';
import { useKeptRows } from './support/kept-rows.ts';
import { resources } from './support/resources.ts';

/* A change that leaves all values as they are is none, in any write of any noun. */

let now = new Date('2026-06-01T12:00:00.000Z');
let rows: Rows;

const service = useService({ clock: () => now });
const tenant = useOneTenant(service);

useKeptRows(service, async () => {
  rows = await changeable(service, tenant);
  return [tenant.business.id];
});
beforeEach(() => {
  now = new Date(now.getTime() + 60_000);
});

const call = (method: 'GET' | 'PUT' | 'POST', url: string, body?: object) =>
  service.call(method, url, { as: tenant.as.admin, ...(body && { body }) });

/** What tells of changes: the data version of the business, its history and its feed. */
async function traces() {
  const revision = await service.prisma.businessRevision.findUniqueOrThrow({
    where: { businessId: tenant.business.id },
  });
  const changed = await service.prisma.rowChange.count({ where: { businessId: tenant.business.id } });
  const { body } = await call('GET', '/v1/history?per_page=1');
  return { revision: revision.revision, changed, history: body.data.total };
}

/** Each noun with a change that has an effect, as the body of its PUT. */
const bodies: Record<string, (rows: Rows) => { noun: Noun; url: string; body: object }> = {
  event: ({ event }) => ({
    noun: 'event',
    url: `/v1/events/${event.uuid}`,
    body: { title: 'Gala', start_time: '2026-12-05 18:00:00', end_time: '2026-12-05 23:00:00', room: 'Annex' },
  }),
  'custom field values': ({ event, customField }) => ({
    noun: 'event',
    url: `/v1/events/${event.uuid}/custom_fields`,
    body: { values: [{ field_uuid: customField.uuid, value: 'x' }] },
  }),
  callTime: ({ callTime }) => ({
    noun: 'callTime',
    url: `/v1/call_times/${callTime.uuid}`,
    body: { dress_code: 'Black', pay_rate: '20.5', staff_needed: 3 },
  }),
  workShift: ({ workShift }) => ({
    noun: 'workShift',
    url: `/v1/work_shifts/${workShift.uuid}`,
    body: { pay_rate: '30' },
  }),
  customField: ({ customField }) => ({
    noun: 'customField',
    url: `/v1/custom_fields/${customField.uuid}`,
    body: { name: 'Hue', sort: 3 },
  }),
  user: ({ user }) => ({
    noun: 'user',
    url: `/api/v1/users/${user.id}`,
    body: { name: 'Another Name', phone: '+1 212 555 0100' },
  }),
  ...Object.fromEntries(
    resources.map(({ noun, url, name }) => [
      noun,
      (all: Rows) => ({ noun, url: `${url}/${all[noun].id}`, body: { [name]: `Other ${now.getTime()}` } }),
    ]),
  ),
};

describe('a change that changes nothing', () => {
  test.each(Object.keys(bodies))('of %s moves neither version, stamp, history nor feed', async (name) => {
    const { noun, url, body } = bodies[name]!(rows);
    const first = await call('PUT', url, body);
    expect([first.status, first.body.errors]).toEqual([200, undefined]);
    const before = await storedRow(service, rows, noun);
    expect(before?.version).toBe(2);
    const left = await traces();
    now = new Date(now.getTime() + 60_000);
    const again = await call('PUT', url, body);
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect(await storedRow(service, rows, noun)).toEqual(before);
    expect(await traces()).toEqual(left);
  });

  test('by GraphQL answers with the version that stays, and one that changes something counts', async () => {
    const update = async (title: string) => {
      const { body } = await service.graphql(
        `mutation { updateEvent(id: "${rows.event.uuid}", input: { title: "${title}" }) { event { version modifiedAt } } }`,
        { as: tenant.as.admin },
      );
      return body.data.updateEvent.event;
    };
    const first = await update('Gala');
    now = new Date(now.getTime() + 60_000);
    expect(await update('Gala')).toEqual(first);
    expect(await update('Ball')).toEqual({ version: 3, modifiedAt: now.toISOString() });
  });

  test('of custom field values counts once a value changes or goes', async () => {
    const url = `/v1/events/${rows.event.uuid}/custom_fields`;
    const set = (value: string | null) => call('PUT', url, { values: [{ field_uuid: rows.customField.uuid, value }] });
    const versions: (number | undefined)[] = [];
    for (const value of [null, 'x', 'x', 'y', null, null]) {
      expect((await set(value)).status).toBe(200);
      versions.push((await storedRow(service, rows, 'event'))?.version);
    }
    expect(versions).toEqual([1, 2, 2, 3, 4, 4]);
  });

  test('of the version before, which sends stamps alone, is none either, and counts what has changed', async () => {
    const { id, businessId } = rows.event;
    const stamp = service.prisma.$executeRaw`UPDATE events SET modified_at = now() WHERE id = ${id}`;
    expect(await stamp).toBe(1);
    expect(await storedRow(service, rows, 'event')).toMatchObject({ version: 1, modifiedAt: rows.event.modifiedAt });
    await service.prisma.$transaction([
      service.prisma.customFieldValue.create({
        data: { businessId, eventId: id, customFieldId: rows.customField.id, value: 'x' },
      }),
      service.prisma.event.updateMany({ where: { id }, data: { modifiedAt: now } }),
    ]);
    expect(await storedRow(service, rows, 'event')).toMatchObject({ version: 2, modifiedAt: now });
  });

  test('is what the setting of unique resource ids does to events', async () => {
    await call('PUT', `/v1/events/${rows.event.uuid}`, { resource_id: `R-${rows.event.id}` });
    const before = await storedRow(service, rows, 'event');
    const unique = (uniqueResourceIds: boolean) =>
      service.graphql(`mutation { updateBusiness(input: { uniqueResourceIds: ${uniqueResourceIds} }) { id } }`, {
        as: tenant.as.admin,
      });
    expect((await unique(true)).body.errors).toBeUndefined();
    const { uniqueResourceId, ...after } = (await storedRow(service, rows, 'event')) as Record<string, unknown>;
    expect({ ...after, uniqueResourceId: null }).toEqual(before);
    expect(uniqueResourceId).toBe(`R-${rows.event.id}`);
    await unique(false);
  });

  test('of a webhook leaves its stamp', async () => {
    const made = await call('POST', '/v1/webhooks', { url: 'https://receiver.example/hook', types: ['event.created'] });
    const { uuid } = made.body.data.webhook ?? made.body.data;
    const read = async () => (await call('GET', `/v1/webhooks/${uuid}`)).body.data;
    const before = await read();
    now = new Date(now.getTime() + 60_000);
    await call('PUT', `/v1/webhooks/${uuid}`, { types: ['event.created'], url: 'https://receiver.example/hook' });
    expect(await read()).toEqual(before);
  });
});
