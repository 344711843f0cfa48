import { beforeAll, describe, expect, test } from '@jest/globals';
import { seedDemo } from '../src/bin/seed/demo.ts';
import type { Business, PayUnit, Prisma } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';

/*
 * Coverage, labour cost and conflicts of the demo data, reckoned a second time here from the rows, one by one, money in
 * whole cents.
 */

const today = new Date('2026-11-20T15:30:00Z');
const day = 86_400_000;

const told: Record<string, { events: Events; as: string }> = {};

const eventsOf = ({ id: businessId }: Business) =>
  service.prisma.event.findMany({
    where: { businessId },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
    include: {
      client: true,
      callTimes: { include: { position: true } },
      workShifts: { where: { status: 'active' }, include: { position: true, callTime: true, attendance: true } },
    },
  });

type Events = Awaited<ReturnType<typeof eventsOf>>;
type Event = Events[number];
type CallTime = Event['callTimes'][number];
type Shift = Event['workShifts'][number];

const businesses = ['Aurora', 'Harbor'] as const;

const service = useService({ clock: () => today });

beforeAll(async () => {
  await seedDemo(service.prisma, today, async () => '$argon2id$none');
  for (const name of businesses) {
    const business = await service.prisma.business.findFirstOrThrow({ where: { name: { startsWith: name } } });
    const admin = await service.prisma.user.findFirstOrThrow({ where: { businessId: business.id, role: 'admin' } });
    told[name] = { events: await eventsOf(business), as: await service.tokenOf(admin) };
  }
});

const add = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

const shiftsOn = (callTime: CallTime, { workShifts }: Event) =>
  workShifts.filter(({ callTimeId }) => callTimeId === callTime.id);
const openOn = (callTime: CallTime, event: Event) =>
  Math.max(0, callTime.staffNeeded - shiftsOn(callTime, event).length);

type Place = readonly [CallTime, Event];

function coverage(places: readonly Place[]) {
  const needed = add(places.map(([{ staffNeeded }]) => staffNeeded));
  const assigned = places.flatMap(([callTime, event]) => shiftsOn(callTime, event));
  const open = add(places.map(([callTime, event]) => openOn(callTime, event)));
  const shown = [
    [needed === 0, 'NONE_NEEDED'],
    [assigned.length === 0, 'EMPTY'],
    [open > 0, 'PARTIAL'],
    [assigned.length > needed, 'OVERFILLED'],
    [true, 'FILLED'],
  ] as const;
  return {
    needed,
    assigned: assigned.length,
    confirmed: assigned.filter(({ confirmed }) => confirmed).length,
    present: assigned.filter(({ attendance }) => attendance?.checkedInAt).length,
    open,
    fillRate: needed === 0 ? null : (needed - open) / needed,
    state: shown.find(([holds]) => holds)![1],
  };
}

const cents = (money: Prisma.Decimal) => BigInt(money.toFixed(2).replace('.', ''));

const secondsOf = (start: Date, end: Date) => BigInt((end.getTime() - start.getTime()) / 1000);

type Times = Pick<Shift, 'startsAt' | 'endsAt' | 'startLocal' | 'endLocal'>;

/** Price in cents; null if unpriced. Hours are those that pass, days those of the wall clock. */
function price({ rate, unit }: Pay, { startsAt, endsAt, startLocal, endLocal }: Times): bigint | null {
  if (unit === 'flat') return cents(rate);
  if (!startsAt || !endsAt || !startLocal || !endLocal) return null;
  if (unit === 'day') return cents(rate) * ((secondsOf(startLocal, endLocal) + 86_399n) / 86_400n);
  const seconds = secondsOf(startsAt, endsAt);
  const [whole, rest] = [(cents(rate) * seconds) / 3600n, (cents(rate) * seconds) % 3600n];
  return rest >= 1800n ? whole + 1n : whole;
}

interface Pay {
  readonly rate: Prisma.Decimal;
  readonly unit: PayUnit;
}

const ownPay = (paid: { payRate: Prisma.Decimal | null; payUnit: PayUnit | null } | null): Pay | null =>
  paid?.payRate ? { rate: paid.payRate, unit: paid.payUnit! } : null;
const payOfPosition = ({ position }: Shift | CallTime): Pay => ({
  rate: position.defaultPayRate,
  unit: position.payUnit,
});

