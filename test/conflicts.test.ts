import { describe, expect, test } from '@jest/globals';
import type { Event, WorkShift } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useTenant(service);

const whole = 'from: "2026-06-01T00:00:00Z", to: "2026-07-01T00:00:00Z"';

async function ask(args = whole, as = tenant.as.admin, fields = 'kind minutes first { uuid } second { uuid }') {
  const { body } = await service.graphql(`{ conflicts(${args}) { totalCount nodes { ${fields} } } }`, { as });
  expect(body.errors).toBeUndefined();
  return body.data.conflicts;
}

const at = (time: string | null) => (time === null ? null : `2026-06-10 ${time}:00`);

/** An event from 18 to 22 UTC. */
const addEvent = (more = {}): Promise<Event> =>
  service.createEvent(tenant.business, { timezone: 'UTC', start: at('18:00')!, end: at('22:00')!, ...more });

/** A shift of the staff member on an event of its own. */
const addShift = async (start: string | null, end: string | null, more = {}): Promise<WorkShift> =>
  service.createShift(await addEvent(), tenant.staff, { start: at(start), end: at(end), ...more });

type Time = string | null;

describe('two shifts of one person', () => {
  test.each<[string, [Time, Time], [Time, Time], string | null, number | null]>([
    ['apart', ['10:00', '12:00'], ['13:00', '15:00'], null, null],
    ['one after the other', ['10:00', '12:00'], ['12:00', '15:00'], null, null],
    ['for a minute', ['10:00', '12:01'], ['12:00', '15:00'], 'OVERLAP', 1],
    ['for hours', ['10:00', '14:00'], ['12:00', '15:00'], 'OVERLAP', 120],
    ['one within the other', ['10:00', '18:00'], ['12:00', '13:30'], 'OVERLAP', 90],
    ['at the very same time', ['10:00', '12:00'], ['10:00', '12:00'], 'OVERLAP', 120],
    ['the end open, the event reaching into the other', ['17:00', null], ['21:00', '23:00'], 'POSSIBLE_OVERLAP', null],
    ['the end open, the other after the event', ['17:00', null], ['22:00', '23:00'], null, null],
    [
      'the end open behind the event, the other right then',
      ['22:30', null],
      ['22:00', '23:00'],
      'POSSIBLE_OVERLAP',
      null,
    ],
    [
      'the start open, the event reaching into the other',
      [null, '23:00'],
      ['17:00', '18:01'],
      'POSSIBLE_OVERLAP',
      null,
    ],
    ['the start open, the other before the event', [null, '23:00'], ['17:00', '18:00'], null, null],
    [
      'the start open before the event, the other up to then',
      [null, '17:00'],
      ['15:00', '17:00'],
      'POSSIBLE_OVERLAP',
      null,
    ],
    ['both open, within the event', [null, null], ['19:00', '20:00'], 'POSSIBLE_OVERLAP', null],
    ['both open, beside the event', [null, null], ['22:00', '23:00'], null, null],
    ['all open', [null, null], [null, null], 'POSSIBLE_OVERLAP', null],
  ])('%s', async (_, [start, end], [otherStart, otherEnd], kind, minutes) => {
    const shifts = [await addShift(start, end), await addShift(otherStart, otherEnd)];
    const { totalCount, nodes } = await ask();
    expect({ totalCount, kinds: nodes.map((node: { kind: string }) => node.kind) }).toEqual(
      kind === null ? { totalCount: 0, kinds: [] } : { totalCount: 1, kinds: [kind] },
    );
    if (kind === null) return;
    expect(nodes[0].minutes).toBe(minutes);
    const named = [nodes[0].first.uuid, nodes[0].second.uuid];
    expect(named.sort()).toEqual(shifts.map(({ uuid }) => uuid).sort());
  });

  test.each(['canceled', 'deleted'] as const)('do not clash if one shift or its event is %s', async (status) => {
    await addShift('10:00', '12:00');
    await addShift('10:00', '12:00', { status });
    await service.createShift(await addEvent({ status }), tenant.staff, { start: at('10:00'), end: at('12:00') });
    expect((await ask()).totalCount).toBe(0);
  });

  test('clash on a draft event and on the same event', async () => {
    const event = await addEvent({ status: 'draft' });
    for (const start of ['10:00', '11:00'])
      await service.createShift(event, tenant.staff, { start: at(start), end: at('12:00') });
    expect((await ask()).nodes).toMatchObject([{ kind: 'OVERLAP', minutes: 60 }]);
  });

  test('are compared by instants, not by local times', async () => {
    const [rome, lisbon] = [await addEvent({ timezone: 'Europe/Rome' }), await addEvent({ timezone: 'Europe/Lisbon' })];
    await service.createShift(rome, tenant.staff, { start: at('12:00'), end: at('14:00') });
    await service.createShift(lisbon, tenant.staff, { start: at('12:00'), end: at('14:00') });
    expect((await ask()).nodes).toMatchObject([{ minutes: 60 }]);
  });

  test('do not clash when two people work them', async () => {
    await addShift('10:00', '12:00');
    await addShift('10:00', '12:00', { userId: (await service.createUser(tenant.business, 'staff')).id });
    expect((await ask()).totalCount).toBe(0);
  });
});

