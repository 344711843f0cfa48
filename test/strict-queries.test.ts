import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { asker } from './support/ask.ts';
import type { Tenant } from './support/factories.ts';
import { usePackage } from './support/package.ts';

/* A query parameter that a route does not know is refused, unless the business has such parameters ignored. */

let tenant: Tenant;
let lenient: Tenant;

// Each route is asked without a credential too.
const service = usePackage({ CALLBOARD_ANONYMOUS_PER_MINUTE: '1000' });
const mutate = asker(() => service, 'mutation');

beforeAll(async () => {
  [tenant, lenient] = [await service.createTenant(), await service.createTenant()];
  await service.prisma.business.update({ where: { id: lenient.business.id }, data: { strictQueries: false } });
});

const ask = (url: string, as: string | undefined = tenant.as.admin) => service.call('GET', url, { as });
const refusal = async (url: string) => {
  const { status, body } = await ask(url);
  return [status, body.code, body.errors];
};
const didYouMean = (names: string) => [`is not a known parameter: did you mean ${names}?`];

describe('an unknown parameter is refused', () => {
  test.each([
    ['/v1/events?resourceId=EXT-1&per_page=1', 'resourceId', 'resource_id'],
    ['/v1/events?date_form=2030-01-01', 'date_form', 'date_from'],
    ['/v1/events?Page=2', 'Page', 'page'],
    ['/v1/events?statuses=active', 'statuses', 'status'],
    ['/api/v1/users?roles=admin', 'roles', 'role'],
    ['/v1/objects/events?sortOrder=desc', 'sortOrder', 'sort_order'],
    ['/v1/events?serach=gala', 'serach', 'search'],
  ])('%s', async (url, sent, nearest) => {
    expect(await refusal(url)).toEqual([422, 'VALIDATION_FAILED', { [sent]: didYouMean(nearest) }]);
  });

  test('with every near name, or with all known ones where none is near', async () => {
    const { errors } = (await ask('/v1/events?from=2030-01-01')).body;
    expect(errors.from[0]).toMatch(/^is not a known parameter: did you mean (\w+ or )*date_from( or \w+)*\?$/);
    expect((await ask('/v1/staff?zzzzzzzz=1')).body.errors).toEqual({
      zzzzzzzz: [expect.stringMatching(/^is not a known parameter: known are .*\bsearch\b/)],
    });
    expect((await ask('/v1/positions?page=1')).body.errors).toEqual({
      page: ['is not a known parameter: this address takes none'],
    });
  });

  test('together with the other faults of the input, and in CSV, in full, by HEAD and as a stream', async () => {
    expect(Object.keys((await ask('/v1/events?colour=red&page=0')).body.errors)).toEqual(['colour', 'page']);
    for (const accept of ['text/csv', 'text/event-stream'])
      for (const url of accept === 'text/csv' ? ['/v1/events?colour=1'] : ['/v1/changes/stream?colour=1']) {
        const { status, body } = await service.call('GET', url, { as: tenant.as.admin, headers: { accept } });
        expect([status, Object.keys(body.errors)]).toEqual([422, ['colour']]);
      }
    expect((await ask('/v1/events?fields=full&colour=1')).status).toBe(422);
    const head = await service.inject({
      method: 'HEAD',
      url: '/v1/events?colour=1',
      headers: { authorization: `Bearer ${tenant.as.admin}` },
    });
    expect(head.statusCode).toBe(422);
  });

  test('although the same answer is in the cache of a lenient business or of another address', async () => {
    for (const _ of [1, 2]) expect((await ask('/v1/events?colour=1')).status).toBe(422);
    const first = await ask('/v1/events');
    const held = { 'if-none-match': String(first.headers['etag']) };
    const { status } = await service.call('GET', '/v1/events?colour=1', { as: tenant.as.admin, headers: held });
    expect(status).toBe(422);
  });
});