const priceOfShift = (shift: Shift) => price(ownPay(shift) ?? ownPay(shift.callTime) ?? payOfPosition(shift), shift);
/** Paid from the planned start on, in whole minutes; days and flat pay are those of the plan. */
function actualOfShift(shift: Shift): bigint | null {
  const { checkedInAt, checkedOutAt, breakMinutes = 0, noShow } = shift.attendance ?? {};
  if (noShow) return 0n;
  const { rate, unit } = ownPay(shift) ?? ownPay(shift.callTime) ?? payOfPosition(shift);
  if (!checkedInAt || !checkedOutAt) return null;
  if (unit !== 'hour') return priceOfShift(shift);
  const minute = (at: Date) => Math.floor(at.getTime() / 60_000);
  const from = shift.startsAt && shift.startsAt > checkedInAt ? shift.startsAt : checkedInAt;
  const twice = 2n * cents(rate) * BigInt(Math.max(0, minute(checkedOutAt) - minute(from) - breakMinutes));
  return (twice + 60n) / 120n;
}

const priceOfPlace = (callTime: CallTime) => {
  const { startsAt, startLocal, startTbd, endsAt, endLocal, endTbd } = callTime;
  const start = startTbd ? { startsAt: null, startLocal: null } : { startsAt, startLocal };
  const end = endTbd ? { endsAt: null, endLocal: null } : { endsAt, endLocal };
  return price(ownPay(callTime) ?? payOfPosition(callTime), { ...start, ...end });
};

function labourCost(shifts: readonly Shift[], places: readonly Place[]) {
  const text = (amounts: (bigint | null)[]) => {
    const digits = String(amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)).padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  const open = places.flatMap(([callTime, event]) => Array(openOn(callTime, event)).fill(priceOfPlace(callTime)));
  return {
    planned: text(shifts.map(priceOfShift)),
    confirmed: text(shifts.filter(({ confirmed }) => confirmed).map(priceOfShift)),
    open: text(open),
    actual: text(shifts.map(actualOfShift)),
    withoutActual: shifts.filter((shift) => actualOfShift(shift) === null).length,
    unpricedShifts: shifts.filter((shift) => priceOfShift(shift) === null).length,
    unpricedOpen: open.filter((amount) => amount === null).length,
    currency: 'USD',
  };
}

const placesOf = (events: Events): Place[] =>
  events.flatMap((event) => event.callTimes.map((callTime): Place => [callTime, event]));
const shiftsOf = (events: Events): Shift[] => events.flatMap(({ workShifts }) => workShifts);

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

const keyOfEvent: Record<string, (event: Event) => string> = {
  DAY: ({ startLocal }) => startLocal.toISOString().slice(0, 10),
  EVENT: ({ uuid }) => uuid,
  CLIENT: ({ client }) => String(client?.id ?? null),
};

const coverageFields = '{ needed assigned confirmed present open fillRate state }';
const costFields = '{ planned confirmed open actual withoutActual unpricedShifts unpricedOpen currency }';

