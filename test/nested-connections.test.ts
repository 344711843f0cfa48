import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { Event, Position, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

let positions: Position[];
let people: User[];
let skillLevelId: number;
let events: Event[];
let fieldUuids: string[];

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

beforeAll(async () => {
  const { business, staff, client } = tenant;
  positions = [await service.createPosition(business), await service.createPosition(business)];
  people = [staff, await service.createUser(business, 'staff')];
  const skillLevel = await service.prisma.skillLevel.create({ data: { businessId: business.id, name: 'Expert' } });
  skillLevelId = skillLevel.id;
  const fields = [];
  for (const sort of [2, 1, 1]) fields.push(await service.createCustomField(business, { sort }));
  fieldUuids = [fields[1]!, fields[2]!, fields[0]!].map(({ uuid }) => uuid);
  events = [];
  // Of each kind of child 0, 1, 2 ... 5; shifts of every status besides, and one to be determined.
  for (let count = 0; count < 6; count++) {
    const event = await service.createEvent(business, { title: `With ${count}`, clientId: client.id });
    events.push(event);
    for (let index = 0; index < count; index++) {
      const start = `2026-12-05 1${9 - index}:00:00`;
      const of = { start, positionId: positions[index % 2]!.id };
      const callTime = await service.createCallTime(event, { ...of, skillLevelId: index === 3 ? skillLevelId : null });
      const shift = { ...of, callTimeId: callTime.id, confirmed: index % 3 === 0 };
      await service.createShift(event, people[index % 2]!, { ...shift, start: index === 1 ? null : start });
      await service.createShift(event, people[0]!, { ...shift, status: index % 2 ? 'canceled' : 'deleted' });
    }
    for (const field of fields.slice(0, count)) await service.setCustomValue(event, field, `${field.sort}`);
  }
});

const ask = async (query: string, as = tenant.as.admin, variables = {}) => {
  const before = sqlCount();
  const { body } = await service.graphql(query, { as, variables });
  const statements = statementsSince(before);
  return { ...body, statements };
};

const nodesOf = async (connection: string, fields: string) => {
  const { data, errors, statements } = await ask(
    `{ events(sort: { by: TITLE }) { nodes { list: ${connection} {
        nodes { ${fields} } totalCount pageInfo { page perPage lastPage hasNextPage hasPreviousPage } } } } }`,
  );
  expect(errors).toBeUndefined();
  // The credential, the events, and one for the lists of all of them.
  expect(statements).toHaveLength(3);
  return data.events.nodes.map(({ list }: { list: { nodes: object[] } }) => list);
};

interface Of {
  readonly lists: { nodes: Record<string, unknown>[]; totalCount: number; pageInfo: Record<string, unknown> }[];
}

const counts = ({ lists }: Of) => lists.map(({ totalCount }) => totalCount);

describe.each([
  ['callTimesConnection', 'startTime'],
  ['workShiftsConnection', 'startTime'],
  ['customFieldsConnection', 'fieldUuid'],
])('%s', (connection, field) => {
  const most = connection === 'customFieldsConnection' ? [0, 1, 2, 3, 3, 3] : [0, 1, 2, 3, 4, 5];
  const plain = connection.replace('Connection', '');

  test('pages through the lists of all events at once', async () => {
    const { data } = await ask(`{ events(sort: { by: TITLE }) { nodes { list: ${plain} { ${field} } } } }`);
    const whole = data.events.nodes.map(({ list }: { list: object[] }) => list);
    expect(whole.map((list: object[]) => list.length)).toEqual(most);
    for (const [perPage, pages] of [
      [1, 5],
      [2, 3],
      [100, 1],
    ] as const) {
      const seen: object[][] = most.map(() => []);
      for (let page = 1; page <= pages; page++) {
        const lists = await nodesOf(`${connection}(page: ${page}, perPage: ${perPage})`, field);
        expect(counts({ lists })).toEqual(most);
        for (const [index, { nodes, pageInfo }] of lists.entries()) {
          const lastPage = Math.max(1, Math.ceil(most[index]! / perPage));
          const neighbours = { hasNextPage: page < lastPage, hasPreviousPage: page > 1 };
          expect(pageInfo).toEqual({ page, perPage, lastPage, ...neighbours });
          seen[index]!.push(...nodes);
        }
      }
      expect(seen).toEqual(whole);
    }
  });

  test('past the end is empty and has the right total', async () => {
    for (const page of [7, 2_147_483_647]) {
      const lists = await nodesOf(`${connection}(page: ${page}, perPage: 100)`, field);
      expect(lists.map(({ nodes }: Of['lists'][0]) => nodes)).toEqual(most.map(() => []));
      expect(counts({ lists })).toEqual(most);
    }
  });

  test('has the limits of any page', async () => {
    const { data, errors } = await ask(
      `{ event(id: "${events[1]!.uuid}") { title ${connection}(page: 0, perPage: 101) { totalCount } } }`,
    );
    expect(errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { page: ['must be at least 1'], perPage: ['must be at most 100'] },
    });
    expect(data.event?.[connection] ?? null).toBeNull();
  });
});

