import { beforeAll, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { createFullAndBare } from './support/full-event.ts';

/* Read, change, write back: what a GET shows, the PUT of the same address takes, and nothing changes. */

const service = useService();
const tenant = useOneTenant(service, 'enterprise');

/** An address of each route, by its path in the OpenAPI document. */
const addresses: Record<string, string[]> = {};

const ask = (method: 'GET' | 'PUT', url: string, body?: unknown) =>
  service.call(method, url, { as: tenant.as.admin, ...(body !== undefined && { body }) });

beforeAll(async () => {
  const { prisma } = service;
  const businessId = tenant.business.id;
  await createFullAndBare(service, tenant);
  const inBusiness = { where: { businessId } };
  const events = await prisma.event.findMany(inBusiness);
  const uuids = (rows: { uuid: string }[], path: string) => rows.map(({ uuid }) => `${path}/${uuid}`);
  const ids = (rows: { id: number }[], path: string) => rows.map(({ id }) => `${path}/${id}`);
  await prisma.customField.create({
    data: { businessId, name: 'Size', type: 'select', options: ['S', 'M'] },
  });
  const [shift] = await prisma.workShift.findMany(inBusiness);
  await prisma.workShift.update({
    where: { businessId_id: { businessId, id: shift!.id } },
    data: { overrideReason: 'A favour' },
  });
  await service.createWebhook(tenant.business);
  const [pattern, exception, held] = [
    await service.createPattern(tenant.staff),
    await service.createException(tenant.staff),
    await service.createHeld(tenant.staff),
  ];
  Object.assign(addresses, {
    '/v1/events/{uuid}': uuids(events, '/v1/events'),
    '/v1/events/{uuid}/custom_fields': uuids(events, '/v1/events').map((url) => `${url}/custom_fields`),
    '/v1/call_times/{uuid}': uuids(await prisma.callTime.findMany(inBusiness), '/v1/call_times'),
    '/v1/work_shifts/{uuid}': uuids(await prisma.workShift.findMany(inBusiness), '/v1/work_shifts'),
    '/v1/work_shifts/{uuid}/attendance': uuids(await prisma.workShift.findMany(inBusiness), '/v1/work_shifts').map(
      (url) => `${url}/attendance`,
    ),
    '/v1/positions/{id}': ids(await prisma.position.findMany(inBusiness), '/v1/positions'),
    '/v1/skill_levels/{id}': ids(await prisma.skillLevel.findMany(inBusiness), '/v1/skill_levels'),
    '/v1/custom_fields/{uuid}': uuids(await prisma.customField.findMany(inBusiness), '/v1/custom_fields'),
    '/v1/webhooks/{uuid}': uuids(await prisma.webhookEndpoint.findMany(inBusiness), '/v1/webhooks'),
    '/api/v1/users/{id}': ids([tenant.admin, tenant.staff], '/api/v1/users'),
    '/v1/qualifications/{id}': ids(await prisma.qualification.findMany(inBusiness), '/v1/qualifications'),
    '/v1/user_qualifications/{id}': ids([held], '/v1/user_qualifications'),
    '/v1/availability/patterns/{uuid}': uuids([pattern], '/v1/availability/patterns'),
    '/v1/availability/exceptions/{uuid}': uuids([exception], '/v1/availability/exceptions'),
    '/v1/business': ['/v1/business'],
    '/v1/mails/personal': ['/v1/mails/personal'],
  });
});

/** What each write moves. */
const moving = ['version', 'modified_at', 'updated_at', 'updated'];
const still = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (moving.includes(key) ? undefined : (each as unknown))));

interface Documented {
  readonly paths: Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>;
}

test('every route with GET and PUT takes back what it shows', async () => {
  const { paths } = (await service.call('GET', '/openapi.json')).body as Documented;
  const both = Object.entries(paths).filter(([, { get, put }]) => get && put);
  expect(both.map(([path]) => path).filter((path) => !addresses[path])).toEqual([]);
  for (const [path, { get }] of both) {
    const isFull = Object.keys(get?.responses?.['200']?.content ?? {}).some((type) => type.includes('profile=full'));
    for (const address of addresses[path]!)
      for (const query of isFull ? ['', '?fields=full'] : ['']) {
        const before = await ask('GET', address + query);
        const { status, body } = await ask('PUT', address, before.body.data);
        expect([address + query, status, body.errors]).toEqual([address + query, 200, undefined]);
        // What the write answers is taken back, too.
        expect((await ask('PUT', address, body.data)).body).toMatchObject({ data: body.data });
        expect(still((await ask('GET', address + query)).body.data)).toEqual(still(before.body.data));
      }
  }
}, 60_000);

test('a field is changed by what was read with another value of it', async () => {
  const [url] = addresses['/v1/call_times/{uuid}']!;
  const { data } = (await ask('GET', url!)).body;
  const changed = await ask('PUT', url!, { ...data, staff_needed: data.staff_needed + 3 });
  // The coverage that was read is another one now.
  expect([changed.status, changed.body.data.staff_needed]).toEqual([200, data.staff_needed + 3]);
  const again = await ask('PUT', url!, {
    ...data,
    modified_at: changed.body.data.modified_at,
    version: changed.body.data.version,
  });
  expect(again.status).toBe(200);
});

test.each([
  ['/v1/call_times/{uuid}', 'event_uuid'],
  ['/v1/work_shifts/{uuid}', 'confirmed'],
  ['/v1/positions/{id}', 'id'],
  ['/v1/webhooks/{uuid}', 'created_at'],
])('%s refuses and names another value of %s', async (path, field) => {
  const [url] = addresses[path]!;
  const { data } = (await ask('GET', url!)).body;
  const { status, body } = await ask('PUT', url!, { ...data, [field]: 'another' });
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  expect(body.errors[field]).toEqual([expect.stringMatching(/^is read-only: /)]);
});

test('custom field values are taken as the list that was read, with one of them changed', async () => {
  const url = addresses['/v1/events/{uuid}/custom_fields']!.find(Boolean)!;
  const { data } = (await ask('GET', url)).body;
  const [first, ...others] = data as { field_value: string }[];
  const { status, body } = await ask('PUT', url, [{ ...first, field_value: 'changed' }, ...others]);
  expect([status, body.data]).toEqual([200, [{ ...first, field_value: 'changed' }, ...others]]);
});
