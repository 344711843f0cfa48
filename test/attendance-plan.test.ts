import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, User, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer } from './support/offers.ts';

/* The shift goes from 16:00 to 23:30 in New York, which is 21:00 to 04:30 UTC; its person came on time and left at 01:00. */

const at = (time: string) => new Date(`2026-12-0${time}:00Z`);
/** Tokens hold for a day from here on. */
let now = at('5T12:00');
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
let event: Event;
let callTime: CallTime;
let person: User;
let shift: WorkShift;

beforeEach(async () => {
  now = at('5T22:00');
  const { id: positionId } = await service.createPosition(tenant.business);
  event = await service.createEvent(tenant.business);
  callTime = await service.createCallTime(event, { positionId, staffNeeded: 5 });
  person = await service.createUser(tenant.business, 'staff');
  shift = await service.createShift(event, person, { positionId, callTimeId: callTime.id });
});

const as = () => tenant.as.admin;
const act = (action: string, body: object = {}) =>
  service.call('POST', `/v1/work_shifts/${shift.uuid}/actions/${action}`, { as: as(), body });
const put = (path: string, body: object) => service.call('PUT', `/v1/${path}`, { as: as(), body });
const stored = () => service.prisma.workShift.findFirst({ where: { uuid: shift.uuid } });
const movedEvent = { start_time: '2026-12-12 18:00:00', end_time: '2026-12-12 23:00:00' };

async function finish(): Promise<void> {
  expectAnswer(await act('check_in', { at: '2026-12-05T21:00:00Z' }), 200);
  now = at('6T06:00');
  expectAnswer(await act('check_out', { at: '2026-12-06T01:00:00Z' }), 200);
}

async function approve(): Promise<void> {
  await finish();
  const body = { shift_uuids: [shift.uuid] };
  expectAnswer(await service.call('POST', '/v1/attendance/batch/approve', { as: as(), body }), 200);
}

describe('approved work', () => {
  test.each([
    ['a rate of its own', () => put(`work_shifts/${shift.uuid}`, { pay_rate: '99.00' })],
    ['a rate of its call time', () => put(`call_times/${callTime.uuid}`, { pay_rate: '99.00' })],
    ['another zone', () => put(`events/${event.uuid}`, { timezone: 'America/Los_Angeles' })],
    ['another zone with a reason', () => put(`events/${event.uuid}`, { timezone: 'Etc/UTC', override_reason: 'x' })],
    ['other times', () => put(`work_shifts/${shift.uuid}`, { end_time: '2026-12-05 23:00:00', override_reason: 'x' })],
  ])('is not rewritten by %s: the refusal counts it', async (_way, change) => {
    await approve();
    const before = await stored();
    const refused = await change();
    expectAnswer(refused, 409, 'CONFLICT');
    expect(refused.body.message).toContain('(shifts: 1)');
    expect(await stored()).toEqual(before);
  });

  test('is not rewritten by a batch of call times, nor by the event in GraphQL', async () => {
    await approve();
    const changes = [{ call_time_uuid: callTime.uuid, pay_rate: '99.00' }];
    const body = { event_uuid: event.uuid, changes, override_reason: 'x' };
    expectAnswer(await service.call('POST', '/v1/call_times/batch', { as: as(), body }), 409, 'CONFLICT');
    const change = `mutation { updateEvent(id: "${event.uuid}", input: { timezone: "Etc/UTC" }) { event { uuid } } }`;
    const { errors } = (await service.graphql(change, { as: as() })).body;
    expect(errors[0].extensions).toMatchObject({ code: 'CONFLICT', approvedShifts: 1 });
  });

  test('stays where it is while its event moves without its children', async () => {
    await approve();
    const before = await stored();
    const answer = await put(`events/${event.uuid}`, { ...movedEvent, children: 'keep', override_reason: 'x' });
    expectAnswer(answer, 200);
    expect(await stored()).toEqual(before);
  });
});

