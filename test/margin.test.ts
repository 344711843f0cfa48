import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';

/* What clients pay for work, and what is left of it: by bill rates of positions and call times, beside the cost. */

const noon = new Date('2026-12-05T12:00:00Z');
let now = noon;
const service = useService({ clock: () => now });
const tenant = useTenant(service);
const query = asker(() => service, 'query');

type Body = Record<string, unknown>;

const send = async (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => {
  const answer = await service.call(method, url, { as: tenant.as.admin, ...(body && { body }) });
  expect([answer.status, answer.body]).toEqual([expect.any(Number), expect.objectContaining({ success: true })]);
  return answer.body.data as Body;
};

const evening = { start_time: '2026-12-05 16:00:00', end_time: '2026-12-05 20:00:00' };
const fields =
  'planned plannedRevenue confirmedRevenue actualRevenue plannedMargin confirmedMargin actualMargin unbilledShifts withoutActualRevenue';

let city: string;
let event: string;
let position: number;

afterEach(() => {
  now = noon;
});

beforeEach(async () => {
  city = randomUUID();
  const facts = { title: 'Gala', city, timezone: 'UTC', client_id: tenant.client.id };
  event = String((await send('POST', '/v1/events', { ...facts, ...evening }))['uuid']);
  position = Number((await send('POST', '/v1/positions', { title: randomUUID(), default_pay_rate: '20.00' }))['id']);
});

const bill = (rate: string | null, unit = 'hour') =>
  send('PUT', `/v1/positions/${position}`, { bill_rate: rate, bill_unit: unit });
const assign = async (more: Body = {}) => {
  const on = more['call_time_uuid'] ? {} : { event_uuid: event, position_id: position, ...evening };
  const user = await service.createUser(tenant.business, 'staff');
  return String((await send('POST', '/v1/work_shifts', { user_id: user.id, ...on, ...more }))['uuid']);
};
const createCall = async (more: Body = {}) => {
  const body = { event_uuid: event, position_id: position, staff_needed: 3, ...evening, ...more };
  return String((await send('POST', '/v1/call_times', body))['uuid']);
};

/** What the event brings, as it says itself and as reports say it, from stored sums and from the shifts. */
async function marginOf(): Promise<Body> {
  const { it } = await query(tenant.as.admin, `{ it: event(id: "${event}") { labourCost { ${fields} } } }`);
  for (const grouping of ['EVENT', 'CLIENT', 'POSITION', 'MONTH', 'STAFF']) {
    const span = `from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z", groupBy: ${grouping}`;
    const { it: report } = await query(
      tenant.as.admin,
      `{ it: labourCost(${span}, filter: { city: "${city}" }) { total { ${fields} } groups { key labourCost { ${fields} } } } }`,
    );
    expect([grouping, report.total]).toEqual([grouping, it.labourCost]);
    if (grouping === 'CLIENT')
      expect(report.groups).toEqual([{ key: String(tenant.client.id), labourCost: it.labourCost }]);
  }
  return it.labourCost;
}

describe('without a bill rate', () => {
  test('revenue and margin are unknown, and counted as such', async () => {
    await assign();
    expect(await marginOf()).toEqual({
      planned: '80.00',
      ...{ plannedRevenue: '0.00', confirmedRevenue: '0.00', actualRevenue: '0.00' },
      ...{ plannedMargin: '0.00', confirmedMargin: '0.00', actualMargin: '0.00' },
      ...{ unbilledShifts: 1, withoutActualRevenue: 1 },
    });
  });

  test('a rate that comes first holds for earlier work as well', async () => {
    await assign();
    now = new Date('2026-12-05T22:00:00Z');
    await bill('35.00');
    expect(await marginOf()).toMatchObject({ plannedRevenue: '140.00', plannedMargin: '60.00', unbilledShifts: 0 });
  });
});

describe('with a bill rate', () => {
  beforeEach(() => bill('35.00'));

  test('confirmed shifts are a part, and a time to be determined is counted', async () => {
    const shift = await assign();
    await assign({ end_time: null });
    await service.prisma.workShift.updateMany({ where: { uuid: shift }, data: { confirmed: true } });
    expect(await marginOf()).toMatchObject({
      ...{ plannedRevenue: '140.00', confirmedRevenue: '140.00', plannedMargin: '60.00', confirmedMargin: '60.00' },
      unbilledShifts: 1,
    });
  });

  test('the rate of the call time comes first, in its own unit, and follows changes', async () => {
    const call = await createCall({ bill_rate: '150.00', bill_unit: 'flat' });
    await assign({ call_time_uuid: call });
    expect(await marginOf()).toMatchObject({ plannedRevenue: '150.00', plannedMargin: '70.00' });
    await send('PUT', `/v1/call_times/${call}`, { bill_rate: '50.00', bill_unit: 'hour' });
    expect(await marginOf()).toMatchObject({ plannedRevenue: '200.00', plannedMargin: '120.00' });
    await send('PUT', `/v1/call_times/${call}`, { bill_rate: null });
    expect(await marginOf()).toMatchObject({ plannedRevenue: '140.00', plannedMargin: '60.00' });
  });

  test('a flat rate is known where the cost is not, and makes no margin then', async () => {
    await bill('90.00', 'flat');
    await assign({ end_time: null });
    expect(await marginOf()).toMatchObject({ plannedRevenue: '90.00', plannedMargin: '0.00', unbilledShifts: 0 });
  });

  test('work that has started keeps the rate of before, and margins can be negative', async () => {
    await assign();
    now = new Date('2026-12-05T18:00:00Z');
    await bill('10.00');
    const late = { start_time: '2026-12-05 18:30:00', end_time: '2026-12-05 20:30:00' };
    await assign(late);
    expect(await marginOf()).toMatchObject({ plannedRevenue: '160.00', plannedMargin: '40.00' });
    const { it } = await query(tenant.as.admin, `{ it: positions { databaseId rates { billRate billUnit payRate } } }`);
    expect(it.find(({ databaseId }: Body) => databaseId === position).rates).toEqual([
      { billRate: '35.00', billUnit: 'HOUR', payRate: '20.00' },
      { billRate: '10.00', billUnit: 'HOUR', payRate: '20.00' },
    ]);
  });

  test('a new pay rate leaves the bill rate, also while rates are announced', async () => {
    await send('PUT', `/v1/positions/${position}`, { announced_rates: [{ from: '2027-06-01', pay_rate: '25.00' }] });
    await assign();
    now = new Date('2026-12-05T18:00:00Z');
    await send('PUT', `/v1/positions/${position}`, { default_pay_rate: '22.00' });
    expect(await marginOf()).toMatchObject({ planned: '80.00', plannedRevenue: '140.00' });
    await bill(null);
    expect(await marginOf()).toMatchObject({ plannedRevenue: '140.00', unbilledShifts: 0 });
    const after = { start_time: '2026-12-05 19:00:00', end_time: '2026-12-05 20:00:00' };
    await assign(after);
    expect(await marginOf()).toMatchObject({ plannedRevenue: '140.00', unbilledShifts: 1 });
  });

  test('what was worked is billed by its minutes, a no-show brings 0, and an approval keeps it', async () => {
    const [shift, absent] = [await assign(), await assign()];
    now = new Date('2026-12-05T22:00:00Z');
    const change = (uuid: string, body: object) => send('PUT', `/v1/work_shifts/${uuid}/attendance`, body);
    await change(shift, { checked_in_at: '2026-12-05T16:00:00Z', checked_out_at: '2026-12-05T18:30:00Z' });
    expect(await marginOf()).toMatchObject({
      ...{ plannedRevenue: '280.00', actualRevenue: '87.50', actualMargin: '37.50', withoutActualRevenue: 1 },
    });
    await change(absent, { no_show: true });
    expect(await marginOf()).toMatchObject({ actualRevenue: '87.50', withoutActualRevenue: 0 });
    await send('POST', '/v1/attendance/batch/approve', { shift_uuids: [shift] });
    await service.prisma.$executeRaw`UPDATE position_rates SET bill_rate = 1 WHERE position_id = ${position}`;
    await bill('99.00');
    expect(await marginOf()).toMatchObject({ actualRevenue: '87.50', actualMargin: '37.50' });
    const { approved_revenue: approved } = await send('GET', `/v1/work_shifts/${shift}/attendance`);
    expect(approved).toBe('87.50');
  });

  test('a bill rate is for admins alone', async () => {
    const call = await createCall({ bill_rate: '150.00' });
    await assign({ call_time_uuid: call });
    const asked = `{ it: event(id: "${event}") { labourCost { planned } callTimes { billRate position { billRate rates { billRate } } } } }`;
    expect((await query(tenant.as.client, asked)).it).toEqual({
      labourCost: null,
      callTimes: [{ billRate: null, position: { billRate: null, rates: null } }],
    });
    expect((await query(tenant.as.admin, asked)).it.callTimes[0]).toMatchObject({
      billRate: '150.00',
      position: { billRate: '35.00' },
    });
    const { body } = await service.call('GET', `/v1/call_times/${call}`, { as: tenant.as.client });
    expect(body.data.bill_rate).toBeNull();
  });

  test.each([['-1.00'], ['1.234'], ['much']])('refuses %s', async (rate) => {
    const { status, body } = await service.call('PUT', `/v1/positions/${position}`, {
      as: tenant.as.admin,
      body: { bill_rate: rate },
    });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['bill_rate']]);
  });

  test('what is stored by position and by event is what is counted', async () => {
    const call = await createCall({ bill_rate: '41.37' });
    for (const more of [{}, { call_time_uuid: call }, { start_time: null }]) await assign(more);
    await bill('12.34', 'day');
    await send('PUT', `/v1/call_times/${call}`, { bill_rate: '41.38' });
    const rows = await service.prisma.$queryRaw`
      SELECT n.billed_shifts = t.billed_shifts AND n.planned_revenue_cents = t.planned_revenue_cents
             AND n.planned_margin_cents = t.planned_margin_cents AND e.planned_margin_cents = t.planned_margin_cents AS same
        FROM counted_staffing n
        JOIN position_staffing t USING (business_id, event_id, position_id) JOIN event_staffing e USING (business_id, event_id)
       WHERE position_id = ${position}`;
    expect(rows).toEqual([{ same: true }]);
  });
});
