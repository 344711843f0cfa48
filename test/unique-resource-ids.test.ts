import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import type { Tenant } from './support/factories.ts';

/* A business can say that no two of its events may have the same resource id. */

let tenant: Tenant;
const mutate = asker(() => service, 'mutation');
const query = asker(() => service, 'query');

const service = useService();

beforeEach(async () => {
  tenant = await service.createTenant();
});

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  service.call(method, url, { as: tenant.as.admin, ...(body && { body }) });

const setting = (areUnique: boolean | 'true') => send('PUT', '/v1/business', { unique_resource_ids: areUnique });

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'UTC' };
const create = (resourceId: string | null) =>
  send('POST', '/v1/events', { title: 'Gala', ...times, resource_id: resourceId });

const taken = { code: 'CONFLICT', errors: { resource_id: ['is taken'] } };

describe('without the setting', () => {
  test('events may share a resource id', async () => {
    expect((await send('GET', '/v1/business')).body.data).toMatchObject({
      id: tenant.business.id,
      unique_resource_ids: false,
    });
    for (const _ of [1, 2]) expect((await create('A-1')).status).toBe(201);
    expect((await send('GET', '/v1/events?resource_id=A-1')).body.data.total).toBe(2);
  });
});

describe('with the setting', () => {
  test('a taken resource id is refused in both dialects, on creation and on change', async () => {
    expect((await setting('true')).body.data.unique_resource_ids).toBe(true);
    expect((await create('A-1')).status).toBe(201);
    const refused = await create('A-1');
    expect([refused.status, refused.body]).toMatchObject([409, taken]);
    const { body } = await create('A-2');
    const url = `/v1/events/${body.data.uuid}`;
    const change = await send('PUT', url, { resource_id: 'A-1' });
    expect([change.status, change.body]).toMatchObject([409, taken]);
    expect((await send('PUT', url, { resource_id: 'A-2', title: 'Same' })).status).toBe(200);
    const input = `{ title: "T", startTime: "2027-05-01 10:00:00", endTime: "2027-05-01 12:00:00", timezone: "UTC", resourceId: "A-1" }`;
    expect(await mutate(tenant.as.admin, `{ it: createEvent(input: ${input}) { uuid } }`)).toMatchObject({
      code: 'CONFLICT',
      errors: { resourceId: ['is taken'] },
    });
    expect(await query(tenant.as.admin, '{ it: business { databaseId uniqueResourceIds } }')).toMatchObject({
      it: { databaseId: tenant.business.id, uniqueResourceIds: true },
    });
  });

  test('events without one, those of other businesses and deleted ones do not count', async () => {
    await setting(true);
    for (const none of [null, '', null]) expect((await create(none)).status).toBe(201);
    const first = await create('A-1');
    const other = await service.createTenant();
    await service.createEvent(other.business, { resourceId: 'A-1' });
    const url = `/v1/events/${first.body.data.uuid}`;
    expect((await send('DELETE', url)).status).toBe(200);
    expect((await create('A-1')).status).toBe(201);
    const back = await send('PUT', url, { status: 'active' });
    expect([back.status, back.body]).toMatchObject([409, taken]);
    expect((await send('PUT', url, { status: 'active', resource_id: 'A-3' })).status).toBe(200);
  });

  test('admins see it wherever GraphQL shows the business, and others see null', async () => {
    const { id: clientId } = tenant.client;
    const shown = async (as: string) =>
      (await query(as, '{ it: viewer { business { name uniqueResourceIds } } }')).it.business.uniqueResourceIds;
    expect(await shown(tenant.as.admin)).toBe(false);
    await setting(true);
    expect([await shown(tenant.as.admin), await shown(tenant.as.key)]).toEqual([true, true]);
    expect([await shown(tenant.as.staff), await shown(tenant.as.client)]).toEqual([null, null]);
    for (const _ of [1, 2]) await service.createEvent(tenant.business, { clientId });
    const ofEvents = async (as: string, list = 'events') =>
      (await query(as, `{ it: ${list} { nodes { business { uniqueResourceIds } } } }`)).it.nodes;
    const eventsWith = (uniqueResourceIds: boolean | null) => [1, 2].map(() => ({ business: { uniqueResourceIds } }));
    expect(await ofEvents(tenant.as.admin)).toEqual(eventsWith(true));
    await setting(false);
    expect(await ofEvents(tenant.as.admin)).toEqual(eventsWith(false));
    expect(await ofEvents(tenant.as.client, 'myEvents')).toEqual(eventsWith(null));
    const [{ id }] = [(await query(tenant.as.admin, '{ it: business { id } }')).it];
    const node = await query(
      tenant.as.admin,
      `{ it: node(id: "${id}") { ... on Business { name uniqueResourceIds } } }`,
    );
    expect(node.it).toEqual({ name: tenant.business.name, uniqueResourceIds: false });
  });

  test('only one of many simultaneous creates gets a resource id', async () => {
    await setting(true);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => create('A-1')))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('it can be switched on only while no two events share one, and switched off again', async () => {
    const [first] = [await create('A-1'), await create('A-1')];
    const refused = await setting(true);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'CONFLICT', errors: { unique_resource_ids: ['cannot be true while events share a resource id'] } },
    ]);
    await send('PUT', `/v1/events/${first.body.data.uuid}`, { resource_id: null });
    expect((await setting(true)).status).toBe(200);
    expect((await setting(true)).status).toBe(200);
    expect((await create('A-1')).status).toBe(409);
    expect(
      (
        await mutate(
          tenant.as.admin,
          '{ it: updateBusiness(input: { uniqueResourceIds: false }) { name uniqueResourceIds } }',
        )
      ).it,
    ).toEqual({
      name: tenant.business.name,
      uniqueResourceIds: false,
    });
    expect((await create('A-1')).status).toBe(201);
    const { body } = await send('GET', '/v1/audit_entries?action=business.update');
    expect(body.data.data.map(({ details }: { details: unknown }) => details)).toEqual([
      { uniqueResourceIds: { from: true, to: false } },
      { uniqueResourceIds: { from: false, to: true } },
    ]);
  });

  test('an event that is written while it is switched on obeys, too', async () => {
    for (let round = 0; round < 5; round++) {
      tenant = await service.createTenant();
      const [on, ...made] = await Promise.all([setting(true), create('A-1'), create('A-1')]);
      const count = made.filter(({ status }) => status === 201).length;
      // Either the setting was refused because both events were there, or one of them was.
      expect([on.status, count]).toEqual(on.status === 200 ? [200, 1] : [409, 2]);
    }
  });
});
