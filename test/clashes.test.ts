import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, EventStatus, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { staffing } from './support/staffing.ts';

let positionId: number;
const { assign, updateShift } = staffing(() => service);

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  positionId = (await service.createPosition(tenant.business)).id;
});

const newStaff = () => service.createUser(tenant.business, 'staff');

/** The ids of a user, as every query shows them. */
async function readUserIds({ id }: User): Promise<{ id: string; databaseId: number }> {
  const { body } = await service.graphql(`{ user(id: ${id}) { id databaseId } }`, { as: tenant.as.admin });
  return body.data.user;
}

const on = (clock: string | null) => clock && `2026-12-${clock.length > 5 ? clock : `05 ${clock}`}:00`;
type Window = readonly [start: string | null, end: string | null];

/** In New York, 18:00 to 23:00. */
const newEvent = (more = {}): Promise<Event> => service.createEvent(tenant.business, more);

const give = (event: Event, { id: userId }: User, [start, end]: Window, more = {}) =>
  assign(tenant.as.admin, {
    eventId: event.uuid,
    userId,
    positionId,
    startTime: on(start),
    endTime: on(end),
    ...more,
  });

const kindsOf = (clashes: { kind: string; minutes?: number | null }[]) =>
  clashes.map(({ kind, minutes }) => (typeof minutes === 'number' ? `${kind} ${minutes}` : kind));

const possible = ['POSSIBLE_OVERLAP'];

/** Shifts of one person, at events of 18:00 to 23:00 each. */
const pairs: [name: string, has: Window, wants: Window, clashes: string[]][] = [
  ['the same times', ['18:00', '23:00'], ['18:00', '23:00'], ['OVERLAP 300']],
  ['one inside the other', ['16:00', '23:00'], ['18:00', '19:15'], ['OVERLAP 75']],
  ['the last minute', ['16:00', '18:00'], ['17:59', '20:00'], ['OVERLAP 1']],
  ['one after the other', ['16:00', '18:00'], ['18:00', '20:00'], []],
  ['one before the other', ['18:00', '20:00'], ['16:00', '18:00'], []],
  ['over midnight', ['22:00', '06 02:00'], ['06 01:00', '06 05:00'], ['OVERLAP 60']],
  ['an open end within the event', ['18:00', null], ['22:00', '23:30'], possible],
  ['an open end after the event', ['18:00', null], ['23:00', '23:30'], []],
  ['an open start before the event', [null, '20:00'], ['16:00', '18:00'], []],
  ['an open start within the event', [null, '20:00'], ['17:00', '18:01'], possible],
  ['a known start long before the event', ['10:00', null], ['12:00', '13:00'], possible],
  ['a known start after the end of the event', ['06 01:00', null], ['06 00:00', '06 02:00'], possible],
  ['a known end before the start of the event', [null, '12:00'], ['11:00', '13:00'], possible],
  ['both times open', [null, null], ['22:00', '23:30'], possible],
  ['both times open, beside the event', [null, null], ['23:00', '23:30'], []],
  ['open times on both sides', [null, null], [null, null], possible],
  ['an open wish', ['18:00', '19:00'], [null, null], possible],
  ['an open wish beside it', ['16:00', '18:00'], [null, null], []],
];

