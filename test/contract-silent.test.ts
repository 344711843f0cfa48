import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Tenant } from './support/factories.ts';
import { usePackage } from './support/package.ts';

/* Holds the service to each row of the table "Where the contract is silent" in the guide for integrators. */

const guide = readFileSync(new URL('../src/guide/integrators.md', import.meta.url), 'utf8');
const [, section = ''] = /<!-- contract-silent -->([^]*?)<!-- end contract-silent -->/.exec(guide) ?? [];
const decisions = new Map(
  section
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, topic = '', decision = ''] = line.split('|').map((cell) => cell.trim());
      return [topic, decision] as const;
    }),
);

/** The words in code font of a decision. */
const wordsOf = (decision: string) => [...decision.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

let tenant: Tenant;
let other: Tenant;

const service = usePackage();

beforeAll(async () => {
  [tenant, other] = [await service.createTenant('enterprise'), await service.createTenant()];
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, as = tenant.as.admin) =>
  service.call(method, url, { as, ...(body !== undefined && { body }) });

let count = 0;
const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
async function create(fields: object = {}) {
  const { status, body } = await ask('POST', '/v1/events', { title: `Event ${++count}`, ...times, ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data;
}
/** A new event cannot be canceled or deleted yet. */
async function createWithStatus(status: string) {
  const { uuid } = await create();
  expect((await ask('PUT', `/v1/events/${uuid}`, { status })).body.data.status).toBe(status);
  return { uuid, status };
}
/** The fields that are named as wrong where an event is created and where it is changed. */
async function refusedFields(fields: object): Promise<string[]> {
  const { uuid } = await create();
  const made = await ask('POST', '/v1/events', { title: 'Event', ...times, ...fields });
  const changed = await ask('PUT', `/v1/events/${uuid}`, fields);
  expect([made.status, changed.status]).toEqual([422, 422]);
  expect(Object.keys(made.body.errors)).toEqual(Object.keys(changed.body.errors));
  return Object.keys(made.body.errors);
}
const listed = async (query = '') => {
  const { status, body } = await ask('GET', `/v1/events?per_page=100&${query}`);
  expect(status).toBe(200);
  return body.data.data as Record<string, string>[];
};
const statuses = ['active', 'draft', 'canceled', 'deleted'];
const newUser = (more: object = {}) => ({
  email: `silent${++count}@example.com`,
  name: 'Robin van der Fields',
  role: 'staff',
  password: 'enough of a password',
  ...more,
});

/** Gets the decision, so that what it names is what is tried. */
const checks: Record<string, (decision: string) => Promise<void>> = {
  'list of events without `status`': async (decision) => {
    const made = await Promise.all(statuses.map((status) => createWithStatus(status)));
    const uuids = new Set((await listed()).map(({ uuid }) => uuid));
    const missing = made.filter(({ uuid }) => !uuids.has(uuid)).map(({ status }) => status);
    expect(missing).toEqual(wordsOf(decision));
  },
  'values of `status`': async (decision) => {
    expect(wordsOf(decision)).toEqual(statuses);
    for (const status of wordsOf(decision)) {
      const { uuid } = await createWithStatus(status);
      const found = await listed(`status=${status}`);
      expect(found.map((event) => event['uuid'])).toContain(uuid);
      expect(new Set(found.map((event) => event['status']))).toEqual(new Set([status]));
    }
    expect(await refusedFields({ status: 'closed' })).toEqual(['status']);
  },
  'changes of `status`': async (decision) => {
    const [, initial, sent] = wordsOf(decision);
    expect((await create()).status).toBe(initial);
    expect((await create({ status: sent })).status).toBe(sent);
    for (const status of ['canceled', 'deleted'])
      expect((await ask('POST', '/v1/events', { title: 'Event', ...times, status })).status).toBe(422);
    const { uuid } = await create({ status: 'draft' });
    for (const from of statuses)
      for (const to of statuses) {
        for (const status of [from, to])
          expect((await ask('PUT', `/v1/events/${uuid}`, { status })).body.data.status).toBe(status);
      }
  },
  'deleted events': async () => {
    const { uuid } = await createWithStatus('deleted');
    expect((await ask('GET', `/v1/events/${uuid}`)).body.data.event.status).toBe('deleted');
    expect((await listed('status=deleted')).map((event) => event['uuid'])).toContain(uuid);
    await ask('PUT', `/v1/events/${uuid}`, { status: 'active' });
    expect((await listed()).map((event) => event['uuid'])).toContain(uuid);
  },
  'null and empty text': async () => {
    for (const empty of [null, '']) {
      const { uuid, city } = await create({ city: empty, room: 'x', venue_name: 'x' });
      expect(city).toBe('');
      const { body } = await ask('PUT', `/v1/events/${uuid}`, { venue_name: empty, room: empty });
      expect(body.data.venue_name).toBe('');
      expect((await listed()).find((event) => event['uuid'] === uuid)).toMatchObject({ room: '' });
      expect(await refusedFields({ title: empty })).toEqual(['title']);
    }
  },
  '`client_id`': async () => {
    expect((await create({ client_id: tenant.client.id })).client_id).toBe(tenant.client.id);
    expect((await create({ client_id: null })).client_id).toBeNull();
    for (const id of [tenant.staff.id, other.client.id, 2_000_000_000])
      expect(await refusedFields({ client_id: id })).toEqual(['client_id']);
  },
  'zones that are accepted': async (decision) => {
    expect(wordsOf(decision).length).toBeGreaterThan(5);
    for (const timezone of wordsOf(decision)) expect((await create({ timezone })).timezone).toBe(timezone);
  },
  'zones that are refused': async (decision) => {
    for (const timezone of wordsOf(decision)) expect(await refusedFields({ timezone })).toEqual(['timezone']);
    const { body } = await ask('POST', '/v1/events', { title: 'Event', ...times, timezone: 'america/new_york' });
    expect(body.errors.timezone[0]).toContain('did you mean America/New_York?');
  },
  'times that clocks skip or repeat': async () => {
    const skipped = {
      start_time: '2027-03-14 02:30:00',
      end_time: '2027-03-14 09:00:00',
      timezone: 'America/New_York',
    };
    const { status, body } = await ask('POST', '/v1/events', { title: 'Event', ...skipped });
    expect(status).toBe(422);
    expect(body.errors.start_time[0]).toContain('2027-03-14 03:00:00');
    const { uuid } = await create({ ...skipped, start_time: '2027-11-07 01:30:00', end_time: '2027-11-07 09:00:00' });
    const { startsAt } = await service.prisma.event.findFirstOrThrow({ where: { uuid } });
    expect(startsAt.toISOString()).toBe('2027-11-07T05:30:00.000Z');
  },
  'order of lists': async () => {
    const at = (timezone: string) =>
      create({ start_time: '2031-01-01 10:00:00', end_time: '2031-01-01 11:00:00', timezone });
    const [west, east, same] = [await at('America/New_York'), await at('Asia/Tokyo'), await at('Asia/Tokyo')];
    const order = async (query: string) =>
      (await listed(query)).flatMap(({ uuid }) => [west, east, same].filter((event) => event.uuid === uuid));
    expect((await order('')).map(({ id }) => id)).toEqual([east.id, same.id, west.id]);
    expect((await order('sort_order=desc')).map(({ id }) => id)).toEqual([west.id, same.id, east.id]);
  },
  pages: async () => {
    const { body } = await ask('GET', '/v1/events');
    expect(body.data).toMatchObject({ current_page: 1, per_page: 15 });
    expect((await ask('GET', '/v1/events?per_page=100')).status).toBe(200);
    const past = await ask('GET', '/v1/events?page=2000');
    expect(past).toMatchObject({ status: 200, body: { data: { data: [], total: body.data.total } } });
    const empty = await ask('GET', '/v1/events', undefined, other.as.admin);
    expect(empty.body.data).toMatchObject({ total: 0, last_page: 1 });
  },
  'query values out of range': async (decision) => {
    expect(wordsOf(decision)).toHaveLength(5);
    for (const query of wordsOf(decision)) {
      const { status, body } = await ask('GET', `/v1/events?${query}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0]]]);
    }
    expect((await ask('GET', '/v1/events?status=&page=')).status).toBe(200);
    expect((await ask('GET', '/v1/events?colour=red')).status).toBe(422);
  },
  '`skill_level_id` of a call time': async () => {
    const { uuid } = await create();
    await service.createCallTime(await service.prisma.event.findFirstOrThrow({ where: { uuid } }));
    const { body } = await ask('GET', `/v1/objects/events/${uuid}`);
    expect(body.data.call_times).toMatchObject([{ skill_level_id: null }]);
  },
  'unknown fields and wrong types': async () => {
    for (const fields of [
      { colour: 'red' },
      { room: 7 },
      { client_id: '1' },
      { start_time_tbd: 'yes' },
      { city: ['x'] },
    ])
      expect(await refusedFields(fields)).toEqual(Object.keys(fields));
    for (const flag of [true, false, 'true', 'false']) {
      const { uuid } = await create({ start_time_tbd: flag });
      const shown = (await listed()).find((event) => event['uuid'] === uuid);
      expect(shown).toMatchObject({ start_time_tbd: String(flag) });
    }
  },
  'fields that a `PUT` changes': async (decision) => {
    const values: Record<string, string | boolean> = {
      status: 'draft',
      latitude: '1.5',
      longitude: '-2.5',
      start_time_tbd: true,
      end_time_tbd: true,
    };
    const fields = wordsOf(decision).filter((word) => !['PUT', '{}'].includes(word));
    expect(fields).toHaveLength(9);
    for (const field of fields) {
      const value = values[field] ?? 'another';
      const made = await create({ [field]: value });
      const changed = await create();
      const { status } = await ask('PUT', `/v1/events/${changed.uuid}`, { [field]: value });
      expect([field, status]).toEqual([field, 200]);
      for (const { uuid } of [made, changed]) {
        const shown = (await listed(field === 'status' ? 'status=draft' : '')).find((event) => event['uuid'] === uuid);
        expect(shown).toMatchObject({ [field]: String(value), city: '' });
      }
    }
    const { uuid } = await create();
    const before = (await listed()).find((event) => event['uuid'] === uuid);
    expect((await ask('PUT', `/v1/events/${uuid}`, {})).status).toBe(200);
    expect((await listed()).find((event) => event['uuid'] === uuid)).toEqual(before);
  },
  'read-only fields in a `PUT`': async (decision) => {
    const { uuid, id, business_id } = await create();
    const shown = (await listed()).find((event) => event['uuid'] === uuid);
    const stored: Record<string, unknown> = { ...shown, id, business_id };
    for (const field of wordsOf(decision).filter((word) => word !== 'PUT')) {
      expect((await ask('PUT', `/v1/events/${uuid}`, { [field]: stored[field] })).status).toBe(200);
      const { status, body } = await ask('PUT', `/v1/events/${uuid}`, { [field]: 'another' });
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
      const { modified_at } = (await listed()).find((event) => event['uuid'] === uuid) ?? {};
      stored['modified_at'] = modified_at;
    }
  },
  "lengths beyond the contract's": async (decision) => {
    const lengths = [...decision.matchAll(/`(\w+)` (\d+)/g)].map(
      ([, field = '', max]) => [field, Number(max)] as const,
    );
    expect(lengths).toHaveLength(8);
    for (const [field, max] of lengths.slice(0, 6)) {
      await create({ [field]: '\u{1F3AD}'.repeat(max) });
      expect(await refusedFields({ [field]: '\u{1F3AD}'.repeat(max + 1) })).toEqual([field]);
    }
    const [[, name] = ['', 0], [, email] = ['', 0]] = lengths.slice(6);
    const domain = `@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
    const addressOf = (length: number) => `${String(++count).padStart(length - domain.length, 'x')}${domain}`;
    expect(
      (await ask('POST', '/api/v1/users', newUser({ name: 'x'.repeat(name), email: addressOf(email) }))).status,
    ).toBe(201);
    const { body } = await ask(
      'POST',
      '/api/v1/users',
      newUser({ name: 'x'.repeat(name + 1), email: addressOf(email + 1) }),
    );
    expect(Object.keys(body.errors).sort()).toEqual(['email', 'name']);
  },
  passwords: async (decision) => {
    const [min = 0, max = 0] = [...decision.matchAll(/\d+/g)].map(Number);
    const statusOf = async (password: string) => (await ask('POST', '/api/v1/users', newUser({ password }))).status;
    expect(await statusOf('\u00e9'.repeat(min / 2))).toBe(201);
    expect(await statusOf('x'.repeat(min - 1))).toBe(422);
    expect(await statusOf('x'.repeat(max))).toBe(201);
    expect(await statusOf('\u00e9'.repeat(max / 2) + 'x')).toBe(422);
    expect(await statusOf('password123')).toBe(201);
  },
  'who may manage users': async () => {
    const target = `/api/v1/users/${tenant.client.id}`;
    for (const as of [tenant.as.staff, tenant.as.client])
      for (const [method, url, body] of [
        ['GET', '/api/v1/users', undefined],
        ['GET', target, undefined],
        ['POST', '/api/v1/users', newUser()],
        ['PUT', target, { name: 'Other' }],
        ['DELETE', target, undefined],
      ] as const)
        expect((await ask(method, url, body, as)).status).toBe(403);
    const made = await ask('POST', '/api/v1/users', newUser(), tenant.as.key);
    expect(made.status).toBe(201);
    expect((await ask('POST', '/api/v1/users', newUser({ role: 'admin' }), tenant.as.key)).status).toBe(403);
    const last = `/api/v1/users/${tenant.admin.id}`;
    expect((await ask('DELETE', last)).status).toBe(409);
    expect((await ask('PUT', last, { role: 'staff' })).status).toBe(409);
  },
  'values that are stored already': async () => {
    const { uuid, title } = await create();
    const read = async () => (await ask('GET', '/v1/events?per_page=100')).body.data.data.find(isIt);
    const isIt = (item: { uuid: string }) => item.uuid === uuid;
    const before = await read();
    expect((await ask('PUT', `/v1/events/${uuid}`, { title })).status).toBe(200);
    expect(await read()).toEqual(before);
  },
  'events that are moved': async () => {
    const { uuid } = await create();
    const event = await service.prisma.event.findFirstOrThrow({ where: { uuid } });
    const hours = { start: '2027-05-01 10:00:00', end: '2027-05-01 12:00:00' };
    await service.createShift(event, tenant.staff, { ...hours, confirmed: true });
    const moved = { start_time: '2027-05-02 10:00:00', end_time: '2027-05-02 12:00:00' };
    expect((await ask('PUT', `/v1/events/${uuid}`, moved)).status).toBe(200);
    const { body } = await ask('GET', `/v1/work_shifts/event/${uuid}`);
    expect(body.data.data).toMatchObject([{ start_time: '2027-05-02 10:00:00', confirmed: 'no' }]);
  },
  'deleted users': async () => {
    const user = newUser();
    const { body } = await ask('POST', '/api/v1/users', user);
    const login = await service.call('POST', '/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    const url = `/api/v1/users/${body.data.id}`;
    expect((await ask('DELETE', url)).status).toBe(200);
    expect((await ask('GET', url)).status).toBe(404);
    expect((await ask('GET', '/v1/events', undefined, login.body.data.access_token)).status).toBe(401);
    expect((await ask('POST', '/api/v1/users', user)).status).toBe(201);
  },
  'e-mail addresses': async () => {
    const user = newUser();
    expect((await ask('POST', '/api/v1/users', user)).status).toBe(201);
    const again = await ask('POST', '/api/v1/users', newUser({ email: user.email.toUpperCase() }), other.as.admin);
    expect([again.status, Object.keys(again.body.errors)]).toEqual([409, ['email']]);
    expect((await ask('POST', '/api/v1/users', newUser({ email: 'jos\u00e9@example.com' }))).status).toBe(422);
  },
  'names of people': async () => {
    const { body } = await ask('POST', '/api/v1/users', newUser());
    const { id, uuid } = await create();
    const event = await service.prisma.event.findFirstOrThrow({ where: { id, businessId: tenant.business.id } });
    const staff = await service.prisma.user.findFirstOrThrow({ where: { id: body.data.id } });
    await service.createShift(event, staff);
    const shifts = await ask('GET', `/v1/work_shifts/event/${uuid}`);
    expect(shifts.body.data.data).toMatchObject([{ first_name: 'Robin', last_name: 'van der Fields' }]);
  },
  'status codes': async () => {
    const { uuid } = await create();
    expect((await ask('GET', `/v1/events/${uuid}`)).status).toBe(200);
    const anonymous = await service.call('GET', '/v1/events');
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await ask('GET', '/v1/events', undefined, tenant.as.staff)).status).toBe(403);
    for (const id of ['743f33ae-84e8-4f12-a50f-c82bd84c61c1', 'no-uuid'])
      expect((await ask('GET', `/v1/events/${id}`)).status).toBe(404);
    expect((await ask('GET', `/v1/events/${uuid}`, undefined, other.as.admin)).status).toBe(404);
    const verb = await service.inject({ method: 'PATCH', url: '/v1/events' });
    expect([verb.statusCode, verb.headers['allow']]).toEqual([405, expect.stringContaining('GET')]);
  },
};

test('every row has a check, and every check a row', () => {
  expect(decisions.size).toBeGreaterThan(15);
  expect(Object.keys(checks).sort()).toEqual([...decisions.keys()].sort());
});

describe('the service does what the table says about', () => {
  test.each(Object.keys(checks))('%s', (topic) => checks[topic]!(decisions.get(topic) ?? ''));
});
