import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { Event } from '../src/generated/prisma/client.ts';
import { wallToColumn } from '../src/time/wall-clock.ts';
import { useService } from './support/app.ts';
import { askCsv, cell } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';
import { createFullAndBare } from './support/full-event.ts';

/** More than a page of an export. */
const many = limits.pageRows + 103;

let tenant: Tenant;
let full: Event;
let crowded: Event;

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
  const { business, staff, client } = tenant;
  await createFullAndBare(service, tenant);
  full = await service.prisma.event.findFirstOrThrow({ where: { businessId: business.id, title: 'Full' } });
  crowded = await service.createEvent(business, { title: '=Crowded', clientId: client.id, privateNotes: 'Secret' });
  const position = await service.createPosition(business);
  await service.prisma.workShift.createMany({
    data: Array.from({ length: many }, (_, number) => ({
      businessId: business.id,
      eventId: crowded.id,
      userId: staff.id,
      positionId: position.id,
      payRate: number % 3 ? null : '19.5',
      ...(number % 5 > 0 && {
        startLocal: wallToColumn(`2026-12-05 1${number % 4}:00:00`),
        startsAt: new Date(`2026-12-05T1${5 + (number % 4)}:00:00Z`),
      }),
    })),
  });
  await service.createEvent((await service.createTenant()).business, { title: 'Of another' });
});

/** A caller without exports so far. */
const someone = async () => (await service.createKey(tenant.business)).key;

const ask = async (query: string, as?: string, variables: object = {}) =>
  askCsv(service, { query, variables }, { as: as ?? (await someone()) });

/** Reads the JSON answer. */
// oxlint-disable-next-line no-explicit-any -- tests look into answers freely
const jsonOf = async (query: string, as = tenant.as.admin): Promise<any> => {
  const { body } = await service.graphql(query, { as });
  expect(body.errors).toBeUndefined();
  return body.data;
};