describe('a filter', () => {
  test.each<[string, () => string, number[]]>([
    ['callTimesConnection', () => `positionId: ${positions[0]!.id}`, [0, 1, 1, 2, 2, 3]],
    ['callTimesConnection', () => `skillLevelId: ${skillLevelId}`, [0, 0, 0, 0, 1, 1]],
    ['callTimesConnection', () => `positionId: ${positions[0]!.id}, skillLevelId: ${skillLevelId}`, [0, 0, 0, 0, 0, 0]],
    ['callTimesConnection', () => `positionId: null`, [0, 1, 2, 3, 4, 5]],
    ['workShiftsConnection', () => `statuses: [CANCELED]`, [0, 0, 1, 1, 2, 2]],
    ['workShiftsConnection', () => `statuses: [ACTIVE, CANCELED, DELETED]`, [0, 2, 4, 6, 8, 10]],
    ['workShiftsConnection', () => `statuses: []`, [0, 0, 0, 0, 0, 0]],
    ['workShiftsConnection', () => `userId: ${people[1]!.id}`, [0, 0, 1, 1, 2, 2]],
    ['workShiftsConnection', () => `positionId: ${positions[1]!.id}, confirmed: true`, [0, 0, 0, 0, 1, 1]],
    ['workShiftsConnection', () => `confirmed: false`, [0, 0, 1, 2, 2, 3]],
    ['customFieldsConnection', () => `fieldIds: ["${fieldUuids[2]}"]`, [0, 1, 1, 1, 1, 1]],
    ['customFieldsConnection', () => `fieldIds: []`, [0, 0, 0, 0, 0, 0]],
  ])('of %s applies to every event in a single statement: case %#', async (connection, filter, expected) => {
    const lists = await nodesOf(`${connection}(filter: { ${filter()} }, perPage: 1)`, '__typename');
    expect(counts({ lists })).toEqual(expected);
  });
});

test('different pages of one list in one query cost one statement each', async () => {
  const { data, statements } = await ask(`{ events(sort: { by: TITLE }) { nodes {
    a: workShiftsConnection(perPage: 1) { ...shown } again: workShiftsConnection(perPage: 1) { ...shown }
    b: workShiftsConnection(perPage: 1, page: 2) { ...shown } } } }
    fragment shown on WorkShiftConnection { nodes { uuid } totalCount }`);
  expect(statements).toHaveLength(4);
  const last = data.events.nodes.at(-1);
  expect(last.a).toEqual(last.again);
  expect(last.b.nodes).not.toEqual(last.a.nodes);
});

