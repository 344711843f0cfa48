import { beforeAll, describe, expect, test } from '@jest/globals';
import { attemptLimits, limits } from '../src/config/limits.ts';
import { bindToBusiness, rawOf } from '../src/db/tenant.ts';
import type { Event } from '../src/generated/prisma/client.ts';
import { emailColumns } from '../src/services/users.ts';
import { wallToColumn } from '../src/time/wall-clock.ts';
import { useService } from './support/app.ts';
import { askCsv, cell } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';
import { createFullAndBare } from './support/full-event.ts';
import { resources } from './support/resources.ts';

/** More than a page of an export, many of them at the same moment. */
const many = limits.pageRows + 103;

const nasty = [
  '=HYPERLINK("http://evil.example","Click")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '  =1+1',
  '\u00a0-1+1',
  'one, "two"\r\nthree\nfour',
  "'quoted'",
  'Zoë 🎭 ﷽',
  '-',
  '-12.5',
  '007',
];

let tenant: Tenant;
let stranger: Tenant;
let full: Event;
let crowded: Event;

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
  stranger = await service.createTenant();
  const { business, staff } = tenant;
  await createFullAndBare(service, tenant);
  full = await service.prisma.event.findFirstOrThrow({ where: { businessId: business.id, title: 'Full' } });
  for (const title of nasty) await service.createEvent(business, { title });
  await service.createEvent(business, { title: 'Gone', status: 'deleted' });
  for (const name of ['=1+1', 'a,b', 'dress.code'])
    await service.setCustomValue(full, await service.createCustomField(business, { name }), name);
  crowded = await service.createEvent(business, { title: 'Crowded' });
  const at = (hour: number) => {
    const wall = `2026-12-05 ${10 + hour}:00:00`;
    return { startLocal: wallToColumn(wall), startsAt: new Date(`${wall.replace(' ', 'T')}-05:00`) };
  };
  const numbers = Array.from({ length: many }, (_, number) => number);
  const position = await service.createPosition(business, { title: '@Bar' });
  await service.prisma.event.createMany({
    data: numbers.map((number) => ({
      businessId: business.id,
      title: `Event ${number}`,
      timezone: 'America/New_York',
      ...at(number % 7),
      endLocal: wallToColumn('2026-12-06 20:00:00'),
      endsAt: new Date('2026-12-07T01:00:00Z'),
    })),
  });
  await service.prisma.workShift.createMany({
    data: numbers.map((number) => ({
      businessId: business.id,
      eventId: crowded.id,
      userId: staff.id,
      positionId: position.id,
      payRate: number % 3 ? null : '19.5',
      ...(number % 5 === 0 ? {} : at(number % 4)),
      ...(number === 7 && { status: 'canceled' as const }),
    })),
  });
  await service.prisma.user.createMany({
    data: numbers.map((number) => ({
      businessId: business.id,
      role: number % 2 ? ('staff' as const) : ('client' as const),
      name: `Person ${number}`,
      firstName: 'Person',
      lastName: `${number}`,
      ...emailColumns(`p${number}-${business.id}@example.com`),
    })),
  });
  await service.createEvent(stranger.business, { title: 'Of another' });
});

type Item = Record<string, unknown>;

/** A caller without exports so far. */
const someone = async () => (await service.createKey(tenant.business)).key;

/** All items of a list as JSON gives them, page by page. */
async function itemsOf(url: string, as = tenant.as.admin): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { status, body } = await service.call(
      'GET',
      `${url}${url.includes('?') ? '&' : '?'}page=${page}&per_page=100`,
      {
        as,
      },
    );
    expect(status).toBe(200);
    const { data, total } = body.meta ? { data: body.data, total: body.meta.total } : body.data;
    items.push(...(data ?? body.data));
    last = Math.ceil((total ?? 1) / 100);
  }
  return items;
}

/** An event as its line shows it. */
const lineOf = ({ call_times, work_shifts, custom_fields, ...event }: Item, names: string[]): Item => ({
  ...event,
  'call_times.count': (call_times as []).length,
  'work_shifts.count': (work_shifts as []).length,
  ...Object.fromEntries(
    names.map((name) => [
      `custom_fields.${name}`,
      (custom_fields as { field_name: string; field_value: string }[]).find(({ field_name }) => field_name === name)
        ?.field_value,
    ]),
  ),
});