describe('shifts of one person clash', () => {
  test.each(pairs)('or do not clash: %s', async (_, has, wants, clashes) => {
    for (const there of ['at another event', 'at the same event']) {
      const staff = await newStaff();
      const first = await newEvent({ title: 'The first' });
      const second = there === 'at the same event' ? first : await newEvent();
      const { row } = await give(first, staff, has);
      const answer = await give(second, staff, wants);
      expect(answer.code).toBe(clashes.length > 0 ? 'CLASH' : 'OK');
      expect(kindsOf(answer.clashes)).toEqual(clashes);
      if (clashes.length > 0)
        expect(answer.clashes).toMatchObject([
          {
            user: await readUserIds(staff),
            shiftUuid: row.uuid,
            eventUuid: first.uuid,
            eventTitle: 'The first',
            startsAt: row.startsAt,
            endsAt: row.endsAt,
          },
        ]);
      expect(await service.prisma.workShift.count({ where: { userId: staff.id } })).toBe(clashes.length > 0 ? 1 : 2);
    }
  });

  test('by instants: the same local time in two zones is not a clash, different ones can be', async () => {
    const staff = await newStaff();
    const [york, berlin] = [await newEvent(), await newEvent({ timezone: 'Europe/Berlin' })];
    await give(york, staff, ['16:00', '20:00']);
    expect((await give(berlin, staff, ['16:00', '20:00'])).code).toBe('OK');
    expect(kindsOf((await give(berlin, staff, ['21:00', '22:30'])).clashes)).toEqual(['OVERLAP 30']);
  });

  test('by the first occurrence of an hour that a zone has twice', async () => {
    const staff = await newStaff();
    const event = await newEvent({ start: '2026-11-01 00:00:00', end: '2026-11-01 06:00:00' });
    const at = (startTime: string, endTime: string) =>
      give(event, staff, [null, null], {
        startTime: `2026-11-01 ${startTime}:00`,
        endTime: `2026-11-01 ${endTime}:00`,
      });
    await at('00:00', '01:30');
    // From 01:30 on, the first time, to 02:00: an hour and a half.
    expect((await at('01:30', '02:00')).code).toBe('OK');
    expect(kindsOf((await at('01:45', '03:00')).clashes)).toEqual(['OVERLAP 75']);
  });

  test.each([
    ['canceled shifts', { status: 'canceled' }, 'active'],
    ['deleted shifts', { status: 'deleted' }, 'active'],
    ['shifts of canceled events', {}, 'canceled'],
    ['shifts of deleted events', {}, 'deleted'],
  ])('not with %s', async (_, more, status) => {
    const staff = await newStaff();
    await service.createShift(await newEvent({ status: status as EventStatus }), staff, more as object);
    expect((await give(await newEvent(), staff, ['16:00', '20:00'])).code).toBe('OK');
  });

  test('with shifts of drafts too, and all clashes are listed by start', async () => {
    const staff = await newStaff();
    await give(await newEvent({ status: 'draft' }), staff, ['19:00', '20:00']);
    await give(await newEvent(), staff, ['16:00', '18:00']);
    await give(await newEvent(), staff, [null, '21:00'], { override: { reason: 'Sure' } });
    const { clashes } = await give(await newEvent(), staff, ['17:00', '22:00']);
    expect(kindsOf(clashes)).toEqual(['OVERLAP 60', 'OVERLAP 60', 'POSSIBLE_OVERLAP']);
  });
});

describe('a call time', () => {
  test('accepts as many active shifts as it needs staff, and overlaps are reported as well', async () => {
    const event = await newEvent();
    const { uuid: callTimeUuid, id: callTimeId } = await service.createCallTime(event, { staffNeeded: 2 });
    for (const status of ['active', 'canceled', 'deleted'] as const)
      await service.createShift(event, await newStaff(), { callTimeId, status });
    const put = async (staff: User, more = {}) =>
      assign(tenant.as.admin, { callTimeId: callTimeUuid, userId: staff.id, ...more });
    expect((await put(await newStaff())).code).toBe('OK');
    const busy = await newStaff();
    await service.createShift(event, busy);
    const { code, clashes } = await put(busy);
    expect(code).toBe('CLASH');
    expect(clashes).toMatchObject([
      { kind: 'OVERFILLED', callTimeUuid, needed: 2, assigned: 2 },
      { kind: 'OVERLAP', minutes: 450 },
    ]);
    const reason = 'The client asked for one more';
    const { row } = await put(busy, { override: { reason } });
    expect(row.overrideReason).toBe(reason);
    expect(await service.prisma.workShift.findFirst({ where: { uuid: row.uuid } })).toMatchObject({
      overrideReason: reason,
    });
  });
});

test('an override that was not needed is not stored', async () => {
  const { row } = await give(await newEvent(), await newStaff(), ['16:00', '20:00'], { override: { reason: 'Why' } });
  expect(row.overrideReason).toBeNull();
});

