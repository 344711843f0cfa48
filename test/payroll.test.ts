import { beforeEach, expect, test } from '@jest/globals';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer } from './support/offers.ts';

const service = useService({ clock: () => new Date('2026-12-20T12:00:00Z') });
const tenant = useOneTenant(service);
let event: Event;
let person: User;
let positionId: number;

beforeEach(async () => {
  ({ id: positionId } = await service.createPosition(tenant.business, { defaultPayRate: '10.00' }));
  event = await service.createEvent(tenant.business);
  person = await service.createUser(tenant.business, 'staff', { name: 'Ann Payne' });
  const data = { overtimeAfterHours: null, weekStart: 'monday', timezone: 'America/New_York' } as const;
  await service.prisma.business.update({ where: { id: tenant.business.id }, data });
});

const read = async (query = 'from=2026-11-30&to=2026-12-06', as = tenant.as.admin) =>
  service.call('GET', `/v1/payroll?user_id=${person.id}&${query}`, { as });
const rowsOf = async (query?: string) => expectAnswer(await read(query), 200).rows;

/** A shift of a day in December at noon in New York, of so many minutes, worked so many minutes. */
const work = async (day: number, minutes: number, worked: number | null = minutes, more: object = {}) => {
  const date = `2026-12-${String(day).padStart(2, '0')}`;
  const at = (hours: number) => new Date(Date.parse(`${date}T17:00:00Z`) + hours * 3_600_000);
  const end = `${date} ${String(12 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
  const shift = await service.createShift(event, person, { positionId, start: `${date} 12:00:00`, end, ...more });
  if (worked !== null) await service.createAttendance(shift, { checkedInAt: at(0), checkedOutAt: at(worked / 60) });
  return shift;
};

test('a row is the sum of amounts that are rounded once a shift', async () => {
  for (const day of [1, 2, 3]) await work(day, 20);
  const [row, ...others] = await rowsOf();
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    ...{ user_id: person.id, first_name: 'Ann', week: '2026-11-30', pay_rate: '10.00', pay_unit: 'hour', shifts: 3 },
    ...{ planned_minutes: 60, planned_amount: '9.99', actual_minutes: 60, actual_amount: '9.99', open_shifts: 0 },
    ...{ approved_shifts: 0, approved_amount: '0.00', overtime_minutes: null },
  });
});

test('what is not known is counted, and not paid as 0', async () => {
  await work(1, 60, null);
  await work(2, 60, 30);
  await service.createShift(event, person, { positionId, start: null, end: null });
  const [row] = await rowsOf();
  expect(row).toMatchObject({
    shifts: 3,
    unplanned_shifts: 1,
    planned_amount: '20.00',
    open_shifts: 2,
    actual_amount: '5.00',
  });
});

test('shifts whose end is mistyped by centuries leave the payroll readable', async () => {
  for (let count = 0; count < 5; count++) await work(1, 60, null, { end: '2999-12-31 23:00:00' });
  const [row] = await rowsOf();
  expect(row).toMatchObject({ shifts: 5, planned_minutes: 2_147_483_647 });
});

test('minutes that are not known are counted also where the pay needs none', async () => {
  const flat = await service.createPosition(tenant.business, { defaultPayRate: '100.00', payUnit: 'flat' });
  const place = { positionId: flat.id };
  const left = await service.createShift(event, person, { ...place, start: '2026-12-01 12:00:00', end: null });
  await service.createAttendance(left, { checkedInAt: new Date('2026-12-01T17:00:00Z') });
  await work(2, 60, 60, place);
  const [row] = await rowsOf();
  expect(row).toMatchObject({
    ...{ shifts: 2, planned_amount: '200.00', unplanned_shifts: 0, planned_minutes: 60, untimed_shifts: 1 },
    ...{ actual_amount: '200.00', open_shifts: 0, actual_minutes: 60, without_actual_minutes: 1 },
  });
});

test('days and flat pay are those of the plan, except for a no-show', async () => {
  const daily = await service.createPosition(tenant.business, { defaultPayRate: '100.00', payUnit: 'day' });
  await work(1, 300, 20, { positionId: daily.id });
  const missed = await work(2, 300, null, { positionId: daily.id });
  await service.createAttendance(missed, { checkedInAt: null, source: null, noShow: true });
  const [row] = await rowsOf();
  expect(row).toMatchObject({ pay_unit: 'day', planned_amount: '200.00', actual_amount: '100.00', open_shifts: 0 });
});

test('overtime is that of the whole week, on the rows of the shifts that reach it', async () => {
  await service.prisma.business.update({ where: { id: tenant.business.id }, data: { overtimeAfterHours: 10 } });
  await work(1, 480);
  await work(2, 480, 480, { payRate: '12.00', payUnit: 'hour' });
  await work(3, 60);
  // The second day alone has reached the threshold with the first one before it.
  expect((await rowsOf('from=2026-12-02&to=2026-12-02')).map((row: object) => row)).toMatchObject([
    { pay_rate: '12.00', overtime_minutes: 360 },
  ]);
  const rows = await rowsOf();
  expect(rows).toMatchObject([
    { pay_rate: '10.00', actual_minutes: 540, overtime_minutes: 60 },
    { pay_rate: '12.00', actual_minutes: 480, overtime_minutes: 360 },
  ]);
});

test('a shift belongs to the week of its start on the clocks of the business', async () => {
  const data = { timezone: 'Pacific/Kiritimati', weekStart: 'sunday' } as const;
  await service.prisma.business.update({ where: { id: tenant.business.id }, data });
  // Saturday noon in New York is Sunday there.
  await work(5, 60);
  expect(await rowsOf()).toMatchObject([{ week: '2026-12-06' }]);
  expect(await rowsOf('from=2026-11-30&to=2026-12-05')).toEqual([]);
});

test('it is the same in GraphQL and in CSV, for admins only', async () => {
  await work(1, 45);
  await work(8, 45);
  const query = 'from=2026-12-01&to=2026-12-13';
  const { rows, total, currency } = expectAnswer(await read(query), 200);
  expect([rows.length, total.actual_amount, currency]).toEqual([2, '15.00', 'USD']);
  const { body } = await service.graphql(
    `{ payroll(from: "2026-12-01", to: "2026-12-13", userId: "${person.id}") { total { actualAmount shifts } rows { week actualAmount payRate } } }`,
    { as: tenant.as.key },
  );
  expect(body.data.payroll).toEqual({
    total: { actualAmount: '15.00', shifts: 2 },
    rows: ['2026-11-30', '2026-12-07'].map((week) => ({ week, actualAmount: '7.50', payRate: '10.00' })),
  });
  const csv = await service.app.http.inject({
    url: `/v1/payroll?user_id=${person.id}&${query}`,
    headers: { authorization: `Bearer ${tenant.as.admin}`, accept: 'text/csv' },
  });
  expect(csv.body.split('\r\n').slice(0, 2)).toEqual([
    'user_id,first_name,last_name,week,pay_rate,pay_unit,shifts,planned_minutes,planned_amount,unplanned_shifts,untimed_shifts,actual_minutes,actual_amount,open_shifts,without_actual_minutes,approved_shifts,approved_minutes,approved_amount,overtime_minutes',
    `${person.id},Ann,Payne,2026-11-30,10.00,hour,1,45,7.50,0,0,45,7.50,0,0,0,0,0.00,`,
  ]);
  for (const as of [tenant.as.staff, tenant.as.client]) expectAnswer(await read(query, as), 403);
  expectAnswer(await read('from=2026-12-02&to=2026-12-01'), 422);
});
