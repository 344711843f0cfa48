import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import { staffing } from './support/staffing.ts';

/* The rules of who can work, for every way in which somebody is booked. */

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);
const { assign, updateShift } = staffing(() => service);
const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

let positionId: number;
let staff: User;

beforeAll(async () => {
  positionId = (await service.createPosition(tenant.business)).id;
});

beforeEach(async () => {
  staff = await service.createUser(tenant.business, 'staff');
  await setRules({});
});

const setRules = async (rules: { restHours?: number | null; weeklyHours?: number | null }) => {
  const input = { restHours: null, weeklyHours: null, ...rules };
  const { code, it } = await mutate(
    tenant.as.admin,
    '($input: UpdateBusinessInput!) { it: updateBusiness(input: $input) { restHours weeklyHours } }',
    { input },
  );
  expect([code, it]).toEqual(['OK', input]);
};

const at = (time: string) => `2026-12-${time}:00`;
const newEvent = (start = '05 18:00', end = '05 23:00'): Promise<Event> =>
  service.createEvent(tenant.business, { timezone: 'UTC', start: at(start), end: at(end) });

const give = (event: Event, start: string | null, end: string | null, more = {}) =>
  assign(tenant.as.admin, {
    eventId: event.uuid,
    userId: staff.id,
    positionId,
    startTime: start && at(start),
    endTime: end && at(end),
    ...more,
  });

const kindsOf = (clashes: { kind: string; minutes: number | null }[]) =>
  clashes.map(({ kind, minutes }) => `${kind} ${minutes}`);

const conflicts = async () => {
  const { it } = await query(
    tenant.as.admin,
    `($user: ID!) { it: conflicts(from: "2026-11-01T00:00:00Z", to: "2027-02-01T00:00:00Z", userId: $user) {
      totalCount nodes { kind minutes text first { uuid } second { uuid } } } }`,
    { user: staff.id },
  );
  expect(it.totalCount).toBe(it.nodes.length);
  return it.nodes;
};

describe('the settings', () => {
  test.each([0, -1, 169, 1.5, '11'])('refuse %p hours of rest', async (hours) => {
    const { status, body } = await service.call('PUT', '/v1/business', {
      as: tenant.as.admin,
      body: { rest_hours: hours, weekly_hours: 169 },
    });
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['rest_hours', 'weekly_hours']]);
  });

  test('are said in both dialects, kept in the history, and hidden from staff', async () => {
    await setRules({ restHours: 11, weeklyHours: 48 });
    const { body } = await service.call('GET', '/v1/business', { as: tenant.as.admin });
    expect(body.data).toMatchObject({ rest_hours: 11, weekly_hours: 48 });
    const own = await query(tenant.as.staff, '{ it: viewer { business { name restHours weeklyHours } } }');
    expect(own.it.business).toMatchObject({ restHours: null, weeklyHours: null });
    const { body: entries } = await service.call('GET', '/v1/audit_entries?per_page=10', { as: tenant.as.admin });
    expect(entries.data.data.map(({ details }: { details: object }) => details)).toContainEqual({
      restHours: { from: null, to: 11 },
      weeklyHours: { from: null, to: 48 },
    });
  });
});

