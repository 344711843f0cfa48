import { request as sendOverHttp } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { attemptLimits } from '../src/config/limits.ts';
import { loadConfig } from '../src/config/config.ts';
import { openServer } from '../src/db/engine/pool.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';
import { usePackage } from './support/package.ts';

/* Headers, addresses and messages mean what clients, proxies and balancers mean by them. */

let tenant: Tenant;
const service = usePackage();

beforeAll(async () => {
  tenant = await service.createTenant();
});

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
}

const ask = (url: string, headers: Record<string, string> = {}) =>
  service.call('GET', url, { as: tenant.as.admin, headers });
const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'UTC' };

describe('Accept', () => {
  test.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8; q=0.9',
    'application/json; version=1; odata.metadata=minimal',
    'application/json;profile="a;b,c", text/plain;q=0.2',
    'application/*; charset=utf-8',
    'text/html, application/json;charset=utf-8;q=0.8',
  ])('%s gets JSON in both dialects', async (accept) => {
    const rest = await ask('/v1/events', { accept });
    expect([rest.status, rest.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const { body } = await service.graphql('{ viewer { __typename } }', { as: tenant.as.admin, headers: { accept } });
    expect(body.data.viewer).not.toBeNull();
  });

  test('a CSV and a page may be asked for with their parameters', async () => {
    for (const accept of ['text/csv; charset=utf-8', 'text/csv;header=present;charset=UTF-8'])
      expect((await askCsv(service, '/v1/positions', { as: tenant.as.admin, accept })).headers['content-type']).toBe(
        'text/csv; charset=utf-8; header=present',
      );
    const page = await service.inject({ url: '/', headers: { accept: 'text/html; charset=utf-8' } });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('every route takes the types that its document says it answers with', async () => {
    const { paths }: Document = (await service.call('GET', '/openapi.json')).body;
    const refused: string[] = [];
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const url = `${path.replaceAll(/{\w+}/g, 'none')}?none=1`;
        const types = Object.entries(responses).flatMap(([status, { content = {} }]) =>
          status.startsWith('2') ? Object.keys(content) : [],
        );
        for (const accept of types) {
          // No call does anything, because none takes this parameter, or this body.
          const authorization = `Bearer ${tenant.as.admin}`;
          const body = method === 'get' ? {} : { payload: 'none' };
          const headers = { accept, authorization, ...(method !== 'get' && { 'content-type': 'text/plain' }) };
          const reply = await service.inject({ method: method.toUpperCase() as 'GET', url, headers, ...body });
          if ([401, 406].includes(reply.statusCode)) refused.push(`${method} ${path} ${accept}`);
        }
      }
    expect(refused).toEqual([]);
  });

  test.each(['application/json; charset=iso-8859-1', 'text/csv; header=absent', 'application/xml; charset=utf-8'])(
    '%s contradicts every answer',
    async (accept) => expect((await ask('/v1/positions', { accept })).status).toBe(406),
  );
});

describe('preconditions', () => {
  const change = (uuid: string, headers: Record<string, string>, method: 'PUT' | 'DELETE' = 'PUT') =>
    service.call(method, `/v1/events/${uuid}`, {
      as: tenant.as.admin,
      headers,
      ...(method === 'PUT' && { body: { room: 'Hall' } }),
    });

  test('a tag that a proxy has made weak counts as it was read, and an old one does not', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const tag = String((await ask(`/v1/events/${uuid}`)).headers['etag']);
    expect((await change(uuid, { 'if-match': `W/${tag}` })).status).toBe(200);
    expect((await change(uuid, { 'if-match': `W/${tag}` })).status).toBe(412);
    expect((await change(uuid, { 'if-match': 'W/"2-gzip"' })).status).toBe(200);
  });

  test('If-None-Match refuses a change of a row that is there, or is there in that version', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    for (const tag of ['*', '"1"', 'W/"1.abc"', '"7", "1"'])
      for (const method of ['PUT', 'DELETE'] as const) {
        const { status, body } = await change(uuid, { 'if-none-match': tag }, method);
        expect([tag, status, body.code]).toEqual([tag, 412, 'PRECONDITION_FAILED']);
      }
    expect((await service.prisma.event.findFirst({ where: { uuid } }))?.version).toBe(1);
    expect((await change(uuid, { 'if-none-match': '"7"' })).status).toBe(200);
    expect((await change('00000000-0000-4000-8000-000000000000', { 'if-none-match': '*' })).status).toBe(404);
    expect((await change(uuid, { 'if-none-match': 'x' })).status).toBe(400);
  });
});

