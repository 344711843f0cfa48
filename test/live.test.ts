import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { keepOpen, openStream, subscribe, type OpenStream, type ReadEvent } from './support/streams.ts';

/* Live updates: streams of server-sent events, and the data version of a business. */

let service: TestApp;
let tenant: Tenant;
let origin: string;

const start = async (env: Record<string, string> = {}) => {
  const app = await startApp({ env });
  return { app, at: await app.app.http.listen({ port: 0, host: '127.0.0.1' }) };
};

beforeAll(async () => {
  const started = await start();
  service = started.app;
  origin = started.at;
  tenant = await service.createTenant();
});
afterAll(() => service.close());

const keep = keepOpen();
const watchRevision = (as = tenant.as.admin) => keep(subscribe(origin, 'subscription { revision }', { as }));
const revisionIn = ({ data }: ReadEvent): string | undefined => data?.data?.revision;
const readRevision = async (as = tenant.as.admin): Promise<string> =>
  (await service.call('GET', '/v1/revision', { as })).body.data.revision;
const createEvent = async () =>
  service.call('POST', '/v1/events', {
    as: tenant.as.admin,
    body: { title: 'Gala', start_time: '2026-12-31 18:00:00', end_time: '2026-12-31 23:00:00', timezone: 'UTC' },
  });

describe('the data version', () => {
  test('is the same in REST and GraphQL until something changes', async () => {
    const before = await readRevision();
    const { body } = await service.graphql('{ revision }', { as: tenant.as.staff });
    expect(body).toEqual({ data: { revision: before } });
    await createEvent();
    expect(await readRevision()).not.toBe(before);
  });

  test('is answered with 304 to a caller who holds it', async () => {
    const { headers } = await service.call('GET', '/v1/revision', { as: tenant.as.admin });
    const tag = String(headers['etag']);
    const again = await service.call('GET', '/v1/revision', {
      as: tenant.as.admin,
      headers: { 'if-none-match': tag },
    });
    expect(again.status).toBe(304);
  });
});

describe('subscription { revision }', () => {
  test('sends the present data version and each later one', async () => {
    const stream = await watchRevision();
    const first = await stream.until(() => true);
    expect({ status: stream.status, type: stream.headers['content-type'], event: first.event }).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
      event: 'next',
    });
    expect(revisionIn(first)).toBe(await readRevision());
    await createEvent();
    const now = await readRevision();
    await stream.until((event) => revisionIn(event) === now);
  });

  test('notices a change that another program makes', async () => {
    const stream = await watchRevision(tenant.as.staff);
    await stream.until(() => true);
    await service.createEvent(tenant.business);
    const now = await readRevision();
    await stream.until((event) => revisionIn(event) === now);
  });

  test('is neither compressed nor kept by a cache', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    const stream = await keep(subscribe(origin, 'subscription { revision }', { as: tenant.as.admin, headers }));
    await stream.until(() => true);
    expect(stream.headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
    expect(stream.headers).not.toHaveProperty('content-encoding');
  });

  test('can be asked for by GET', async () => {
    const path = `/graphql?query=${encodeURIComponent('subscription { revision }')}`;
    const stream = await keep(openStream(origin, path, { as: tenant.as.key }));
    expect(revisionIn(await stream.until(() => true))).toBe(await readRevision());
  });

  test('needs a credential', async () => {
    const stream = await keep(subscribe(origin, 'subscription { revision }'));
    await stream.ended;
    expect({ status: stream.status, body: JSON.parse(stream.text()) }).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });

  test('is refused as JSON, with a hint', async () => {
    const { body } = await service.graphql('subscription { revision }', { as: tenant.as.admin });
    expect(body.errors[0]).toMatchObject({
      message: 'A subscription is answered as a stream: send `Accept: text/event-stream`.',
      extensions: { code: 'NOT_ACCEPTABLE' },
    });
  });

  test('reports an invalid document on the stream, and a syntax error with status 400', async () => {
    const invalid = await keep(subscribe(origin, 'subscription { revison }', { as: tenant.as.admin }));
    await invalid.ended;
    expect(invalid.events).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } },
      { event: 'complete' },
    ]);
    const broken = await keep(subscribe(origin, 'subscription {', { as: tenant.as.admin }));
    await broken.ended;
    expect({ status: broken.status, body: JSON.parse(broken.text()) }).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
    });
  });
});

