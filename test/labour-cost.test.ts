import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Event, PayUnit, Position } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';

const service = useService();
const tenant = useTenant(service);

const sums = '{ planned confirmed open unpricedShifts unpricedOpen currency }';
const nothing = {
  planned: '0.00',
  confirmed: '0.00',
  open: '0.00',
  unpricedShifts: 0,
  unpricedOpen: 0,
  currency: 'USD',
};

async function ask(query: string, as = tenant.as.admin) {
  const { body } = await service.graphql(query, { as });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const costOf = async ({ uuid }: Event, as?: string) =>
  (await ask(`{ event(id: "${uuid}") { labourCost ${sums} callTimes { labourCost ${sums} } } }`, as)).event;

const paid = (payUnit: PayUnit, defaultPayRate: string): Promise<Position> =>
  service.createPosition(tenant.business, { payUnit, defaultPayRate });

interface Work {
  readonly unit: PayUnit;
  readonly rate: string;
  readonly start: string | null;
  readonly end: string | null;
  readonly timezone?: string;
  /** Null: unpriced. */
  readonly cost: string | null;
}

const [ten, eighteen] = ['2026-06-01 10:00:00', '2026-06-01 18:00:00'];

/** One piece of work, and what it costs: as a shift, and as an open place of a call time. */
const works: Record<string, Work> = {
  'eight hours': { unit: 'hour', rate: '25.50', start: ten, end: eighteen, cost: '204.00' },
  'part of an hour, to the second': {
    unit: 'hour',
    rate: '36.00',
    start: ten,
    end: '2026-06-01 10:00:01',
    cost: '0.01',
  },
  'half a cent, which goes up': { unit: 'hour', rate: '0.01', start: ten, end: '2026-06-01 10:30:00', cost: '0.01' },
  'a little less than half a cent, which goes down': {
    unit: 'hour',
    rate: '0.01',
    start: ten,
    end: '2026-06-01 10:29:59',
    cost: '0.00',
  },
  'hours in which the clocks go forward': {
    unit: 'hour',
    rate: '20.00',
    start: '2026-03-07 20:00:00',
    end: '2026-03-08 04:00:00',
    timezone: 'America/New_York',
    cost: '140.00',
  },
  'hours in which the clocks go back': {
    unit: 'hour',
    rate: '20.00',
    start: '2026-10-31 20:00:00',
    end: '2026-11-01 04:00:00',
    timezone: 'America/New_York',
    cost: '180.00',
  },
  'a clock that goes forward by half an hour': {
    unit: 'hour',
    rate: '20.00',
    start: '2026-10-04 00:00:00',
    end: '2026-10-04 04:00:00',
    timezone: 'Australia/Lord_Howe',
    cost: '70.00',
  },
  'the highest rate, for long': {
    unit: 'hour',
    rate: '9999999999.99',
    start: '1970-01-01 00:00:00',
    end: '2969-12-31 23:59:59',
    timezone: 'UTC',
    cost: '87658319997134563.90',
  },
  'part of a day': { unit: 'day', rate: '200.00', start: ten, end: '2026-06-01 11:00:00', cost: '200.00' },
  'exactly one day': { unit: 'day', rate: '200.00', start: ten, end: '2026-06-02 10:00:00', cost: '200.00' },
  'a day and a second': { unit: 'day', rate: '200.00', start: ten, end: '2026-06-02 10:00:01', cost: '400.00' },
  'a flat rate': { unit: 'flat', rate: '99.99', start: ten, end: '2026-06-09 10:00:00', cost: '99.99' },
  'a flat rate with an open end': { unit: 'flat', rate: '99.99', start: ten, end: null, cost: '99.99' },
  'hours with an open start': { unit: 'hour', rate: '20.00', start: null, end: eighteen, cost: null },
  'hours with an open end': { unit: 'hour', rate: '20.00', start: ten, end: null, cost: null },
  'days with both open': { unit: 'day', rate: '20.00', start: null, end: null, cost: null },
  'no rate at all': { unit: 'hour', rate: '0.00', start: ten, end: eighteen, cost: '0.00' },
};

describe.each(Object.entries(works))('%s', (_, { unit, rate, start, end, timezone = 'Europe/Rome', cost }) => {
  const priced = cost ?? '0.00';
  const unpriced = cost === null ? 1 : 0;

  test(`cost ${cost ?? 'nothing that is known'} as a shift`, async () => {
    const event = await service.createEvent(tenant.business, { timezone });
    const { id: positionId } = await paid(unit, rate);
    await service.createShift(event, tenant.staff, { positionId, start, end });
    const expected = { ...nothing, planned: priced, unpricedShifts: unpriced };
    expect((await costOf(event)).labourCost).toEqual(expected);
  });

  test(`cost ${cost ?? 'nothing that is known'} as an open place`, async () => {
    const event = await service.createEvent(tenant.business, { timezone });
    const { id: positionId } = await paid('flat', '1.00');
    await service.createCallTime(event, {
      positionId,
      staffNeeded: 1,
      payRate: rate,
      payUnit: unit,
      start: start ?? ten,
      startTbd: start === null,
      end: end ?? eighteen,
      endTbd: end === null,
    });
    const labourCost = { ...nothing, open: priced, unpricedOpen: unpriced };
    expect(await costOf(event)).toEqual({ labourCost, callTimes: [{ labourCost }] });
  });
});

describe('labour cost', () => {
  test("prefers a shift's own rate to its position's, each with its unit, and rounds before it adds", async () => {
    const event = await service.createEvent(tenant.business);
    const { id: positionId } = await paid('hour', '0.01');
    const half = { positionId, start: ten, end: '2026-06-01 10:30:00' };
    for (let index = 0; index < 3; index++) await service.createShift(event, tenant.staff, half);
    await service.createShift(event, tenant.staff, { ...half, payRate: '100.00', confirmed: true });
    expect((await costOf(event)).labourCost).toEqual({ ...nothing, planned: '50.03', confirmed: '50.00' });
  });

  test("prefers a call time's own rate to its position's, for its shifts and open places, with the call time's unit", async () => {
    const event = await service.createEvent(tenant.business);
    const { id: positionId } = await paid('flat', '10.00');
    const call = { positionId, payUnit: 'hour', start: ten, end: eighteen } as const;
    const filled = await service.createCallTime(event, { ...call, staffNeeded: 3, payRate: '20.00' });
    await service.createShift(event, tenant.staff, { positionId, callTimeId: filled.id, start: null, end: null });
    await service.createCallTime(event, { ...call, staffNeeded: 2, startTbd: false });
    expect(await costOf(event)).toEqual({
      labourCost: { ...nothing, open: '340.00', unpricedShifts: 1 },
      callTimes: [
        { labourCost: { ...nothing, open: '320.00', unpricedShifts: 1 } },
        { labourCost: { ...nothing, open: '20.00' } },
      ],
    });
  });

  test('counts unpriced places by people; an overfilled call time saves nothing', async () => {
    const event = await service.createEvent(tenant.business);
    const { id: positionId } = await paid('hour', '10.00');
    await service.createCallTime(event, { positionId, staffNeeded: 3, endTbd: true });
    const { id: callTimeId } = await service.createCallTime(event, { positionId, staffNeeded: 1 });
    for (let index = 0; index < 2; index++)
      await service.createShift(event, tenant.staff, { positionId, callTimeId, start: ten, end: eighteen });
    expect((await costOf(event)).labourCost).toEqual({ ...nothing, planned: '160.00', unpricedOpen: 3 });
  });

  test('does not include canceled or deleted shifts', async () => {
    const event = await service.createEvent(tenant.business);
    for (const status of ['canceled', 'deleted'] as const) await service.createShift(event, tenant.staff, { status });
    expect((await costOf(event)).labourCost).toEqual(nothing);
  });
});

describe('the labour cost report', () => {
  const report = async (groupBy: string, filter = '{}', as?: string) => {
    const period = 'from: "2126-12-01T00:00:00Z", to: "2127-01-01T00:00:00Z"';
    const { labourCost } = await ask(
      `{ labourCost(${period}, groupBy: ${groupBy}, filter: ${filter})
         { total { planned open unpricedShifts } groups { key label labourCost { planned open unpricedShifts } } } }`,
      as,
    );
    return labourCost;
  };
  const cost = (planned: string, open = '0.00', unpricedShifts = 0) => ({ planned, open, unpricedShifts });

  /** Far ahead, because a new rate does not reach what has begun. */
  const toCome = { start: '2126-12-05 16:00:00', end: '2126-12-05 23:00:00' };

  let gala: Event;
  let fair: Event;
  let bar: Position;
  let door: Position;

  beforeEach(async () => {
    [bar, door] = [await paid('hour', '10.00'), await paid('flat', '7.00')];
    gala = await service.createEvent(tenant.business, { title: 'Gala', clientId: tenant.client.id, ...toCome });
    fair = await service.createEvent(tenant.business, {
      title: 'Fair',
      start: '2126-12-07 10:00:00',
      end: '2126-12-07 12:00:00',
    });
    await service.createEvent(tenant.business, { title: 'Bare', ...toCome });
    const hour = { start: '2126-12-05 16:00:00', end: '2126-12-05 17:00:00' };
    await service.createShift(gala, tenant.staff, { positionId: bar.id, ...hour });
    await service.createShift(gala, tenant.staff, { positionId: bar.id, ...toCome, start: null });
    await service.createCallTime(gala, { positionId: door.id, staffNeeded: 2, payUnit: 'flat', ...toCome });
    await service.createShift(fair, tenant.staff, { positionId: door.id, ...toCome });
    const off = await service.createEvent(tenant.business, { status: 'canceled', ...toCome });
    await service.createShift(off, tenant.staff, { positionId: door.id, ...toCome });
  });

  const total = cost('17.00', '14.00', 1);
  const ofGala = cost('10.00', '14.00', 1);
  const ofFair = cost('7.00');

  test.each([
    [
      'DAY',
      () => [
        ['2126-12-05', '2126-12-05', ofGala],
        ['2126-12-07', '2126-12-07', ofFair],
      ],
    ],
    [
      'EVENT',
      () => [
        [gala.uuid, 'Gala', ofGala],
        [fair.uuid, 'Fair', ofFair],
      ],
    ],
    [
      'POSITION',
      () => [
        [String(bar.id), bar.title, cost('10.00', '0.00', 1)],
        [String(door.id), door.title, cost('7.00', '14.00')],
      ],
    ],
    [
      'CLIENT',
      () => [
        [String(tenant.client.id), tenant.client.name, ofGala],
        [null, null, ofFair],
      ],
    ],
  ])('groups by %s', async (groupBy, groups) => {
    expect(await report(groupBy)).toEqual({
      total,
      groups: groups().map(([key, label, labourCost]) => ({ key, label, labourCost })),
    });
  });

  test.each([
    ['statuses', () => '{ statuses: [CANCELED] }', cost('7.00')],
    ['client', () => `{ clientId: ${tenant.client.id} }`, ofGala],
    ['the position of shifts and call times', () => `{ positionId: ${door.id} }`, cost('7.00', '14.00')],
    ['city', () => '{ city: "Rome" }', cost('0.00')],
  ])('filters by %s', async (_, filter, expected) => {
    expect((await report('EVENT', filter())).total).toEqual(expected);
  });

  test('follows a rate and a unit that a position gets later, and those that it gets back', async () => {
    const pay = (id: number, data: { defaultPayRate?: string; payUnit?: PayUnit }) =>
      service.prisma.position.update({ where: { businessId_id: { businessId: tenant.business.id, id } }, data });
    const ofPosition = async ({ id }: Position) => (await report('EVENT', `{ positionId: ${id} }`)).total;

    await pay(bar.id, { defaultPayRate: '10.01' });
    await pay(door.id, { defaultPayRate: '8.00' });
    expect((await report('DAY')).total).toEqual(cost('18.01', '16.00', 1));
    expect(await ofPosition(bar)).toEqual(cost('10.01', '0.00', 1));
    expect(await ofPosition(door)).toEqual(cost('8.00', '16.00'));
    await pay(bar.id, { payUnit: 'flat' });
    expect(await ofPosition(bar)).toEqual(cost('20.02'));
    await pay(bar.id, { defaultPayRate: '10.00', payUnit: 'hour' });
    await pay(door.id, { defaultPayRate: '7.00' });
    expect((await report('DAY')).total).toEqual(total);
  });
});
