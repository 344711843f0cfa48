import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RecordedChange } from '../src/access/change.ts';
import { registeredOperations } from '../src/access/operation-record.ts';
import { operation } from '../src/access/operation.ts';
import { admin } from '../src/access/permissions.ts';
import { createSchema } from '../src/nouns.ts';
import { positions } from '../src/services/positions.ts';
import { noInput } from '../src/validation/schemas.ts';
import { useService, useTenant } from './support/app.ts';
import { expectRecorded } from './support/matrix-recorded.ts';
import { fieldRows } from './support/matrix-rows.ts';

const operations = registeredOperations();
const names = operations.map(({ name }) => name);
const writes = operations.filter((record) => record.writes).map(({ name }) => name);

describe('the records of all operations', () => {
  test('are all loaded with the app: every operation of services/ is behind a route or a resolver', async () => {
    const folder = new URL('../src/services/', import.meta.url);
    for (const file of readdirSync(folder)) await import(new URL(file, folder).pathname);
    expect(registeredOperations().map(({ name }) => name)).toEqual(names);
    expect(names.length).toBeGreaterThan(60);
  });

  test('have one name each: a second operation of the same name does not load', () => {
    const again = () =>
      operation({ name: 'positions.list', roles: admin, scopes: ['read'], input: noInput, run: async () => null });
    expect(again).toThrow('Two operations are called positions.list.');
  });

  test('need scopes: neither an operation without any nor a write for the scope of reads compiles', () => {
    const rest = { roles: admin, input: noInput, run: async () => null };
    // @ts-expect-error -- The scopes are missing.
    const unscoped = () => operation({ name: 'positions.list', ...rest });
    // @ts-expect-error -- An empty list says nothing; 'none' would.
    const empty = () => operation({ name: 'positions.list', scopes: [], ...rest });
    // @ts-expect-error -- A write needs a scope that writes.
    const readWrite = () => operation({ name: 'positions.list', scopes: ['read'], writes: true, ...rest });
    for (const again of [unscoped, empty, readWrite]) expect(again).toThrow('Two operations');
  });

  test('hang on the functions, which carry the name of their operation in stack traces', () => {
    expect(positions.create.operation).toMatchObject({ name: 'positions.create', writes: true, cacheable: false });
    expect(positions.create).toHaveProperty('name', 'positions.create');
  });

  test('call an operation a write if its name says that it changes something, and no other', () => {
    const verbs =
      /\.(create|update|delete|set|assign|copy|confirm|unconfirm|decline|cancel|revoke|change|reset|login|rotate|disable|enable|test|resend|approve|claim|upsert|use|move|exchange|send|accept|refuse|withdraw|drop|keep|answer|unsubscribe|forget|check|unlock|request|take)/;
    expect(names.filter((name) => verbs.test(name))).toEqual(writes);
  });
});

describe('a write', () => {
  /** They take a cookie, which counts at one address only, or answer with a calendar. */
  const notInGraphql = ['feeds.use', 'sessions.revokeKept', 'sessions.use'];

  test('is called by a mutation, whichever it is', () => {
    const mutations = Object.keys(createSchema().getMutationType()!.getFields());
    const called = mutations.map((name) => fieldRows[name]!.calls.operation.name);
    expect([...new Set(called)].sort()).toEqual(writes.filter((name) => !notInGraphql.includes(name)));
  });

  let recorded: RecordedChange[] = [];
  const service = useService({ onRecorded: (change) => void recorded.push(change) });
  const tenant = useTenant(service);
  beforeEach(() => {
    recorded = [];
  });

  // What each write records is checked where each is called: matrix-cells.ts.
  test('that is rolled back or changes nothing records nothing', async () => {
    const as = tenant.as.admin;
    const { uuid } = await service.createEvent(tenant.business);
    const { id } = await service.createPosition(tenant.business);
    expect((await service.call('PUT', `/v1/events/${uuid}`, { as, body: {} })).status).toBe(200);
    const { email } = tenant.staff;
    const taken = await service.call('PUT', `/api/v1/users/${tenant.client.id}`, { as, body: { email } });
    expect(taken.body.code).toBe('CONFLICT');
    const update = `mutation { updatePosition(id: ${id}, input: {}) { id } }`;
    expect((await service.graphql(update, { as })).body.errors).toBeUndefined();
    expect(recorded).toEqual([]);
  });

  test('that is repeated under an idempotency key is recorded once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { title: 'Once', start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'UTC' };
    for (let call = 0; call < 2; call++)
      expect((await service.call('POST', '/v1/events', { as: tenant.as.admin, headers, body })).status).toBe(201);
    expectRecorded(recorded, 'events.create');
  });
});
