import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PayUnit } from '../src/generated/prisma/client.ts';
import { instantsOf } from '../src/time/offsets.ts';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';

/* One price of a shift everywhere: its own rate, else its call time's, else the one that its position had at the start. */

const service = useService();
const tenant = useTenant(service);
const mutate = asker(() => service, 'mutation');
const query = asker(() => service, 'query');

type Body = Record<string, unknown>;

const send = async (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => {
  const answer = await service.call(method, url, { as: tenant.as.admin, ...(body && { body }) });
  expect([answer.status, answer.body]).toEqual([expect.any(Number), expect.objectContaining({ success: true })]);
  return answer.body.data as Body;
};

interface Times {
  readonly start_time: string;
  readonly end_time: string;
}

const evening: Times = { start_time: '2126-07-01 18:00:00', end_time: '2126-07-01 22:00:00' };
const past: Times = { start_time: '2024-07-01 12:00:00', end_time: '2024-07-01 21:00:00' };

const createEvent = async (times: Times = evening, timezone = 'America/New_York') =>
  String((await send('POST', '/v1/events', { title: 'Gala', city: randomUUID(), timezone, ...times }))['uuid']);
const createPosition = async (rate: string, unit: PayUnit = 'hour') =>
  Number((await send('POST', '/v1/positions', { title: randomUUID(), default_pay_rate: rate, pay_unit: unit }))['id']);
const changePosition = (id: number, rate: string, unit: PayUnit = 'hour') =>
  send('PUT', `/v1/positions/${id}`, { default_pay_rate: rate, pay_unit: unit });
const createCall = async (event: string, position: number, more: Body = {}, times: Times = evening) =>
  String(
    (
      await send('POST', '/v1/call_times', {
        event_uuid: event,
        position_id: position,
        staff_needed: 2,
        ...times,
        ...more,
      })
    )['uuid'],
  );
const assign = (body: Body) => send('POST', '/v1/work_shifts', { user_id: tenant.staff.id, ...body });

/** Planned and open cost of an event, as GraphQL, REST and the report say it, in dollars. */
async function costOf(event: string): Promise<{ planned: number; open: number }> {
  const fields = '{ planned open unpricedShifts unpricedOpen }';
  const one = (await query(tenant.as.admin, `{ it: event(id: "${event}") { city startsAt labourCost ${fields} } }`)).it;
  const from = new Date(Date.parse(one.startsAt) - 1).toISOString();
  const to = new Date(Date.parse(one.startsAt) + 1000).toISOString();
  for (const grouping of ['EVENT', 'POSITION', 'DAY']) {
    const report = (
      await query(
        tenant.as.admin,
        `{ it: labourCost(from: "${from}", to: "${to}", groupBy: ${grouping}, filter: { city: "${one.city}" }) { total ${fields} } }`,
      )
    ).it;
    expect(report.total).toEqual(one.labourCost);
  }
  return { planned: Number(one.labourCost.planned), open: Number(one.labourCost.open) };
}

const shown = async (uuid: unknown) => {
  const { body } = await service.call('GET', `/v1/work_shifts/${String(uuid)}`, { as: tenant.as.admin });
  const { it } = await query(tenant.as.admin, `{ it: workShift(id: "${String(uuid)}") { payRate payUnit version } }`);
  expect([body.data.pay_rate, body.data.pay_unit?.toUpperCase()]).toEqual([it.payRate, it.payUnit]);
  return it as { payRate: string | null; payUnit: string; version: number };
};

describe('a call time with a rate of its own', () => {
  let event: string;
  let position: number;
  let call: string;

  beforeEach(async () => {
    [event, position] = [await createEvent(), await createPosition('20.00')];
    call = await createCall(event, position, { pay_rate: '40.00' });
  });

  test('pays its shifts by it, so that the cost stays the same while its places are filled', async () => {
    expect(await costOf(event)).toEqual({ planned: 0, open: 320 });
    const { uuid } = await assign({ call_time_uuid: call });
    expect(await costOf(event)).toEqual({ planned: 160, open: 160 });
    expect(await shown(uuid)).toMatchObject({ payRate: '40.00', payUnit: 'HOUR' });
    const list = await send('GET', `/v1/work_shifts/event/${event}`);
    expect((list['data'] as Body[])[0]).toMatchObject({ pay_rate: 40 });
  });

  test('keeps its shifts on it when what they show is sent back', async () => {
    const { uuid } = await assign({ call_time_uuid: call });
    const before = await shown(uuid);
    await send('PUT', `/v1/work_shifts/${String(uuid)}`, { pay_rate: before.payRate, pay_unit: 'hour' });
    await mutate(
      tenant.as.admin,
      `{ it: updateShift(id: "${String(uuid)}", input: { payRate: "40", payUnit: HOUR }) { shift { uuid } } }`,
    );
    await send('PUT', `/v1/call_times/${call}`, { pay_rate: '50.00' });
    expect(await shown(uuid)).toMatchObject({ payRate: '50.00' });
    await send('PUT', `/v1/call_times/${call}`, { pay_rate: null });
    expect(await shown(uuid)).toMatchObject({ payRate: null, payUnit: 'HOUR' });
    expect(await costOf(event)).toEqual({ planned: 80, open: 80 });
  });

  test('gives way to a rate of the shift, which has the unit that held when it was set', async () => {
    await send('PUT', `/v1/call_times/${call}`, { pay_unit: 'day' });
    const { uuid } = await assign({ call_time_uuid: call, pay_rate: '100.00' });
    expect(await shown(uuid)).toMatchObject({ payRate: '100.00', payUnit: 'DAY' });
    await send('PUT', `/v1/call_times/${call}`, { pay_unit: 'flat' });
    expect(await shown(uuid)).toMatchObject({ payRate: '100.00', payUnit: 'DAY' });
    await send('PUT', `/v1/work_shifts/${String(uuid)}`, { pay_unit: 'hour' });
    expect(await costOf(event)).toEqual({ planned: 400, open: 40 });
    await send('PUT', `/v1/work_shifts/${String(uuid)}`, { pay_rate: null });
    expect(await shown(uuid)).toMatchObject({ payRate: '40.00', payUnit: 'FLAT' });
  });
});

describe('a new rate of a position', () => {
  test('leaves what has ended, and reaches what is to come, with another unit as well', async () => {
    const position = await createPosition('20.00');
    const [ended, coming] = [await createEvent(past, 'UTC'), await createEvent()];
    const [then, soon] = [await createCall(ended, position, {}, past), await createCall(coming, position)];
    const own = await assign({ call_time_uuid: soon, pay_rate: '25.00' });
    for (const call_time_uuid of [then, soon])
      await assign({ call_time_uuid, user_id: (await service.createUser(tenant.business, 'staff')).id });
    expect([await costOf(ended), await costOf(coming)]).toEqual([
      { planned: 180, open: 180 },
      { planned: 180, open: 0 },
    ]);
    await changePosition(position, '22.00');
    await changePosition(position, '200.00', 'day');
    // The sums are right before they are stored anew, and after a change that stores them.
    for (const staff_needed of [2, 3]) {
      await send('PUT', `/v1/call_times/${then}`, { staff_needed });
      await send('PUT', `/v1/call_times/${soon}`, { staff_needed });
      expect([await costOf(ended), await costOf(coming)]).toEqual([
        { planned: 180, open: 180 * (staff_needed - 1) },
        { planned: 300, open: 200 * (staff_needed - 2) },
      ]);
    }
    expect(await send('GET', `/v1/call_times/${then}`)).toMatchObject({ pay_rate: '20.00', pay_unit: 'hour' });
    expect(await send('GET', `/v1/call_times/${soon}`)).toMatchObject({ pay_rate: '200.00', pay_unit: 'day' });
    expect(await shown(own['uuid'])).toMatchObject({ payRate: '25.00', payUnit: 'HOUR' });
  });

  test('reaches a call time whose rate was sent back, and not one with a unit of its own', async () => {
    const position = await createPosition('20.00');
    const event = await createEvent();
    const follows = await createCall(event, position, { pay_unit: 'hour' });
    const flat = await createCall(event, position, { pay_unit: 'flat' });
    await send('PUT', `/v1/call_times/${follows}`, {
      pay_rate: '20.00',
      pay_unit: 'hour',
      notes_for_staff: 'Side door',
    });
    await mutate(
      tenant.as.admin,
      `{ it: updateCallTime(id: "${follows}", input: { payRate: "20", payUnit: HOUR }) { callTime { uuid } } }`,
    );
    await changePosition(position, '30.00');
    expect(await send('GET', `/v1/call_times/${follows}`)).toMatchObject({ pay_rate: '30.00', pay_unit: 'hour' });
    expect(await send('GET', `/v1/call_times/${flat}`)).toMatchObject({ pay_rate: '20.00', pay_unit: 'flat' });
  });

  test('counts for a shift without a start by that of its event, also after the event has moved', async () => {
    const position = await createPosition('20.00', 'flat');
    const event = await createEvent();
    await assign({ event_uuid: event, position_id: position });
    await changePosition(position, '30.00', 'flat');
    expect(await costOf(event)).toEqual({ planned: 30, open: 0 });
    await send('PUT', `/v1/events/${event}`, past);
    expect(await costOf(event)).toEqual({ planned: 20, open: 0 });
  });
});

test('a call time with a unit and no rate is paid alike, whether it is created by itself or with its event', async () => {
  const position = await createPosition('420.00', 'day');
  for (const [pay_unit, pay_rate, shownUnit] of [
    ['hour', '420.00', 'hour'],
    ['flat', '420.00', 'flat'],
    ['day', '420.00', 'day'],
    [undefined, '420.00', 'day'],
  ] as const) {
    const unit = pay_unit && { pay_unit };
    const single = await createCall(await createEvent(), position, { ...unit });
    const call = { position_id: position, staff_needed: 1, ...evening, ...unit };
    const made = await send('POST', '/v1/events', { title: 'Gala', timezone: 'UTC', ...evening, call_times: [call] });
    const [inBulk] = made['call_times'] as { uuid: string }[];
    for (const uuid of [single, inBulk!.uuid])
      expect([pay_unit, await send('GET', `/v1/call_times/${uuid}`)]).toMatchObject([
        pay_unit,
        { pay_rate, pay_unit: shownUnit },
      ]);
    // A rate that is the call time's own stays when the position gets another one.
    await changePosition(position, '430.00', 'day');
    for (const uuid of [single, inBulk!.uuid])
      expect((await send('GET', `/v1/call_times/${uuid}`))['pay_rate']).toBe(shownUnit === 'day' ? '430.00' : '420.00');
    await changePosition(position, '420.00', 'day');
  }
});

test.each([
  ['when the clocks go back', '2026-11-01 00:00:00', '2026-11-02 00:00:00', 420],
  ['when the clocks go forward', '2026-03-08 00:00:00', '2026-03-09 00:00:00', 420],
  ['over midnight', '2026-06-01 20:00:00', '2026-06-02 04:00:00', 420],
  ['over midnight when the clocks go back', '2026-10-31 20:00:00', '2026-11-01 04:00:00', 420],
  ['and another one begun, when the clocks go forward', '2026-03-08 00:00:00', '2026-03-09 00:30:00', 840],
  ['for two days and a second', '2026-10-31 12:00:00', '2026-11-02 12:00:01', 1260],
])('a day rate counts days of the wall clock %s', async (_, start_time, end_time, cost) => {
  const times = { start_time, end_time };
  const [event, position] = [await createEvent(times), await createPosition('420.00', 'day')];
  const call = await createCall(event, position, { staff_needed: 2 }, times);
  expect(await costOf(event)).toEqual({ planned: 0, open: 2 * cost });
  await assign({ call_time_uuid: call });
  expect(await costOf(event)).toEqual({ planned: cost, open: cost });
});

test('an assignment without a rate leaves planned and open cost together as they were', async () => {
  const unit = fc.constantFrom<PayUnit>('hour', 'day', 'flat');
  const rate = fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2));
  const places = fc.record({
    needed: fc.integer({ min: 1, max: 3 }),
    position: fc.tuple(rate, unit),
    later: fc.option(fc.tuple(rate, unit)),
    own: fc.option(fc.tuple(rate, fc.option(unit))),
    start: fc
      .constantFrom('2024-03-09', '2026-10-31', '2126-06-01')
      .chain((day) => fc.integer({ min: 0, max: 23 }).map((hour) => `${day} ${String(hour).padStart(2, '0')}:17:00`)),
    minutes: fc.integer({ min: 1, max: 4000 }),
    isTbd: fc.constantFrom(false, false, false, true),
    timezone: fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'),
  });
  await fc.assert(
    fc.asyncProperty(places, async ({ needed, position: [paid, per], later, own, start, minutes, isTbd, timezone }) => {
      const end = new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + minutes * 60_000).toISOString();
      const times = { start_time: start, end_time: `${end.slice(0, 10)} ${end.slice(11, 19)}` };
      // Clocks skip some ends.
      fc.pre(instantsOf(times.end_time, timezone).length > 0);
      const [event, position] = [await createEvent(times, timezone), await createPosition(paid, per)];
      const pay = own && { pay_rate: own[0], ...(own[1] && { pay_unit: own[1] }) };
      const tbd = isTbd && { start_time_tbd: true };
      const call = await createCall(event, position, { staff_needed: needed, ...pay, ...tbd }, times);
      if (later) await changePosition(position, ...later);
      const before = await costOf(event);
      for (let filled = 0; filled < needed; filled++) {
        const { id } = await service.createUser(tenant.business, 'staff');
        await assign({ call_time_uuid: call, user_id: id });
        const { planned, open } = await costOf(event);
        expect((planned + open).toFixed(2)).toBe((before.planned + before.open).toFixed(2));
      }
      expect((await costOf(event)).open).toBe(0);
    }),
    { numRuns: 25 },
  );
});