describe('a credential', () => {
  const endOf = async (stream: OpenStream) => {
    await stream.ended;
    return stream.events.slice(-2);
  };

  test('that is revoked ends its stream, and no other', async () => {
    const own = await service.createTenant();
    const other = await keep(subscribe(origin, 'subscription { revision }', { as: own.as.staff }));
    const stream = await keep(subscribe(origin, 'subscription { revision }', { as: own.as.admin }));
    await stream.until(() => true);
    expect((await service.call('DELETE', '/v1/tokens/personal', { as: own.as.admin })).status).toBe(200);
    expect(await endOf(stream)).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } },
      { event: 'complete' },
    ]);
    await service.createEvent(own.business);
    const now = await readRevision(own.as.client);
    await other.until((event) => revisionIn(event) === now);
  });

  test('of an API key that is revoked ends its stream', async () => {
    const own = await service.createTenant();
    const stream = await keep(subscribe(origin, 'subscription { revision }', { as: own.as.key }));
    await stream.until(() => true);
    await service.prisma.apiKey.updateMany({
      where: { businessId: own.business.id },
      data: { revokedAt: new Date() },
    });
    expect(await endOf(stream)).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } },
      { event: 'complete' },
    ]);
  });

  test.each([
    ['is deleted', 'DELETE', undefined, 'UNAUTHENTICATED'],
    ['gets another role', 'PUT', { role: 'client' }, 'FORBIDDEN'],
  ] as const)('whose user %s ends its stream', async (_what, method, body, code) => {
    const own = await service.createTenant();
    const stream = await keep(subscribe(origin, 'subscription { revision }', { as: own.as.staff }));
    await stream.until(() => true);
    const url = `/api/v1/users/${own.staff.id}`;
    expect((await service.call(method, url, { as: own.as.admin, ...(body && { body }) })).status).toBe(200);
    expect(await endOf(stream)).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code } }] } },
      { event: 'complete' },
    ]);
    // Nothing of the change itself was sent.
    expect(stream.events).toHaveLength(3);
  });
});

describe('the limits', () => {
  test('on the streams of a business and of a process are refused with a time to come back', async () => {
    const { app, at } = await start({ CALLBOARD_STREAMS: '2' });
    const tenants = [await app.createTenant(), await app.createTenant(), await app.createTenant()];
    const open = (index: number) => keep(subscribe(at, 'subscription { revision }', { as: tenants[index]!.as.admin }));
    const first = await open(0);
    const ownSecond = await open(0);
    expect({ status: ownSecond.status, retryAfter: ownSecond.headers['retry-after'] }).toEqual({
      status: 429,
      retryAfter: '5',
    });
    expect((await open(1)).status).toBe(200);
    expect((await open(2)).status).toBe(503);
    first.close();
    // The place is free once the service has noticed that the client is gone.
    let status = 503;
    while (status === 503) ({ status } = await open(2));
    expect(status).toBe(200);
    await app.close();
  });

  test('of the rate limit count the stream of the data version, one of it and a 304 as a tenth', async () => {
    const own = await service.createTenant('free');
    const left = (headers: object) => Number((headers as Record<string, unknown>)['x-ratelimit-remaining']);
    const revision = (headers = {}) => service.call('GET', '/v1/revision', { as: own.as.admin, headers });
    const first = await revision();
    for (let index = 0; index < 8; index++) await revision();
    expect([left(first.headers), left((await revision()).headers)]).toEqual([59, 59]);
    expect(left((await revision()).headers)).toBe(58);
    const stream = await keep(subscribe(origin, 'subscription { revision }', { as: own.as.admin }));
    expect(left(stream.headers)).toBe(58);
    await stream.until(() => true);
    await service.createEvent(own.business);
    const now = await readRevision(own.as.admin);
    await stream.until((event) => revisionIn(event) === now);
    expect(left((await revision()).headers)).toBe(58);

    const list = () => service.call('GET', '/v1/positions', { as: own.as.admin });
    const { headers } = await list();
    expect(left(headers)).toBe(57);
    for (let index = 0; index < 6; index++) {
      const held = await service.call('GET', '/v1/positions', {
        as: own.as.admin,
        headers: { 'if-none-match': String(headers['etag']) },
      });
      expect({ status: held.status, left: left(held.headers) }).toEqual({ status: 304, left: 57 });
    }
    expect(left((await list()).headers)).toBe(56);
  });
});

test('a stream outlives the time-outs of answers', async () => {
  const { app, at } = await start({
    CALLBOARD_ANSWER_TIMEOUT: '1000',
    CALLBOARD_EXPORT_TIMEOUT: '1000',
    // On a busy machine a process may do nothing for longer than a short one.
    CALLBOARD_STALL_TIMEOUT: '3000',
  });
  const { as } = await app.createTenant();
  const stream = await keep(subscribe(at, 'subscription { revision }', { as: as.admin }));
  while (stream.comments() < 5) await stream.nextComment();
  expect(
    (await app.call('POST', '/v1/positions', { as: as.admin, body: { title: 'Cook', default_pay_rate: '20' } })).status,
  ).toBe(201);
  await stream.until(() => stream.events.length === 2);
  await app.close();
});

test('at the shutdown a stream ends with a hint when to come back', async () => {
  const { app, at } = await start();
  const { as } = await app.createTenant();
  const stream = await keep(subscribe(at, 'subscription { revision }', { as: as.admin }));
  await stream.until(() => true);
  await app.close();
  await stream.ended;
  expect(stream.retryMs()).toBeGreaterThanOrEqual(1000);
  expect(stream.retryMs()).toBeLessThan(5000);
  expect(stream.events.map(({ event }) => event)).toEqual(['next']);
});