describe('noted work', () => {
  const change = { end_time: '2026-12-05 23:00:00', start_time: '2026-12-05 17:00:00' };

  test('stays with its person, whatever else takes a shift from somebody, in both dialects', async () => {
    const { business } = tenant;
    const other = await service.createUser(business, 'staff');
    const theirs = await service.createShift(await service.createEvent(business), other, {
      positionId: shift.positionId,
    });
    const elsewhere = await service.createCallTime(await service.createEvent(business), {
      positionId: shift.positionId,
    });
    expectAnswer(await act('check_in', { at: '2026-12-05T21:00:00Z' }), 200);
    const why = { override_reason: 'x' };
    for (const change of [
      () => act('exchange', { other_shift_uuid: theirs.uuid, ...why }),
      () => act('move', { call_time_uuid: elsewhere.uuid, ...why }),
      () => act('cancel'),
      () => act('decline'),
      () => put(`work_shifts/${shift.uuid}`, { user_id: other.id, ...why }),
      () => service.call('DELETE', `/v1/work_shifts/${shift.uuid}`, { as: as() }),
      () => service.call('DELETE', `/api/v1/users/${person.id}?shifts=cancel`, { as: as() }),
    ])
      expectAnswer(await change(), 409, 'CONFLICT');
    const exchange = `mutation { exchangeShifts(id: "${theirs.uuid}", input: { otherShiftId: "${shift.uuid}", override: { reason: "x" } }) { shifts { uuid } } }`;
    const { errors } = (await service.graphql(exchange, { as: as() })).body;
    expect(errors[0].extensions.code).toBe('CONFLICT');
    expect(await stored()).toMatchObject({ userId: person.id, eventId: event.id, status: 'active' });
  });

  test('follows its shift only for a reason, and the answer has the minutes before and after', async () => {
    await finish();
    const refused = await put(`work_shifts/${shift.uuid}`, change);
    expectAnswer(refused, 409, 'CLASH');
    expect(refused.body.clashes).toMatchObject([
      {
        ...{ kind: 'ATTENDED', shift_uuid: shift.uuid, user_id: person.id, minutes: 240 },
        text: expect.stringMatching(/^Has attendance.* at “.+” on \d{4}-\d\d-\d\d: 240 minutes before, /),
      },
    ]);
    expect((await stored())?.startsAt).toEqual(shift.startsAt);
    const made = expectAnswer(await put(`work_shifts/${shift.uuid}`, { ...change, override_reason: 'Misread' }), 200);
    const reworked = [{ shift_uuid: shift.uuid, minutes_before: 240, minutes_after: 180 }];
    expect(made).toMatchObject({ start_time: change.start_time, reworked });
    const noted = await service.prisma.attendance.findFirst({ where: { uuid: shift.uuid } });
    expect(noted).toMatchObject({ changeReason: 'Misread' });
  });

  test('follows its event only for a reason, whoever is there now', async () => {
    expectAnswer(await act('check_in'), 200);
    const refused = await put(`events/${event.uuid}`, movedEvent);
    expectAnswer(refused, 409, 'CLASH');
    expect(JSON.stringify(refused.body.errors)).toContain(
      `what ${person.name} has worked at “${event.title}” on 2026-12-05`,
    );
    const write = (input: string) =>
      service.graphql(
        `mutation { updateEvent(id: "${event.uuid}", input: { startTime: "${movedEvent.start_time}", endTime: "${movedEvent.end_time}" ${input} }) {
           clashes { kind shiftUuid } reworked { shiftUuid minutesBefore minutesAfter } } }`,
        { as: as() },
      );
    const asked = (await write('')).body.data.updateEvent;
    expect(asked).toEqual({ clashes: [{ kind: 'ATTENDED', shiftUuid: shift.uuid }], reworked: [] });
    const made = (await write(', override: { reason: "Postponed" }')).body.data.updateEvent;
    expect(made).toEqual({
      clashes: [],
      reworked: [{ shiftUuid: shift.uuid, minutesBefore: null, minutesAfter: null }],
    });
  });

  test('gets other instants in another zone only for a reason', async () => {
    await finish();
    const zone = { timezone: 'America/Los_Angeles' };
    expectAnswer(await put(`events/${event.uuid}`, zone), 409, 'CLASH');
    const made = expectAnswer(await put(`events/${event.uuid}`, { ...zone, override_reason: 'Wrong' }), 200);
    expect(made.reworked).toEqual([{ shift_uuid: shift.uuid, minutes_before: 240, minutes_after: 60 }]);
  });

  test('moves to another call time only for a reason, one by one and in a batch', async () => {
    await finish();
    const times = { startLocal: at('5T17:00'), startsAt: at('5T22:00') };
    const other = await service.createCallTime(event, { positionId: shift.positionId, ...times });
    const target = { call_time_uuid: other.uuid };
    const moves = [{ shift_uuid: shift.uuid, ...target }];
    const many = (more: object) =>
      service.call('POST', '/v1/work_shifts/batch/move', { as: as(), body: { moves, ...more } });
    expectAnswer(await act('move', target), 409, 'CLASH');
    expectAnswer(await many({}), 409, 'CLASH');
    const [made] = expectAnswer(await many({ override_reason: 'Came later' }), 200);
    expect(made.reworked).toEqual([{ shift_uuid: shift.uuid, minutes_before: 240, minutes_after: 180 }]);
  });

  test('is paid at a rate that is set right before it is approved', async () => {
    await finish();
    expect(expectAnswer(await put(`work_shifts/${shift.uuid}`, { pay_rate: '25.00' }), 200).reworked).toBeUndefined();
    expectAnswer(await put(`call_times/${callTime.uuid}`, { pay_rate: '26.00' }), 200);
  });
});

