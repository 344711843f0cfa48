import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { registeredOperations } from '../src/access/operation-record.ts';
import { serializeAnswer, deserializeAnswer } from '../src/access/serialized-answers.ts';
import { limits } from '../src/config/limits.ts';
import { Failure } from '../src/errors.ts';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import { createScene, creates, newKey, type Scene } from './support/creates.ts';
import { useKeptRows } from './support/kept-rows.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

const start = Date.now();
let now = start;
let kept: Scene;
let scene: Scene;

const service = useService({ clock: () => new Date(now) });

const putBack = useKeptRows(service, async () => {
  kept = await createScene(service);
  return [kept.tenant.business.id];
});
beforeEach(() => {
  [scene, now] = [kept, start];
});

const send = (name: string, key: string | null, what?: 'same' | 'other', on = scene) =>
  creates[name]!.send(service, on, key, what);
const count = (name: string) => creates[name]!.count(service, scene.tenant.business.id);
const keptFor = ({ tenant: { business } } = scene) =>
  service.prisma.idempotencyKey.findMany({ where: { businessId: business.id } });

const all = Object.keys(creates);
const withSecret = all.filter((name) =>
  ['apiKeys.create', 'feeds.create', 'webhooks.create'].includes(creates[name]!.operation),
);
const open = all.filter((name) => !withSecret.includes(name));
const inRest = all.filter((name) => name.includes(' '));

