import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { useOneTenant } from './support/app.ts';
import { usePackage } from './support/package.ts';

/*
 * Holds the service to the names and numbers in the table "Where the contract is silent" of the guide for integrators. What a row
 * says in words alone is tested with its noun.
 */

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

const service = usePackage();
const tenant = useOneTenant(service, 'enterprise');

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
  'zones that are accepted': async (decision) => {
    expect(wordsOf(decision).length).toBeGreaterThan(5);
    for (const timezone of wordsOf(decision)) expect((await create({ timezone })).timezone).toBe(timezone);
  },
  'zones that are refused': async (decision) => {
    for (const timezone of wordsOf(decision)) expect(await refusedFields({ timezone })).toEqual(['timezone']);
    const { body } = await ask('POST', '/v1/events', { title: 'Event', ...times, timezone: 'america/new_york' });
    expect(body.errors.timezone[0]).toContain('did you mean America/New_York?');
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
};

test('every check is of a row, and names what the row names', () => {
  expect(decisions.size).toBeGreaterThan(15);
  expect([...decisions.keys()]).toEqual(expect.arrayContaining(Object.keys(checks)));
});

describe('the service does what the table says about', () => {
  test.each(Object.keys(checks))('%s', (topic) => checks[topic]!(decisions.get(topic) ?? ''));
});
