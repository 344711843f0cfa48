import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { GraphQLField } from 'graphql';
import type { RecordedChange } from '../src/access/change.ts';
import { registeredOperations } from '../src/access/operation-record.ts';
import { operation } from '../src/access/operation.ts';
import { admin } from '../src/access/permissions.ts';
import { buildDocument, buildSelection } from '../src/bin/isolation/documents.ts';
import { createSchema } from '../src/nouns.ts';
import { positions } from '../src/services/positions.ts';
import { noInput } from '../src/validation/schemas.ts';
import { useService } from './support/app.ts';
import { mailEnv } from './support/config.ts';
import { addressOf, fieldRows, routeRows } from './support/matrix-rows.ts';
import { useKeptRows } from './support/kept-rows.ts';
import { createMatrixScene, type MatrixCall, type MatrixScene, type Row } from './support/matrix.ts';

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
  let scene: MatrixScene;
  let recorded: RecordedChange[] = [];

  const service = useService({ env: mailEnv(), onRecorded: (change) => void recorded.push(change) });
  useKeptRows(service, async () => {
    scene = await createMatrixScene(service);
    return [scene.own.business.id, scene.other.business.id];
  });
  beforeEach(() => {
    recorded = [];
  });

  const send = async ({ method, url, body }: MatrixCall, calls?: Row['calls']) => {
    const roles = calls?.operation.roles ?? 'anyone';
    const caller = roles === 'anyone' || roles.admin !== undefined ? 'admin' : roles.staff ? 'staff' : 'screen';
    const headers = { authorization: `Bearer ${scene.credentials[caller]}` };
    const reply = await service.app.http.inject({
      method: method as 'POST',
      url,
      headers,
      ...(body && { payload: body }),
    });
    return reply.json<{ errors?: unknown; code?: string }>();
  };

  const mutations = Object.values(createSchema().getMutationType()!.getFields()) as GraphQLField<unknown, unknown>[];

  const mutate = (field: GraphQLField<unknown, unknown>, variables: Record<string, unknown>) => {
    const selection = buildSelection(field.type, { depth: 1, perPage: 5 });
    const body = buildDocument('mutation', [{ field, variables }], selection);
    return send({ method: 'POST', url: '/graphql', body }, fieldRows[field.name]!.calls);
  };

  /** Records nothing by itself: each of its assignments is an operation, and a log-in stores its entry in its own statement. */
  const recordedAs: Record<string, readonly string[]> = {
    'workShifts.assignMany': ['workShifts.assign'],
    'workShifts.confirmMany': ['workShifts.confirm'],
    'workShifts.cancelMany': ['workShifts.cancel'],
    'events.updateMany': ['events.update'],
    'workShifts.exchange': ['workShifts.exchange', 'workShifts.exchange'],
    // The part in the offer, and the shift.
    'offers.accept': ['offers.accept', 'offers.accept'],
    'callTimes.claim': ['callTimes.claim', 'callTimes.claim'],
    // The swap, and the shift.
    'swaps.approve': ['swaps.approve', 'swaps.approve'],
    'tokens.login': [],
    // Nothing is stored for a code, and a claim stores its entry as a log-in does.
    'screens.createCode': [],
    'screens.claim': [],
    'invitations.claim': [],
    // It is the person who accepts.
    'mails.answerOffer': ['offers.accept', 'offers.accept'],
    // A read, by a route of POST, and writes that store their entries themselves.
    ...{ 'mails.showOffer': [], 'mails.unsubscribe': [], 'passwords.forget': [], 'passwords.setForgotten': [] },
  };
  /** They take a cookie, which counts at one address only, or answer with a calendar. */
  const notInGraphql = ['feeds.use', 'sessions.revokeKept', 'sessions.use'];

  const expectRecorded = (name: string) => {
    expect(recorded.map((change) => change.operation.name)).toEqual(recordedAs[name] ?? [name]);
    for (const { kind, id } of recorded)
      expect({ kind, id }).toEqual({ kind: expect.any(String), id: expect.any(Number) });
  };

  test('is called by a mutation, whichever it is', () => {
    const called = mutations.map(({ name }) => fieldRows[name]!.calls.operation.name);
    expect([...new Set(called)].sort()).toEqual(writes.filter((name) => !notInGraphql.includes(name)));
  });

  test.each(mutations.map((field) => ({ name: field.name, field })))(
    'by $name records what it did',
    async ({ name, field }) => {
      const { calls, input } = fieldRows[name]!;
      const answer = await mutate(field, (input?.(scene.target) ?? {}) as Record<string, unknown>);
      expect(answer.errors).toBeUndefined();
      expectRecorded(calls.operation.name);
    },
  );

  test.each(Object.keys(routeRows).filter((name) => !name.startsWith('GET ')))(
    'by %s records what it did',
    async (name) => {
      const { calls, input } = routeRows[name]!;
      const body = input?.(scene.target);
      const answer = await send({ ...addressOf(name, scene.target), ...(body && { body }) }, calls);
      expect(answer.code).toBeUndefined();
      expectRecorded(calls.operation.name);
    },
  );

  test('that is rolled back or changes nothing records nothing', async () => {
    const { eventUuid, userId, unused } = scene.target;
    const taken = scene.own.staff.email;
    expect((await send({ method: 'PUT', url: `/v1/events/${eventUuid}`, body: {} })).code).toBeUndefined();
    expect((await send({ method: 'PUT', url: `/api/v1/users/${userId}`, body: { email: taken } })).code).toBe(
      'CONFLICT',
    );
    const update = mutations.find(({ name }) => name === 'updatePosition')!;
    expect((await mutate(update, { id: unused.ids.position, input: {} })).errors).toBeUndefined();
    expect(recorded).toEqual([]);
  });

  test('that is repeated under an idempotency key is recorded once', async () => {
    const headers = { authorization: `Bearer ${scene.own.as.admin}`, 'idempotency-key': crypto.randomUUID() };
    const payload = routeRows['POST /v1/events']!.input!(scene.target);
    for (let call = 0; call < 2; call++) {
      const reply = await service.app.http.inject({ method: 'POST', url: '/v1/events', headers, payload });
      expect(reply.statusCode).toBe(201);
    }
    expectRecorded('events.create');
  });
});