describe('a query is a table:', () => {
  test('leaf fields become columns named by their path, in the order of the document, under their response names', async () => {
    const query = `{ list: events(sort: { by: TITLE }) { totalCount nodes { on: start { local } title client { who: name } id } } }`;
    const { header, rows, headers } = await ask(query);
    const { list } = await jsonOf(query);
    expect(header).toEqual(['on.local', 'title', 'client.who', 'id']);
    // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
    const expected = list.nodes.map(({ on, title, client, id }: any) => [on.local, title, client?.who, id].map(cell));
    expect(rows).toEqual(expected);
    expect(rows.map(([, title]) => title)).toContain("'=Crowded");
    expect(headers['content-disposition']).toMatch(/"list-\d{4}-\d\d-\d\d\.csv"/);
  });

  test('one chain of lists gives one row for each innermost item, and an empty list one row', async () => {
    const query =
      '{ events { nodes { title callTimes { payRate position { title } workShifts { confirmed } } status } } }';
    const { header, rows } = await ask(query);
    expect(header).toEqual([
      'title',
      'callTimes.payRate',
      'callTimes.position.title',
      'callTimes.workShifts.confirmed',
      'status',
    ]);
    const expected = [];
    for (const { title, callTimes, status } of (await jsonOf(query)).events.nodes)
      for (const { payRate = null, position = null, workShifts = [] } of callTimes.length > 0 ? callTimes : [{}])
        for (const { confirmed = null } of workShifts.length > 0 ? workShifts : [{}])
          expected.push([title, payRate, position?.title ?? null, confirmed, status].map(cell));
    expect(rows).toEqual(expected);
    expect(rows.filter(([title]) => title === 'Full')).toHaveLength(3);
    expect(rows.filter(([title]) => title === 'Bare')).toEqual([['Bare', '', '', '', 'ACTIVE']]);
  });

  test('objects around the list are not part of column names unless they have columns themselves', async () => {
    const list = 'shifts: workShiftsConnection { nodes { uuid } }';
    const bare = await ask(`{ event(id: "${full.uuid}") { __typename ${list} } }`);
    expect([bare.header, bare.rows.length]).toEqual([['uuid'], 2]);
    const shown = await ask(`{ event(id: "${full.uuid}") { title ${list} } }`);
    expect([shown.header, shown.rows.map(([title]) => title)]).toEqual([
      ['title', 'shifts.uuid'],
      ['Full', 'Full'],
    ]);
    expect(shown.rows.map(([, uuid]) => uuid)).toEqual(bare.rows.flat());
  });

  test('edges become rows like nodes', async () => {
    const { header, rows } = await ask('{ events { edges { cursor node { title } } pageInfo { hasNextPage } } }');
    const { events } = await jsonOf('{ events { edges { cursor node { title } } } }');
    expect(header).toEqual(['cursor', 'title']);
    // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
    expect(rows).toEqual(events.edges.map(({ cursor, node }: any) => [cursor, cell(node.title)]));
  });

  test('fragments, variables, @skip and @include work as in JSON', async () => {
    const { header, rows } = await ask(
      `query Some($uuid: ID!, $no: Boolean = false, $size: Int = 2) { ...Root }
       fragment Root on Query { event(id: $uuid) { ... on Event { title @skip(if: $no) city @include(if: $no) } ...Lists } }
       fragment Lists on Event { workShiftsConnection { nodes { ...Shift } } }
       fragment Shift on WorkShift { user { name shiftsConnection(perPage: $size) { totalCount } } }`,
      undefined,
      { uuid: full.uuid },
    );
    expect(header).toEqual([
      'title',
      'workShiftsConnection.user.name',
      'workShiftsConnection.user.shiftsConnection.totalCount',
    ]);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(['Full', tenant.staff.name, String(many + 2)]);
  });

  test('a plain list, a report, and a list of scalars', async () => {
    expect((await ask('{ positions { title defaultPayRate } }')).header).toEqual(['title', 'defaultPayRate']);
    const report = await ask(
      '{ coverage(from: "2026-12-01T00:00:00Z", to: "2026-12-31T00:00:00Z", groupBy: EVENT) { total { needed } groups { label coverage { open } } } }',
    );
    expect(report.header).toEqual(['total.needed', 'groups.label', 'groups.coverage.open']);
    expect(new Set(report.rows.map(([total]) => total))).toEqual(new Set(['6']));
    await service.createCustomField(tenant.business, { name: 'Size', type: 'select', options: ['S', '-M'] });
    const options = await ask('{ customFieldDefinitions { name options } }');
    expect(options.rows.filter(([name]) => name === 'Size')).toEqual([
      ['Size', 'S'],
      ['Size', "'-M"],
    ]);
  });

  test('by GET as by POST', async () => {
    const query = encodeURIComponent('{ users { nodes { name } } }');
    const reply = await service.app.http.inject({
      url: `/graphql?query=${query}`,
      headers: { accept: 'text/csv', authorization: `Bearer ${await someone()}`, 'apollo-require-preflight': '1' },
    });
    expect([reply.statusCode, reply.body.split('\r\n')[0]]).toEqual([200, 'name']);
  });

  test('an empty list has a header', async () => {
    const { text } = await ask('{ events(filter: { text: "nowhere" }) { nodes { title city callTimes { uuid } } } }');
    expect(text).toBe('title,city,callTimes.uuid\r\n');
  });

  test('a row with nothing in its one cell is a row', async () => {
    const { text, rows } = await ask('{ events { nodes { city } } }');
    expect(text).toBe('city\r\nThe city\r\n""\r\n""\r\n');
    expect(rows).toHaveLength(3);
  });
});