test("people's shifts are read by person, without those of deleted events", async () => {
  const gone = await service.createEvent(tenant.business, { status: 'deleted' });
  await service.createShift(gone, people[0]!, { positionId: positions[0]!.id });
  const { data, statements } = await ask(
    `{ users(role: STAFF) { nodes { id: databaseId shifts { uuid event { title } }
        shiftsConnection(filter: { statuses: [ACTIVE, CANCELED] }, perPage: 3) { nodes { status } totalCount } } } }`,
  );
  expect(data.users.nodes.map((user: { shifts: [] }) => user.shifts.length)).toEqual([9, 6]);
  expect(data.users.nodes.map((user: { shiftsConnection: object }) => user.shiftsConnection)).toMatchObject([
    { nodes: [{}, {}, {}], totalCount: 15 },
    { nodes: [{}, {}, {}], totalCount: 6 },
  ]);
  // The credential, users, their shifts, a page of these, and the events of them.
  expect(statements).toHaveLength(5);
});

test('every nested list costs one statement, however many rows it has', async () => {
  const screen = `{ events(perPage: PER_PAGE, sort: { by: TITLE, order: DESC }) { nodes {
    client { name email } callTimes { event { title } workShifts { uuid }
      workShiftsConnection(filter: { statuses: [DELETED, CANCELED] }) { totalCount } }
    workShifts { callTime { uuid } user { name } event { client { id: databaseId } } } } } }`;
  const [two, all] = [await ask(screen.replace('PER_PAGE', '2')), await ask(screen.replace('PER_PAGE', '100'))];
  expect(all.errors).toBeUndefined();
  // The credential and the page; clients and staff in one or two, call times, shifts by event and by call time, a page
  // of these, the call times and the events by id.
  expect(two.statements.length).toBeLessThanOrEqual(10);
  // Side by side, in whatever order.
  expect([...all.statements].sort()).toEqual([...two.statements].sort());
  const [last] = all.data.events.nodes;
  expect(last.client).toEqual({ name: tenant.client.name, email: tenant.client.email });
  expect(last.callTimes).toHaveLength(5);
  for (const callTime of last.callTimes)
    expect(callTime).toEqual({
      event: { title: 'With 5' },
      workShifts: [{ uuid: expect.any(String) }],
      workShiftsConnection: { totalCount: 1 },
    });
  const filled = last.workShifts.map((shift: { callTime: { uuid: string } }) => shift.callTime.uuid);
  expect(new Set(filled).size).toBe(5);
  expect(last.workShifts[0].event).toEqual({ client: { id: tenant.client.id } });
});

test('a plain list that is too long is null with an error that names the connection to use', async () => {
  const { business, as, staff } = await service.createTenant();
  const [long, short] = [await service.createEvent(business), await service.createEvent(business)];
  const { id: positionId } = await service.createPosition(business);
  const shift = { businessId: business.id, userId: staff.id, positionId };
  await service.createShift(short, staff, { positionId });
  await service.prisma.workShift.createMany({
    data: Array.from({ length: limits.wholeListMax }, () => ({ ...shift, eventId: long.id })),
  });
  const query = '{ events { nodes { title workShifts { uuid } workShiftsConnection(perPage: 1) { totalCount } } } }';
  expect((await ask(query, as.admin)).data.events.nodes[0].workShifts).toHaveLength(limits.wholeListMax);

  await service.createShift(long, staff, { positionId });
  const { data, errors } = await ask(query, as.admin);
  expect(data.events.nodes).toMatchObject([
    { title: long.title, workShifts: null, workShiftsConnection: { totalCount: limits.wholeListMax + 1 } },
    { title: short.title, workShifts: [{}] },
  ]);
  expect(errors).toMatchObject([
    {
      path: ['events', 'nodes', 0, 'workShifts'],
      message: 'The list has more than 500 items: read it page by page, through the connection of its name.',
    },
  ]);
  // REST has no such bound.
  const { body } = await service.call('GET', `/v1/events/${long.uuid}`, { as: as.admin });
  expect(body.data.work_shifts).toHaveLength(limits.wholeListMax + 1);
});
