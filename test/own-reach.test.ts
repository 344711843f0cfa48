import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService, type TestApp } from './support/app.ts';

let other: User;
let otherClient: User;
const events: Record<string, Event> = {};

/*
 * Gala: the client's, the staff member and another work at it. Canceled, draft and deleted: the client's and the staff
 * member's as well. Declined: the staff member will not come. Removed: the shift there was deleted. Foreign: not theirs.
 */
const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  const { business, staff, client } = tenant;
  other = await service.createUser(business, 'staff', { name: 'Alex Other' });
  otherClient = await service.createUser(business, 'client');
  const position = await service.createPosition(business, { title: 'Bartender', defaultPayRate: '31.5' });
  const field = await service.createCustomField(business);
  const add = async (title: string, day: number, more: Parameters<TestApp['createEvent']>[1] = {}) => {
    const times = { start: `2026-12-0${day} 18:00:00`, end: `2026-12-0${day} 23:00:00` };
    const notes = { privateNotes: 'They pay late', dressCode: 'Black', description: 'All of it' };
    events[title] = await service.createEvent(business, { title, clientId: client.id, ...times, ...notes, ...more });
    return events[title];
  };
  const gala = await add('Gala', 1);
  const callTime = await service.createCallTime(gala, {
    positionId: position.id,
    payRate: '32.5',
    notesForStaff: 'Side door',
  });
  const paid = { positionId: position.id, callTimeId: callTime.id, overrideReason: 'A favour' };
  await service.createShift(gala, staff, { ...paid, payRate: '33.5' });
  await service.createShift(gala, other, { ...paid, payRate: '34.5' });
  await service.createShift(gala, other, { ...paid, status: 'canceled' });
  await service.createShift(gala, staff, { ...paid, status: 'deleted' });
  await service.setCustomValue(gala, field, 'Secret menu');
  for (const [title, day] of [
    ['Canceled', 2],
    ['Draft', 3],
    ['Deleted', 4],
  ] as const)
    await service.createShift(await add(title, day, { status: title.toLowerCase() as 'draft' }), staff, {
      positionId: position.id,
      start: null,
      end: null,
    });
  await service.createShift(await add('Declined', 5, { clientId: otherClient.id }), staff, {
    positionId: position.id,
    status: 'canceled',
  });
  await service.createShift(await add('Removed', 6, { clientId: null }), staff, {
    positionId: position.id,
    status: 'deleted',
  });
  await service.createShift(await add('Foreign', 7, { clientId: otherClient.id }), other, { positionId: position.id });
});

const ask = async (query: string, as: string) => (await service.graphql(query, { as })).body;

const whole = `title description dressCode privateNotes client { id: databaseId name email }
  callTimes { position { title } staffNeeded payRate notesForStaff workShifts { firstName payRate } event { privateNotes }
    workShiftsConnection(filter: { statuses: [ACTIVE, CANCELED, DELETED] }) { totalCount } }
  callTimesConnection { nodes { payRate } }
  workShifts { firstName lastName position { title } payRate overrideReason callTime { payRate } event { privateNotes }
    user { id: databaseId name email shifts { firstName payRate } } }
  workShiftsConnection(filter: { statuses: [ACTIVE, CANCELED, DELETED] }) { totalCount nodes { firstName payRate } }
  customFields { fieldValue } customFieldsConnection { totalCount }`;

const eventAs = async (title: string, as: string) => ask(`{ event(id: "${events[title]!.uuid}") { ${whole} } }`, as);