describe('a list as CSV is the same list as JSON, cell by cell and over all pages:', () => {
  const compare = async (url: string, print = (item: Item): Item => item, as?: string) => {
    const csv = await askCsv(service, url, { as: as ?? (await someone()) });
    const json = (await itemsOf(url, as)).map(print);
    expect(csv.status).toBe(200);
    expect(csv.header).toEqual(Object.keys(json[0] ?? {}).map((name) => cell(name)));
    expect(csv.rows).toEqual(json.map((item) => Object.values(item).map(cell)));
    return csv;
  };

  test('events, with a column for each custom field and their children counted', async () => {
    const { body } = await service.graphql('{ customFieldDefinitions { name } }', { as: tenant.as.admin });
    const names: string[] = body.data.customFieldDefinitions.map(({ name }: { name: string }) => name);
    expect(names).toContain('=1+1');
    const { rows } = await compare('/v1/events', (item) => lineOf(item, names));
    expect(rows).toHaveLength(many + nasty.length + 3);
  });

  test.each(['sort_order=desc', 'status=deleted', 'status=draft'])('earlier events with ?%s', async (query) => {
    const url = `/v1/objects/events?${query}`;
    if (query === 'status=draft') {
      const { header, rows } = await askCsv(service, url, { as: await someone() });
      expect([header[0], rows]).toEqual(['uuid', []]);
    } else await compare(url);
  });

  test('shifts of an event, with undetermined starts last', async () => {
    const { rows } = await compare(`/v1/work_shifts/event/${crowded.uuid}`);
    expect(rows).toHaveLength(many - 1);
    expect(rows.at(-1)).toContain("'@Bar");
  });

  test('own shifts of a staff member', async () => {
    const { rows } = await compare('/v1/my_shifts', undefined, tenant.as.staff);
    expect(rows.length).toBeGreaterThanOrEqual(many - 1);
  });

  test('users, and those of a role', async () => {
    await compare('/api/v1/users');
    await compare('/api/v1/users?role=staff');
  });

  test('API keys', async () => {
    await service.createKey(tenant.business, { name: '-Payroll' });
    const { rows } = await askCsv(service, '/v1/tokens/business', { as: tenant.as.admin });
    const { body } = await service.call('GET', '/v1/tokens/business', { as: tenant.as.admin });
    const inOneCell = (key: Item) => ({ ...key, scopes: (key['scopes'] as string[]).join(' ') });
    expect(rows).toEqual(body.data.map((key: Item) => Object.values(inOneCell(key)).map(cell)));
    expect(rows.map(([, name]) => name)).toContain("'-Payroll");
  });
});

test.each([
  ['/v1/events', 'page=2'],
  ['/v1/objects/events', 'per_page=7'],
  ['/api/v1/users', 'page=3&per_page=5'],
  ['shifts', 'page=6&per_page=100'],
  ['/v1/events', 'page=5000'],
])('with page parameters, CSV contains exactly that page: %s?%s', async (list, query) => {
  const url = `${list === 'shifts' ? `/v1/work_shifts/event/${crowded.uuid}` : list}?${query}`;
  const { body } = await service.call('GET', url, { as: tenant.as.admin });
  const items: Item[] = body.meta ? body.data : body.data.data;
  const { header, rows } = await askCsv(service, url, { as: await someone() });
  const key = header[0] ?? '';
  expect(rows.map(([first]) => first)).toEqual(items.map((item) => cell(item[key])));
});

test('only text that a spreadsheet would treat as a formula starts with an apostrophe', async () => {
  const { header, rows } = await askCsv(service, '/v1/events?per_page=100', { as: await someone() });
  const { rows: all } = await askCsv(service, '/v1/events', { as: await someone() });
  expect(header).toContain('custom_fields.=1+1');
  const titles = new Set(all.map((row) => row[header.indexOf('title')]));
  for (const title of nasty.slice(0, 6)) expect([titles.has(title), titles.has(`'${title}`)]).toEqual([false, true]);
  for (const title of nasty.slice(6, 9)) expect(titles.has(title)).toBe(true);
  expect([titles.has("'-"), titles.has('-12.5'), titles.has('007')]).toEqual([true, true, true]);
  expect(rows.length).toBeLessThan(all.length);
  const longitudes = all.map((row) => row[header.indexOf('longitude')]);
  expect(longitudes).toContain('-73.99');
});