describe('without a page the whole list is returned, once and in order:', () => {
  const nodes = 'nodes { uuid payRate start { local } }';
  const shifts = (args = '') => `{ event(id: "${crowded.uuid}") { workShiftsConnection${args} { ${nodes} } } }`;

  test('shifts of an event, page by page along a cursor', async () => {
    const { rows } = await ask(shifts());
    const expected: string[][] = [];
    for (let page = 1; expected.length < many; page++) {
      const { event } = await jsonOf(shifts(`(page: ${page}, perPage: 100)`));
      for (const { uuid, payRate, start } of event.workShiftsConnection.nodes)
        expected.push([uuid, payRate, start?.local].map(cell));
    }
    expect(rows).toEqual(expected);
  });

  test('of one operation of several, with variables that say no page and a fragment of both', async () => {
    const query = `query All($uuid: ID!, $size: Int, $from: String) { event(id: $uuid) { ...Shifts } }
      query Few($uuid: ID!, $size: Int = 1, $from: String) { event(id: $uuid) { ...Shifts ...Names } }
      fragment Shifts on Event { workShiftsConnection(first: $size, after: $from) { nodes { uuid } } }
      fragment Names on Event { title }`;
    const request = { query, operationName: 'All', variables: { uuid: crowded.uuid } };
    const { status, rows } = await askCsv(service, request, { as: await someone() });
    expect([status, rows.length]).toEqual([200, many]);
  });

  test('expensive rows are read in smaller pages, and all of them are returned', async () => {
    const query = `{ event(id: "${full.uuid}") { workShiftsConnection { nodes { uuid user { shiftsConnection(perPage: 100) { nodes { id: databaseId } } } } } } }`;
    const { status, rows } = await ask(query);
    expect([status, rows.length]).toEqual([200, 2 * 100]);
    // So many at once would be more than an answer may hold.
    expect(limits.pageRows * 103).toBeGreaterThan(limits.graphqlObjects);
  });

  test('conflicts, of which each page is computed anew', async () => {
    const busy = await service.createUser(tenant.business, 'staff');
    for (let number = 0; number < 16; number++)
      await service.createShift(full, busy, { start: '2027-01-05 16:00:00', end: '2027-01-05 17:00:00' });
    const from = `{ conflicts(from: "2027-01-05T00:00:00Z", to: "2027-01-06T00:00:00Z", userId: ${busy.id}`;
    const { status, rows } = await ask(`${from}) { nodes { kind first { uuid } second { uuid } } } }`);
    expect(status).toBe(200);
    const { conflicts } = await jsonOf(`${from}) { totalCount } }`);
    expect(conflicts.totalCount).toBe((16 * 15) / 2);
    expect(conflicts.totalCount).toBeGreaterThan(limits.perPageMax);
    expect(new Set(rows.map(([, first, second]) => `${first} ${second}`)).size).toBe(conflicts.totalCount);
  });

  test.each([
    ['(perPage: 7)', 7],
    ['(page: 7, perPage: 100)', 3],
    ['(first: 9)', 9],
    ['(page: 1)', limits.perPageDefault],
  ])('with a page argument only that page is returned: %s', async (args, count) => {
    const { rows } = await ask(shifts(args));
    const { event } = await jsonOf(shifts(args));
    expect(rows.map(([uuid]) => uuid)).toEqual(event.workShiftsConnection.nodes.map(({ uuid }: Event) => uuid));
    expect(rows).toHaveLength(count);
  });
});

describe('cursors of shifts and users', () => {
  test.each([
    ['shifts', (args: string) => `event(id: "${crowded.uuid}") { list: workShiftsConnection(${args}) `],
    ['users', (args: string) => `event: viewer { name } list: users(${args}) `],
  ])('of %s return each item once, in the order of the pages, and count only on request', async (what, listOf) => {
    const close = what === 'shifts' ? '}' : '';
    const read = async (args: string) => {
      const data = await jsonOf(
        `{ ${listOf(args)} { nodes { id: databaseId } totalCount pageInfo { hasNextPage endCursor page } } ${close} }`,
      );
      return data.event.list ?? data.list;
    };
    const all: number[] = [];
    for (let page = 1, more = true; more; page++) {
      const { nodes, pageInfo } = await read(`page: ${page}, perPage: 100`);
      all.push(...nodes.map(({ id }: { id: number }) => id));
      more = pageInfo.hasNextPage;
    }
    const seen: number[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { nodes, totalCount, pageInfo }: Awaited<ReturnType<typeof read>> = await read(
        `first: 100${after ? `, after: "${after}"` : ''}`,
      );
      seen.push(...nodes.map(({ id }: { id: number }) => id));
      expect([totalCount, pageInfo.page]).toEqual([all.length, null]);
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(seen).toEqual(all);
  });

  test.each([
    ['first: 101', 'first'],
    ['first: 1, page: 1', 'first'],
    ['after: "nonsense"', 'after'],
  ])('are refused with %s', async (args, field) => {
    const { body } = await service.graphql(`{ users(${args}) { nodes { id: databaseId } } }`, { as: tenant.as.admin });
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { [field]: [expect.any(String)] },
    });
  });
});

describe('a query that cannot be a table is refused before anything is read', () => {
  test.each([
    [
      '{ a: users { nodes { id: databaseId } } b: users { nodes { id: databaseId } } }',
      /one root field; this one has 2/,
    ],
    ['{ __typename }', /one root field; this one has 0/],
    ['{ viewer { name } }', /`viewer` returns none/],
    ['{ users { totalCount } }', /`users` returns none/],
    ['mutation { logout { revoked } }', /Only queries/],
    ['{ events { nodes { callTimes { uuid } workShifts { uuid } } } }', /`events.callTimes` and `events.workShifts`/],
    ['{ events { nodes { id: databaseId } edges { cursor } } }', /`events.nodes` and `events.edges`/],
    [
      '{ events { nodes { workShiftsConnection { nodes { id: databaseId } } } } }',
      /`events.workShiftsConnection`.*\(page, perPage\)/,
    ],
  ])('%s', async (query, message) => {
    const { status, text, headers } = await ask(query, tenant.as.admin);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(text).errors).toEqual([
      { message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST' } },
    ]);
  });
});

