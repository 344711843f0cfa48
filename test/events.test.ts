import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { eventDialects, readEvent, required } from './support/event-dialects.ts';
import { eventTexts } from './support/event-fields.ts';
import type { Tenant } from './support/factories.ts';

let other: Tenant;
let now = new Date('2026-11-20T10:00:00Z');
const dialects = eventDialects(() => service);

/** Lets a second pass on the service's clock. */
const tick = () => (now = new Date(now.getTime() + 1000));

const service = useService({ clock: () => now });
const tenant = useOneTenant(service);

beforeAll(async () => {
  other = await service.createTenant();
});

const read = (uuid: string | null) => readEvent(service, tenant.as.admin, uuid);

const texts = eventTexts;
const unset = Object.fromEntries(Object.keys(texts).map((name) => [name, null]));

describe.each(['REST', 'GraphQL'] as const)('through %s', (name) => {
  const { create, update } = dialects[name];

  test('an event created from the required fields alone is active, has no client, and nothing else is set', async () => {
    tick();
    const { code, uuid } = await create(tenant.as.admin, required);
    expect(code).toBe('OK');
    expect(await read(uuid)).toEqual({
      ...required,
      ...unset,
      id: expect.any(Number),
      uuid,
      businessId: tenant.business.id,
      clientId: null,
      status: 'ACTIVE',
      startsAt: '2026-12-31T23:00:00.000Z',
      startTimeTbd: false,
      endsAt: '2027-01-01T07:00:00.000Z',
      endTimeTbd: false,
      createdAt: now.toISOString(),
      modifiedAt: now.toISOString(),
      callTimes: [],
      workShifts: [],
      customFields: [],
    });
  });

  test('an event is created with every optional field', async () => {
    const fields = { ...required, ...texts, startTimeTbd: true, endTimeTbd: true, clientId: tenant.client.id };
    const { uuid } = await create(tenant.as.admin, { ...fields, status: 'draft' });
    expect(await read(uuid)).toMatchObject({ ...fields, status: 'DRAFT' });
  });

  test.each(['canceled', 'deleted', 'bogus'])('an event is not created as %s', async (status) => {
    const outcome = await create(tenant.as.admin, { ...required, status });
    // GraphQL itself knows the four values.
    if (name === 'GraphQL' && status === 'bogus') expect(outcome.code).toBe('BAD_USER_INPUT');
    else
      expect(outcome).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: { status: ['must be one of active, draft'] },
      });
  });

  test('a change of one field leaves all others and sets the modification time', async () => {
    const { uuid } = await create(tenant.as.admin, { ...required, ...texts, clientId: tenant.client.id });
    let expected = await read(uuid);
    const otherTexts = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, `${text}.`]));
    const changes = {
      ...otherTexts,
      title: 'Autumn gala',
      startTime: '2026-12-31 19:00:00',
      endTime: '2027-01-01 03:00:00',
      status: 'draft',
      startTimeTbd: true,
      endTimeTbd: true,
    };
    for (const [field, value] of Object.entries({ ...changes, latitude: '-1', longitude: '0.5' })) {
      tick();
      expect(await update(tenant.as.admin, uuid!, { [field]: value })).toMatchObject({ code: 'OK', errors: {}, uuid });
      expected = {
        ...expected,
        [field]: field === 'status' ? 'DRAFT' : value,
        modifiedAt: now.toISOString(),
        ...(field === 'startTime' && { startsAt: '2027-01-01T00:00:00.000Z' }),
        ...(field === 'endTime' && { endsAt: '2027-01-01T08:00:00.000Z' }),
      };
      expect(await read(uuid)).toEqual(expected);
    }
  });

  test('a change without fields changes nothing, not even the modification time', async () => {
    const { uuid } = await create(tenant.as.admin, { ...required, ...texts });
    const before = await read(uuid);
    tick();
    expect(await update(tenant.as.admin, uuid!, {})).toMatchObject({ code: 'OK', uuid });
    expect(await read(uuid)).toEqual(before);
  });

  test.each([null, ''])('%j clears every optional text', async (nothing) => {
    const { uuid } = await create(tenant.as.admin, { ...required, ...texts });
    const nothings = Object.fromEntries(Object.keys(texts).map((field) => [field, nothing]));
    expect(await update(tenant.as.admin, uuid!, nothings)).toMatchObject({ code: 'OK' });
    expect(await read(uuid)).toMatchObject({ ...required, ...unset });
    expect(await read((await create(tenant.as.admin, { ...required, ...nothings })).uuid)).toMatchObject(unset);
  });

  test('every status can follow every other, so a deleted event can be restored', async () => {
    const statuses = ['active', 'draft', 'canceled', 'deleted'];
    const event = await service.createEvent(tenant.business);
    for (const from of statuses)
      for (const to of statuses)
        for (const status of [from, to]) {
          expect(await update(tenant.as.admin, event.uuid, { status })).toMatchObject({ code: 'OK' });
          expect(await read(event.uuid)).toMatchObject({ status: status.toUpperCase() });
        }
  });

  test('the client of an event can be changed and removed', async () => {
    const another = await service.createUser(tenant.business, 'client');
    const { uuid } = await create(tenant.as.admin, { ...required, clientId: tenant.client.id });
    for (const clientId of [another.id, null]) {
      expect(await update(tenant.as.admin, uuid!, { clientId })).toMatchObject({ code: 'OK' });
      expect(await read(uuid)).toMatchObject({ clientId });
    }
    expect(await read((await create(tenant.as.admin, { ...required, clientId: null })).uuid)).toMatchObject({
      clientId: null,
    });
  });

  test('only a client of the business is accepted; all other users are answered like an unknown id', async () => {
    const { uuid } = await create(tenant.as.admin, { ...required, clientId: tenant.client.id });
    const deleted = await service.createUser(tenant.business, 'client');
    await service.prisma.user.updateMany({
      where: { id: deleted.id },
      data: { deletedAt: now, emailKey: null },
    });
    const events = await service.prisma.event.count();
    for (const { id } of [other.client, tenant.staff, tenant.admin, deleted, { id: 2_147_483_647 }]) {
      const refused = {
        code: 'VALIDATION_FAILED',
        errors: { clientId: ['must be the id of a client of this business'] },
        uuid: null,
      };
      expect(await create(tenant.as.admin, { ...required, clientId: id })).toEqual(refused);
      expect(await update(tenant.as.admin, uuid!, { clientId: id })).toEqual(refused);
    }
    expect(await read(uuid)).toMatchObject({ clientId: tenant.client.id });
    expect(await service.prisma.event.count()).toBe(events);
  });

  test('an upper-case uuid names the same event', async () => {
    const { uuid } = await create(tenant.as.admin, required);
    const upper = uuid!.toUpperCase();
    expect(await update(tenant.as.admin, upper, { title: 'Shouted' })).toMatchObject({ code: 'OK', uuid });
    expect(await read(upper)).toMatchObject({ uuid, title: 'Shouted' });
    const { body } = await service.call('GET', `/v1/events/${upper}`, { as: tenant.as.admin });
    expect(body.data.event).toMatchObject({ uuid, title: 'Shouted' });
  });

  test('a change of an unknown event is not found and changes nothing', async () => {
    const foreign = await service.createEvent(other.business);
    for (const uuid of [...unknownUuids, foreign.uuid])
      for (const changes of [{ title: 'Mine' }, {}])
        expect(await update(tenant.as.admin, uuid, changes)).toEqual({
          code: 'NOT_FOUND',
          errors: {},
          uuid: null,
        });
    expect(await readEvent(service, other.as.admin, foreign.uuid)).toMatchObject({ title: foreign.title });
  });
});