test('the file has a dated name, a header row, CRLF line ends and no byte order mark', async () => {
  const { headers, text } = await askCsv(service, '/v1/events?status=draft', { as: await someone() });
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="events-${new Date().toISOString().slice(0, 10)}.csv"`,
  });
  expect(String(headers['vary'])).toMatch(/accept/i);
  expect(text).toMatch(/^uuid,resource_id,[^\r\n]*\r\n$/);
});

test.each([
  ['text/csv', 'csv'],
  ['text/csv, application/json;q=0.9', 'csv'],
  ['text/csv;q=0.5, application/json;q=0.4', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['text/*', 'csv'],
  ['*/*', 'json'],
  ['application/json, text/csv;q=0.9', 'json'],
  ['application/json, text/csv', 'json'],
  ['text/csv;q=0, */*', 'json'],
  ['application/json', 'json'],
])('Accept: %s is answered with %s', async (accept, type) => {
  const { status, headers } = await askCsv(service, '/v1/events?per_page=1', { as: await someone(), accept });
  expect([status, String(headers['content-type'])]).toEqual([200, expect.stringContaining(type)]);
});

test('a client that accepts neither, or wants CSV of something other than a list, gets 406', async () => {
  for (const [url, accept] of [
    ['/v1/events', 'text/html'],
    ['/v1/events', 'text/csv;q=0'],
    [`/v1/events/${full.uuid}`, 'text/csv'],
  ] as const) {
    const { status, text } = await askCsv(service, url, { as: await someone(), accept });
    expect([status, JSON.parse(text).code]).toEqual([406, 'NOT_ACCEPTABLE']);
  }
});

test('errors are answered as JSON, as usual', async () => {
  for (const [url, as, status, code] of [
    ['/v1/events', undefined, 401, 'UNAUTHENTICATED'],
    ['/v1/events', tenant.as.staff, 403, 'FORBIDDEN'],
    ['/v1/tokens/business', tenant.as.key, 403, 'FORBIDDEN'],
    ['/v1/events?per_page=101', tenant.as.admin, 422, 'VALIDATION_FAILED'],
    ['/v1/events?status=nope', tenant.as.admin, 422, 'VALIDATION_FAILED'],
    [`/v1/work_shifts/event/${crowded.uuid}`, stranger.as.admin, 404, 'NOT_FOUND'],
  ] as const) {
    const answer = await askCsv(service, url, { ...(as && { as }) });
    expect([url, answer.status, JSON.parse(answer.text).code]).toEqual([url, status, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  }
});

test('HEAD has the headers of the file without its content', async () => {
  const { status, headers, text } = await askCsv(service, '/v1/events', { as: await someone(), method: 'HEAD' });
  expect([status, text]).toEqual([200, '']);
  expect(headers['content-type']).toMatch(/^text\/csv/);
  expect(headers['content-disposition']).toMatch(/events-.*\.csv/);
  expect(headers).not.toHaveProperty('content-length');
});

test('an export counts as one request, and each caller has a limited number of exports', async () => {
  const { as } = await service.createTenant();
  const [{ max }] = attemptLimits.openExport;
  const left = async () =>
    Number((await askCsv(service, '/api/v1/users', { as: as.admin })).headers['x-ratelimit-remaining']);
  const first = await left();
  expect(await left()).toBe(first - 1);
  for (let count = 2; count < max; count++) await left();
  const refused = await askCsv(service, '/api/v1/users', { as: as.admin });
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const ofGraphql = await askCsv(service, { query: '{ users { nodes { id: databaseId } } }' }, { as: as.admin });
  expect(ofGraphql.status).toBe(429);
  expect((await askCsv(service, '/api/v1/users', { as: as.key })).status).toBe(200);
  expect((await service.call('GET', '/api/v1/users', { as: as.admin })).status).toBe(200);
});

test('the OpenAPI document names the lists that are also available as CSV', () => {
  const { paths = {} } = service.app.http.swagger() as unknown as {
    paths?: Record<string, Record<string, { description: string; responses: Record<string, { content: object }> }>>;
  };
  const withCsv = Object.entries(paths).filter(
    ([, { get }]) => get && 'text/csv' in (get.responses['200']?.content ?? {}),
  );
  const others = [
    '/api/v1/users',
    '/v1/attendance',
    '/v1/call_times',
    '/v1/coverage',
    '/v1/events',
    '/v1/labour_cost',
    '/v1/my_shifts',
    '/v1/objects/events',
    '/v1/payroll',
    '/v1/staff',
    '/v1/tokens/business',
    '/v1/work',
    '/v1/work_shifts',
    '/v1/work_shifts/event/{event_uuid}',
    '/v1/user_qualifications',
  ];
  expect(withCsv.map(([path]) => path).sort()).toEqual([...others, ...resources.map(({ url }) => url)].sort());
  for (const [, { get }] of withCsv) expect(get?.description).toContain('Accept: text/csv');
});

test('a snapshot is read-only and shows one moment', async () => {
  const { readSnapshot } = bindToBusiness(service.prisma, tenant.business.id);
  const data = { name: 'Written', businessId: tenant.business.id };
  await expect(readSnapshot(1000)((db) => db.skillLevel.create({ data }))).rejects.toThrow(/read-only/);
  const level = await readSnapshot(1000)(
    (db) => rawOf(db).$queryRaw`SELECT current_setting('transaction_isolation') AS is`,
  );
  expect(level).toEqual([{ is: 'repeatable read' }]);
});

test('a slow reader blocks nobody else, not even on the embedded database', async () => {
  const origin = await service.listen();
  const answer = await fetch(`${origin}/v1/work_shifts/event/${crowded.uuid}`, {
    headers: { accept: 'text/csv', authorization: `Bearer ${await someone()}` },
  });
  expect(answer.status).toBe(200);
  // Nothing of it is read yet, and the one session that the embedded database has is free.
  expect((await service.call('GET', '/api/v1/users', { as: tenant.as.admin })).status).toBe(200);
  expect((await answer.text()).split('\r\n')).toHaveLength(many + 1);
});
