import { beforeEach, describe, expect, test } from '@jest/globals';
import { closeDueAttendance } from '../src/bin/due-work.ts';
import { deleteTriesBefore } from '../src/db/attendance.ts';
import type { Event, User, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer } from './support/offers.ts';
import { createScreen } from './support/screens.ts';

/* The shifts of the tests go from 16:00 to 23:30 in New York, which is 21:00 to 04:30 UTC. */

const before = (minutes: number) => new Date(Date.parse('2026-12-05T21:00:00Z') - minutes * 60_000);
const after = (minutes: number) => before(-minutes);

/** Tokens hold for a day from here on. */
let now = before(120);
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
let event: Event;
let shift: WorkShift;
let person: User;
let token: string;
let positionId: number;

beforeEach(async () => {
  now = before(120);
  ({ id: positionId } = await service.createPosition(tenant.business));
  event = await service.createEvent(tenant.business);
  person = await service.createUser(tenant.business, 'staff', { phone: '+1 (212) 555-0142' });
  token = await service.tokenOf(person);
  shift = await service.createShift(event, person, { positionId });
  await service.prisma.business.update({
    where: { id: tenant.business.id },
    data: { printedCodes: false, roundingMinutes: null, roundsInFavour: false, alwaysTellsLate: true },
  });
  now = before(30);
});

const act = (action: string, body: object = {}, as = tenant.as.admin, { uuid }: WorkShift = shift) =>
  service.call('POST', `/v1/work_shifts/${uuid}/actions/${action}`, { as, body });
const change = (body: object, { uuid }: WorkShift = shift) =>
  service.call('PUT', `/v1/work_shifts/${uuid}/attendance`, { as: tenant.as.key, body });
const approve = (...shifts: WorkShift[]) =>
  service.call('POST', '/v1/attendance/batch/approve', {
    as: tenant.as.admin,
    body: { shift_uuids: shifts.map(({ uuid }) => uuid) },
  });
const codeOf = async ({ uuid }: Event = event, day = '') =>
  expectAnswer(await service.call('GET', `/v1/events/${uuid}/check_in_code${day}`, { as: tenant.as.admin }), 200);
const statesOf = async (state: string) => {
  const { body } = await service.call('GET', `/v1/attendance?event_uuid=${event.uuid}&state=${state}`, {
    as: tenant.as.admin,
  });
  return body.data.data.map(({ uuid }: { uuid: string }) => uuid);
};
/** A code of six digits that holds at no time near this one. */
const wrong = async () => String((Number((await codeOf()).code) + 1) % 1_000_000).padStart(6, '0');

test('counts of wrong codes are deleted some time after the event', async () => {
  expectAnswer(await act('check_in', { code: await wrong() }, token), 422);
  const count = () => service.prisma.attendanceAttempt.count({ where: { eventId: event.id } });
  await deleteTriesBefore(service.prisma, event.endsAt, 1000);
  expect(await count()).toBe(1);
  await deleteTriesBefore(service.prisma, new Date(event.endsAt.getTime() + 1000), 1000);
  expect(await count()).toBe(0);
});

test('who comes more than five minutes after the planned start is late, until the time is corrected', async () => {
  now = after(60);
  for (const [minutes, late] of [
    [5, false],
    [6, true],
    [-30, false],
  ] as const)
    expect(expectAnswer(await change({ checked_in_at: after(minutes).toISOString() }), 200)).toMatchObject({ late });
  await service.prisma.workShift.updateMany({
    where: { uuid: shift.uuid },
    data: { startsAt: null, startLocal: null },
  });
  expect(expectAnswer(await change({ checked_in_at: after(50).toISOString() }), 200)).toMatchObject({ late: false });
});

