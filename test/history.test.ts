import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, WorkShift } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { statementsSince, sqlCount } from './support/sql-watch.ts';

/* Who changed which row, when, by which operation, and from what to what: in REST and in GraphQL. */

let tenant: Tenant;
let event: Event;
let callTime: CallTime;
let shift: WorkShift;

const service = useService();

beforeEach(async () => {
  tenant = await service.createTenant('enterprise');
  event = await service.createEvent(tenant.business, { title: 'Gala' });
  callTime = await service.createCallTime(event);
  const { positionId } = callTime;
  shift = await service.createShift(event, tenant.staff, { positionId, callTimeId: callTime.id });
});

interface Page<Entry> {
  readonly totalCount: number;
  readonly nodes: Entry[];
  readonly edges: { readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
interface Entry {
  readonly [name: string]: unknown;
  readonly fields: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
}

const entryFields = `at atEvent { local iso timezone } actorKind actorId: actorDatabaseId actorName operation requestId revision
  kind change rowId: rowDatabaseId rowUuid rowName eventUuid event { title } fields { name before after beforeName afterName }`;
const connection = `{ totalCount nodes { ${entryFields} } edges { cursor } pageInfo { hasNextPage endCursor } }`;

const askGraphql = async (query: string, as = tenant.as.admin) => (await service.graphql(query, { as })).body;
async function read(args = '', as = tenant.as.admin): Promise<Page<Entry>> {
  const { data, errors } = await askGraphql(`{ it: history${args} ${connection} }`, as);
  expect(errors).toBeUndefined();
  return data.it;
}
const get = (url: string, as = tenant.as.admin) => service.call('GET', url, { as });
const readRest = async (url: string): Promise<Record<string, unknown>[]> => {
  const { status, body } = await get(url);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return body.data.data;
};
const move = (start: string, end = '2026-12-05 23:30:00', requestId = 'move-1') =>
  service.call('PUT', `/v1/work_shifts/${shift.uuid}`, {
    as: tenant.as.admin,
    body: { start_time: start, end_time: end },
    headers: { 'x-request-id': requestId },
  });

describe('a shift that was moved', () => {
  test('in REST shows who moved it, when, by what, and from when to when', async () => {
    const from = Date.now();
    expect((await move('2026-12-05 17:30:00')).status).toBe(200);
    const [entry] = await readRest(`/v1/history/work_shifts/${shift.uuid}`);
    expect(entry).toEqual({
      at: expect.any(String),
      at_event: expect.stringMatching(/-0[45]:00$/),
      timezone: 'America/New_York',
      actor_kind: 'user',
      actor_id: tenant.admin.id,
      actor_name: tenant.admin.name,
      operation: 'workShifts.update',
      request_id: 'move-1',
      revision: expect.stringMatching(/^\d{16}$/),
      kind: 'workShift',
      change: 'updated',
      row_id: shift.id,
      row_uuid: shift.uuid,
      row_name: tenant.staff.name,
      event_uuid: event.uuid,
      event_name: 'Gala',
      fields: [
        {
          name: 'start_time',
          before: '2026-12-05 16:00:00',
          after: '2026-12-05 17:30:00',
          before_name: null,
          after_name: null,
        },
      ],
    });
    // The clock of the database may be a little apart from that of the process.
    expect(Math.abs(Date.parse(entry!['at'] as string) - from)).toBeLessThan(60_000);
    expect(Math.floor(Date.parse(entry!['at'] as string) / 1000)).toBe(Date.parse(entry!['at_event'] as string) / 1000);
  });

  test('in GraphQL shows the same, beside the shift and in the history of the event', async () => {
    const id = `id: "${shift.uuid}"`;
    const { errors } = await askGraphql(
      `mutation { updateShift(${id}, input: { payRate: "31.5", startTime: "2026-12-05 15:00:00" }) { shift { id } } }`,
    );
    expect(errors).toBeUndefined();
    const { data } = await askGraphql(
      `{ workShift(${id}) { history(first: 1) ${connection} event { history(first: 1) ${connection} } } }`,
    );
    const [entry] = data.workShift.history.nodes as [Entry];
    expect(entry).toMatchObject({
      actorKind: 'USER',
      actorName: tenant.admin.name,
      operation: 'workShifts.update',
      kind: 'WORK_SHIFT',
      change: 'UPDATED',
      rowUuid: shift.uuid,
      event: { title: 'Gala' },
      atEvent: { timezone: 'America/New_York' },
    });
    expect(new Map(entry.fields.map(({ name, before, after }) => [name, [before, after]]))).toEqual(
      new Map([
        ['payRate', [null, '31.50']],
        ['payUnit', [null, 'HOUR']],
        ['startTime', ['2026-12-05 16:00:00', '2026-12-05 15:00:00']],
      ]),
    );
    expect(data.workShift.event.history.nodes).toEqual([entry]);
    expect((await read('(first: 1)')).nodes).toEqual([entry]);
  });

  test('given to somebody else, or to another position, names both', async () => {
    const other = await service.createUser(tenant.business, 'staff');
    const rigger = await service.createPosition(tenant.business, { title: 'Rigger' });
    await service.prisma.workShift.update({
      where: { businessId_id: { businessId: tenant.business.id, id: shift.id } },
      data: { userId: other.id, positionId: rigger.id, callTimeId: null },
    });
    const [entry] = await readRest(`/v1/history/work_shifts/${shift.uuid}`);
    const { title } = await service.prisma.position.findFirstOrThrow({ where: { id: shift.positionId } });
    expect(entry).toMatchObject({ operation: null, actor_kind: null, actor_id: null, request_id: null });
    expect(entry!['fields']).toEqual(
      expect.arrayContaining([
        {
          name: 'user_id',
          before: tenant.staff.id,
          after: other.id,
          before_name: tenant.staff.name,
          after_name: other.name,
        },
        { name: 'position_id', before: shift.positionId, after: rigger.id, before_name: title, after_name: 'Rigger' },
        { name: 'call_time_id', before: callTime.id, after: null, before_name: title, after_name: null },
      ]),
    );
  });
});

describe('the history of an event', () => {
  test('has the changes of its call times, shifts and values, and of no other event', async () => {
    const field = await service.createCustomField(tenant.business, { name: 'Dock' });
    await service.setCustomValue(event, field, 'C');
    const other = await service.createEvent(tenant.business);
    await service.createShift(other, tenant.staff);
    const entries = await readRest(`/v1/history/events/${event.uuid}`);
    expect(entries.map(({ kind, change, row_name: name }) => [kind, change, name])).toEqual([
      ['customFieldValue', 'created', 'Dock'],
      ['workShift', 'created', tenant.staff.name],
      ['callTime', 'created', expect.any(String)],
      ['event', 'created', 'Gala'],
    ]);
    expect(entries[0]).toMatchObject({
      row_id: field.id,
      row_uuid: null,
      event_uuid: event.uuid,
      fields: [{ name: 'value', before: null, after: 'C' }],
    });
  });

  test('shows a new zone, and the instants that moved with it', async () => {
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body: { timezone: 'Asia/Tokyo' } });
    const entries = (await readRest(`/v1/history/events/${event.uuid}`)).slice(0, 3);
    expect(new Set(entries.map(({ revision }) => revision)).size).toBe(1);
    for (const entry of entries) {
      expect(entry).toMatchObject({ timezone: 'Asia/Tokyo', at_event: expect.stringMatching(/\+09:00$/) });
      expect(entry['fields']).toContainEqual(
        expect.objectContaining({ name: 'starts_at', before: expect.stringMatching(/T2[13]:00:00.000Z$/) }),
      );
    }
    expect(entries.find(({ kind }) => kind === 'event')!['fields']).toContainEqual(
      expect.objectContaining({ name: 'timezone', before: 'America/New_York', after: 'Asia/Tokyo' }),
    );
  });

  test('spells the values of enums as each dialect does', async () => {
    await service.call('DELETE', `/v1/events/${event.uuid}`, { as: tenant.as.admin });
    const change = (before: string, after: string) => expect.objectContaining({ name: 'status', before, after });
    const [inRest] = await readRest(`/v1/history/events/${event.uuid}`);
    expect(inRest!['fields']).toContainEqual(change('active', 'deleted'));
    const { nodes } = await read(`(filter: { eventId: "${event.uuid}" }, first: 1)`);
    expect(nodes[0]!.fields).toContainEqual(change('ACTIVE', 'DELETED'));
  });

  test('is still there when its rows are gone', async () => {
    const { prisma } = service;
    const inBusiness = { businessId: tenant.business.id };
    await prisma.workShift.deleteMany({ where: { ...inBusiness, eventId: event.id } });
    await prisma.callTime.deleteMany({ where: { ...inBusiness, eventId: event.id } });
    await prisma.event.deleteMany({ where: { ...inBusiness, id: event.id } });
    const entries = await readRest(`/v1/history?event_uuid=${event.uuid}`);
    expect(entries.map(({ kind, change }) => `${String(kind)} ${String(change)}`)).toEqual([
      ...['event deleted', 'callTime deleted', 'workShift deleted'],
      ...['workShift created', 'callTime created', 'event created'],
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ event_uuid: event.uuid, event_name: 'Gala', timezone: 'America/New_York' });
    expect(entries[2]!['fields']).toContainEqual(
      expect.objectContaining({ name: 'start_time', before: '2026-12-05 16:00:00', after: null }),
    );
    expect(await readRest(`/v1/history/events/${event.uuid}`)).toEqual(entries);
    expect((await readRest(`/v1/history/work_shifts/${shift.uuid}`)).length).toBe(2);
    const { nodes } = await read(`(filter: { rowUuid: "${callTime.uuid}" })`);
    expect(nodes.map(({ change, event: gone }) => [change, gone])).toEqual([
      ['DELETED', null],
      ['CREATED', null],
    ]);
  });

  test('of many events and their shifts takes two statements, and counts toward the cost of the query', async () => {
    for (let count = 0; count < 4; count++) await service.createEvent(tenant.business);
    const statementsOf = async (fields: string) => {
      const before = sqlCount();
      const { errors } = await askGraphql(`{ events { nodes { id ${fields} } } }`);
      expect(errors).toBeUndefined();
      return statementsSince(before).length;
    };
    const without = await statementsOf('');
    expect(await statementsOf('history(first: 3) { nodes { kind rowName } }')).toBe(without + 2);
    expect(await statementsOf('workShifts { history(first: 3) { nodes { kind rowName } } }')).toBe(without + 3);
    const costOf = async (first: number) => {
      const query = `{ events(first: 10) { nodes { history(first: ${first}) { nodes { kind } } } } }`;
      const { body } = await service.graphql(query, { as: tenant.as.admin, headers: { 'x-graphql-cost': '1' } });
      return body.extensions.cost.cost.actual as number;
    };
    expect((await costOf(50)) - (await costOf(10))).toBe(400);
  });
});

