import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { askCsv } from './support/csv.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/* All shifts and call times of a business, in both dialects: filters, orders, pages and totals. */

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

const events: Record<string, Event> = {};
/** Uuids by name. */
const shifts: Record<string, string> = {};
const callTimes: Record<string, string> = {};
let usherId: number;
let otherId: number;

beforeAll(async () => {
  const { business, staff, client } = tenant;
  usherId = (await service.createPosition(business, { title: 'Usher' })).id;
  const runner = await service.createPosition(business, { title: 'Runner' });
  const other = await service.createUser(business, 'staff');
  otherId = other.id;
  const add = async (name: string, start: string, more: object = {}) =>
    (events[name] = await service.createEvent(business, { start, end: '2026-12-09 23:00:00', ...more }));
  const early = await add('early', '2026-12-01 18:00:00', { clientId: client.id });
  const late = await add('late', '2026-12-03 18:00:00');
  const tokyo = await add('tokyo', '2026-12-03 01:00:00', { timezone: 'Asia/Tokyo' });
  const deleted = await add('deleted', '2026-12-02 18:00:00', { status: 'deleted' });

  const call = async (name: string, event: Event, start: string, staffNeeded: number) => {
    const row = await service.createCallTime(event, { positionId: usherId, start, staffNeeded });
    callTimes[name] = row.uuid;
    return row;
  };
  const filled = await call('filled', early, '2026-12-01 17:00:00', 1);
  await call('lacking', late, '2026-12-03 17:00:00', 2);
  await call('gone', deleted, '2026-12-02 17:00:00', 2);

  const assign = async (name: string, event: Event, user: { id: number }, more: object = {}) => {
    const row = await service.createShift(event, user as never, { positionId: usherId, end: null, ...more });
    shifts[name] = row.uuid;
  };
  await assign('first', early, staff, { start: '2026-12-01 17:00:00', callTimeId: filled.id, confirmed: true });
  await assign('open', early, other, { start: null, positionId: runner.id });
  await assign('abroad', tokyo, staff, { start: '2026-12-03 01:00:00' });
  await assign('last', late, other, { start: '2026-12-03 17:00:00' });
  await assign('hidden', deleted, staff, { start: '2026-12-02 17:00:00' });
  const canceled = { status: 'canceled', start: '2026-12-03 17:00:00', end: '2026-12-03 20:00:00' };
  await assign('hours before', late, staff, { ...canceled, canceledAt: new Date('2026-12-03T12:00:00Z') });
  await assign('days before', late, staff, { ...canceled, canceledAt: new Date('2026-11-30T12:00:00Z') });
  await assign('afterwards', late, staff, { ...canceled, canceledAt: new Date('2026-12-20T12:00:00Z') });
});

const namesOf = (all: Record<string, string>, rows: { uuid: string }[]) =>
  rows.map(({ uuid }) => Object.entries(all).find(([, each]) => each === uuid)![0]);

async function inRest(list: 'work_shifts' | 'call_times', query: string, as = tenant.as.admin) {
  const { status, body } = await service.call('GET', `/v1/${list}${query}`, { as });
  expect({ status, body }).toMatchObject({ status: 200 });
  expect(body.data.total).toBe(body.data.data.length);
  return namesOf(list === 'work_shifts' ? shifts : callTimes, body.data.data);
}

async function inGraphql(list: 'workShifts' | 'callTimes', args: string, as = tenant.as.admin) {
  const { body } = await service.graphql(`{ ${list}${args} { totalCount nodes { uuid } } }`, { as });
  expect(body.errors).toBeUndefined();
  const { totalCount, nodes } = body.data[list];
  expect(totalCount).toBe(nodes.length);
  return namesOf(list === 'workShifts' ? shifts : callTimes, nodes);
}

const all = ['first', 'abroad', 'last', 'open'];