describe('the list of conflicts', () => {
  test('shows the person, both shifts and the shared time', async () => {
    const [later, earlier] = [await addShift('11:00', '14:00'), await addShift('10:00', '12:30')];
    const fields = `kind staff { databaseId name role } startsAt endsAt minutes first { uuid firstName startTime position { title } } second { uuid user { databaseId } }`;
    expect((await ask(whole, tenant.as.admin, fields)).nodes).toEqual([
      {
        kind: 'OVERLAP',
        staff: { databaseId: tenant.staff.id, name: tenant.staff.name, role: 'STAFF' },
        startsAt: '2026-06-10T11:00:00.000Z',
        endsAt: '2026-06-10T12:30:00.000Z',
        minutes: 90,
        first: {
          uuid: earlier.uuid,
          firstName: 'Robin',
          startTime: '2026-06-10 10:00:00',
          position: { title: expect.any(String) },
        },
        second: { uuid: later.uuid, user: { databaseId: tenant.staff.id } },
      },
    ]);
  });

  test.each([
    ['reaches in at its start', '2026-06-10T11:59:59Z', '2026-06-20T00:00:00Z', 1],
    ['is over at its start', '2026-06-10T12:00:00Z', '2026-06-20T00:00:00Z', 0],
    ['begins before its end', '2026-06-01T00:00:00Z', '2026-06-10T11:00:01Z', 1],
    ['begins at its end', '2026-06-01T00:00:00Z', '2026-06-10T11:00:00Z', 0],
  ])('contains conflicts whose shared time is within the span: one that %s', async (_, from, to, found) => {
    await addShift('09:00', '12:00');
    await addShift('11:00', '15:00');
    expect((await ask(`from: "${from}", to: "${to}"`)).totalCount).toBe(found);
  });

  test.each([
    ['2026-06-01', '2026-06-30', 1],
    ['2026-06-07', '2026-06-08', 1],
    ['2026-06-12', '2026-06-30', 0],
    ['2026-06-01', '2026-06-05', 0],
  ])('contains conflicts of several days once, read from %s to %s', async (from, to, found) => {
    const event = await addEvent();
    const work = (start: string, end: string) =>
      service.createShift(event, tenant.staff, { start: `${start} 09:00:00`, end: `${end} 09:00:00` });
    await work('2026-06-02', '2026-06-28');
    await work('2026-06-05', '2026-06-11');
    expect((await ask(`from: "${from}T00:00:00Z", to: "${to}T00:00:00Z"`)).totalCount).toBe(found);
  });

  test('contains each pair once, in order, over all pages', async () => {
    for (const start of ['10:00', '10:30', '11:00']) await addShift(start, '12:00');
    const pages = [];
    for (const page of [1, 2, 3, 4]) {
      const { totalCount, nodes } = await ask(`${whole}, page: ${page}, perPage: 1`, tenant.as.admin, 'minutes');
      pages.push([totalCount, ...nodes.map(({ minutes }: { minutes: number }) => minutes)]);
    }
    expect(pages).toEqual([[3, 90], [3, 60], [3, 60], [3]]);
  });

  test('can be filtered by person and shows one business only', async () => {
    const other = await service.createUser(tenant.business, 'staff');
    for (const userId of [tenant.staff.id, tenant.staff.id, other.id, other.id])
      await addShift('10:00', '12:00', { userId });
    expect((await ask()).totalCount).toBe(2);
    expect((await ask(`${whole}, userId: ${other.id}`)).totalCount).toBe(1);
    const stranger = await service.createTenant();
    expect((await ask(whole, stranger.as.admin)).totalCount).toBe(0);
    expect((await ask(`${whole}, userId: ${other.id}`, stranger.as.admin)).totalCount).toBe(0);
  });

  test('costs four SQL statements, however many there are, and a fifth when counted', async () => {
    const statements = async (fields: string) => {
      const before = sqlCount();
      await service.graphql(`{ conflicts(${whole}, perPage: 100) { ${fields} } }`, { as: tenant.as.admin });
      return statementsSince(before);
    };
    const nodes = 'nodes { minutes first { uuid position { title } } second { uuid position { title } } }';
    for (let index = 0; index < 2; index++) await addShift('10:00', '12:00');
    const few = await statements(nodes);
    for (let index = 0; index < 8; index++) await addShift('10:00', '12:00');
    const many = await statements(nodes);
    // The credential, whether anybody has said when they can work, the pairs, their shifts.
    expect(few).toHaveLength(4);
    expect(many).toEqual(few);
    expect(await statements(`totalCount ${nodes}`)).toHaveLength(5);
  });

  test.each([
    ['from: "2026-06-01T00:00:00Z", to: "2026-06-01T00:00:00Z"', 'to'],
    ['from: "2026-01-01T00:00:00Z", to: "2027-02-05T00:00:01Z"', 'to'],
    [`${whole}, perPage: 101`, 'perPage'],
    [`${whole}, page: 0`, 'page'],
    [`${whole}, userId: 0`, 'userId'],
  ])('is refused with %s', async (args, at) => {
    const { body } = await service.graphql(`{ conflicts(${args}) { totalCount } }`, { as: tenant.as.admin });
    expect(body.errors[0].extensions).toEqual({ code: 'VALIDATION_FAILED', errors: { [at]: [expect.any(String)] } });
  });
});