describe('the header Idempotency-Key on /graphql', () => {
  const create = (key: string | undefined, query: string, as = tenant.as.admin) =>
    service.graphql(query, { as, headers: key === undefined ? {} : { 'idempotency-key': key } });
  const mutation = (title: string, more = '') =>
    `createEvent(${more}input: { title: "${title}", startTime: "2027-05-01 10:00:00", endTime: "2027-05-01 12:00:00", timezone: "UTC" }) { uuid }`;
  const count = (title: string) => service.prisma.event.count({ where: { businessId: tenant.business.id, title } });

  test('makes one mutation once, and is the same key as in REST and as the argument', async () => {
    const first = await create('g-1', `mutation { ${mutation('Once')} }`);
    const again = await create('g-1', `mutation { it: ${mutation('Once')} }`);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(again.body.data.it).toEqual(first.body.data.createEvent);
    const argument = await create(undefined, `mutation { ${mutation('Once', 'idempotencyKey: "g-1", ')} }`);
    expect(argument.body.data).toEqual(first.body.data);
    const both = await create('g-1', `mutation { ${mutation('Once', 'idempotencyKey: "g-1", ')} __typename }`);
    expect(both.body.data.createEvent).toEqual(first.body.data.createEvent);
    const rest = await service.call('POST', '/v1/events', {
      as: tenant.as.admin,
      body: { title: 'Once', ...times },
      headers: { 'idempotency-key': 'g-1' },
    });
    expect([rest.status, rest.body.data.uuid]).toEqual([201, first.body.data.createEvent.uuid]);
    expect(await count('Once')).toBe(1);
  });

  test('is refused with other documents, which then do nothing', async () => {
    for (const query of [
      `mutation { ${mutation('Twice')} other: ${mutation('Twice')} }`,
      `mutation { ...F } fragment F on Mutation { ${mutation('Twice')} other: ${mutation('Twice')} }`,
      '{ viewer { __typename } }',
    ]) {
      const { status, body } = await create('g-2', query);
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    }
    const { body } = await create('g-3', `mutation { ${mutation('Twice', 'idempotencyKey: "g-4", ')} }`);
    expect(body.errors[0].extensions.code).toBe('BAD_REQUEST');
    expect(await count('Twice')).toBe(0);
    // Not from the response cache either.
    for (const key of [undefined, undefined, 'g-5'])
      expect((await create(key, '{ events { totalCount } }')).status).toBe(key === undefined ? 200 : 400);
  });
});

test('HEAD of a CSV takes none of the exports, and is refused as its GET is', async () => {
  const { as } = await service.createTenant();
  const head = (url: string) => askCsv(service, url, { as: as.admin, method: 'HEAD' });

  for (let turn = 0; turn <= attemptLimits.openExport[0].max; turn++)
    expect((await head('/v1/events')).status).toBe(200);
  expect((await askCsv(service, '/v1/events', { as: as.admin })).status).toBe(200);
  expect((await head('/v1/events?page=0')).status).toBe(422);
  expect((await head('/v1/work_shifts?event_uuid=00000000-0000-4000-8000-000000000000')).status).toBe(404);
});