describe('rest', () => {
  const shortRest = [{ kind: 'SHORT_REST' }];

  test.each<[string, [string, string], [string, string], string[]]>([
    ['long enough', ['05 12:00', '05 22:00'], ['06 09:00', '06 12:00'], []],
    ['a minute short', ['05 12:00', '05 22:01'], ['06 09:00', '06 12:00'], ['SHORT_REST 659']],
    ['short before the other shift', ['06 09:00', '06 12:00'], ['05 12:00', '05 22:01'], ['SHORT_REST 659']],
    ['none at all', ['05 12:00', '05 22:00'], ['05 22:00', '05 23:00'], ['SHORT_REST 0']],
    ['shared time', ['05 12:00', '05 22:00'], ['05 21:00', '05 23:00'], ['OVERLAP 60']],
  ])('between events: %s', async (_, has, wants, kinds) => {
    await setRules({ restHours: 11 });
    const [first, second] = [await newEvent(), await newEvent()];
    expect((await give(first, ...has)).code).toBe('OK');
    const answer = await give(second, ...wants);
    expect([answer.code, kindsOf(answer.clashes)]).toEqual([kinds.length > 0 ? 'CLASH' : 'OK', kinds]);
  });

  test('is not checked in a business that has not set it', async () => {
    const [first, second] = [await newEvent(), await newEvent()];
    await give(first, '05 12:00', '05 22:00');
    expect((await give(second, '05 22:00', '05 23:00')).code).toBe('OK');
    expect(await conflicts()).toEqual([]);
  });

  test('is lifted with a reason, and stays a conflict of both shifts', async () => {
    await setRules({ restHours: 11 });
    const [first, second] = [await newEvent(), await newEvent()];
    const one = await give(first, '05 12:00', '05 22:00');
    const refused = await give(second, '06 02:00', '06 04:00');
    expect(refused.clashes).toMatchObject([
      {
        kind: 'SHORT_REST',
        text: `Only 4 h of rest after “${first.title}”, where 11 h are asked for`,
        until: '2026-12-06T09:00:00.000Z',
        shiftUuid: one.row.uuid,
        user: { databaseId: staff.id },
      },
    ]);
    const body = {
      event_uuid: second.uuid,
      user_id: staff.id,
      position_id: positionId,
      start_time: at('06 02:00'),
      end_time: at('06 04:00'),
    };
    const rest = await service.call('POST', '/v1/work_shifts', { as: tenant.as.admin, body });
    expect([rest.status, rest.body.code, rest.body.clashes]).toMatchObject([
      409,
      'CLASH',
      [{ kind: 'SHORT_REST', user_id: staff.id, minutes: 240, until: '2026-12-06T09:00:00.000Z' }],
    ]);
    const made = await service.call('POST', '/v1/work_shifts', {
      as: tenant.as.admin,
      body: { ...body, override_reason: 'Both agreed' },
    });
    expect([made.status, made.body.data.override_reason]).toEqual([201, 'Both agreed']);
    expect(await conflicts()).toMatchObject([
      { kind: 'SHORT_REST', minutes: 240, first: { uuid: one.row.uuid }, second: { uuid: made.body.data.uuid } },
    ]);
    const listed = await service.call('GET', `/v1/conflicts?from=2026-12-06T00:00:00Z&to=2026-12-07T00:00:00Z`, {
      as: tenant.as.admin,
    });
    expect(listed.body.data.data.filter((row: { user_id: number }) => row.user_id === staff.id)).toMatchObject([
      { kind: 'SHORT_REST', starts_at: '2026-12-05T22:00:00.000Z', ends_at: '2026-12-06T02:00:00.000Z' },
    ]);
  });

  test('holds for changes of a shift, and asks only about what a change makes worse', async () => {
    await setRules({ restHours: 11 });
    const [first, second] = [await newEvent(), await newEvent()];
    await give(first, '05 12:00', '05 22:00');
    const { row } = await give(second, '06 10:00', '06 12:00');
    const change = (start: string, more = {}) =>
      updateShift(tenant.as.admin, row.uuid, { startTime: at(start), ...more });
    expect(await change('06 05:00')).toMatchObject({ code: 'CLASH', clashes: shortRest });
    expect((await change('06 05:00', { override: { reason: 'They asked for it' } })).code).toBe('OK');
    expect((await change('06 06:00')).code).toBe('OK');
    expect((await change('06 04:00')).code).toBe('CLASH');
  });

  test('holds for moves of events, and for events with people', async () => {
    await setRules({ restHours: 11 });
    const [first, second] = [await newEvent(), await newEvent('08 10:00', '08 20:00')];
    await give(first, '05 12:00', '05 22:00');
    const { row } = await give(second, '08 10:00', '08 20:00');
    const move = (more = {}) =>
      service.call('PUT', `/v1/events/${second.uuid}`, {
        as: tenant.as.admin,
        body: { start_time: at('06 04:00'), end_time: at('06 14:00'), ...more },
      });
    const refused = await move();
    expect([refused.status, refused.body.code]).toEqual([409, 'CLASH']);
    expect(refused.body.message).toContain('break rules of who can work');
    expect(refused.body.errors.start_time[0]).toContain(`would break a rule for user ${staff.id}: Only 6 h of rest`);
    expect((await move({ override_reason: 'No other day' })).status).toBe(200);
    expect(await service.prisma.workShift.findFirst({ where: { uuid: row.uuid } })).toMatchObject({
      overrideReason: 'No other day',
    });
    const created = await service.call('POST', '/v1/events/batch', {
      as: tenant.as.admin,
      body: {
        inputs: [
          {
            title: 'With people',
            timezone: 'UTC',
            start_time: at('05 23:00'),
            end_time: at('05 23:30'),
            call_times: [
              {
                position_id: positionId,
                start_time: at('05 23:00'),
                end_time: at('05 23:30'),
                staff_needed: 1,
                people: [{ user_id: staff.id }],
              },
            ],
          },
        ],
      },
    });
    expect(JSON.stringify(created.body)).toContain('Only 1 h of rest after');
  });
});

describe('hours of the week', () => {
  test('are those of shifts that start in the week of the business, also among assignments made at once', async () => {
    await setRules({ weeklyHours: 10 });
    const event = await newEvent('07 00:00', '14 23:00');
    // 7 December 2026 is a Monday.
    expect((await give(event, '07 08:00', '07 14:00')).code).toBe('OK');
    expect((await give(event, '13 20:00', '14 00:00')).code).toBe('OK');
    expect((await give(event, '14 08:00', '14 18:00')).code).toBe('OK');
    const refused = await give(event, '09 08:00', '09 09:00');
    expect(refused.clashes).toMatchObject([
      {
        kind: 'OVER_WEEKLY_HOURS',
        minutes: 660,
        text: '11 h in the week with this shift, where 10 h are allowed',
        until: '2026-12-14T00:00:00.000Z',
      },
    ]);
    const other = await service.createUser(tenant.business, 'staff');
    const inputs = ['07', '08', '09'].map((day) => ({
      eventId: event.uuid,
      userId: other.id,
      positionId,
      startTime: at(`${day} 08:00`),
      endTime: at(`${day} 13:00`),
    }));
    const { it } = await mutate(
      tenant.as.admin,
      '($inputs: [AssignShiftInput!]!) { it: assignShifts(inputs: $inputs) { error { code } clashes { kind minutes } } }',
      { inputs },
    );
    expect(it.map((one: { error: unknown; clashes: [] }) => [one.error !== null, kindsOf(one.clashes)])).toEqual([
      [false, []],
      [false, []],
      [true, ['OVER_WEEKLY_HOURS 900']],
    ]);
  });

  test('over an override are one conflict of the week', async () => {
    await setRules({ weeklyHours: 10 });
    const event = await newEvent('07 00:00', '14 23:00');
    const override = { reason: 'A sick colleague' };
    for (const day of ['07', '08', '09']) await give(event, `${day} 08:00`, `${day} 14:00`, { override });
    expect(await conflicts()).toMatchObject([{ kind: 'OVER_WEEKLY_HOURS', minutes: 1080, second: null }]);
  });
});