describe('reading page by page', () => {
  test('by cursor returns each change once, also within a commit of several rows', async () => {
    for (let count = 0; count < 3; count++)
      await service.call('PUT', `/v1/events/${event.uuid}`, {
        as: tenant.as.admin,
        body: { timezone: count % 2 ? 'America/New_York' : 'Asia/Tokyo' },
      });
    const whole = await read('(first: 100)');
    expect(new Set(whole.nodes.map(({ revision }) => revision)).size).toBeLessThan(whole.nodes.length - 4);
    expect(whole.totalCount).toBe(whole.nodes.length);
    const ofEvent = (await read(`(filter: { eventId: "${event.uuid}" }, first: 100)`)).nodes;
    const lists = {
      [`{ it: history(first: 2, after: AFTER) ${connection} }`]: whole.nodes,
      [`{ event(id: "${event.uuid}") { it: history(first: 2, after: AFTER) ${connection} } }`]: ofEvent,
    };
    for (const [query, expected] of Object.entries(lists)) {
      const seen: Entry[] = [];
      for (let after = 'null'; seen.length < expected.length;) {
        const { data } = await askGraphql(query.replace('AFTER', after));
        const page = (data.it ?? data.event.it) as Page<Entry>;
        seen.push(...page.nodes);
        expect(page.totalCount).toBe(expected.length);
        expect(page.pageInfo.hasNextPage).toBe(seen.length < expected.length);
        expect(page.edges.at(-1)!.cursor).toBe(page.pageInfo.endCursor);
        after = `"${page.pageInfo.endCursor}"`;
      }
      expect(seen).toEqual(expected);
    }
  });

  test('by number gives the same order', async () => {
    const { nodes } = await read('(first: 100)');
    expect((await read('(page: 2, perPage: 2)')).nodes).toEqual(nodes.slice(2, 4));
    const { body } = await get('/v1/history?page=2&per_page=2');
    expect(body.data).toMatchObject({ current_page: 2, per_page: 2, total: nodes.length });
    expect(body.data.data.map(({ row_id: id }: { row_id: number }) => id)).toEqual(
      nodes.slice(2, 4).map(({ rowId }) => rowId),
    );
  });

  test.each([
    ['a cursor that is none', '(after: "x")', 'after'],
    ['a page that is too large', '(first: 101)', 'first'],
    ['a number without its kind', '(filter: { rowDatabaseId: 1 })', 'filter.rowDatabaseId'],
    ['a uuid that is none', '(filter: { rowUuid: "x" })', 'filter.rowUuid'],
    ['an event that is none', '(filter: { eventId: "x" })', 'filter.eventId'],
  ])('refuses %s', async (_what, args, field) => {
    const { errors } = await askGraphql(`{ history${args} { totalCount } }`);
    const { code, errors: fields } = errors[0].extensions;
    expect({ code, fields: Object.keys(fields) }).toEqual({ code: 'VALIDATION_FAILED', fields: [field] });
  });
});