test('late begins at the start where somebody was noted in the 30 days before, and else nobody is late', async () => {
  const own = await service.createTenant();
  const { id } = await service.createPosition(own.business);
  const place = await service.createEvent(own.business);
  const [late, noted] = [
    await service.createShift(place, own.staff, { positionId: id }),
    await service.createShift(place, await service.createUser(own.business, 'staff'), { positionId: id }),
  ];
  now = after(5);
  const expectLate = async (from: string | null) => {
    const list = await service.call('GET', '/v1/attendance?state=late&state=missing', { as: own.as.admin });
    expect(list.body.data.data.map(({ uuid }: WorkShift) => uuid).includes(late.uuid)).toBe(from !== null);
    const { body } = await service.graphql(`{ workShift(id: "${late.uuid}") { attendance { lateFrom } } }`, {
      as: own.as.staff,
    });
    expect(body.data.workShift.attendance.lateFrom).toBe(from && `${from.replace(' ', 'T')}.000Z`);
    const row = await service.call('GET', `/v1/work_shifts/${late.uuid}/attendance`, { as: own.as.admin });
    expect(row.body.data.late_from).toBe(from);
  };
  const start = '2026-12-05 21:00:00';
  await expectLate(null);
  await service.call('POST', `/v1/work_shifts/${noted.uuid}/actions/check_in`, { as: own.as.admin, body: {} });
  await expectLate(start);
  const daysBefore = (days: number) => new Date(Date.parse('2026-12-05T21:00:00Z') - days * 86_400_000);
  const noteAt = (modifiedAt: Date) =>
    service.prisma.attendance.updateMany({
      where: { businessId: own.business.id },
      data: { modifiedAt, note: modifiedAt.toISOString() },
    });
  await noteAt(daysBefore(29));
  await expectLate(start);
  await noteAt(daysBefore(30));
  await expectLate(null);
  const update = { input: { alwaysTellsLate: true } };
  await service.graphql('mutation ($input: UpdateBusinessInput!) { updateBusiness(input: $input) { id } }', {
    as: own.as.admin,
    variables: update,
  });
  await expectLate(start);
  await service.prisma.event.updateMany({ where: { id: place.id }, data: { status: 'canceled' } });
  await expectLate(null);
});

test('a check-in costs a tenth of a request, so that 500 pass in a minute on the plan Free', async () => {
  const free = await service.createTenant('free');
  const { id } = await service.createPosition(free.business);
  const { uuid } = await service.createShift(await service.createEvent(free.business), free.staff, { positionId: id });
  const left = async () => {
    const url = `/v1/work_shifts/${uuid}/actions/check_in`;
    const { status, headers } = await service.call('POST', url, { as: free.as.admin, body: {} });
    expect(status).toBe(200);
    return Number(headers['x-ratelimit-remaining']);
  };
  const first = await left();
  for (let count = 1; count < 20; count++) await left();
  expect(first - (await left())).toBe(2);
});

