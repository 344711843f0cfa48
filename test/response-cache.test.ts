import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { counted, shown, waysToRead } from './support/reads.ts';

let service: TestApp;
/** Its response cache has no memory. */
let withoutMemory: TestApp;
/** Its response cache has room for few responses. */
let withLittleMemory: TestApp;
let tenant: Tenant;
let event: Event;
let written: string[] = [];

beforeAll(async () => {
  service = await startApp({
    env: { LOG_LEVEL: 'info' },
    logTo: { write: (line) => void written.push(line) },
  });
  withoutMemory = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '0' }, beside: service });
  withLittleMemory = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '1' }, beside: service });
  tenant = await service.createTenant();
  event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
  await service.createShift(event, tenant.staff);
});

afterAll(async () => {
  await withoutMemory?.close();
  await withLittleMemory?.close();
  await service?.close();
});

const tagOf = ({ headers }: TestAnswer) => String(headers['etag']);
const remaining = ({ headers }: TestAnswer) => Number(headers['x-ratelimit-remaining']);
const changeSomething = () =>
  service.prisma.event.updateMany({
    where: { businessId: tenant.business.id, id: event.id },
    data: { room: `Room ${Math.random()}` },
  });

describe.each(Object.keys(waysToRead))('The response cache in %s', (way) => {
  const ask = (as: string, headers: Record<string, string> = {}) => counted(waysToRead[way]!(service, as, headers));
  const isRest = way === 'REST';

  test('answers a repeated request with the same body and headers, by the look-up of the credential alone', async () => {
    await changeSomething();
    const miss = await ask(tenant.as.admin);
    const hit = await ask(tenant.as.admin);
    expect(miss.status).toBe(200);
    expect(miss.statements).toBeGreaterThan(2);
    expect(hit.statements).toBe(1);
    expect(shown(hit)).toEqual(shown(miss));
  });

  test('gives a weak entity tag, and 304 without a body to a client that sends it back', async () => {
    const miss = await ask(tenant.as.admin);
    const tag = tagOf(miss);
    expect(tag).toMatch(/^W\/"\d+\.[\w-]{22}"$/);
    for (const named of [tag, tag.slice(2), '*', ` "x" ,${tag}`, `W/"1", "2.x", ${tag}`]) {
      const { status, body, headers, statements } = await ask(tenant.as.admin, { 'if-none-match': named });
      expect({ named, status, body, statements }).toEqual({ named, status: 304, body: '', statements: 1 });
      expect(headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
      expect(String(headers['vary']).toLowerCase()).toMatch(/authorization.*accept|accept.*authorization/);
      expect(headers['content-type']).toBeUndefined();
      expect(headers['x-ratelimit-limit']).toBe('1000');
    }
    for (const named of ['""', '"x"', tag.replace('W/"', 'W/"1'), tag.slice(3, -1), '', '"*"']) {
      const { status } = await ask(tenant.as.admin, { 'if-none-match': named });
      expect({ named, status }).toEqual({ named, status: 200 });
    }
  });

  test('answers 304 to a client that holds the answer, also if this process has not stored it', async () => {
    await changeSomething();
    const { status, headers, body } = await ask(tenant.as.admin, { 'if-none-match': '*' });
    expect({ status, body }).toEqual({ status: 304, body: '' });
    expect(await ask(tenant.as.admin, { 'if-none-match': String(headers['etag']) })).toMatchObject({
      status: 304,
      statements: 1,
    });
  });

  test('gives another answer after a committed change of the business, and the same after a rollback', async () => {
    const before = await ask(tenant.as.admin);
    const undone = service.prisma.$transaction(async (tx) => {
      await tx.event.updateMany({ where: { businessId: tenant.business.id }, data: { title: 'Undone' } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await ask(tenant.as.admin, { 'if-none-match': tagOf(before) })).toMatchObject({
      status: 304,
      statements: 1,
    });
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.key, body: { title: `Changed by ${way}` } });
    const after = await ask(tenant.as.admin, { 'if-none-match': tagOf(before) });
    expect(after.status).toBe(200);
    expect(tagOf(after)).not.toBe(tagOf(before));
    expect(JSON.stringify(after.body)).toContain(`Changed by ${way}`);
  });

  test('takes as many points of the rate limit for a hit as for a miss, and a tenth of one for a 304', async () => {
    await changeSomething();
    const points = isRest ? 1 : 2;
    let left = remaining(await ask(tenant.as.key));
    const { etag } = (await ask(tenant.as.admin)).headers;
    left -= points;
    for (const headers of [{}, {}]) {
      const before = left;
      left = remaining(await ask(tenant.as.admin, headers));
      expect({ headers, spent: before - left }).toEqual({ headers, spent: points });
    }
    const before = left;
    for (let each = 0; each < 5; each += 1)
      for (const tag of ['*', String(etag)]) left = remaining(await ask(tenant.as.admin, { 'if-none-match': tag }));
    expect(before - left).toBe(1);
  });

  test('logs a hit like a miss', async () => {
    await changeSomething();
    written = [];
    for (const headers of [{}, {}, { 'if-none-match': '*' }]) await ask(tenant.as.admin, headers);
    for (let turn = 0; turn < 100 && written.length < 3; turn++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const [miss, ...hits] = written.map((line) => JSON.parse(line));
    expect(miss).toMatchObject({ operation: isRest ? 'events.list' : 'query events positions', outcome: 'ok' });
    expect(hits).toHaveLength(2);
    for (const { time: _, requestId: _id, durationMs: _ms, sql, status, ...line } of hits) {
      expect(miss).toMatchObject(line);
      expect(sql).toBe(1);
      expect([200, 304]).toContain(status);
    }
  });

  test('shares responses between callers with the same rights only', async () => {
    await changeSomething();
    const stranger = await service.createTenant();
    const colleague = await service.tokenOf(await service.createUser(tenant.business, 'admin'));
    const first = await ask(tenant.as.admin);
    expect(await ask(colleague)).toMatchObject({ statements: 1, body: first.body });
    const byKey = await ask(tenant.as.key);
    expect(byKey.statements).toBeGreaterThan(1);
    expect(byKey.body).toEqual(first.body);
    expect(tagOf(byKey)).not.toBe(tagOf(first));
    const byStranger = await ask(stranger.as.admin, { 'if-none-match': tagOf(first) });
    expect(byStranger.status).toBe(200);
    expect(JSON.stringify(byStranger.body)).not.toContain(event.title);
    for (const who of ['staff', 'client'] as const) {
      const { status, body, headers } = await ask(tenant.as[who]);
      expect({ who, status: isRest ? status : body.errors[0].extensions.code }).toEqual({
        who,
        status: isRest ? 403 : 'FORBIDDEN',
      });
      expect(headers['etag']).toBeUndefined();
    }
  });

  test('answers nothing to a caller whose token or role is gone', async () => {
    const user = await service.createUser(tenant.business, 'admin');
    const token = await service.tokenOf(user);
    const tag = tagOf(await ask(token));
    expect(await ask(token, { 'if-none-match': tag })).toMatchObject({ status: 304 });
    await service.prisma.user.update({
      where: { businessId_id: { businessId: tenant.business.id, id: user.id } },
      data: { role: 'staff' },
    });
    for (const named of [tag, '*', ''])
      expect(JSON.stringify((await ask(token, { 'if-none-match': named })).body)).toContain('FORBIDDEN');
    await service.prisma.user.update({
      where: { businessId_id: { businessId: tenant.business.id, id: user.id } },
      data: { role: 'admin' },
    });
    const again = await ask(token);
    expect(await ask(token, { 'if-none-match': tagOf(again) })).toMatchObject({ status: 304 });
    await service.prisma.personalToken.updateMany({
      where: { businessId: tenant.business.id, userId: user.id },
      data: { revokedAt: new Date() },
    });
    for (const named of [tagOf(again), '*', ''])
      expect(await ask(token, { 'if-none-match': named })).toMatchObject({ status: 401 });
  });

  test('refuses hits, too, once the rate limit is used up', async () => {
    const { business, as } = await service.createTenant('free');
    await service.createEvent(business);
    const tag = tagOf(await ask(as.admin));
    let last = await ask(as.admin);
    // A 304 would take a tenth as much.
    while (remaining(last) > 0) last = await ask(as.admin);
    for (const named of [tag, '*', '']) {
      const { status, body, headers } = await ask(as.admin, { 'if-none-match': named });
      expect({ named, status }).toEqual({ named, status: 429 });
      expect(JSON.stringify(body)).toContain('RATE_LIMITED');
      expect(headers['etag']).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('keeps one response for each Accept header', async () => {
    const types = isRest
      ? ['application/json', '*/*']
      : ['application/json', 'application/graphql-response+json', '*/*'];
    for (const accept of types) {
      const miss = await ask(tenant.as.admin, { accept });
      const hit = await ask(tenant.as.admin, { accept });
      expect(hit.statements).toBe(1);
      expect(shown(hit)).toEqual(shown(miss));
      if (accept !== '*/*') expect(String(hit.headers['content-type'])).toContain(accept);
    }
  });
});

describe('Fields that depend on the role of the caller', () => {
  const read = (as: string) =>
    counted(service.graphql(`{ event(id: "${event.uuid}") { title privateNotes workShifts { payRate } } }`, { as }));

  test('are computed once for each role and user, and then cached for that caller', async () => {
    await service.prisma.event.updateMany({
      where: { businessId: tenant.business.id, id: event.id },
      data: { privateNotes: 'Between us' },
    });
    const tags = new Set<string>();
    for (const who of ['admin', 'key', 'staff', 'client'] as const) {
      const miss = await read(tenant.as[who]);
      expect(miss.statements).toBeGreaterThan(1);
      expect(miss.body.data.event.privateNotes).toBe(who === 'admin' || who === 'key' ? 'Between us' : null);
      const hit = await read(tenant.as[who]);
      expect(hit).toMatchObject({ statements: 1, body: miss.body });
      tags.add(tagOf(hit));
    }
    expect(tags.size).toBe(4);
    const other = await service.tokenOf(await service.createUser(tenant.business, 'staff'));
    expect((await read(other)).body.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('Neither cached nor tagged', () => {
  const admin = () => tenant.as.admin;
  const graphql = (query: string) => () => service.graphql(query, { as: admin() });
  const rest =
    (url: string, headers: Record<string, string> = {}) =>
    () =>
      service.call('GET', url, { as: admin(), headers });

  test.each<[string, () => Promise<TestAnswer>]>([
    ['an answer with an error in it', graphql('{ positions { title } event(id: "nope") { title } }')],
    ['data about the caller', graphql('{ positions { title } viewer { name } }')],
    ['the rest of the rate limit', graphql('{ positions { title } rateLimit { remaining } }')],
    ['the API keys', graphql('{ apiKeys { name } }')],
    ['the audit trail', graphql('{ auditEntries { nodes { action } } }')],
    ['the API keys in REST', rest('/v1/tokens/business')],
    ['a row that does not exist', rest('/v1/events/nope')],
    ['wrong input', rest('/v1/events?page=0')],
    [
      'CSV',
      async () => {
        const headers = { authorization: `Bearer ${admin()}`, accept: 'text/csv' };
        const reply = await service.app.http.inject({ url: '/v1/events', headers });
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      },
    ],
    [
      'CSV of GraphQL',
      () => service.graphql('{ events { nodes { title } } }', { as: admin(), headers: { accept: 'text/csv' } }),
    ],
    ['a mutation', graphql('mutation { updateEvent(id: "nope", input: {}) { event { title } } }')],
  ])('is %s', async (_, ask) => {
    const first = await counted(ask());
    const second = await counted(ask());
    expect(second.statements).toBeGreaterThanOrEqual(first.statements);
    for (const { headers } of [first, second]) expect(headers['etag']).toBeUndefined();
  });

  test('is a successful mutation; in REST, the tag of a write stands for its row alone', async () => {
    const query = `mutation { updateEvent(id: "${event.uuid}", input: {}) { event { title } } }`;
    const { headers, body } = await service.graphql(query, { as: admin(), headers: { 'if-none-match': '*' } });
    expect(body.errors).toBeUndefined();
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers['etag']).toBeUndefined();
    const written = await service.call('PUT', `/v1/events/${event.uuid}`, { as: admin(), body: {} });
    expect(written.headers['etag']).toMatch(/^"\d+"$/);
    expect(written.headers['cache-control']).toBe('no-store');
  });
});

describe('A request in GraphQL', () => {
  test('has another key with other variables, another operation name, or the cost header', async () => {
    const query = `query One($n: Int!) { events(perPage: $n) { nodes { title } } } query Two { positions { title } }`;
    const ask = (payload: object, headers = {}) =>
      service.app.http
        .inject({
          method: 'POST',
          url: '/graphql',
          headers: { authorization: `Bearer ${tenant.as.admin}`, ...headers },
          payload: { query, ...payload },
        })
        .then((reply) => reply.json());
    await service.createEvent(tenant.business);
    for (let turn = 0; turn < 2; turn++) {
      for (const n of [1, 2])
        expect((await ask({ operationName: 'One', variables: { n } })).data.events.nodes).toHaveLength(n);
      expect((await ask({ operationName: 'Two', variables: { n: 1 } })).data.positions).toBeDefined();
      const one = { operationName: 'One', variables: { n: 1 } };
      expect((await ask(one, { 'x-graphql-cost': '1' })).extensions.cost).toBeDefined();
      expect((await ask(one)).extensions).toBeUndefined();
    }
  });

  test('by GET with a credential needs no preflight header, also if it is cached', async () => {
    const url = `/graphql?query=${encodeURIComponent('{ positions { title } }')}`;
    for (let turn = 0; turn < 2; turn++)
      for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'apollo-require-preflight': '1' }])
        expect((await service.call('GET', url, { as: tenant.as.admin, headers })).status).toBe(200);
  });
});

describe('One event in REST', () => {
  const url = () => `/v1/events/${event.uuid}`;
  const ask = (headers: Record<string, string> = {}) =>
    counted(service.call('GET', url(), { as: tenant.as.admin, headers }));

  test('keeps its documented tag, which holds as long as the answer is the same', async () => {
    const tag = tagOf(await ask());
    expect(tag).toMatch(/^"\d+\.[\w-]{43}"$/);
    expect(await ask({ 'if-none-match': tag })).toMatchObject({ status: 304, statements: 1, body: '' });
    expect(await ask({ 'if-none-match': `W/${tag}` })).toMatchObject({ status: 304, statements: 1 });
    await service.createPosition(tenant.business);
    const afresh = await ask({ 'if-none-match': tag });
    expect(afresh).toMatchObject({ status: 304, body: '' });
    expect(afresh.statements).toBeGreaterThan(1);
    expect(tagOf(afresh)).toBe(tag);
    await changeSomething();
    expect(await ask({ 'if-none-match': tag })).toMatchObject({ status: 200 });
  });

  test('has the same headers for HEAD as for GET', async () => {
    await changeSomething();
    const head = (headers = {}) =>
      service.app.http.inject({
        method: 'HEAD',
        url: url(),
        headers: { authorization: `Bearer ${tenant.as.admin}`, ...headers },
      });
    const miss = await head();
    const hit = await head();
    const { headers } = await ask();
    for (const name of ['etag', 'content-type', 'content-length'])
      expect([name, miss.headers[name], hit.headers[name]]).toEqual([name, headers[name], headers[name]]);
    expect((await head({ 'if-none-match': headers['etag'] })).statusCode).toBe(304);
  });
});

describe('Without memory for responses', () => {
  test('none is stored, and clients that hold an answer still get 304', async () => {
    for (const ask of Object.values(waysToRead)) {
      const first = await counted(ask(withoutMemory, tenant.as.admin));
      const second = await counted(ask(withoutMemory, tenant.as.admin, { 'if-none-match': '"x"' }));
      expect(second.statements).toBe(first.statements);
      const third = await counted(
        ask(withoutMemory, tenant.as.admin, { 'if-none-match': String(first.headers['etag']) }),
      );
      expect(third).toMatchObject({ status: 304, statements: 1 });
    }
  });
});

describe('With little memory', () => {
  beforeAll(async () => {
    for (let index = 0; index < 20; index++)
      await service.createEvent(tenant.business, { description: 'x'.repeat(20_000), title: `Long ${index}` });
  });

  const ask = (events: number, page: number, headers = {}) =>
    counted(
      withLittleMemory.call('GET', `/v1/events?per_page=${events}&page=${page}`, { as: tenant.as.admin, headers }),
    );

  test('a large response is not stored, and clients that hold it still get 304', async () => {
    const { statements, headers } = await ask(15, 1);
    expect(await ask(15, 1)).toMatchObject({ statements });
    expect(await ask(15, 1, { 'if-none-match': headers['etag'] })).toMatchObject({ status: 304, statements: 1 });
  });

  test('responses requested twice evict the least recently used ones; responses requested once evict nothing', async () => {
    const pages = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const round of ['first', 'second'])
      for (const page of pages)
        expect({ round, isHit: (await ask(1, page)).statements === 1 }).toMatchObject({
          round,
          isHit: round === 'second',
        });
    const others = async () => {
      for (const perPage of [2, 3, 4, 5, 6]) for (const page of [1, 2, 3, 4]) await ask(perPage, page);
    };
    await others();
    expect((await ask(1, 1)).statements).toBe(1);
    await others();
    expect((await ask(1, 1)).statements).toBeGreaterThan(1);
  });
});