describe('an event', () => {
  test('shows staff its public fields and only their own shift with its pay', async () => {
    const { data, errors } = await eventAs('Gala', tenant.as.staff);
    expect(errors).toBeUndefined();
    const { staff } = tenant;
    expect(data.event).toEqual({
      title: 'Gala',
      description: 'All of it',
      dressCode: 'Black',
      privateNotes: null,
      client: null,
      callTimes: [
        {
          position: { title: 'Bartender' },
          staffNeeded: 2,
          payRate: null,
          notesForStaff: 'Side door',
          workShifts: [{ firstName: staff.firstName, payRate: '33.50' }],
          event: { privateNotes: null },
          workShiftsConnection: { totalCount: 1 },
        },
      ],
      callTimesConnection: { nodes: [{ payRate: null }] },
      workShifts: [
        {
          firstName: staff.firstName,
          lastName: staff.lastName,
          position: { title: 'Bartender' },
          payRate: '33.50',
          overrideReason: null,
          callTime: { payRate: null },
          event: { privateNotes: null },
          user: {
            id: staff.id,
            name: staff.name,
            email: staff.email,
            shifts: ['33.50', null].map((payRate) => ({ firstName: staff.firstName, payRate })),
          },
        },
      ],
      workShiftsConnection: { totalCount: 1, nodes: [{ firstName: staff.firstName, payRate: '33.50' }] },
      customFields: null,
      customFieldsConnection: null,
    });
  });

  test('shows clients its staff and positions, without pay or internal fields', async () => {
    const { data, errors } = await eventAs('Gala', tenant.as.client);
    expect(errors).toBeUndefined();
    const { client, staff } = tenant;
    const { workShifts, callTimes, ...event } = data.event;
    expect(event).toEqual({
      title: 'Gala',
      description: 'All of it',
      dressCode: 'Black',
      privateNotes: null,
      client: { id: client.id, name: client.name, email: client.email },
      callTimesConnection: { nodes: [{ payRate: null }] },
      workShiftsConnection: {
        totalCount: 2,
        nodes: [staff, other].map(({ firstName }) => ({ firstName, payRate: null })),
      },
      customFields: null,
      customFieldsConnection: null,
    });
    expect(callTimes).toEqual([
      {
        position: { title: 'Bartender' },
        staffNeeded: 2,
        payRate: null,
        notesForStaff: null,
        workShifts: [staff, other].map(({ firstName }) => ({ firstName, payRate: null })),
        event: { privateNotes: null },
        workShiftsConnection: { totalCount: 2 },
      },
    ]);
    expect(workShifts).toEqual(
      [staff, other].map(({ id, name, firstName, lastName }) => ({
        firstName,
        lastName,
        position: { title: 'Bartender' },
        payRate: null,
        overrideReason: null,
        callTime: { payRate: null },
        event: { privateNotes: null },
        // Shifts at the client's own events only.
        user: {
          id,
          name,
          email: null,
          shifts: (id === staff.id ? [1, 2] : [1]).map(() => ({ firstName, payRate: null })),
        },
      })),
    );
  });

  test('shows admins and API keys all of it', async () => {
    for (const as of [tenant.as.admin, tenant.as.key])
      expect((await eventAs('Gala', as)).data.event).toMatchObject({
        privateNotes: 'They pay late',
        callTimes: [{ payRate: '32.50', notesForStaff: 'Side door', workShiftsConnection: { totalCount: 4 } }],
        workShifts: [
          { payRate: '33.50', overrideReason: 'A favour', user: { email: tenant.staff.email } },
          { payRate: '34.50' },
        ],
        customFields: [{ fieldValue: 'Secret menu' }],
        customFieldsConnection: { totalCount: 1 },
      });
  });

  test.each([
    ['staff', ['Gala', 'Canceled', 'Declined']],
    ['client', ['Gala', 'Canceled']],
    ['admin', ['Gala', 'Canceled', 'Draft', 'Deleted', 'Declined', 'Removed', 'Foreign']],
  ] as const)(
    'is there for the %s where it is %j; all others are as unknown as one that never was',
    async (who, seen) => {
      const unknown = await ask(`{ event(id: "${randomUUID()}") { title } }`, tenant.as[who]);
      expect(unknown).toMatchObject({ data: { event: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
      const shown = [];
      for (const [title, { uuid }] of Object.entries(events)) {
        const answer = await ask(`{ event(id: "${uuid}") { title } }`, tenant.as[who]);
        if (answer.data.event) shown.push(answer.data.event.title);
        else expect({ title, answer }).toEqual({ title, answer: unknown });
      }
      expect(shown).toEqual(seen);
    },
  );
});

describe('myShifts', () => {
  const shifts = async (args: string, as = tenant.as.staff) => {
    const { data, errors } = await ask(
      `{ myShifts${args} { nodes { status payRate start { local tbd } event { title privateNotes customFields { fieldValue } } }
          totalCount pageInfo { page perPage lastPage hasNextPage hasPreviousPage } } }`,
      as,
    );
    expect(errors).toBeUndefined();
    return data.myShifts;
  };
  const titlesOf = async (args: string) =>
    (await shifts(args)).nodes.map(({ event }: { event: { title: string } }) => event.title);

  test("lists the caller's active shifts with their events, by start", async () => {
    const event = { privateNotes: null, customFields: null };
    expect(await shifts('')).toEqual({
      nodes: [
        {
          status: 'ACTIVE',
          payRate: null,
          start: { local: null, tbd: true },
          event: { ...event, title: 'Canceled' },
        },
        {
          status: 'ACTIVE',
          payRate: '33.50',
          start: { local: '2026-12-05 16:00:00', tbd: false },
          event: { ...event, title: 'Gala' },
        },
      ],
      totalCount: 2,
      pageInfo: { page: 1, perPage: 15, lastPage: 1, hasNextPage: false, hasPreviousPage: false },
    });
  });

  test.each([
    ['(statuses: [CANCELED])', ['Declined']],
    ['(statuses: [DELETED])', []],
    ['(statuses: [])', []],
    ['(statuses: [ACTIVE, CANCELED, DELETED])', ['Canceled', 'Gala', 'Declined']],
    // While a start is to be determined, the event's stands for it: 18:00 in New York.
    ['(to: "2026-12-02T23:00:01Z")', ['Canceled']],
    ['(to: "2026-12-02T23:00:00Z")', []],
    ['(from: "2026-12-02T23:00:00Z", to: "2026-12-05T21:00:00Z")', ['Canceled']],
    ['(from: "2026-12-05T21:00:00Z")', ['Gala']],
    ['(perPage: 1)', ['Canceled']],
    ['(perPage: 1, page: 2)', ['Gala']],
    ['(perPage: 1, page: 3)', []],
  ])('%s', async (args, expected) => {
    expect(await titlesOf(args)).toEqual(expected);
  });

  test('is empty for staff without shifts', async () => {
    const idle = await service.createUser(tenant.business, 'staff');
    expect(await shifts('', await service.tokenOf(idle))).toMatchObject({ nodes: [], totalCount: 0 });
  });
});

describe('myEvents', () => {
  test.each([
    ['', ['Gala', 'Canceled']],
    ['(statuses: [CANCELED])', ['Canceled']],
    ['(statuses: [DRAFT, DELETED])', []],
    ['(perPage: 1, page: 2)', ['Canceled']],
  ])("lists the client's own events that they may see: myEvents%s", async (args, expected) => {
    const { data, errors } = await ask(
      `{ myEvents${args} { nodes { title privateNotes workShifts { payRate } } totalCount edges { cursor } } }`,
      tenant.as.client,
    );
    expect(errors).toBeUndefined();
    expect(data.myEvents.nodes.map(({ title }: { title: string }) => title)).toEqual(expected);
    for (const { privateNotes, workShifts } of data.myEvents.nodes) {
      expect(privateNotes).toBeNull();
      for (const { payRate } of workShifts) expect(payRate).toBeNull();
    }
    expect(data.myEvents.totalCount).toBe(args.includes('page') ? 2 : expected.length);
  });

  test('shows each client their own events', async () => {
    const { data } = await ask('{ myEvents { nodes { title } } }', await service.tokenOf(otherClient));
    expect(data.myEvents.nodes).toEqual([{ title: 'Declined' }, { title: 'Foreign' }]);
  });
});
