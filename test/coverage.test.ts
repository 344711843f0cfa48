import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, Event } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';

const service = useService();
const tenant = useTenant(service);

const counts = '{ needed assigned confirmed open fillRate state }';

async function ask(query: string, as = tenant.as.admin) {
  const { body } = await service.graphql(query, { as });
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** A call time of the event with so many shifts: confirmed, not confirmed, and canceled or deleted. */
async function staffedCallTime(
  event: Event,
  staffNeeded: number,
  [confirmed = 0, unconfirmed = 0, gone = 0]: number[] = [],
  more = {},
) {
  const callTime = await service.createCallTime(event, { staffNeeded, ...more });
  const { id: callTimeId, positionId } = callTime;
  const add = async (number: number, columns: object) => {
    for (let index = 0; index < number; index++)
      await service.createShift(event, tenant.staff, { callTimeId, positionId, ...columns });
  };
  await add(confirmed, { confirmed: true });
  await add(unconfirmed, {});
  await add(gone, { status: 'canceled', confirmed: true });
  await add(gone, { status: 'deleted', confirmed: true });
  return callTime;
}

const coverageOf = async ({ uuid }: Event, as?: string) =>
  (await ask(`{ event(id: "${uuid}") { coverage ${counts} callTimes { id: databaseId coverage ${counts} } } }`, as))
    .event;

describe('coverage of a call time', () => {
  test.each([
    ['nobody', 2, [0, 0, 0], { assigned: 0, confirmed: 0, open: 2, fillRate: 0, state: 'EMPTY' }],
    [
      'only canceled and deleted shifts',
      2,
      [0, 0, 1],
      { assigned: 0, confirmed: 0, open: 2, fillRate: 0, state: 'EMPTY' },
    ],
    ['some', 4, [1, 2, 1], { assigned: 3, confirmed: 1, open: 1, fillRate: 0.75, state: 'PARTIAL' }],
    ['all, nobody confirmed', 2, [0, 2, 0], { assigned: 2, confirmed: 0, open: 0, fillRate: 1, state: 'FILLED' }],
    ['too many', 1, [2, 1, 0], { assigned: 3, confirmed: 2, open: 0, fillRate: 1, state: 'OVERFILLED' }],
  ])('with %s of %i', async (_, needed, shifts, expected) => {
    const event = await service.createEvent(tenant.business);
    const { id } = await staffedCallTime(event, needed, shifts);
    const figures = { needed, ...expected };
    expect(await coverageOf(event)).toEqual({ coverage: figures, callTimes: [{ id, coverage: figures }] });
  });
});

describe('coverage of an event', () => {
  test('sums up its call times; an overfilled one does not fill another', async () => {
    const event = await service.createEvent(tenant.business);
    await staffedCallTime(event, 1, [3, 0, 0]);
    await staffedCallTime(event, 3, [0, 1, 0]);
    expect((await coverageOf(event)).coverage).toEqual({
      needed: 4,
      assigned: 4,
      confirmed: 3,
      open: 2,
      fillRate: 0.5,
      state: 'PARTIAL',
    });
  });

  test('does not count shifts without a call time', async () => {
    const event = await service.createEvent(tenant.business);
    await service.createShift(event, tenant.staff);
    const none = { needed: 0, assigned: 0, confirmed: 0, open: 0, fillRate: null, state: 'NONE_NEEDED' };
    expect((await coverageOf(event)).coverage).toEqual(none);
  });
});

const december = 'from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z"';

const report = async (groupBy: string, filter = '{}', period = december, as?: string) =>
  (
    await ask(
      `{ coverage(${period}, groupBy: ${groupBy}, filter: ${filter})
         { total { needed assigned open } groups { key label coverage { needed assigned open } } } }`,
      as,
    )
  ).coverage;

const figures = (needed: number, assigned: number, open = needed - assigned) => ({ needed, assigned, open });
const group = (key: string | null, label: string | null, coverage: object) => ({ key, label, coverage });

describe('the coverage report', () => {
  let gala: Event;
  let fair: Event;
  let bare: Event;
  let bar: CallTime['positionId'];
  let door: CallTime['positionId'];

  beforeEach(async () => {
    bar = (await service.createPosition(tenant.business, { title: 'Bar' })).id;
    door = (await service.createPosition(tenant.business, { title: 'Door' })).id;
    // In UTC it starts on the 6th.
    const late = { start: '2026-12-05 22:00:00', end: '2026-12-06 02:00:00' };
    gala = await service.createEvent(tenant.business, {
      title: 'Gala',
      clientId: tenant.client.id,
      city: 'Boston',
      ...late,
    });
    fair = await service.createEvent(tenant.business, { title: 'Fair', status: 'draft', state: 'MA' });
    const next = { start: '2026-12-08 10:00:00', end: '2026-12-08 12:00:00' };
    bare = await service.createEvent(tenant.business, { title: 'Bare', ...next });
    await staffedCallTime(gala, 1, [2, 0, 0], { positionId: bar });
    await staffedCallTime(gala, 3, [0, 1, 0], { positionId: door });
    await staffedCallTime(fair, 2, [0, 0, 1], { positionId: bar });
    for (const status of ['canceled', 'deleted'] as const)
      await staffedCallTime(await service.createEvent(tenant.business, { status, title: status }), 5, [1, 0, 0]);
  });

  const total = figures(6, 3, 4);

  test('groups by the local date of the event, in order', async () => {
    expect(await report('DAY')).toEqual({
      total,
      groups: [group('2026-12-05', '2026-12-05', total), group('2026-12-08', '2026-12-08', figures(0, 0))],
    });
  });

  test('groups by event, in order of start, those without call times as well', async () => {
    expect(await report('EVENT')).toEqual({
      total,
      groups: [
        group(fair.uuid, 'Fair', figures(2, 0)),
        group(gala.uuid, 'Gala', figures(4, 3, 2)),
        group(bare.uuid, 'Bare', figures(0, 0)),
      ],
    });
  });

  test('groups by the position of the call times', async () => {
    expect(await report('POSITION')).toEqual({
      total,
      groups: [group(String(bar), 'Bar', figures(3, 2, 2)), group(String(door), 'Door', figures(3, 1))],
    });
  });

  test('groups by client, events without one last', async () => {
    expect(await report('CLIENT')).toEqual({
      total,
      groups: [group(String(tenant.client.id), tenant.client.name, figures(4, 3, 2)), group(null, null, figures(2, 0))],
    });
  });

  test.each([
    ['all of active and draft by default', () => '{}', ['Fair', 'Gala', 'Bare']],
    [
      'null as not given',
      () => '{ statuses: null, clientId: null, positionId: null, city: null }',
      ['Fair', 'Gala', 'Bare'],
    ],
    ['statuses', () => '{ statuses: [CANCELED, DELETED] }', ['canceled', 'deleted']],
    ['no status at all', () => '{ statuses: [] }', []],
    ['client', () => `{ clientId: ${tenant.client.id} }`, ['Gala']],
    ['position', () => `{ positionId: ${door} }`, ['Gala']],
    ['city', () => '{ city: "boSTon" }', ['Gala']],
    ['state', () => '{ state: "ma" }', ['Fair']],
    ['several, which all must hold', () => '{ state: "MA", statuses: [ACTIVE] }', []],
  ])('filters by %s', async (_, filter, titles) => {
    const { groups } = await report('EVENT', filter());
    expect(groups.map(({ label }: { label: string }) => label).sort()).toEqual([...titles].sort());
  });

  test.each([
    ['from its start', `from: "2026-12-06T03:00:00Z", to: "2026-12-06T03:00:01Z"`, ['Gala']],
    ['not to its start', `from: "2026-12-06T02:00:00Z", to: "2026-12-06T03:00:00Z"`, []],
    ['in any offset', `from: "2026-12-05T22:00:00-05:00", to: "2026-12-05T23:00:00-05:00"`, ['Gala']],
  ])('contains an event if the span of time reaches %s', async (_, period, titles) => {
    const { groups } = await report('EVENT', '{}', period);
    expect(groups.map(({ label }: { label: string }) => label)).toEqual(titles);
  });
});