describe('a create repeated with its key', () => {
  test.each(open)('by %s runs once and returns the first answer', async (name) => {
    const key = newKey();
    const before = await count(name);
    const first = await send(name, key);
    expect(first).toMatchObject({ code: 'OK' });
    expect(await count(name)).toBe(before + 1);

    const { headers, ...again } = await send(name, key);
    const { headers: firstHeaders, ...answered } = first;
    expect(again).toEqual(answered);
    expect(await count(name)).toBe(before + 1);
    if (!inRest.includes(name)) return;
    expect(headers['idempotency-replayed']).toBe('true');
    expect(firstHeaders['idempotency-replayed']).toBeUndefined();
    expect([again.status, headers['etag']]).toEqual([creates[name]!.status ?? 201, firstHeaders['etag']]);
  });

  test.each(withSecret)('by %s runs once, and its secret is not shown again', async (name) => {
    const key = newKey();
    const before = await count(name);
    const first = await send(name, key);
    expect(first).toMatchObject({ code: 'OK' });
    const again = await send(name, key);
    expect(again).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/was made.*shown once/) });
    expect(again.retryAfterS).toBeUndefined();
    expect(await count(name)).toBe(before + 1);
    expect(await keptFor()).toMatchObject([{ answer: null }]);
  });

  test.each(all)('by %s is refused with other input, and changes nothing', async (name) => {
    const key = newKey();
    await send(name, key);
    const before = [await count(name), await keptFor()];
    const refusal = await send(name, key, 'other');
    expect(refusal).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      errors: { [inRest.includes(name) ? 'idempotency_key' : 'idempotencyKey']: [expect.any(String)] },
    });
    if (inRest.includes(name)) expect(refusal.status).toBe(422);
    expect([await count(name), await keptFor()]).toEqual(before);
    expect(await send(name, newKey(), 'other')).toMatchObject({ code: 'OK' });
  });

  test.each(all)('by %s is independent of creates without a key or with another key', async (name) => {
    const key = newKey();
    await send(name, null);
    expect(await keptFor()).toEqual([]);
    await putBack();
    expect(await send(name, key)).toMatchObject({ code: 'OK' });
    expect(await keptFor()).toMatchObject([{ key, businessId: scene.tenant.business.id }]);
  });

  test('works the same in REST and GraphQL', async () => {
    for (const [rest, graphql] of [
      ['POST /v1/events', 'createEvent'],
      ['POST /api/v1/users', 'createUser'],
      ['POST /v1/tokens/business', 'createApiKey'],
    ] as const)
      for (const [one, other] of [
        [rest, graphql],
        [graphql, rest],
      ] as const) {
        await putBack();
        const key = newKey();
        const before = await count(one);
        expect(await send(one, key)).toMatchObject({ code: 'OK' });
        expect({ other, ...(await send(other, key)) }).toMatchObject({
          other,
          code: withSecret.includes(one) ? 'CONFLICT' : 'OK',
        });
        expect(await count(one)).toBe(before + 1);
      }
  });

  test('is refused for another operation', async () => {
    const key = newKey();
    await send('POST /v1/events', key);
    expect(await send('POST /api/v1/users', key)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
    expect(await send('copyEvent', key)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('in another business is independent', async () => {
    const key = newKey();
    const other = await createScene(service);
    const first = await send('POST /v1/events', key);
    const second = await send('POST /v1/events', key, 'same', other);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(second.it).not.toEqual(first.it);
  });

  test('returns the first answer even if the row has changed or is deleted', async () => {
    const { prisma } = service;
    const { id: businessId } = scene.tenant.business;
    const keys = { event: newKey(), level: newKey() };
    const event = await send('POST /v1/events', keys.event);
    const level = await send('createSkillLevel', keys.level);
    await prisma.event.updateMany({ where: { businessId }, data: { title: 'Another title', status: 'deleted' } });
    await prisma.skillLevel.deleteMany({ where: { businessId } });
    expect((await send('POST /v1/events', keys.event)).it).toEqual(event.it);
    expect((await send('POST /v1/events', keys.event)).headers['etag']).toBe('"1"');
    expect((await send('createSkillLevel', keys.level)).it).toEqual(level.it);
  });

  test('returns current data in nested objects', async () => {
    const text = `mutation ($key: String!, $input: CreateEventInput!) {
      it: createEvent(idempotencyKey: $key, input: $input) { uuid title callTimes { staffNeeded } } }`;
    const variables = {
      key: newKey(),
      input: { title: 'Gala', startTime: '2027-01-01 18:00:00', endTime: '2027-01-01 20:00:00', timezone: 'UTC' },
    };
    const ask = async () => (await service.graphql(text, { as: scene.tenant.as.admin, variables })).body.data.it;
    const { uuid } = await ask();
    const event = await service.prisma.event.findFirstOrThrow({ where: { uuid } });
    await service.createCallTime(event, { staffNeeded: 3 });
    expect(await ask()).toEqual({ uuid, title: 'Gala', callTimes: [{ staffNeeded: 3 }] });
  });
});

describe('a create that failed', () => {
  test('stores nothing and may be repeated with its key, with other input too', async () => {
    const { tenant, event } = scene;
    const key = newKey();
    const post = (title: string) =>
      service.call('POST', '/v1/events', {
        as: tenant.as.admin,
        headers: { 'idempotency-key': key },
        body: { title, start_time: '2027-01-02 18:00:00', end_time: '2027-01-01 20:00:00', timezone: 'UTC' },
      });
    expect((await post('Gala')).status).toBe(422);
    expect((await post('Ball')).status).toBe(422);
    expect(await keptFor()).toEqual([]);
    expect(await send('POST /v1/events', key)).toMatchObject({ code: 'OK' });

    const other = newKey();
    await service.prisma.event.update({
      where: { businessId_id: { businessId: tenant.business.id, id: event.id } },
      data: { status: 'canceled' },
    });
    expect(await send('assignShift', other)).toMatchObject({ code: 'CONFLICT' });
    await service.prisma.event.updateMany({ where: { id: event.id }, data: { status: 'active' } });
    expect(await send('assignShift', other)).toMatchObject({ code: 'OK' });
  });

  test('because of a taken name can be repeated once the name is free', async () => {
    const key = newKey();
    await send('POST /api/v1/users', null);
    expect(await send('POST /api/v1/users', key)).toMatchObject({ code: 'CONFLICT', status: 409 });
    expect(await keptFor()).toEqual([]);
    await service.prisma.user.deleteMany({ where: { email: { startsWith: 'same-' } } });
    expect(await send('POST /api/v1/users', key)).toMatchObject({ code: 'OK' });
  });

  test('does not include a list of assignments with some refusals: it returns the first answer', async () => {
    const key = newKey();
    const before = await count('assignShifts');
    const { it } = await send('assignShifts', key);
    expect(it).toMatchObject([
      { shift: { payRate: '30.50' }, error: null },
      { shift: null, clashes: [{ kind: 'OVERLAP', startsAt: expect.any(String) }], error: { code: 'CLASH' } },
      { shift: null, error: { code: 'VALIDATION_FAILED', errors: [{ field: 'userId' }] } },
    ]);
    expect((await send('assignShifts', key)).it).toEqual(it);
    expect(await count('assignShifts')).toBe(before + 1);
  });
});

describe('a key', () => {
  const names = ['POST /v1/events', 'createEvent'] as const;

  test.each(names)('of %s has 1 to 255 characters and no control characters', async (name) => {
    const field = name === 'createEvent' ? 'idempotencyKey' : 'idempotency_key';
    for (const [key, text] of [
      ['', 'must not be blank'],
      [' ', 'must not be blank'],
      ['x'.repeat(limits.idempotencyKeyChars + 1), 'must have at most 255 characters'],
      ['a\tb', 'must have no control characters'],
      ['a\u0085b', 'must have no control characters'],
    ] as const)
      expect({ key, ...(await send(name, key)) }).toMatchObject({
        key,
        code: 'VALIDATION_FAILED',
        errors: { [field]: [text] },
      });
    expect(await count(name)).toBe(1);
    expect(await keptFor()).toEqual([]);
    expect(await send(name, 'x'.repeat(limits.idempotencyKeyChars))).toMatchObject({ code: 'OK' });
    expect(await send(name, '"quoted", and é')).toMatchObject({ code: 'OK' });
    expect(await count(name)).toBe(3);
  });

  test('in GraphQL may be null and may contain characters that headers cannot', async () => {
    expect(await send('createEvent', 'x'.repeat(254) + '🎪')).toMatchObject({ code: 'OK' });
    expect(await send('createEvent', 'a\u0000b')).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await send('createEvent', null)).toMatchObject({ code: 'OK' });
    expect(await count('createEvent')).toBe(3);
  });

  test('that is sent twice is refused', async () => {
    const origin = await service.listen();
    const sent = request(`${origin}/v1/events`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${scene.tenant.as.admin}`,
        'content-type': 'application/json',
        'idempotency-key': ['a', 'b'],
      },
    });
    sent.end(
      '{"title": "Gala", "start_time": "2027-01-01 18:00:00", "end_time": "2027-01-01 20:00:00", "timezone": "UTC"}',
    );
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect(await count('POST /v1/events')).toBe(1);
  });

  test('is ignored by all other operations', async () => {
    const { status } = await service.call('PUT', `/v1/events/${scene.event.uuid}`, {
      as: scene.tenant.as.admin,
      body: { room: 'Annex' },
      headers: { 'idempotency-key': '' },
    });
    expect(status).toBe(200);
  });

  test('can be used again after a day, not before', async () => {
    // An API key outlasts the day.
    scene = { ...scene, tenant: { ...scene.tenant, as: { ...scene.tenant.as, admin: scene.tenant.as.key } } };
    const key = newKey();
    const first = await send('POST /v1/events', key);
    now += limits.idempotencyKeptS * 1000 - 1;
    expect((await send('POST /v1/events', key)).it).toEqual(first.it);
    now += 1;
    const later = await send('POST /v1/events', key, 'other');
    expect(later).toMatchObject({ code: 'OK', status: 201 });
    expect(later.headers['idempotency-replayed']).toBeUndefined();
    expect(await keptFor()).toHaveLength(1);
    expect((await send('POST /v1/events', key, 'other')).it).toEqual(later.it);
  });

  test('that has expired is deleted by later calls, a few at a time', async () => {
    await service.prisma.idempotencyKey.deleteMany();
    const gone = await createScene(service);
    const expired = limits.idempotencySweepRows + 5;
    await service.prisma.idempotencyKey.createMany({
      data: Array.from({ length: expired }, (_, index) => ({
        businessId: gone.tenant.business.id,
        key: `old ${index}`,
        operation: 'events.create',
        fingerprint: Buffer.alloc(32),
        createdAt: new Date(now - limits.idempotencyKeptS * 1000 - index),
      })),
    });
    const fresh = newKey();
    await send('POST /v1/events', fresh);
    expect(await keptFor(gone)).toHaveLength(5);
    await send('POST /v1/events', fresh);
    expect(await keptFor(gone)).toHaveLength(5);
    await send('POST /v1/events', newKey());
    expect(await keptFor(gone)).toEqual([]);
    expect(await keptFor()).toHaveLength(2);
  });
});

describe('the stored answer', () => {
  test('contains no password and no secret, nor a hash of them', async () => {
    const key = newKey();
    await send('POST /api/v1/users', key);
    const { it } = await send('createApiKey', newKey());
    const rows = await service.prisma.$queryRawUnsafe<{ text: string }[]>(
      'SELECT k::text AS text FROM idempotency_keys k',
    );
    const text = rows.map((row) => row.text).join('\n');
    expect(text).toContain(key);
    expect(text).not.toContain('enough of a password');
    expect(text).not.toContain((it as { key: string }).key.slice(-20));
    expect(text).not.toContain('argon2');
  });

  test.each([
    [{ at: new Date('2026-12-31T18:00:00.123Z'), none: null, text: '2026-12-31T18:00:00.123Z', amount: '20.50' }],
    [[{ $date: 'no date' }, { $$date: 'nor this' }, { $failure: { code: 'none' } }, { $: 1 }, []]],
    [[{ shift: { n: 1 } }, { failure: null }]],
    [null],
    ['text'],
  ])('is returned as it was: %j', (answer) => {
    expect(deserializeAnswer(JSON.parse(serializeAnswer(answer)))).toEqual(answer);
  });

  test('keeps refusals in a list as refusals', () => {
    const at = new Date();
    const failure = new Failure('CONFLICT', 'No.', { errors: { a: ['b'] }, details: { clashes: [{ at }] } });
    const [again] = deserializeAnswer(JSON.parse(serializeAnswer([failure]))) as [Failure];
    expect(again).toBeInstanceOf(Failure);
    expect({ ...again, message: again.message }).toEqual({ ...failure, message: failure.message });
  });

  test('costs nothing without a key', async () => {
    await send('POST /v1/events', null);
    const before = sqlCount();
    await send('POST /v1/events', null, 'other');
    const statements = statementsSince(before);
    expect(statements.filter((sql) => /idempotency_keys|advisory/.test(sql))).toEqual([]);
    // The credential, and the row, which is given back as it is read.
    expect(statements).toHaveLength(2);
  });
});

test('idempotent operations are documented as such in REST and GraphQL', () => {
  const { paths } = service.app.http.swagger() as unknown as {
    paths: Record<
      string,
      Record<string, { parameters?: { name: string }[]; responses: Record<string, { headers?: object }> }>
    >;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], responses }]) => {
      if (!parameters.some(({ name }) => name === 'Idempotency-Key')) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const status = creates[name]?.status ?? 201;
      expect(Object.keys(responses)).toEqual(expect.arrayContaining([String(status), '409', '422']));
      expect(Object.keys(responses[status]!.headers!)).toContain('Idempotency-Replayed');
      return [name];
    }),
  );
  const mutations = Object.values(createSchema().getMutationType()!.getFields())
    .filter(({ args }) => args.some(({ name }) => name === 'idempotencyKey'))
    .map(({ name }) => name);
  expect([...routes, ...mutations].sort()).toEqual([...all].sort());
  const retryable = registeredOperations()
    .filter(({ idempotent }) => idempotent)
    .map(({ name }) => name);
  expect(new Set(all.map((name) => creates[name]!.operation))).toEqual(new Set(retryable));
});