describe('errors are answered as JSON and masked as usual:', () => {
  test.each([
    ['{ nope }', 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['{ users { ', 400, 'GRAPHQL_PARSE_FAILED'],
    ['query ($id: ID!) { user(id: $id) { shifts { id } } }', 400, 'BAD_USER_INPUT'],
    ['{ events(first: 101) { nodes { id: databaseId } } }', 422, 'VALIDATION_FAILED'],
    ['{ events(perPage: 101) { nodes { id: databaseId } } }', 422, 'VALIDATION_FAILED'],
    ['{ event(id: "00000000-0000-4000-8000-000000000000") { callTimes { uuid } } }', 404, 'NOT_FOUND'],
    [
      '{ events(perPage: 100) { nodes { workShiftsConnection(first: 100) { nodes { user { shiftsConnection(first: 100) { nodes { id } } } } } } } }',
      400,
      'GRAPHQL_LIMIT_EXCEEDED',
    ],
  ])('%s', async (query, status, code) => {
    const answer = await ask(query);
    expect([answer.status, JSON.parse(answer.text).errors[0].extensions.code]).toEqual([status, code]);
  });

  test('a caller who may not read the list, or has no credential', async () => {
    const query = '{ users { nodes { id: databaseId } } }';
    const forbidden = await ask(query, tenant.as.staff);
    expect([forbidden.status, JSON.parse(forbidden.text).errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
    const anonymous = await askCsv(service, { query });
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  test('an internal failure', async () => {
    await service.prisma.$executeRawUnsafe('ALTER TABLE skill_levels RENAME TO skill_levels_away');
    const answer = await ask('{ skillLevels { name } }');
    await service.prisma.$executeRawUnsafe('ALTER TABLE skill_levels_away RENAME TO skill_levels');
    const json = JSON.parse(answer.text);
    expect([answer.status, json.data]).toEqual([503, null]);
    expect(answer.text).not.toMatch(/skill_levels/);
  });
});

test('staff and clients get only what they may see', async () => {
  const shifts = await ask('{ myShifts { nodes { uuid event { title privateNotes } payRate } } }', tenant.as.staff);
  expect(shifts.rows).toHaveLength(many + 2);
  expect(new Set(shifts.rows.map((row) => row[2]))).toEqual(new Set(['']));
  const own = await ask('{ myEvents { nodes { title privateNotes } } }', tenant.as.client);
  expect(own.rows).toEqual([
    ['Full', ''],
    ["'=Crowded", ''],
  ]);
});

describe('custom fields of events', () => {
  const query =
    '{ events(filter: { text: "Fielded" }) { nodes { title customFields { fieldName fieldValue } room } } }';

  test('are columns for admins, one for each field, whether or not an event has a value', async () => {
    const { business, as } = tenant;
    const fielded = await service.createEvent(business, { title: 'Fielded A', room: 'Attic' });
    await service.createEvent(business, { title: 'Fielded B', room: 'Barn' });
    const parking = await service.createCustomField(business, { name: 'Parking', sort: 90 });
    await service.createCustomField(business, { name: 'No. of guests', sort: 91 });
    await service.setCustomValue(fielded, parking, 'Lot C');
    const { header, rows } = await askCsv(service, { query }, { as: as.admin });
    expect(header).toEqual(
      expect.arrayContaining(['title', 'customFields.Parking', 'customFields.No. of guests', 'room']),
    );
    const cellsOf = (row: string[] = []) =>
      [0, header.indexOf('customFields.Parking'), header.length - 1].map((at) => row[at]);
    expect(rows.map(cellsOf)).toEqual([
      ['Fielded A', 'Lot C', 'Attic'],
      ['Fielded B', '', 'Barn'],
    ]);
  });

  test('are rows where their names are not asked for', async () => {
    const { admin } = tenant.as;
    const onlyValues = query.replace('fieldName ', '');
    expect((await askCsv(service, { query: onlyValues }, { as: admin })).header).toEqual([
      'title',
      'customFields.fieldValue',
      'room',
    ]);
  });
});