describe('a changed shift', () => {
  /** Two shifts of one person, at 12:00 to 14:00 and 18:00 to 20:00, and a full call time. */
  async function two() {
    const [event, staff] = [await newEvent(), await newStaff()];
    const early = (await give(event, staff, ['12:00', '14:00'])).row;
    const late = (await give(event, staff, ['18:00', '20:00'])).row;
    const full = await service.createCallTime(event, { staffNeeded: 1 });
    await service.createShift(event, await newStaff(), { callTimeId: full.id });
    return { event, staff, early, late, full };
  }
  const change = ({ uuid }: { uuid: string }, input: object) => updateShift(tenant.as.admin, uuid, input);

  test('clashes by its new times, not with itself', async () => {
    const { late } = await two();
    expect((await change(late, { startTime: on('17:00'), endTime: on('21:00') })).code).toBe('OK');
    expect(kindsOf((await change(late, { startTime: on('13:00') })).clashes)).toEqual(['OVERLAP 60']);
    expect((await change(late, { startTime: null })).code).toBe('OK');
  });

  test('clashes by its new person, call time and status', async () => {
    const { event, early, late, full } = await two();
    const other = (await give(event, await newStaff(), ['13:00', '19:00'])).row;
    expect(kindsOf((await change(other, { userId: early.userId })).clashes)).toEqual(['OVERLAP 60', 'OVERLAP 60']);
    expect(kindsOf((await change(early, { callTimeId: full.uuid })).clashes)).toEqual(['OVERFILLED']);
    await change(late, { status: 'CANCELED', callTimeId: full.uuid });
    await give(event, { id: late.userId } as User, ['19:00', '21:00']);
    expect(kindsOf((await change(late, { status: 'ACTIVE' })).clashes)).toEqual(['OVERFILLED', 'OVERLAP 60']);
    const { row } = await change(late, { status: 'ACTIVE', override: { reason: 'Both' } });
    expect(row).toMatchObject({ status: 'ACTIVE', overrideReason: 'Both' });
  });

  test('keeps its override reason as long as it breaks a rule', async () => {
    const { early, late, full } = await two();
    await change(early, { callTimeId: full.uuid, override: { reason: 'Full, but' } });
    const moved = await change(early, { endTime: on('15:00') });
    expect(moved).toMatchObject({ code: 'OK', row: { overrideReason: 'Full, but' } });
    expect((await change(early, { endTime: on('19:00') })).code).toBe('CLASH');
    const forced = await change(early, { endTime: on('19:00'), override: { reason: 'Twice' } });
    expect(forced.row.overrideReason).toBe('Twice');
    expect((await change(early, { payRate: '20' })).row.overrideReason).toBe('Twice');
    await change(late, { status: 'CANCELED' });
    expect((await change(early, { callTimeId: null })).row.overrideReason).toBeNull();
  });
});

describe('a mutation that clashes', () => {
  const send = async (selection: string, fragments = '') => {
    const [event, staff] = [await newEvent(), await newStaff()];
    await give(event, staff, ['16:00', '20:00']);
    const input = { eventId: event.uuid, userId: staff.id, positionId, startTime: on('19:00'), endTime: on('21:00') };
    const text = `mutation ($input: AssignShiftInput!) { assignShift(input: $input) ${selection} } ${fragments}`;
    const { status, body } = await service.graphql(text, { as: tenant.as.admin, variables: { input } });
    const [{ path, extensions }] = body.errors ?? [{}];
    return {
      status,
      data: body.data,
      path,
      code: extensions?.code as string,
      clashes: extensions?.clashes as object[],
    };
  };

  test.each([
    ['', '{ shift { id } clashes { kind minutes } }', ''],
    [
      ' asked for in fragments',
      '{ ... on ShiftPayload { ...refused } shift { id } }',
      'fragment refused on ShiftPayload { clashes { kind minutes } }',
    ],
  ])('returns the clashes%s beside the row, whose error has the code', async (_, selection, fragments) => {
    expect(await send(selection, fragments)).toMatchObject({
      status: 200,
      data: { assignShift: { shift: null, clashes: [{ kind: 'OVERLAP', minutes: 60 }] } },
      path: ['assignShift', 'shift'],
      code: 'CLASH',
      clashes: [{ kind: 'OVERLAP', minutes: 60 }],
    });
  });

  test.each(['{ shift { id } }', '{ __typename }'])(
    'is null, with the error, where %s is asked for',
    async (selection) => {
      expect(await send(selection)).toMatchObject({
        data: { assignShift: null },
        path: ['assignShift'],
        code: 'CLASH',
      });
    },
  );
});