const unknownUuids = [
  'b3b6c1de-0000-4000-8000-000000000000',
  'b3b6c1de00004000800000000000000a',
  '{b3b6c1de-0000-4000-8000-000000000000}',
  'urn:uuid:b3b6c1de-0000-4000-8000-000000000000',
  'b3b6c1de-0000-4000-8000-00000000000',
  'not-a-uuid',
  '1',
  "' OR 1=1 --",
  '\0',
  'é',
];

test('an unknown, a malformed and a foreign uuid are answered with the same bytes', async () => {
  const foreign = await service.createEvent(other.business);
  const uuids = [...unknownUuids, foreign.uuid];
  for (const path of ['/v1/events/', '/v1/objects/events/', '/v1/work_shifts/event/'])
    for (const uuid of uuids) {
      const { status, body } = await service.call('GET', `${path}${encodeURIComponent(uuid)}`, { as: tenant.as.admin });
      expect({ path, uuid, status, body }).toEqual({
        path,
        uuid,
        status: 404,
        body: { success: false, data: null, message: 'No such event.', code: 'NOT_FOUND' },
      });
    }
  for (const uuid of uuids) {
    const { body } = await service.graphql('query ($uuid: ID!) { event(id: $uuid) { title } }', {
      as: tenant.as.admin,
      variables: { uuid },
    });
    expect({ uuid, errors: body.errors }).toMatchObject({
      uuid,
      errors: [{ message: 'No such event.', path: ['event'], extensions: { code: 'NOT_FOUND' } }],
    });
  }
});

test('REST confirms a create with 201 and an update with 200, each with the event as it now is', async () => {
  const created = await service.call('POST', '/v1/events', {
    as: tenant.as.admin,
    body: {
      title: 'Gala',
      start_time: '2026-12-31 18:00:00',
      end_time: '2027-01-01 02:00:00',
      timezone: 'Europe/London',
      client_id: tenant.client.id,
    },
  });
  expect(created).toMatchObject({ status: 201, body: { success: true, message: 'Event created.' } });
  const { id, business_id, client_id, ...fields } = created.body.data;
  expect({ business_id, client_id }).toEqual({ business_id: tenant.business.id, client_id: tenant.client.id });

  const changed = await service.call('PUT', `/v1/events/${fields.uuid}`, {
    as: tenant.as.admin,
    body: { dress_code: 'Casual', status: 'canceled' },
  });
  const expected = { ...fields, dress_code: 'Casual', status: 'canceled' };
  expect(changed).toMatchObject({ status: 200, body: { success: true, message: 'Event updated.', data: expected } });

  const { body } = await service.call('GET', `/v1/events/${fields.uuid}`, { as: tenant.as.admin });
  expect(body).toMatchObject({ success: true, message: '', data: { event: { id, ...expected } } });
});