async function ask(query: string, as: string) {
  const { body } = await service.graphql(query, { as });
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** A month back to a year ahead, as the demo is spread: some events of it lie outside. */
const [from, to] = [new Date(today.getTime() - 20 * day), new Date(today.getTime() + 40 * day)];
const period = `from: "${from.toISOString()}", to: "${to.toISOString()}"`;

describe.each(businesses)('in the demo business %s', (name) => {
  const all = () => told[name]!.events;
  const counted = () =>
    all().filter(({ status, startsAt }) => ['active', 'draft'].includes(status) && startsAt >= from && startsAt < to);

  test('coverage and labour cost of every event and call time match its rows', async () => {
    const fields = `coverage ${coverageFields} labourCost ${costFields}`;
    const answered = new Map<string, unknown>();
    for (const status of ['ACTIVE', 'DRAFT', 'CANCELED', 'DELETED'])
      for (const page of [1, 2, 3, 4]) {
        const query = `{ events(filter: { statuses: [${status}] }, page: ${page}, perPage: 25)
          { nodes { uuid ${fields} callTimes { uuid ${fields} } } } }`;
        const { events } = await ask(query, told[name]!.as);
        for (const { uuid, callTimes, ...figures } of events.nodes) {
          answered.set(uuid, figures);
          for (const { uuid: callTimeUuid, ...own } of callTimes) answered.set(callTimeUuid, own);
        }
      }
    const expected = new Map<string, unknown>();
    for (const event of all()) {
      const places = placesOf([event]);
      expected.set(event.uuid, { coverage: coverage(places), labourCost: labourCost(event.workShifts, places) });
      for (const place of places)
        expected.set(place[0].uuid, {
          coverage: coverage([place]),
          labourCost: labourCost(shiftsOn(...place), [place]),
        });
    }
    expect(answered).toEqual(expected);
    expect(all().length).toBeGreaterThan(20);
  });

  test.each(['DAY', 'EVENT', 'CLIENT', 'POSITION'])('the reports by %s add up', async (groupBy) => {
    const answer = await ask(
      `{ coverage(${period}, groupBy: ${groupBy}) { total ${coverageFields} groups { key coverage ${coverageFields} } }
         labourCost(${period}, groupBy: ${groupBy}) { total ${costFields} groups { key labourCost ${costFields} } } }`,
      told[name]!.as,
    );
    const [places, shifts] = [placesOf(counted()), shiftsOf(counted())];
    expect(answer.coverage.total).toEqual(coverage(places));
    expect(answer.labourCost.total).toEqual(labourCost(shifts, places));

    const groups = byKey(counted(), keyOfEvent[groupBy] ?? (() => ''));
    const placesByKey = groupBy === 'POSITION' ? byKey(places, ([{ positionId }]) => String(positionId)) : null;
    const shiftsByKey = groupBy === 'POSITION' ? byKey(shifts, ({ positionId }) => String(positionId)) : null;
    const placesIn = (key: string) => (placesByKey ? (placesByKey.get(key) ?? []) : placesOf(groups.get(key) ?? []));
    const shiftsIn = (key: string) => (shiftsByKey ? (shiftsByKey.get(key) ?? []) : shiftsOf(groups.get(key) ?? []));

    expect(answer.coverage.groups).toHaveLength((placesByKey ?? groups).size);
    for (const { key, coverage: told } of answer.coverage.groups) expect(told).toEqual(coverage(placesIn(String(key))));
    for (const { key, labourCost: told } of answer.labourCost.groups)
      expect(told).toEqual(labourCost(shiftsIn(String(key)), placesIn(String(key))));
    const order = answer.coverage.groups.map(({ key }: { key: string }) => key);
    if (groupBy === 'DAY') expect(order).toEqual([...order].sort());
    if (groupBy === 'EVENT') expect(order).toEqual(counted().map(({ uuid }) => uuid));
  });

  test('the conflicts are exactly the pairs of shifts that overlap or may overlap', async () => {
    const booked = all()
      .filter(({ status }) => ['active', 'draft'].includes(status))
      .flatMap(({ startsAt: eventStart, endsAt: eventEnd, workShifts }) =>
        workShifts.map(({ uuid, userId, startsAt, endsAt }) => ({
          uuid,
          userId,
          known: startsAt !== null && endsAt !== null,
          start: (
            startsAt ?? new Date(Math.min(eventStart.getTime(), (endsAt?.getTime() ?? Infinity) - 1000))
          ).getTime(),
          end: (endsAt ?? new Date(Math.max(eventEnd.getTime(), (startsAt?.getTime() ?? -Infinity) + 1000))).getTime(),
        })),
      );
    const expected = booked.flatMap((one, index) =>
      booked.slice(index + 1).flatMap((other) => {
        const [start, end] = [Math.max(one.start, other.start), Math.min(one.end, other.end)];
        if (one.userId !== other.userId || start >= end || start >= to.getTime() || end <= from.getTime()) return [];
        const known = one.known && other.known;
        return [[[one.uuid, other.uuid].sort().join(), known ? Math.ceil((end - start) / 60_000) : null]];
      }),
    );
    const { conflicts } = await ask(
      `{ conflicts(${period}, perPage: 100) { totalCount nodes { minutes first { uuid } second { uuid } } } }`,
      told[name]!.as,
    );
    type Node = { minutes: number | null; first: { uuid: string }; second: { uuid: string } | null };
    // Rules about one shift have rows of their own.
    const pairs = conflicts.nodes.flatMap(({ minutes, first, second }: Node) =>
      second ? [[[first.uuid, second.uuid].sort().join(), minutes]] : [],
    );
    expect(pairs.sort()).toEqual(expected.sort());
    expect(conflicts.totalCount).toBe(conflicts.nodes.length);
    expect(expected.length).toBeGreaterThan(0);
  });
});