test('the history can be filtered by every condition, alike in both dialects', async () => {
  const user = await service.createUser(tenant.business, 'staff', { name: 'Robin' });
  expect((await move('2026-12-05 17:00:00')).status).toBe(200);
  const moved = (await read('(first: 1)')).nodes[0]!['at'] as string;
  const later = new Date(Date.parse(moved) + 1).toISOString();
  await service.call('PUT', `/api/v1/users/${user.id}`, { as: tenant.as.key, body: { name: 'Robin Fields' } });
  const other = await service.createEvent(tenant.business);
  const all = (await read()).totalCount;
  const cases: [string, string, number][] = [
    [`eventId: "${event.uuid}"`, `event_uuid=${event.uuid}`, 4],
    ['eventId: "00000000-0000-4000-8000-000000000000"', 'event_uuid=00000000-0000-4000-8000-000000000000', 0],
    [`eventId: "${other.uuid}"`, `event_uuid=${other.uuid}`, 1],
    ['kind: WORK_SHIFT', 'kind=workShift', 2],
    [`rowUuid: "${shift.uuid}"`, `row_uuid=${shift.uuid}`, 2],
    [`kind: USER, rowDatabaseId: ${user.id}`, `kind=user&row_id=${user.id}`, 2],
    [`kind: WORK_SHIFT, rowDatabaseId: ${shift.id}`, `kind=workShift&row_id=${shift.id}`, 2],
    ['actorKind: API_KEY', 'actor_kind=apiKey', 1],
    [`actorKind: USER, actorDatabaseId: ${tenant.admin.id}`, `actor_kind=user&actor_id=${tenant.admin.id}`, 1],
    [`actorKind: USER, actorDatabaseId: ${user.id}`, `actor_kind=user&actor_id=${user.id}`, 0],
    ['operation: "workShifts.update"', 'operation=workShifts.update', 1],
    ['operation: "workShifts.confirm"', 'operation=workShifts.confirm', 0],
    [`operation: "workShifts.update", from: "${moved}", to: "${later}"`, `from=${moved}&to=${later}`, 1],
    [`eventId: "${event.uuid}", to: "${moved}"`, `event_uuid=${event.uuid}&to=${moved}`, 3],
    ['from: "1970-01-01T00:00:00Z"', 'from=1970-01-01T00:00:00Z', all],
    ['to: "1970-01-01T00:00:00Z"', 'to=1970-01-01T00:00:00Z', 0],
  ];
  for (const [filter, query, count] of cases) {
    const page = await read(`(filter: { ${filter} })`);
    expect({ filter, total: page.totalCount, rows: page.nodes.length }).toEqual({ filter, total: count, rows: count });
    const { body } = await get(`/v1/history?per_page=100&${query}`);
    expect({ query, total: body.data.total, rows: body.data.data.length }).toEqual({
      query,
      total: count,
      rows: count,
    });
  }
});