test('OPTIONS * says that the service is there', async () => {
  const { port } = new URL(await service.listen());
  const status = await new Promise((resolve, reject) => {
    sendOverHttp({ port, host: '127.0.0.1', method: 'OPTIONS', path: '*' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(204);
});

test.each([
  ['GET', '/v1/events/'],
  ['POST', '/v1/events/'],
  ['DELETE', '/v1/events/'],
  ['GET', '/v1/coverage/'],
  ['GET', '/api/v1/users/?page=1'],
  ['GET', '/v1/positions//'],
] as const)('%s %s: the message says that the address ends with a slash', async (method, url) => {
  const { status, body } = await service.call(method, url, { as: tenant.as.admin });
  expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  expect(body.message).toContain('ends with a slash');
});

test.each(['variables=', 'operationName=&variables=', 'extensions=&variables={}'])(
  'an empty parameter of a query by GET is not given: %s',
  async (more) => {
    const query = encodeURIComponent('query ($first: Int = 1) { events(first: $first) { totalCount } }');
    for (const url of [`/graphql?query=${query}&${more}`, `/graphql?${more}&query=${query}`]) {
      const { status, body } = await service.call('GET', url, { as: tenant.as.admin });
      expect([url, status, body]).toEqual([url, 200, { data: { events: { totalCount: expect.any(Number) } } }]);
    }
    const { status } = await service.call('GET', `/graphql?query=${query}&variables=x`, { as: tenant.as.admin });
    expect(status).toBe(400);
  },
);

test('a query string that is not UTF-8 is refused', async () => {
  const headers = { authorization: `Bearer ${tenant.as.admin}` };
  expect((await service.inject({ url: '/v1/events?city=M%FCnchen', headers })).statusCode).toBe(400);
});

describe('messages', () => {
  test.each([
    ['/v1/events?page=-1', 'page', 'must be at least 1'],
    ['/v1/events?per_page=-20', 'per_page', 'must be at least 1'],
    ['/v1/events?page=99999999999999999999', 'page', 'must be at most 2147483647'],
    ['/v1/events?coverage_below=-0.5', 'coverage_below', 'must be at least 0'],
    ['/v1/events?page=1.5', 'page', 'must be of type integer'],
    ['/v1/events?page=abc', 'page', 'must be of type integer'],
  ])('of %s', async (url, field, message) => {
    const { status, body } = await ask(url);
    expect([status, body.errors[field]]).toEqual([422, [message]]);
  });

  test('of a body name the fields as REST does', async () => {
    const uuid = '00000000-0000-4000-8000-000000000000';
    const { body } = await service.call('POST', '/v1/work_shifts', {
      as: tenant.as.admin,
      body: { event_uuid: uuid, call_time_uuid: uuid, user_id: tenant.staff.id },
    });
    expect(body.errors).toEqual({ event_uuid: ['must not be combined with call_time_uuid'] });
  });

  test('say that a body is missing', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const send = async (headers: Record<string, string>) => {
      const reply = await service.inject({
        method: 'PUT',
        url: `/v1/events/${uuid}`,
        headers: { authorization: `Bearer ${tenant.as.admin}`, ...headers },
      });
      return [reply.statusCode, reply.body] as const;
    };
    const [empty, text] = await send({ 'content-type': 'application/json' });
    expect([empty, text]).toEqual([400, expect.stringContaining('The body is empty')]);
    const [none, untyped] = await send({});
    expect([none, untyped]).toEqual([422, expect.stringContaining('is missing: send a JSON object')]);
  });

  test.each([
    ['{ events(filter: { statuses: [ACTIV] }) { totalCount } }', {}],
    ['query ($s: [EventStatus!]) { events(filter: { statuses: $s }) { totalCount } }', { s: ['ACTIV'] }],
  ])('of an unknown value of an enum name its values: %s', async (query, variables) => {
    const { body } = await service.graphql(query, { as: tenant.as.admin, variables });
    expect(body.errors[0].message).toContain('ACTIVE, DRAFT, CANCELED, DELETED');
  });
});

describe('a 201 has the address of the new row', () => {
  const creates: [url: string, body: () => object | Promise<object>][] = [
    ['/v1/events', () => ({ title: 'Gala', ...times })],
    ['/v1/positions', () => ({ title: 'Usher', default_pay_rate: '20.00' })],
    ['/v1/skill_levels', () => ({ name: 'Expert' })],
    ['/v1/custom_fields', () => ({ name: 'Parking', type: 'text' })],
    ['/v1/webhooks', () => ({ url: 'https://hooks.example/callboard' })],
    ['/api/v1/users', () => ({ name: 'Robin', email: 'robin@new.example', password: 'long enough', role: 'staff' })],
    [
      '/v1/call_times',
      async () => ({
        event_uuid: (await service.createEvent(tenant.business)).uuid,
        position_id: (await service.createPosition(tenant.business)).id,
        staff_needed: 1,
        start_time: '2026-12-05 19:00:00',
        end_time: '2026-12-05 22:00:00',
      }),
    ],
  ];

  test.each(creates)('POST %s', async (url, body) => {
    const {
      status,
      headers,
      body: made,
    } = await service.call('POST', url, { as: tenant.as.admin, body: await body() });
    expect([status, made.errors]).toEqual([201, undefined]);
    expect(headers['location']).toBe(`${url}/${made.data.uuid ?? made.data.id}`);
    expect((await ask(String(headers['location']))).status).toBe(200);
  });

  test('also that of a copy', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const { headers, body } = await service.call('POST', `/v1/events/${uuid}/copy`, {
      as: tenant.as.admin,
      body: { days: 7 },
    });
    expect(headers['location']).toBe(`/v1/events/${body.data.uuid}`);
  });
});

test('times that REST shows in UTC are taken as they are shown', async () => {
  await service.createEvent(tenant.business, { title: 'Stamped' });
  const [{ modified_at: shown }] = (await ask('/v1/events?search=Stamped')).body.data.data;
  const later = `${Number(shown.slice(0, 4)) + 1}${shown.slice(4)}`;
  const search = (since: string) => `/v1/events?search=Stamped&updated_since=${encodeURIComponent(since)}`;
  expect((await ask(search(shown))).body.data.total).toBe(1);
  expect((await ask(search(later.replace('02-29', '03-01')))).body.data.total).toBe(0);
  expect((await ask(`/v1/audit_entries?from=${encodeURIComponent(shown)}`)).status).toBe(200);
  expect((await ask(search('2026-02-30 10:00:00'))).status).toBe(422);
  expect((await ask(`/v1/events?starts_from=${encodeURIComponent(shown)}`)).status).toBe(422);
  expect((await askCsv(service, search(shown), { as: tenant.as.admin })).rows).toHaveLength(1);
});

test('a change of a skill level with nothing to change gives the row, in both dialects', async () => {
  const { body } = await service.call('POST', '/v1/skill_levels', { as: tenant.as.admin, body: { name: 'Novice' } });
  const { id } = body.data;
  const put = await service.call('PUT', `/v1/skill_levels/${id}`, { as: tenant.as.admin, body: {} });
  expect([put.status, put.body.data]).toEqual([200, { id, name: 'Novice', version: 1 }]);
  const same = await service.graphql(`mutation { updateSkillLevel(id: "${id}", input: {}) { name version } }`, {
    as: tenant.as.admin,
  });
  expect(same.body.data.updateSkillLevel).toEqual({ name: 'Novice', version: 1 });
  const none = await service.graphql('mutation { createSkillLevel(input: {}) { name } }', { as: tenant.as.admin });
  expect(none.body.errors[0].extensions).toMatchObject({ errors: { name: ['is required'] } });
});

describe('the URL of a database', () => {
  const complaint = (url: string, setting = 'DATABASE_URL') => {
    try {
      loadConfig({ JWT_SECRETS: `a:${'s'.repeat(32)}`, [setting]: url });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  test.each([
    ['postgresql://me:hunter#2@db/x', '# in the user or the password: there it is written %23'],
    ['postgresql://me:12#hunter2@db/x', '%23'],
    ['postgresql://me:hunter/2@db/x', '/ in the user or the password: there it is written %2F'],
    ['postgresql://me:12/hunter2@db/x', '%2F'],
    ['postgresql://me:hunter?2@db/x', '? in the user or the password: there it is written %3F'],
    ['postgresql://me:hunter2@a,b/x', 'one host'],
    ['postgresql://me:hunter2@a:5432,b:5433/x', 'one host'],
    ['postgresql://me:hunter2@db:99999/x', 'a port from 1 to 65535'],
    ['postgresql://me:hunter2@db:abc/x', 'a port from 1 to 65535'],
    ['postgresql://me:hunter2@/x', 'a host behind the user and the password'],
    ['postgresql://me:hunter2@::1/x', 'an IPv6 address in brackets'],
    ['postgresql:me@db/x', 'a URL that starts with postgresql://'],
    ['mysql://me:hunter2@db/x', 'a URL that starts with postgresql:// or postgres://'],
  ])('%s', (url, says) => {
    expect(complaint(url)).toContain(says);
    expect(complaint(url)).not.toContain('hunter');
  });

  test('one of Redis is told the same', () => {
    expect(complaint('redis://:hunter#2@cache:6379', 'REDIS_URL')).toContain('%23');
    expect(complaint('redis://a,b', 'REDIS_URL')).toContain('one host');
  });

  test.each([
    ['postgresql://me:p%23%2F%40@db:5433/a%2Fb%3Fc%23d', { user: 'me', port: 5433, database: 'a/b?c#d' }, 'p#/@'],
    ['postgresql://me:p@ss@[::1]/x?application_name=mine', { host: '::1', application_name: 'mine' }, 'p@ss'],
    ['postgresql://%2Fvar%2Frun/x', { host: '/var/run', database: 'x' }, undefined],
    ['postgresql:///x?host=/var/run', { host: '/var/run', database: 'x' }, undefined],
  ])('%s is read as libpq reads it', async (url, expected, password) => {
    expect(complaint(url)).toBe('');
    const { pool } = openServer(url, loadConfig({ JWT_SECRETS: `a:${'s'.repeat(32)}`, DATABASE_URL: url }).db);
    expect(pool.options).toMatchObject(expected);
    expect(pool.options.password).toBe(password);
    await pool.end();
  });
});
