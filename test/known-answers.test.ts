import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { startApp, type Answer, type TestApp } from './support/app.ts';
import type { Cast } from './support/factories.ts';
import { counted, shown, waysToRead } from './support/reads.ts';

let service: TestApp;
/** Keeps no answers. */
let forgetful: TestApp;
/** Keeps few. */
let small: TestApp;
let cast: Cast;
let event: Event;
let written: string[] = [];

beforeAll(async () => {
  service = await startApp({
    env: { LOG_LEVEL: 'info' },
    logTo: { write: (line) => void written.push(line) },
  });
  forgetful = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '0' }, beside: service });
  small = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '1' }, beside: service });
  cast = await service.createCast();
  event = await service.createEvent(cast.business, { clientId: cast.client.id });
  await service.createShift(event, cast.staff);
});

afterAll(async () => {
  await forgetful?.close();
  await small?.close();
  await service?.close();
});

const tagOf = ({ headers }: Answer) => String(headers['etag']);
const remaining = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining']);
const changeSomething = () =>
  service.prisma.event.updateMany({
    where: { businessId: cast.business.id, id: event.id },
    data: { room: `Room ${Math.random()}` },
  });

describe.each(Object.keys(waysToRead))('read through %s, an answer', (way) => {
  const ask = (as: string, headers: Record<string, string> = {}) => counted(waysToRead[way]!(service, as, headers));
  const isRest = way === 'REST';

  test('that is known is given again, headers and all, for the look-up of the credential alone', async () => {
    await changeSomething();
    const found = await ask(cast.as.admin);
    const known = await ask(cast.as.admin);
    expect(found.status).toBe(200);
    expect(found.statements).toBeGreaterThan(2);
    expect(known.statements).toBe(1);
    expect(shown(known)).toEqual(shown(found));
  });

  test('has a weak tag, and is 304 without a body to who shows it', async () => {
    const found = await ask(cast.as.admin);
    const tag = tagOf(found);
    expect(tag).toMatch(/^W\/"\d+\.[\w-]{22}"$/);
    for (const named of [tag, tag.slice(2), '*', ` "x" ,${tag}`, `W/"1", "2.x", ${tag}`]) {
      const { status, body, headers, statements } = await ask(cast.as.admin, { 'if-none-match': named });
      expect({ named, status, body, statements }).toEqual({ named, status: 304, body: '', statements: 1 });
      expect(headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
      expect(String(headers['vary']).toLowerCase()).toMatch(/authorization.*accept|accept.*authorization/);
      expect(headers['content-type']).toBeUndefined();
      expect(headers['x-ratelimit-limit']).toBe('1000');
    }
    for (const named of ['""', '"x"', tag.replace('W/"', 'W/"1'), tag.slice(3, -1), '', '"*"']) {
      const { status } = await ask(cast.as.admin, { 'if-none-match': named });
      expect({ named, status }).toEqual({ named, status: 200 });
    }
  });

  test('that is known to the client alone is 304, also after another one was given', async () => {
    await changeSomething();
    const { status, headers, body } = await ask(cast.as.admin, { 'if-none-match': '*' });
    expect({ status, body }).toEqual({ status: 304, body: '' });
    expect(await ask(cast.as.admin, { 'if-none-match': String(headers['etag']) })).toMatchObject({
      status: 304,
      statements: 1,
    });
  });

  test('is another one once anything of the business has changed, and not when that was undone', async () => {
    const before = await ask(cast.as.admin);
    const undone = service.prisma.$transaction(async (tx) => {
      await tx.event.updateMany({ where: { businessId: cast.business.id }, data: { title: 'Undone' } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await ask(cast.as.admin, { 'if-none-match': tagOf(before) })).toMatchObject({ status: 304, statements: 1 });
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: cast.as.key, body: { title: `Changed by ${way}` } });
    const after = await ask(cast.as.admin, { 'if-none-match': tagOf(before) });
    expect(after.status).toBe(200);
    expect(tagOf(after)).not.toBe(tagOf(before));
    expect(JSON.stringify(after.body)).toContain(`Changed by ${way}`);
  });

  test('costs the same budget whether it was known or not', async () => {
    await changeSomething();
    const points = isRest ? 1 : 2;
    let left = remaining(await ask(cast.as.key));
    const { etag } = (await ask(cast.as.admin)).headers;
    left -= points;
    for (const headers of [{}, {}, { 'if-none-match': '*' }, { 'if-none-match': String(etag) }]) {
      const before = left;
      left = remaining(await ask(cast.as.admin, headers));
      expect({ headers, spent: before - left }).toEqual({ headers, spent: points });
    }
  });

  test('is logged in the same words', async () => {
    await changeSomething();
    written = [];
    for (const headers of [{}, {}, { 'if-none-match': '*' }]) await ask(cast.as.admin, headers);
    for (let turn = 0; turn < 100 && written.length < 3; turn++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const [found, ...known] = written.map((line) => JSON.parse(line));
    expect(found).toMatchObject({ operation: isRest ? 'events.list' : 'query events positions', outcome: 'ok' });
    expect(known).toHaveLength(2);
    for (const { time: _, requestId: _id, durationMs: _ms, sql, status, ...line } of known) {
      expect(found).toMatchObject(line);
      expect(sql).toBe(1);
      expect([200, 304]).toContain(status);
    }
  });

  test('is shared by who has the same rights and by nobody else', async () => {
    await changeSomething();
    const stranger = await service.createCast();
    const colleague = await service.tokenOf(await service.createUser(cast.business, 'admin'));
    const first = await ask(cast.as.admin);
    expect(await ask(colleague)).toMatchObject({ statements: 1, body: first.body });
    const byKey = await ask(cast.as.key);
    expect(byKey.statements).toBeGreaterThan(1);
    expect(byKey.body).toEqual(first.body);
    expect(tagOf(byKey)).not.toBe(tagOf(first));
    const byStranger = await ask(stranger.as.admin, { 'if-none-match': tagOf(first) });
    expect(byStranger.status).toBe(200);
    expect(JSON.stringify(byStranger.body)).not.toContain(event.title);
    for (const who of ['staff', 'client'] as const) {
      const { status, body, headers } = await ask(cast.as[who]);
      expect({ who, status: isRest ? status : body.errors[0].extensions.code }).toEqual({
        who,
        status: isRest ? 403 : 'FORBIDDEN',
      });
      expect(headers['etag']).toBeUndefined();
    }
  });

  test('is for nobody whose credential or role has gone', async () => {
    const user = await service.createUser(cast.business, 'admin');
    const token = await service.tokenOf(user);
    const tag = tagOf(await ask(token));
    expect(await ask(token, { 'if-none-match': tag })).toMatchObject({ status: 304 });
    await service.prisma.user.update({
      where: { businessId_id: { businessId: cast.business.id, id: user.id } },
      data: { role: 'staff' },
    });
    for (const named of [tag, '*', ''])
      expect(JSON.stringify((await ask(token, { 'if-none-match': named })).body)).toContain('FORBIDDEN');
    await service.prisma.user.update({
      where: { businessId_id: { businessId: cast.business.id, id: user.id } },
      data: { role: 'admin' },
    });
    const again = await ask(token);
    expect(await ask(token, { 'if-none-match': tagOf(again) })).toMatchObject({ status: 304 });
    await service.prisma.personalToken.updateMany({
      where: { businessId: cast.business.id, userId: user.id },
      data: { revokedAt: new Date() },
    });
    for (const named of [tagOf(again), '*', ''])
      expect(await ask(token, { 'if-none-match': named })).toMatchObject({ status: 401 });
  });

  test('is refused once the budget is spent, known or not', async () => {
    const { business, as } = await service.createCast('free');
    await service.createEvent(business);
    const tag = tagOf(await ask(as.admin));
    let last = await ask(as.admin);
    while (remaining(last) > 0) last = await ask(as.admin, { 'if-none-match': tag });
    for (const named of [tag, '*', '']) {
      const { status, body, headers } = await ask(as.admin, { 'if-none-match': named });
      expect({ named, status }).toEqual({ named, status: 429 });
      expect(JSON.stringify(body)).toContain('RATE_LIMITED');
      expect(headers['etag']).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('is asked for once each by what the client accepts', async () => {
    const types = isRest
      ? ['application/json', '*/*']
      : ['application/json', 'application/graphql-response+json', '*/*'];
    for (const accept of types) {
      const found = await ask(cast.as.admin, { accept });
      const known = await ask(cast.as.admin, { accept });
      expect(known.statements).toBe(1);
      expect(shown(known)).toEqual(shown(found));
      if (accept !== '*/*') expect(String(known.headers['content-type'])).toContain(accept);
    }
  });
});

describe('What a client reads as its own', () => {
  const read = (as: string) =>
    counted(service.graphql(`{ event(uuid: "${event.uuid}") { title privateNotes workShifts { payRate } } }`, { as }));

  test('is found out for each role and user, and known to that one from then on', async () => {
    await service.prisma.event.updateMany({
      where: { businessId: cast.business.id, id: event.id },
      data: { privateNotes: 'Between us' },
    });
    const tags = new Set<string>();
    for (const who of ['admin', 'key', 'staff', 'client'] as const) {
      const found = await read(cast.as[who]);
      expect(found.statements).toBeGreaterThan(1);
      expect(found.body.data.event.privateNotes).toBe(who === 'admin' || who === 'key' ? 'Between us' : null);
      const known = await read(cast.as[who]);
      expect(known).toMatchObject({ statements: 1, body: found.body });
      tags.add(tagOf(known));
    }
    expect(tags.size).toBe(4);
    const other = await service.tokenOf(await service.createUser(cast.business, 'staff'));
    expect((await read(other)).body.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('Neither kept nor tagged', () => {
  const admin = () => cast.as.admin;
  const graphql = (query: string) => () => service.graphql(query, { as: admin() });
  const rest =
    (url: string, headers: Record<string, string> = {}) =>
    () =>
      service.call('GET', url, { as: admin(), headers });

  test.each<[string, () => Promise<Answer>]>([
    ['an answer with an error in it', graphql('{ positions { title } event(uuid: "nope") { title } }')],
    ['who is calling', graphql('{ positions { title } viewer { name } }')],
    ['what is left of the budget', graphql('{ positions { title } rateLimit { remaining } }')],
    ['the API keys', graphql('{ apiKeys { name } }')],
    ['the audit trail', graphql('{ auditEntries { nodes { action } } }')],
    ['the API keys in REST', rest('/v1/tokens/business')],
    ['what does not exist', rest('/v1/events/nope')],
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
    ['a mutation', graphql('mutation { updateEvent(uuid: "nope", input: {}) { title } }')],
  ])('is %s', async (_, ask) => {
    const first = await counted(ask());
    const second = await counted(ask());
    expect(second.statements).toBeGreaterThanOrEqual(first.statements);
    for (const { headers } of [first, second]) expect(headers['etag']).toBeUndefined();
  });

  test('is a mutation that succeeds, whose tag in REST names its row alone', async () => {
    const query = `mutation { updateEvent(uuid: "${event.uuid}", input: {}) { title } }`;
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
  test('is another one with other variables, another operation, and with its cost', async () => {
    const query = `query One($n: Int!) { events(perPage: $n) { nodes { title } } } query Two { positions { title } }`;
    const ask = (payload: object, headers = {}) =>
      service.app.http
        .inject({
          method: 'POST',
          url: '/graphql',
          headers: { authorization: `Bearer ${cast.as.admin}`, ...headers },
          payload: { query, ...payload },
        })
        .then((reply) => reply.json());
    await service.createEvent(cast.business);
    for (let turn = 0; turn < 2; turn++) {
      for (const n of [1, 2])
        expect((await ask({ operationName: 'One', variables: { n } })).data.events.nodes).toHaveLength(n);
      expect((await ask({ operationName: 'Two', variables: { n: 1 } })).data.positions).toBeDefined();
      const one = { operationName: 'One', variables: { n: 1 } };
      expect((await ask(one, { 'x-graphql-cost': '1' })).extensions.cost).toBeDefined();
      expect((await ask(one)).extensions).toBeUndefined();
    }
  });

  test('by GET is still refused where a page of another origin could send it', async () => {
    const url = `/graphql?query=${encodeURIComponent('{ positions { title } }')}`;
    const ask = (headers: Record<string, string>) => service.call('GET', url, { as: cast.as.admin, headers });
    for (let turn = 0; turn < 2; turn++) {
      expect((await ask({ 'apollo-require-preflight': '1' })).status).toBe(200);
      expect((await ask({})).status).toBe(400);
      expect((await ask({ 'content-type': 'text/plain' })).status).toBe(400);
    }
  });
});

describe('One event in REST', () => {
  const url = () => `/v1/events/${event.uuid}`;
  const ask = (headers: Record<string, string> = {}) =>
    counted(service.call('GET', url(), { as: cast.as.admin, headers }));

  test('keeps its documented tag, which is known and goes on to hold while the answer is the same', async () => {
    const tag = tagOf(await ask());
    expect(tag).toMatch(/^"\d+\.[\w-]{43}"$/);
    expect(await ask({ 'if-none-match': tag })).toMatchObject({ status: 304, statements: 1, body: '' });
    expect(await ask({ 'if-none-match': `W/${tag}` })).toMatchObject({ status: 304, statements: 1 });
    await service.createPosition(cast.business);
    const afresh = await ask({ 'if-none-match': tag });
    expect(afresh).toMatchObject({ status: 304, body: '' });
    expect(afresh.statements).toBeGreaterThan(1);
    expect(tagOf(afresh)).toBe(tag);
    await changeSomething();
    expect(await ask({ 'if-none-match': tag })).toMatchObject({ status: 200 });
  });

  test('is told of to a HEAD as to a GET', async () => {
    await changeSomething();
    const head = (headers = {}) =>
      service.app.http.inject({
        method: 'HEAD',
        url: url(),
        headers: { authorization: `Bearer ${cast.as.admin}`, ...headers },
      });
    const found = await head();
    const known = await head();
    const { headers } = await ask();
    for (const name of ['etag', 'content-type', 'content-length'])
      expect([name, found.headers[name], known.headers[name]]).toEqual([name, headers[name], headers[name]]);
    expect((await head({ 'if-none-match': headers['etag'] })).statusCode).toBe(304);
  });
});

describe('Without memory for answers', () => {
  test('none is kept, and 304 is still said', async () => {
    for (const ask of Object.values(waysToRead)) {
      const first = await counted(ask(forgetful, cast.as.admin));
      const second = await counted(ask(forgetful, cast.as.admin, { 'if-none-match': '"x"' }));
      expect(second.statements).toBe(first.statements);
      const third = await counted(ask(forgetful, cast.as.admin, { 'if-none-match': String(first.headers['etag']) }));
      expect(third).toMatchObject({ status: 304, statements: 1 });
    }
  });
});

describe('With little memory', () => {
  beforeAll(async () => {
    for (let index = 0; index < 20; index++)
      await service.createEvent(cast.business, { description: 'x'.repeat(20_000), title: `Long ${index}` });
  });

  const ask = (events: number, page: number, headers = {}) =>
    counted(small.call('GET', `/v1/events?per_page=${events}&page=${page}`, { as: cast.as.admin, headers }));

  test('a large answer is not kept, and 304 all the same', async () => {
    const { statements, headers } = await ask(15, 1);
    expect(await ask(15, 1)).toMatchObject({ statements });
    expect(await ask(15, 1, { 'if-none-match': headers['etag'] })).toMatchObject({ status: 304, statements: 1 });
  });

  test('the answers that were asked for longest ago make way for what is asked for again, not for what is asked for once', async () => {
    const pages = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const round of ['first', 'second'])
      for (const page of pages)
        expect({ round, known: (await ask(1, page)).statements === 1 }).toMatchObject({
          round,
          known: round === 'second',
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