describe('an admin', () => {
  test('checks people in and out, and sees the worked time', async () => {
    const came = expectAnswer(await act('check_in'), 200);
    expect(came).toMatchObject({ checked_in_at: '2026-12-05 20:30:00', source: 'admin', actual_minutes: null });
    // Twice is once.
    expect(expectAnswer(await act('check_in'), 200)).toEqual(came);
    const history = await service.call('GET', `/v1/history/work_shifts/${shift.uuid}`, { as: tenant.as.admin });
    expect(history.body.data.data[0]).toMatchObject({ kind: 'attendance', operation: 'attendance.checkIn' });
    now = after(449);
    const left = expectAnswer(await act('check_out', { break_minutes: 30 }), 200);
    // Paid time starts at the planned start.
    expect(left).toMatchObject({ break_minutes: 30, planned_minutes: 450, actual_minutes: 419, auto_closed: false });
    expect(expectAnswer(await change({ paid_early: true }), 200)).toMatchObject({ actual_minutes: 449 });
    const { body } = await service.graphql(
      `{ workShift(id: "${shift.uuid}") { attendance { uuid actualMinutes source user { databaseId } } } }`,
      { as: token },
    );
    expect(body.data.workShift.attendance).toEqual({
      uuid: shift.uuid,
      actualMinutes: 449,
      source: 'ADMIN',
      user: { databaseId: person.id },
    });
  });

  test.each([
    [
      'a check-out before the check-in',
      { checked_in_at: '2026-12-05 20:30:00', checked_out_at: '2026-12-05 20:29:59' },
      'checked_out_at',
    ],
    ['a check-out without a check-in', { checked_out_at: '2026-12-05 20:30:00' }, 'checked_out_at'],
    ['40 hours', { checked_in_at: '2026-12-04 20:30:00', checked_out_at: '2026-12-06 12:30:00' }, 'checked_out_at'],
    ['a time to come', { checked_in_at: '2026-12-09 20:30:00' }, 'checked_in_at'],
    [
      'breaks longer than the paid time',
      { checked_in_at: '2026-12-05 20:30:00', checked_out_at: '2026-12-05 21:20:00', break_minutes: 21 },
      'break_minutes',
    ],
    ['a no-show with a check-in', { checked_in_at: '2026-12-05 21:30:00', no_show: true }, 'no_show'],
  ])('is refused %s', async (_what, body, field) => {
    now = new Date('2026-12-07T00:00:00Z');
    const answer = await change(body);
    expectAnswer(answer, 422, 'VALIDATION_FAILED');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(await service.prisma.attendance.count({ where: { id: shift.id, businessId: shift.businessId } })).toBe(0);
  });

  test('reads it at the event, by start, with the shift, the event and the position', async () => {
    const earlier = { start: '2026-12-05 15:00:00', end: '2026-12-05 15:30:00', positionId };
    const first = await service.createShift(event, await service.createUser(tenant.business, 'staff'), earlier);
    expectAnswer(await act('check_in'), 200);
    const query = `{ event(id: "${event.uuid}") { attendance { checkedInAt workShift { uuid } event { uuid } fullPosition { databaseId } } } }`;
    const read = async (as: string) => (await service.graphql(query, { as })).body.data.event.attendance;
    const shared = { event: { uuid: event.uuid }, fullPosition: { databaseId: positionId } };
    const own = { ...shared, checkedInAt: now.toISOString(), workShift: { uuid: shift.uuid } };
    expect(await read(tenant.as.admin)).toEqual([
      { ...shared, checkedInAt: null, workShift: { uuid: first.uuid } },
      own,
    ]);
    expect(await read(token)).toEqual([own]);
  });

  test('says who did not come, and not before the start', async () => {
    expectAnswer(await change({ no_show: true }), 422);
    now = after(5);
    expect(await statesOf('late')).toEqual([shift.uuid]);
    expect(await statesOf('missing')).toEqual([]);
    now = after(30);
    expect(await statesOf('late')).toEqual([]);
    expect(await statesOf('missing')).toEqual([shift.uuid]);
    expect(expectAnswer(await change({ no_show: true }), 200)).toMatchObject({ no_show: true, actual_minutes: 0 });
    expect(await statesOf('missing')).toEqual([]);
    expectAnswer(await act('check_in'), 409);
    expect(await statesOf('no_show')).toEqual([shift.uuid]);
  });

  test('sees nobody late whose start is to be determined', async () => {
    const open = await service.createShift(event, person, { positionId, start: null, end: null });
    now = after(600);
    expect(await statesOf('missing')).toEqual([shift.uuid]);
    await act('check_in', {}, tenant.as.admin, open);
    now = after(700);
    const left = expectAnswer(await act('check_out', {}, tenant.as.admin, open), 200);
    expect(left).toMatchObject({ planned_minutes: null, actual_minutes: 100 });
  });

  test('counts elapsed time where the clocks change', async () => {
    const night = await service.createEvent(tenant.business, {
      start: '2026-10-31 20:00:00',
      end: '2026-11-01 04:00:00',
    });
    const times = { start: '2026-10-31 20:00:00', end: '2026-11-01 04:00:00', positionId };
    const long = await service.createShift(night, person, times);
    const noted = { checked_in_at: '2026-11-01 00:00:00', checked_out_at: '2026-11-01 09:00:00' };
    expect(expectAnswer(await change(noted, long), 200)).toMatchObject({ planned_minutes: 540, actual_minutes: 540 });
  });
});

