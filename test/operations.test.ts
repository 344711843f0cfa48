import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RecordedChange } from '../src/access/change.ts';
import { registeredOperations } from '../src/access/operation-record.ts';
import { operation } from '../src/access/operation.ts';
import { admin, screen } from '../src/access/permissions.ts';
import { settings } from '../src/config/settings.ts';
import { grants } from '../src/fields/grants.ts';
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

  test('need words: an operation that no phrase of its scope, or of screens, names does not load', () => {
    const rest = { input: noInput, run: async () => null };
    const unnamed = () => operation({ name: 'nouns.list', roles: admin, scopes: ['read'], ...rest });
    const wider = () => operation({ name: 'nouns.show', roles: screen, scopes: ['read'], ...rest });
    expect(unnamed).toThrow('no words for nouns.list by read');
    expect(wider).toThrow('no words for nouns.show by screen');
  });

  test('are told in words wherever scopes and screens are described, and no word is about another operation', async () => {
    const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    const sentence = (words: string) =>
      new RegExp(words.replaceAll(/[^\w ]/g, '.').replace(/^\w/, (first) => `[${first}${first.toUpperCase()}]`));
    const places = {
      scopes: [
        'schema.graphql',
        'test/openapi.snapshot.json',
        'src/guide/integrators.md',
        'src/pages/console/messages/grants.ts',
      ],
      screens: ['src/guide/dashboards.md', 'src/guide/operators.md', '.github/SECURITY.md', '.github/GLOSSARY.md'],
    };
    for (const { holder, words, operations: named } of grants) {
      const needing = operations.filter(({ roles, scopes, moreScopes }) =>
        holder === 'screen'
          ? roles !== 'anyone' && holder in roles
          : holder === 'none'
            ? scopes.length === 0
            : [...scopes, ...moreScopes].includes(holder),
      );
      expect([words, needing.map(({ name }) => name)]).toEqual([words, expect.arrayContaining([...named])]);
      const at = {
        read: [],
        none: [],
        screen: [...places.scopes.filter((path) => path !== 'src/guide/integrators.md'), ...places.screens],
      };
      for (const path of Object.hasOwn(at, holder) ? at[holder as keyof typeof at] : places.scopes)
        expect([path, await read(path)]).toEqual([path, expect.stringMatching(sentence(words))]);
    }
  });

  test('have none of the names that README says Callboard is not about', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const section = readme.split('## What Callboard is not')[1]!.split('\n## ')[0]!;
    const sentences = section
      .replaceAll(/\s+/g, ' ')
      .matchAll(/(?:no operation and no setting|none) has (.*?) in its name/g);
    const denied = [...sentences].flatMap(([, list = '']) =>
      [...list.matchAll(/`(\w+)`/g)].map(([, word = '']) => word),
    );
    expect(denied).toEqual(expect.arrayContaining(['sms', 'payslip', 'exchangeRate']));
    const schema = createSchema();
    const roots = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.keys(type.getFields()));
    const existing = [...names, ...roots, ...Object.keys(settings)].map((name) =>
      name.replaceAll(/[._]/g, '').toLowerCase(),
    );
    for (const word of denied)
      expect([word, existing.filter((name) => name.includes(word.toLowerCase()))]).toEqual([word, []]);
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