describe('another position', () => {
  let positionId: number;

  beforeEach(async () => {
    now = at('5T12:00');
    ({ id: positionId } = await service.createPosition(tenant.business));
    const qualification = await service.call('POST', '/v1/qualifications', {
      as: as(),
      body: { name: `Q${positionId}` },
    });
    const requirements = [{ qualification_id: expectAnswer(qualification, 201).id }];
    expectAnswer(await put(`positions/${positionId}`, { requirements }), 200);
  });

  test('of a shift is judged as an assignment', async () => {
    const path = `work_shifts/${shift.uuid}`;
    const refused = await put(path, { position_id: positionId });
    expectAnswer(refused, 409, 'CLASH');
    expect(refused.body.clashes).toMatchObject([{ kind: 'MISSING_QUALIFICATION', user_id: person.id }]);
    const made = expectAnswer(await put(path, { position_id: positionId, override_reason: 'Learns it' }), 200);
    expect(made).toMatchObject({ position_id: positionId, override_reason: 'Learns it' });
  });

  test.each(['one', 'many'])('of a call time takes its people along, judged and unconfirmed (%s)', async (way) => {
    await service.prisma.workShift.updateMany({ where: { uuid: shift.uuid }, data: { confirmed: true } });
    const other = await service.createShift(event, await service.createUser(tenant.business, 'staff'), {
      positionId: (await service.createPosition(tenant.business)).id,
      callTimeId: callTime.id,
    });
    const change = (more: object = {}) =>
      way === 'one'
        ? put(`call_times/${callTime.uuid}`, { position_id: positionId, ...more })
        : service.call('POST', '/v1/call_times/batch', {
            as: as(),
            body: {
              event_uuid: event.uuid,
              changes: [{ call_time_uuid: callTime.uuid, position_id: positionId }],
              ...more,
            },
          });
    const refused = await change();
    expectAnswer(refused, 409, 'CLASH');
    expect(refused.body.clashes).toMatchObject([{ kind: 'MISSING_QUALIFICATION', user_id: person.id }]);
    expect(await stored()).toMatchObject({ positionId: shift.positionId, confirmed: true });
    expectAnswer(await change({ override_reason: 'They learn it' }), 200);
    expect(await stored()).toMatchObject({ positionId, confirmed: false, overrideReason: 'They learn it' });
    const kept = await service.prisma.workShift.findFirst({ where: { uuid: other.uuid } });
    expect(kept?.positionId).toBe(other.positionId);
  });

  test('of a call time leaves what was worked in the position in which it was', async () => {
    now = at('5T22:00');
    await finish();
    expectAnswer(await put(`call_times/${callTime.uuid}`, { position_id: positionId }), 200);
    expect(await stored()).toMatchObject({ positionId: shift.positionId });
  });
});