describe('worked time', () => {
  const worked = async (settings: object, out: string, breaks = 0) => {
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: settings });
    now = after(1000);
    const noted = { checked_in_at: '2026-12-05 20:52:59', checked_out_at: `2026-12-06 ${out}`, break_minutes: breaks };
    return expectAnswer(await change({ ...noted, paid_early: true }), 200).actual_minutes;
  };
  test.each([
    [{ roundingMinutes: null }, '00:59:59', 247],
    [{ roundingMinutes: 15 }, '00:59:30', 240],
    // 247.5 would be half a step: 248 is above it.
    [{ roundingMinutes: 15 }, '01:00:00', 255],
    [{ roundingMinutes: 6 }, '00:55:00', 246],
    [{ roundingMinutes: 15, roundsInFavour: true }, '00:46:00', 255],
    [{ roundingMinutes: 10, roundsInFavour: true }, '00:50:00', 240],
  ])('is rounded once a shift by %j', async (settings, out, minutes) => {
    expect(await worked(settings, out)).toBe(minutes);
  });

  test('loses its breaks before it is rounded, and half a step is rounded up', async () => {
    expect(await worked({ roundingMinutes: 10 }, '01:00:00', 3)).toBe(250);
  });
});

describe('staff', () => {
  test('check in with the code that a screen shows now, or a step ago', async () => {
    const { code, expires_at: expiresAt, printed_code: printed } = await codeOf();
    expect(code).toMatch(/^\d{6}$/);
    expect(printed).toBeNull();
    now = new Date(Date.parse(expiresAt) + 29_999);
    expect(expectAnswer(await act('check_in', { code }, token), 200)).toMatchObject({ source: 'code' });
    now = new Date(Date.parse(expiresAt) + 30_000);
    expectAnswer(await act('check_out', { code }, token), 422);
    now = after(10);
    expectAnswer(await act('check_out', { code: (await codeOf()).code }, token), 200);
  });

  test('check in neither without a code, nor too early, nor at a time that they say', async () => {
    expectAnswer(await act('check_in', {}, token), 422);
    expectAnswer(await act('check_in', { ...(await codeOf()), at: undefined, code: 'x', x: 1 }, token), 422);
    const { code } = await codeOf();
    expectAnswer(await act('check_in', { code, at: '2026-12-05 20:00:00' }, token), 422);
    now = before(61);
    expectAnswer(await act('check_in', { code: (await codeOf()).code }, token), 409);
    now = after(450 + 241);
    expectAnswer(await act('check_in', { code: (await codeOf()).code }, token), 409);
    expectAnswer(await act('check_in', { code }, tenant.as.staff), 404);
  });

  test('cannot use the code of another event, or the printed one of yesterday', async () => {
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { printedCodes: true } });
    const other = await service.createEvent(tenant.business);
    for (const code of [(await codeOf(other)).code, (await codeOf(event, '?day=2026-12-04')).printed_code])
      expectAnswer(await act('check_in', { code }, token), 422);
    const { day, printed_code: code } = await codeOf();
    expect([day, code]).toEqual(['2026-12-05', expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { printedCodes: false } });
    expectAnswer(await act('check_in', { code }, token), 422);
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { printedCodes: true } });
    expectAnswer(await act('check_in', { code }, token), 200);
  });

  test('are locked at the event after five wrong codes, sent at once or not, until an admin unlocks them', async () => {
    const code = await wrong();
    const answers = await Promise.all(Array.from({ length: 8 }, () => act('check_in', { code }, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([409, 409, 409, ...Array<number>(5).fill(422)]);
    const right = (await codeOf()).code;
    expectAnswer(await act('check_in', { code: right }, token), 409, 'CONFLICT');
    // Others who share the address are not.
    const other = await service.createUser(tenant.business, 'staff');
    const theirs = await service.createShift(event, other, { positionId });
    expectAnswer(await act('check_in', { code: right }, await service.tokenOf(other), theirs), 200);
    const unlock = `/v1/events/${event.uuid}/actions/unlock_check_in`;
    const body = { user_id: person.id };
    const unknown = { as: tenant.as.admin, body: { user_id: 2_147_483_647 } };
    expect(Object.keys((await service.call('POST', unlock, unknown)).body.errors)).toEqual(['user_id']);
    expect(expectAnswer(await service.call('POST', unlock, { as: tenant.as.admin, body }), 200)).toEqual({
      unlocked: 1,
    });
    expectAnswer(await act('check_in', { code: right }, token), 200);
    expect(await service.prisma.attendanceAttempt.count({ where: { eventId: event.id } })).toBe(0);
  });

  test('are locked by themselves alone, however many codes one person tries', async () => {
    const code = await wrong();
    for (let tries = 0; tries < 12; tries++) await act('check_in', { code }, token);
    expect(await service.prisma.attendanceAttempt.findMany({ where: { eventId: event.id } })).toMatchObject([
      { userId: person.id, wrong: 6 },
    ]);
  });

  test.each([
    ['a parameter that is not known', '?simulate=yes', {}, 422],
    ['If-None-Match', '', { 'if-none-match': '*' }, 412],
  ])('learn nothing of a code by a call that is only tried: %s', async (_, query, headers, status) => {
    const answerTo = async (code: string) => {
      const url = `/v1/work_shifts/${shift.uuid}/actions/check_in${query}`;
      const { body, ...answer } = await service.call('POST', url, { as: token, body: { code }, headers });
      expect(answer.status).toBe(status);
      return body;
    };
    expect(await answerTo(await wrong())).toEqual(await answerTo((await codeOf()).code));
    // Another version lets the call through, and its code counts.
    const body = { code: await wrong() };
    const stale = { as: token, body, headers: { 'if-none-match': '"9"' } };
    expectAnswer(await service.call('POST', `/v1/work_shifts/${shift.uuid}/actions/check_in`, stale), 422);
    expect(await service.prisma.attendanceAttempt.count({ where: { eventId: event.id } })).toBe(1);
  });

  test('are locked out of an event for which 1,000 wrong codes were sent', async () => {
    const guesser = await service.createUser(tenant.business, 'staff');
    const own = { businessId: event.businessId, eventId: event.id, userId: guesser.id };
    await service.prisma.attendanceAttempt.create({ data: { ...own, wrong: 1000 } });
    expectAnswer(await act('check_in', { code: (await codeOf()).code }, token), 409);
    expectAnswer(await act('check_in'), 200);
  });
});

describe('a screen', () => {
  const check = (as: string, name: string, digits: string) =>
    service.call('POST', '/v1/my_screen/check_in', { as, body: { name, phone_digits: digits } });

  test('checks people in and out by name and phone, if its approval says so', async () => {
    const { token: own } = await createScreen(service.prisma, tenant, {
      checkInEventUuid: event.uuid,
      city: 'Nowhere',
    });
    const { token: other } = await createScreen(service.prisma, tenant);
    expectAnswer(await check(other, person.name, '0142'), 403);
    expectAnswer(await service.call('GET', '/v1/my_screen/check_in_code', { as: other }), 403);
    const shown = expectAnswer(await service.call('GET', '/v1/my_screen/check_in_code', { as: own }), 200);
    expect(shown).toEqual({ ...shown, code: (await codeOf()).code, event_uuid: event.uuid });
    expectAnswer(await check(own, person.name, '0143'), 422);
    expectAnswer(await check(own, 'Nobody', '0142'), 422);
    const came = expectAnswer(await check(own, person.name.toUpperCase(), '0142'), 200);
    expect(came).toMatchObject({ shift_uuid: shift.uuid, checked_out_at: null });
    expect(await service.prisma.attendance.findFirst({ where: { id: shift.id } })).toMatchObject({ source: 'kiosk' });
    expect(expectAnswer(await check(own, person.name, '0142'), 200)).toEqual(came);
    now = after(450);
    const went = expectAnswer(await check(own, person.name, '0142'), 200);
    expect(went).toMatchObject({ checked_out_at: '2026-12-06T04:30:00.000Z' });
    await service.createShift(event, person, { positionId });
    expect(expectAnswer(await check(own, person.name, '0142'), 200)).toEqual(went);
  });

  test('is told by the approval of an admin', async () => {
    const body = { code: 'KDWM-7RXQ', name: 'Door', check_in_event_uuid: event.uuid };
    const made = expectAnswer(await service.call('POST', '/v1/screens', { as: tenant.as.admin, body }), 201);
    expect(made).toMatchObject({ check_in_event_uuid: event.uuid });
    const stranger = { ...body, code: 'QXR7-MWDK', check_in_event_uuid: shift.uuid };
    expectAnswer(await service.call('POST', '/v1/screens', { as: tenant.as.admin, body: stranger }), 422);
    const unknown = { code: 'BCDF-GHJM', name: 'Door', checkInEventId: crypto.randomUUID() };
    const approval = 'mutation ($input: ApproveScreenInput!) { approveScreen(input: $input) { id } }';
    const answer = await service.graphql(approval, { as: tenant.as.admin, variables: { input: unknown } });
    expect(Object.keys(answer.body.errors[0].extensions.errors)).toEqual(['checkInEventId']);
  });
});

test('whoever came is listed, as they are paid, also after the event was deleted', async () => {
  await act('check_in');
  await service.createShift(event, person, { positionId });
  expectAnswer(await service.call('DELETE', `/v1/events/${event.uuid}`, { as: tenant.as.admin }), 200);
  expect(await statesOf('present')).toEqual([shift.uuid]);
  const days = 'from=2026-12-01&to=2026-12-31';
  const sheet = await service.call('GET', `/v1/payroll?${days}&user_id=${person.id}`, { as: tenant.as.admin });
  expect(expectAnswer(sheet, 200).total).toMatchObject({ shifts: 1, open_shifts: 1 });
});

describe('a forgotten check-out', () => {
  test('is closed with the planned end, and listed for approval', async () => {
    await act('check_in');
    const open = await service.createShift(event, person, { positionId, end: null });
    await act('check_in', {}, tenant.as.admin, open);
    now = after(450 + 239);
    await closeDueAttendance(service.prisma, now);
    expect(await statesOf('not_checked_out')).toEqual([shift.uuid]);
    now = after(450 + 240);
    await closeDueAttendance(service.prisma, now);
    expect(await statesOf('to_approve')).toEqual([shift.uuid]);
    expect(await statesOf('present')).toEqual([open.uuid]);
    const { body } = await service.call('GET', `/v1/work_shifts/${shift.uuid}/attendance`, { as: token });
    expect(body.data).toMatchObject({ auto_closed: true, checked_out_at: '2026-12-06 04:30:00', actual_minutes: 450 });
  });

  test('waits for the other half of an import: what was noted late is closed hours after it was noted', async () => {
    now = after(18 * 24 * 60);
    expectAnswer(await act('check_in', { at: '2026-12-05T21:00:00Z' }, tenant.as.key), 200);
    now = after(18 * 24 * 60 + 239);
    await closeDueAttendance(service.prisma, now);
    expect(expectAnswer(await act('check_out', { at: '2026-12-05T23:30:00Z' }, tenant.as.key), 200)).toMatchObject({
      ...{ auto_closed: false, checked_out_at: '2026-12-05 23:30:00' },
    });
  });

  test('is left to an admin where the stay would be longer than one may be', async () => {
    expectAnswer(await change({ checked_in_at: '1970-01-01T00:00:00Z', paid_early: true }), 200);
    now = after(450 + 240);
    await closeDueAttendance(service.prisma, now);
    expect(await statesOf('not_checked_out')).toEqual([shift.uuid]);
  });
});

describe('an approval', () => {
  const finish = async () => {
    await act('check_in');
    now = after(450);
    await act('check_out');
  };

  test('stores rate, minutes and pay, which later rates do not change', async () => {
    expectAnswer(await approve(shift), 422, 'VALIDATION_FAILED');
    await finish();
    const [approved] = expectAnswer(await approve(shift), 200);
    expect(approved).toMatchObject({ approved_rate: '20.00', approved_minutes: 450, approved_amount: '150.00' });
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { roundingMinutes: 15 } });
    await service.prisma.position.updateMany({ where: { id: positionId }, data: { defaultPayRate: '30.00' } });
    expect(expectAnswer(await approve(shift), 200)).toEqual([approved]);
    expect(await statesOf('approved')).toEqual([shift.uuid]);
  });

  test('keeps the shift, and ends with a change, which needs a reason', async () => {
    await finish();
    const as = tenant.as.admin;
    const put = (body: object) => service.call('PUT', `/v1/work_shifts/${shift.uuid}`, { as, body });
    const { id: userId } = await service.createUser(tenant.business, 'staff');
    expectAnswer(await put({ user_id: userId }), 409, 'CONFLICT');
    expectAnswer(await put({ end_time: '2026-12-05 23:00:00', override_reason: 'Planned shorter' }), 200);
    expectAnswer(await approve(shift), 200);
    expectAnswer(await put({ end_time: '2026-12-05 22:00:00' }), 409, 'CONFLICT');
    expectAnswer(await service.call('DELETE', `/v1/work_shifts/${shift.uuid}`, { as }), 409, 'CONFLICT');
    const elsewhere = await service.createCallTime(await service.createEvent(tenant.business), { positionId });
    const target = { call_time_uuid: elsewhere.uuid, override_reason: 'x' };
    expectAnswer(await act('move', target), 409, 'CONFLICT');
    expectAnswer(await change({ break_minutes: 15 }), 422, 'VALIDATION_FAILED');
    const changed = expectAnswer(await change({ break_minutes: 15, change_reason: 'Forgot the break' }), 200);
    expect(changed).toMatchObject({ approved_at: null, approved_amount: null, change_reason: 'Forgot the break' });
    const [again] = expectAnswer(await approve(shift), 200);
    expect(again).toMatchObject({ approved_minutes: 435, approved_amount: '145.00' });
    const { body } = await service.call('GET', `/v1/history?kind=attendance&row_uuid=${shift.uuid}`, { as });
    expect(JSON.stringify(body.data)).toContain('Forgot the break');
  });

  test('of time that is approved already, or with it, needs a reason, in both dialects', async () => {
    const as = tenant.as.admin;
    // The first shift is left two hours after the second one has begun; the third follows at once.
    const times = { checkedInAt: after(0), checkedOutAt: after(450) };
    await service.createAttendance(shift, times);
    const noted = async (from: number, to: number, more: object = {}) => {
      const other = await service.createShift(event, person, { positionId });
      await service.createAttendance(other, {
        paidEarly: true,
        checkedInAt: after(from),
        checkedOutAt: after(to),
        ...more,
      });
      return other;
    };
    const [second, third, free] = [
      await noted(330, 480),
      await noted(480, 600),
      await noted(-60, 30, { breakMinutes: 5 }),
    ];
    now = after(660);
    expect((await statesOf('overlapping')).toSorted()).toEqual(
      [shift, second, free].map(({ uuid }) => uuid).toSorted(),
    );
    expectAnswer(await approve(third, second), 200);
    const refused = await approve(third, shift);
    expectAnswer(refused, 409, 'CLASH');
    expect(refused.body.errors.shift_uuids[0]).toMatch(/: 2$/);
    expect(refused.body.clashes).toMatchObject([
      { kind: 'OVERLAP', user_id: person.id, shift_uuid: second.uuid, minutes: 120, event_title: event.title },
    ]);
    const mutation = (override: string) =>
      service.graphql(
        `mutation { approveAttendance(shiftIds: ["${shift.uuid}", "${free.uuid}"] ${override}) { changeReason } }`,
        { as },
      );
    const { errors } = (await mutation('')).body;
    expect(errors[0].extensions).toMatchObject({
      code: 'CLASH',
      clashes: [{ minutes: 120 }, { minutes: 30 }, { minutes: 30 }],
    });
    expect(await statesOf('approved')).toHaveLength(2);
    expect((await mutation('override: { reason: "Two jobs in one" }')).body.data.approveAttendance).toEqual([
      { changeReason: 'Two jobs in one' },
      { changeReason: 'Two jobs in one' },
    ]);
    const body = { shift_uuids: [shift.uuid], override_reason: 'Again' };
    expectAnswer(await service.call('POST', '/v1/attendance/batch/approve', { as, body }), 200);
  });

  test('is all or nothing', async () => {
    await finish();
    const open = await service.createShift(event, person, { positionId });
    const answer = await approve(shift, open);
    expectAnswer(answer, 422, 'VALIDATION_FAILED');
    expect(answer.body.errors.shift_uuids[0]).toMatch(/: 2$/);
    const malformed = await approve(shift, { ...open, uuid: 'x' });
    expectAnswer(malformed, 422, 'VALIDATION_FAILED');
    expect(Object.keys(malformed.body.errors)).toEqual(['shift_uuids.1']);
    expect(await statesOf('approved')).toEqual([]);
  });
});