describe('what comes before the refusal', () => {
  const document = JSON.parse(readFileSync(new URL('openapi.snapshot.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { security: object[]; parameters?: object[] }>>;
  };
  const known = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.some((each) => 'personalToken' in each))
      .map(([method, { security }]) => ({
        method: method.toUpperCase() as 'GET' | 'POST' | 'PUT' | 'DELETE',
        path: path.replaceAll('{uuid}', '00000000-0000-4000-8000-000000000000').replaceAll(/\{\w+\}/g, '2147483647'),
        isOpen: security.some((each) => Object.keys(each).length === 0),
        namesRow: path.includes('{'),
      })),
  );

  test.each(known)('$method $path', async ({ method, path, isOpen, namesRow }) => {
    const revision = () => service.prisma.businessRevision.findUnique({ where: { businessId: tenant.business.id } });
    const before = await revision();
    const headers = path.endsWith('/stream') ? { accept: 'text/event-stream' } : {};
    const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
    const send = (as?: string) => service.call(method, `${path}?colour=red`, { as, headers, ...body });
    if (!isOpen) expect((await send()).status).toBe(401);
    const answer = await send(tenant.as.admin);
    if (answer.status === 422) expect(answer.body.errors).toHaveProperty('colour');
    // Some routes are for one role alone, and a row that is unknown says so first.
    else expect(namesRow ? [403, 404] : [403]).toContain(answer.status);
    expect(await revision()).toEqual(before);
  });

  test('404 for an unknown row, 403 without the right, and nothing is written', async () => {
    const event = await service.createEvent(tenant.business);
    const url = `/v1/events/${event.uuid}?colour=red`;
    const change = { title: 'Other' };
    const none = '/v1/events/00000000-0000-4000-8000-000000000000?colour=red';
    expect((await service.call('PUT', none, { as: tenant.as.admin, body: change })).status).toBe(404);
    expect((await service.call('DELETE', none, { as: tenant.as.admin })).status).toBe(404);
    expect((await service.call('PUT', url, { as: tenant.as.staff, body: change })).status).toBe(403);
    const refused = await service.call('PUT', url, { as: tenant.as.admin, body: change });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['colour']]);
    expect((await service.call('DELETE', url, { as: tenant.as.admin })).status).toBe(422);
    const stored = await service.prisma.event.findFirst({ where: { uuid: event.uuid } });
    expect([stored?.title, stored?.status, stored?.version]).toEqual([event.title, 'active', 1]);
  });

  test('a create with an idempotency key stores neither a row nor the key', async () => {
    const body = { title: 'Gala', start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'UTC' };
    const create = (query: string) =>
      service.call('POST', `/v1/events${query}`, { as: tenant.as.admin, body, headers: { 'idempotency-key': 'once' } });
    expect((await create('?colour=red')).status).toBe(422);
    const made = await create('?_=1&utm_source=mail');
    expect([made.status, made.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect((await create('')).headers['idempotency-replayed']).toBe('true');
  });
});

describe('an empty value', () => {
  test.each([
    '/v1/events?status=&page=&search=&coverage_below=',
    '/v1/events?status=&status=active',
    '/v1/audit_entries?from=&page=',
    '/v1/events?fields=',
    '/api/v1/users?role=',
  ])('means "not given": %s', async (url) => {
    expect((await ask(url)).status).toBe(200);
  });

  test('and an unknown parameter without a value is refused all the same', async () => {
    expect((await ask('/v1/events?colour=')).status).toBe(422);
  });
});

describe('a business that has unknown parameters ignored', () => {
  test('gets them named in a header, cached or not', async () => {
    const url = `/v1/events?resourceId=1&_=2&colour=%C3%A9,${'x'.repeat(150)}&f%C3%A9=1`;
    for (const _ of [1, 2]) {
      const { status, headers } = await ask(url, lenient.as.admin);
      expect([status, headers['callboard-ignored-parameters']]).toEqual([200, 'resourceId, colour, f%C3%A9']);
    }
    const { headers } = await ask('/v1/events?page=1&_=2', lenient.as.admin);
    expect(headers).not.toHaveProperty('callboard-ignored-parameters');
  });

  test('changes that in both dialects, and so does one that is strict', async () => {
    const own = await service.createTenant();
    const as = own.as.admin;
    expect((await ask('/v1/business', as)).body.data.strict_queries).toBe(true);
    expect(
      (await service.call('PUT', '/v1/business', { as, body: { strict_queries: false } })).body.data,
    ).toMatchObject({
      strict_queries: false,
      unique_resource_ids: false,
    });
    expect((await ask('/v1/events?colour=1', as)).status).toBe(200);
    expect(await mutate(as, '{ it: updateBusiness(input: { strictQueries: true }) { strictQueries } }')).toMatchObject({
      it: { strictQueries: true },
    });
    expect((await ask('/v1/events?colour=1', as)).status).toBe(422);
    const { status } = await service.call('PUT', '/v1/business', { as: own.as.staff, body: { strict_queries: false } });
    expect(status).toBe(403);
  });
});

test('the log-in and pages take any parameter', async () => {
  const body = { email: 'nobody@example.com', password: 'wrong password' };
  expect((await service.call('POST', '/v1/auth/login?colour=red', { body })).status).toBe(401);
  for (const url of ['/healthz?colour=red', '/openapi.json?colour=red', '/?colour=red'])
    expect((await service.inject({ url })).statusCode).toBe(200);
});