describe('the shifts of a business', () => {
  test.each<[string, string, string[]]>([
    ['', '', all],
    ['?sort_order=desc', '(sort: { order: DESC })', ['last', 'abroad', 'first', 'open']],
    ['?from=2026-12-02T00:00:00Z', '(filter: { from: "2026-12-02T00:00:00Z" })', ['abroad', 'last']],
    ['?to=2026-12-02T00:00:00Z', '(filter: { to: "2026-12-02T00:00:00Z" })', ['first', 'open']],
    // In Tokyo it is the 3rd while it is still the 2nd in UTC.
    ['?date_from=2026-12-03', '(filter: { dateFrom: "2026-12-03" })', ['abroad', 'last']],
    ['?date_to=2026-12-02', '(filter: { dateTo: "2026-12-02" })', ['first', 'open']],
    ['?confirmed=true', '(filter: { confirmed: true })', ['first']],
    ['?confirmed=false', '(filter: { confirmed: false })', ['abroad', 'last', 'open']],
    ['?status=canceled', '(filter: { statuses: [CANCELED] })', ['hours before', 'days before', 'afterwards']],
    ['?canceled_within_hours=24', '(filter: { canceledWithinHours: 24 })', ['hours before']],
    ['?canceled_within_hours=96', '(filter: { canceledWithinHours: 96 })', ['hours before', 'days before']],
    [
      '?status=active,canceled&from=2026-12-03T20:00:00Z',
      '(filter: { statuses: [ACTIVE, CANCELED], from: "2026-12-03T20:00:00Z" })',
      ['last', 'hours before', 'days before', 'afterwards'],
    ],
  ])('%s or %s are the same', async (query, args, names) => {
    expect(await inRest('work_shifts', query)).toEqual(names);
    expect(await inGraphql('workShifts', args)).toEqual(names);
  });

  test('can be those of a position, a person, a client or an event', async () => {
    const { staff, client } = tenant;
    expect(await inRest('work_shifts', `?position_id=${usherId}`)).toEqual(['first', 'abroad', 'last']);
    expect(await inRest('work_shifts', `?user_id=${otherId}`)).toEqual(['last', 'open']);
    expect(await inRest('work_shifts', `?client_id=${client.id}`)).toEqual(['first', 'open']);
    expect(await inRest('work_shifts', `?event_uuid=${events['late']!.uuid}&user_id=${otherId}`)).toEqual(['last']);
    expect(await inRest('work_shifts', `?event_uuid=${events['late']!.uuid}&user_id=${staff.id}`)).toEqual([]);
    expect(await inRest('work_shifts', `?call_time_uuid=${callTimes['filled']}`)).toEqual(['first']);
    const { body } = await service.call('GET', '/v1/work_shifts?event_uuid=0b0f8a54-7f43-4f7c-9a54-6f5ad6b8d9c0', {
      as: tenant.as.admin,
    });
    expect(body.code).toBe('NOT_FOUND');
  });

  test('of deleted events are shown where the event is named', async () => {
    expect(await inRest('work_shifts', `?event_uuid=${events['deleted']!.uuid}`)).toEqual(['hidden']);
  });

  test('are one’s own for staff, and active ones at one’s events for clients', async () => {
    expect(await inGraphql('workShifts', '', tenant.as.staff)).toEqual(['first', 'abroad']);
    expect(await inRest('work_shifts', `?user_id=${otherId}`, tenant.as.staff)).toEqual([]);
    expect(await inGraphql('workShifts', '', tenant.as.client)).toEqual(['first', 'open']);
    expect(await inRest('call_times', '', tenant.as.client)).toEqual(['filled']);
  });

  test('are counted without reading them, also by status, confirmation and position', async () => {
    for (const query of ['', `?confirmed=false&position_id=${usherId}`, '?status=canceled']) {
      const before = sqlCount();
      await inRest('work_shifts', query);
      expect(statementsSince(before).filter((sql) => /count\(/i.test(sql))).toEqual([]);
    }
  });
});

describe('the call times of a business', () => {
  test.each<[string, string, string[]]>([
    ['', '', ['filled', 'lacking']],
    ['?sort_order=desc', '(sort: { order: DESC })', ['lacking', 'filled']],
    ['?unfilled=true', '(filter: { unfilled: true })', ['lacking']],
    ['?unfilled=false', '(filter: { unfilled: false })', ['filled']],
    ['?from=2026-12-02T00:00:00Z', '(filter: { from: "2026-12-02T00:00:00Z" })', ['lacking']],
    ['?date_to=2026-12-01', '(filter: { dateTo: "2026-12-01" })', ['filled']],
  ])('%s or %s are the same', async (query, args, names) => {
    expect(await inRest('call_times', query)).toEqual(names);
    expect(await inGraphql('callTimes', args)).toEqual(names);
  });

  test('are CSV with their coverage in columns', async () => {
    const { header, rows } = await askCsv(service, '/v1/call_times', { as: tenant.as.admin });
    expect(header).toEqual(expect.arrayContaining(['coverage.needed', 'labour_cost.planned']));
    expect(rows).toHaveLength(2);
  });
});

describe('pages by cursor, forwards and backwards', () => {
  const read = async (field: string, args: string) => {
    const { body } = await service.graphql(
      `{ ${field.replace('(', `(${args} `)} {
        edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      { as: tenant.as.admin },
    );
    expect(body.errors).toBeUndefined();
    const page = Object.values(body.data)[0] as {
      edges: { cursor: string }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    };
    return { ids: page.edges.map(({ cursor }) => cursor), ...page.pageInfo };
  };

  test.each([
    'workShifts(sort: { order: ASC })',
    'workShifts(sort: { order: DESC })',
    'workShifts(filter: { from: "2026-12-01T00:00:00Z" })',
    'callTimes(sort: { order: DESC })',
    'events(sort: { by: TITLE })',
    'users(role: STAFF)',
    'history(filter: { kind: WORK_SHIFT })',
    'conflicts(from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z")',
  ])('of %s are the same rows both ways', async (field) => {
    const whole = await read(field, 'first: 100');
    expect(await read(field, 'last: 100')).toMatchObject({ ids: whole.ids, hasPreviousPage: false });

    const forwards: unknown[] = [];
    for (let after = ''; ;) {
      const page = await read(field, `first: 2 ${after}`);
      forwards.push(...page.ids);
      if (!page.hasNextPage) break;
      after = `after: "${page.endCursor}"`;
    }
    const backwards: unknown[] = [];
    for (let before = ''; ;) {
      const page = await read(field, `last: 2 ${before}`);
      expect(page.hasNextPage).toBe(before !== '');
      backwards.unshift(...page.ids);
      if (!page.hasPreviousPage) break;
      before = `before: "${page.startCursor}"`;
    }
    expect(forwards).toEqual(whole.ids);
    expect(backwards).toEqual(whole.ids);
  });

  test('of lists below a row are the same rows both ways', async () => {
    const nested = async (connection: string, args: string) => {
      const { body } = await service.graphql(
        `{ event(id: "${events['late']!.uuid}") { page: ${connection}(${args}) {
          nodes { __typename } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor } } } }`,
        { as: tenant.as.admin },
      );
      expect(body.errors).toBeUndefined();
      return body.data.event.page;
    };
    for (const [connection, filter] of [
      ['workShiftsConnection', 'filter: { statuses: [ACTIVE, CANCELED] }'],
      ['callTimesConnection', ''],
      ['history', ''],
    ] as const) {
      const whole = (await nested(connection, `first: 100 ${filter}`)).edges.map(
        (edge: { cursor: string }) => edge.cursor,
      );
      const last = await nested(connection, `last: 1 ${filter}`);
      expect(last.edges.map((edge: { cursor: string }) => edge.cursor)).toEqual(whole.slice(-1));
      expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: whole.length > 1 });
      const before = await nested(connection, `last: 100 before: "${last.pageInfo.startCursor}" ${filter}`);
      expect(before.edges.map((edge: { cursor: string }) => edge.cursor)).toEqual(whole.slice(0, -1));
    }
  });

  test.each([
    ['first: 1, last: 1', 'last'],
    ['last: 1, page: 1', 'last'],
    ['after: "x", before: "x"', 'before'],
    ['last: 101', 'last'],
    ['last: 1, before: "x"', 'before'],
  ])('%s is refused', async (args, at) => {
    const { body } = await service.graphql(`{ workShifts(${args}) { totalCount } }`, { as: tenant.as.admin });
    expect(body.errors[0].extensions).toEqual({ code: 'VALIDATION_FAILED', errors: { [at]: [expect.any(String)] } });
  });
});

test('the time of a cancellation is kept by whoever changes the status', async () => {
  const event = await service.createEvent(tenant.business, {
    start: '2027-02-01 18:00:00',
    end: '2027-02-01 23:00:00',
  });
  const { uuid } = await service.createShift(event, tenant.staff, { start: null, end: null });
  const act = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    (await service.call(method, `/v1/work_shifts/${uuid}${path}`, { as: tenant.as.admin, ...(body && { body }) })).body
      .data;
  const canceled = await act('POST', '/actions/cancel');
  expect(canceled).toMatchObject({ status: 'canceled', declined_at: null, canceled_at: canceled.modified_at });
  expect((await act('PUT', '', { status: 'active' })).canceled_at).toBeNull();
  const declined = await act('POST', '/actions/decline');
  expect(declined.canceled_at).toBe(declined.declined_at);
  expect((await act('DELETE', '')).canceled_at).toBe(declined.canceled_at);
  await service.prisma.$executeRawUnsafe(
    `UPDATE work_shifts SET status = 'active', declined_at = NULL, modified_at = now() WHERE uuid = '${uuid}'`,
  );
  await service.prisma.$executeRawUnsafe(
    `UPDATE work_shifts SET status = 'canceled', modified_at = '2027-01-31 00:00Z' WHERE uuid = '${uuid}'`,
  );
  const { body } = await service.graphql(`{ workShift(id: "${uuid}") { canceledAt } }`, { as: tenant.as.admin });
  expect(body.data.workShift.canceledAt).toBe('2027-01-31T00:00:00.000Z');
});