test('what was worked stands beside what was planned, and whoever came beside whoever confirmed', async () => {
  const callTime = await service.createCallTime(event, { positionId, staffNeeded: 3 });
  const own = await service.createShift(event, person, { positionId, callTimeId: callTime.id });
  await act('check_in', {}, tenant.as.admin, own);
  now = after(60);
  await change({ no_show: true });
  await act('check_out', {}, tenant.as.admin, own);
  const figures = `{ event(id: "${event.uuid}") { labourCost { planned actual withoutActual } coverage { confirmed present }
    callTimes { labourCost { actual withoutActual } coverage { present } } } }`;
  const { body } = await service.graphql(figures, { as: tenant.as.admin });
  expect(body.data.event).toEqual({
    labourCost: { planned: '300.00', actual: '20.00', withoutActual: 0 },
    coverage: { confirmed: 0, present: 1 },
    callTimes: [{ labourCost: { actual: '20.00', withoutActual: 0 }, coverage: { present: 1 } }],
  });
  const span = 'from=2026-12-05T00:00:00Z&to=2026-12-07T00:00:00Z';
  for (const group of ['event', 'position', 'staff', 'client']) {
    const report = await service.call('GET', `/v1/labour_cost?${span}&group_by=${group}&position_id=${positionId}`, {
      as: tenant.as.admin,
    });
    expect(report.body.data.total).toMatchObject({ planned: '300.00', actual: '20.00', without_actual: 0 });
  }
  const coverage = await service.call('GET', `/v1/coverage?${span}&group_by=position&position_id=${positionId}`, {
    as: tenant.as.admin,
  });
  expect(coverage.body.data.total).toMatchObject({ needed: 3, assigned: 1, present: 1 });
});

test('webhooks are told who came, who left and who did not, what was approved and what changed', async () => {
  const { types } = await (async () => {
    const { toWebhookMessages } = await import('../src/jobs/messages.ts');
    const change_ = (after_: object, verb = 'update') =>
      toWebhookMessages(
        [
          {
            ...{ table: 'attendance', rowId: 1, uuid: shift.uuid, eventId: event.id, change: verb, revision: 1n },
            ...{ before: {}, after: after_, at: now, id: 1 },
          } as never,
        ],
        new Map([[event.id, event.uuid]]),
      ).map(({ type }) => type);
    return {
      types: [
        change_({ checked_in_at: 'x', no_show: false }, 'insert'),
        change_({ checked_out_at: 'x' }),
        change_({ no_show: true }),
        change_({ note: 'x' }),
        change_({ checked_in_at: null }),
        change_({ approved_at: 'x', approved_amount: '80.00' }),
      ],
    };
  })();
  const verbs = ['checked_in', 'checked_out', 'no_show', 'updated', 'updated', 'approved'];
  expect(types).toEqual(verbs.map((verb) => [`attendance.${verb}`]));
});