describe('other rows', () => {
  test('a user is in it without a secret, and a deleted one as deleted', async () => {
    const as = tenant.as.admin;
    const sent = { email: 'robin@night.example', name: 'Robin Fields', role: 'staff', password: 'enough of it here' };
    const { body } = await service.call('POST', '/api/v1/users', { as, body: sent });
    const { id } = body.data ?? body;
    await service.call('PUT', `/api/v1/users/${id}`, { as, body: { name: 'Robin Night' } });
    await service.call('DELETE', `/api/v1/users/${id}`, { as });
    const entries = await readRest(`/v1/history?kind=user&row_id=${id}`);
    expect(
      entries.map(({ change, operation, fields, timezone }) => ({ change, operation, fields, timezone })),
    ).toMatchObject([
      { change: 'deleted', operation: 'users.delete', fields: [], timezone: null },
      { change: 'updated', fields: [{ name: 'name', before: 'Robin Fields', after: 'Robin Night' }] },
      { change: 'created', operation: 'users.create' },
    ]);
    expect((entries[2] as unknown as Entry).fields.map(({ name, after }) => [name, after])).toEqual(
      expect.arrayContaining([
        ['email', 'robin@night.example'],
        ['name', 'Robin Fields'],
        ['role', 'staff'],
      ]),
    );
    expect(JSON.stringify(entries)).not.toMatch(/argon2|password|email_?key/i);
  });

  test('positions, skill levels and custom fields are in it with the names and forms of the API', async () => {
    const as = tenant.as.admin;
    await service.call('POST', '/v1/positions', { as, body: { title: 'Rigger', default_pay_rate: '20' } });
    await service.call('POST', '/v1/skill_levels', { as, body: { name: 'Expert' } });
    await service.call('POST', '/v1/custom_fields', {
      as,
      body: { name: 'Dock', type: 'select', options: ['A', 'B'] },
    });
    const shown = (await read('(first: 3)')).nodes.map(({ kind, rowName, event: none, atEvent, fields }) => [
      [kind, rowName, none, atEvent],
      Object.fromEntries(fields.map(({ name, after }) => [name, after])),
    ]);
    expect(shown).toEqual([
      [['CUSTOM_FIELD', 'Dock', null, null], { name: 'Dock', type: 'SELECT', options: ['A', 'B'], sort: 0 }],
      [['SKILL_LEVEL', 'Expert', null, null], { name: 'Expert' }],
      [
        ['POSITION', 'Rigger', null, null],
        { title: 'Rigger', defaultPayRate: '20.00', payUnit: 'HOUR', billUnit: 'HOUR', announcedRates: [] },
      ],
    ]);
  });
});

describe('the history is for admins with all rights', () => {
  const nested = () =>
    `{ event(id: "${event.uuid}") { title history { totalCount } workShifts { history { totalCount } } } }`;

  test('staff, clients and narrow credentials are refused, and get null beside the rest', async () => {
    await service.prisma.event.updateMany({ where: { id: event.id }, data: { clientId: tenant.client.id } });
    const { key: narrowKey } = await service.createKey(tenant.business, { scopes: ['read'] });
    const narrowToken = await service.tokenOf(tenant.admin, ['read', 'staffing:write']);
    for (const as of [tenant.as.staff, tenant.as.client, narrowKey, narrowToken]) {
      for (const url of ['/v1/history', `/v1/history/events/${event.uuid}`, `/v1/history/work_shifts/${shift.uuid}`])
        expect((await get(url, as)).body.code).toBe('FORBIDDEN');
      const { data, errors } = await askGraphql('{ history { totalCount } }', as);
      expect([data, errors[0].extensions.code]).toEqual([{ history: null }, 'FORBIDDEN']);
      const beside = await askGraphql(nested(), as);
      expect(beside.errors).toBeUndefined();
      expect(beside.data.event).toEqual({ title: 'Gala', history: null, workShifts: [{ history: null }] });
    }
  });
});
