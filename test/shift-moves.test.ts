import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';

/* People are moved to other call times and exchanged; several are confirmed and called off; a dry run stores nothing. */

const service = useService();
const tenant = useOneTenant(service);
const day = (time: string) => `2026-12-05 ${time}`;
const early = { start: day('10:00:00'), end: day('14:00:00') };
const late = { start: day('15:00:00'), end: day('19:00:00') };

let event: Event;
let elsewhere: Event;
let first: CallTime;
let second: CallTime;
let away: CallTime;
let ann: User;
let ben: User;

beforeEach(async () => {
  const { business } = tenant;
  [event, elsewhere] = [await service.createEvent(business), await service.createEvent(business)];
  first = await service.createCallTime(event, { ...early, staffNeeded: 2 });
  second = await service.createCallTime(event, { ...late, staffNeeded: 1 });
  away = await service.createCallTime(elsewhere, { ...early, staffNeeded: 1 });
  ann = await service.createUser(business, 'staff', { name: 'Ann' });
  ben = await service.createUser(business, 'staff', { name: 'Ben' });
});

const post = (url: string, body: object, headers = {}, as = tenant.as.admin) =>
  service.call('POST', url, { as, body, headers });
const mutate = async (text: string, variables: object, as = tenant.as.admin) =>
  (await service.graphql(`mutation ${text}`, { as, variables })).body;
const shiftAt = (callTime: CallTime, user: User, more = {}) =>
  service.createShift(callTime.eventId === event.id ? event : elsewhere, user, {
    callTimeId: callTime.id,
    positionId: callTime.positionId,
    ...(callTime.id === second.id ? late : early),
    ...more,
  });
const stored = (uuid: string) => service.prisma.workShift.findFirstOrThrow({ where: { uuid } });
const confirmed = { confirmed: true, confirmedAt: new Date('2026-11-01T00:00:00Z') };
const moveTo = (uuid: string, callTime: CallTime, more = {}, query = '', headers = {}) =>
  post(`/v1/work_shifts/${uuid}/actions/move${query}`, { call_time_uuid: callTime.uuid, ...more }, headers);

describe('a move', () => {
  test('within the event gives the shift position and times of the call time, keeps its own rate, and asks anew', async () => {
    const { uuid } = await shiftAt(first, ann, { ...confirmed, payRate: '31.00', payUnit: 'hour' });
    const { status, body } = await moveTo(uuid, second, { reason: 'Needed at the bar' });
    expect([status, body.data]).toMatchObject([
      200,
      {
        uuid,
        call_time_uuid: second.uuid,
        start_time: late.start,
        confirmed: false,
        pay_rate: '31.00',
        move_reason: 'Needed at the bar',
      },
    ]);
    expect(await stored(uuid)).toMatchObject({ positionId: second.positionId, version: 2, confirmedAt: null });
  });

  test('to the same times elsewhere keeps the confirmation; the shift left is deleted, and both events tell of it', async () => {
    const { uuid } = await shiftAt(first, ann, confirmed);
    const { data } = (await moveTo(uuid, away, { reason: 'Bigger crowd' })).body;
    expect(data).toMatchObject({ event_uuid: elsewhere.uuid, call_time_uuid: away.uuid, confirmed: true });
    expect(data.uuid).not.toBe(uuid);
    expect(await stored(uuid)).toMatchObject({ status: 'deleted', eventId: event.id, moveReason: 'Bigger crowd' });
    expect(await stored(data.uuid)).toMatchObject({
      ...confirmed,
      payRate: null,
      userId: ann.id,
      createdAt: expect.any(Date),
    });
    for (const [of, change] of [
      [event, 'UPDATED'],
      [elsewhere, 'CREATED'],
    ] as const) {
      const { body } = await service.graphql(
        `{ event(id: "${of.uuid}") { history(first: 1) { nodes { operation change revision fields { name after } } } } }`,
        { as: tenant.as.admin },
      );
      const [entry] = body.data.event.history.nodes;
      expect(entry).toMatchObject({ operation: 'workShifts.move', change });
      expect(entry.fields).toContainEqual({ name: 'moveReason', after: 'Bigger crowd' });
    }
    expect((await moveTo(uuid, second)).status).toBe(409);
  });

  test('is refused by what an assignment is refused by, and made with a reason', async () => {
    await shiftAt(second, ben);
    const { uuid } = await shiftAt(first, ann);
    const full = await moveTo(uuid, second);
    expect([full.status, full.body.code]).toEqual([409, 'CLASH']);
    expect(full.body.clashes).toMatchObject([{ kind: 'OVERFILLED', needed: 1, assigned: 1 }]);
    expect((await moveTo(uuid, second, { override_reason: 'Rush' })).body.data.override_reason).toBe('Rush');
    const back = await moveTo(uuid, first);
    expect(back.body.data).toMatchObject({ override_reason: '', move_reason: '' });

    await service.createShift(elsewhere, ann, { start: day('16:00:00'), end: day('17:00:00') });
    const third = await service.createCallTime(event, { ...late, staffNeeded: 5 });
    const { body } = await moveTo(uuid, third);
    expect(body.clashes).toMatchObject([{ kind: 'OVERLAP', user_id: ann.id, event_uuid: elsewhere.uuid, minutes: 60 }]);
    await service.prisma.event.updateMany({ where: { id: elsewhere.id }, data: { status: 'canceled' } });
    expect((await moveTo(uuid, away)).body.code).toBe('CONFLICT');
  });

  test('does not ask about an overlap that was there before', async () => {
    await service.createShift(elsewhere, ann, early);
    const { uuid } = await shiftAt(first, ann, { overrideReason: 'Short walk' });
    const same = await service.createCallTime(event, early);
    expect((await moveTo(uuid, same)).body.data).toMatchObject({ override_reason: 'Short walk' });
  });

  test('to where the person is changes nothing, and a version that has passed is refused', async () => {
    const { uuid } = await shiftAt(first, ann, confirmed);
    expect((await moveTo(uuid, first, { reason: 'Why?' })).body.data).toMatchObject({ confirmed: true, version: 1 });
    expect((await moveTo(uuid, second, {}, '', { 'if-match': '"7"' })).status).toBe(412);
    expect((await moveTo(uuid, second, {}, '', { 'if-match': '"1"' })).headers['etag']).toBe('"2"');
  });

  test('needs an active shift of a member of the staff, and a call time of the business', async () => {
    const { uuid } = await shiftAt(first, ann, { status: 'canceled' });
    expect((await moveTo(uuid, second)).body).toMatchObject({ code: 'CONFLICT' });
    const other = await service.createTenant();
    const theirs = await service.createCallTime(await service.createEvent(other.business));
    const { uuid: mine } = await shiftAt(first, ben);
    expect((await moveTo(mine, theirs)).status).toBe(404);
    await service.prisma.user.updateMany({ where: { id: ben.id }, data: { role: 'client' } });
    expect((await moveTo(mine, second)).body.message).toContain('not a member of the staff');
  });
});

describe('several moves', () => {
  const several = (moves: object[], more = {}, dryRun = false) =>
    mutate(
      `($input: MoveShiftsInput!, $dryRun: Boolean) { moveShifts(input: $input, dryRun: $dryRun) {
         shifts { uuid status callTime { uuid } confirmed moveReason } clashes { kind } } }`,
      { input: { moves, ...more }, dryRun },
    );

  test('are judged on the result: two people take the places of each other', async () => {
    const [one, other] = [await shiftAt(second, ann), await shiftAt(away, ben)];
    const moves = [
      { shiftId: one.uuid, callTimeId: away.uuid },
      { shiftId: other.uuid, callTimeId: second.uuid },
    ];
    expect((await several(moves.slice(0, 1))).errors[0].extensions).toMatchObject({ code: 'CLASH' });
    const { shifts } = (await several(moves, { reason: 'Both asked' })).data.moveShifts;
    expect(shifts).toMatchObject([
      { callTime: { uuid: away.uuid }, moveReason: 'Both asked' },
      { callTime: { uuid: second.uuid }, moveReason: 'Both asked' },
    ]);
  });

  test('are made together or not at all, and a refusal names the move', async () => {
    const [one, other] = [await shiftAt(first, ann), await shiftAt(first, ben)];
    const crowd = [one, other].map(({ uuid }) => ({ shiftId: uuid, callTimeId: second.uuid }));
    expect((await several(crowd)).data.moveShifts).toEqual({ shifts: null, clashes: [{ kind: 'OVERFILLED' }] });
    const stale = [
      { ...crowd[0]!, version: 1 },
      { ...crowd[1]!, callTimeId: away.uuid, version: 9 },
    ];
    expect((await several(stale)).errors[0].extensions).toMatchObject({
      code: 'PRECONDITION_FAILED',
      errors: { 'moves.1.shiftId': [expect.any(String)] },
    });
    expect((await several([crowd[0]!, crowd[0]!])).errors[0].extensions.errors).toEqual({
      moves: ['must name each shift once'],
    });
    const { status, body } = await post('/v1/work_shifts/batch/move', {
      moves: [
        { shift_uuid: one.uuid, call_time_uuid: crypto.randomUUID() },
        { shift_uuid: other.uuid, call_time_uuid: second.uuid },
      ],
    });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['moves.0.call_time_uuid']]);
    const unknown = { shift_uuid: crypto.randomUUID(), call_time_uuid: second.uuid };
    expect((await post('/v1/work_shifts/batch/move', { moves: [unknown] })).status).toBe(422);
    for (const { uuid } of [one, other]) expect(await stored(uuid)).toMatchObject({ version: 1 });
    const both = await post('/v1/work_shifts/batch/move', {
      moves: [
        { shift_uuid: one.uuid, call_time_uuid: second.uuid },
        { shift_uuid: other.uuid, call_time_uuid: away.uuid },
      ],
    });
    expect(both.body.data.map((shift: { call_time_uuid: string }) => shift.call_time_uuid)).toEqual([
      second.uuid,
      away.uuid,
    ]);
  });
});

describe('an exchange', () => {
  const exchange = (uuid: string, other: string, more = {}, query = '') =>
    post(`/v1/work_shifts/${uuid}/actions/exchange${query}`, { other_shift_uuid: other, ...more });

  test('gives each shift the other person, with their rate, and with their confirmation where the times are the same', async () => {
    const one = await shiftAt(first, ann, { ...confirmed, payRate: '40.00', payUnit: 'hour' });
    const other = await shiftAt(away, ben, confirmed);
    const { status, body } = await exchange(one.uuid, other.uuid, { reason: 'Both asked', other_version: 1 });
    expect([status, body.data]).toMatchObject([
      200,
      [
        { uuid: one.uuid, first_name: 'Ben', event_uuid: event.uuid, confirmed: true, move_reason: 'Both asked' },
        { uuid: other.uuid, first_name: 'Ann', event_uuid: elsewhere.uuid, confirmed: true, pay_rate: '40.00' },
      ],
    ]);
    expect(await stored(one.uuid)).toMatchObject({ userId: ben.id, payRate: null, payUnit: null, version: 2 });
    const third = await shiftAt(second, await service.createUser(tenant.business, 'staff'), confirmed);
    const { data } = (await exchange(one.uuid, third.uuid)).body;
    expect(data).toMatchObject([{ confirmed: false }, { confirmed: false, first_name: 'Ben' }]);
  });

  test('is refused whole where one of both is busy, and made with a reason, in GraphQL too', async () => {
    const [one, other] = [await shiftAt(first, ann), await shiftAt(second, ben)];
    await service.createShift(elsewhere, ben, early);
    const refused = await exchange(one.uuid, other.uuid);
    expect([refused.status, refused.body.clashes]).toMatchObject([409, [{ kind: 'OVERLAP', user_id: ben.id }]]);
    expect([await stored(one.uuid), await stored(other.uuid)]).toMatchObject([{ userId: ann.id }, { userId: ben.id }]);
    const { data } = await mutate(
      `($id: ID!, $input: ExchangeShiftsInput!) { exchangeShifts(id: $id, version: 1, input: $input) {
         shifts { user { name } overrideReason } clashes { kind } } }`,
      { id: one.uuid, input: { otherShiftId: other.uuid, otherVersion: 1, override: { reason: 'Agreed' } } },
    );
    expect(data.exchangeShifts).toEqual({
      shifts: [
        { user: { name: 'Ben' }, overrideReason: 'Agreed' },
        { user: { name: 'Ann' }, overrideReason: null },
      ],
      clashes: [],
    });
  });

  test('needs two active shifts of two people in the versions that are expected', async () => {
    const [one, other] = [await shiftAt(first, ann), await shiftAt(second, ben)];
    const same = await shiftAt(second, ann);
    expect((await exchange(one.uuid, same.uuid)).body.errors).toEqual({
      other_shift_uuid: ['must be the shift of another person'],
    });
    expect((await exchange(one.uuid, other.uuid, { other_version: 4 })).status).toBe(412);
    expect((await exchange(one.uuid, crypto.randomUUID())).status).toBe(404);
    await service.prisma.workShift.updateMany({ where: { uuid: other.uuid }, data: { status: 'canceled' } });
    expect((await exchange(one.uuid, other.uuid)).body).toMatchObject({
      code: 'CONFLICT',
      errors: { other_shift_uuid: [expect.stringContaining('canceled')] },
    });
  });
});

describe('several shifts', () => {
  test('are confirmed, and called off with one reason, each with a result of its own', async () => {
    const [one, gone] = [await shiftAt(first, ann), await shiftAt(second, ben, { status: 'deleted' })];
    const shifts = [one.uuid, gone.uuid, 'nothing'];
    const { body } = await post('/v1/work_shifts/batch/confirm', { shift_uuids: shifts });
    expect(body.data).toMatchObject([
      { work_shift: { uuid: one.uuid, confirmed: true }, error: null },
      { work_shift: null, error: { code: 'CONFLICT' } },
      { work_shift: null, error: { code: 'NOT_FOUND' } },
    ]);
    const { data } = await mutate(
      '($ids: [ID!]!) { cancelShifts(shiftIds: $ids, reason: "Rain") { shift { status cancelReason } error { code } } }',
      { ids: shifts },
    );
    expect(data.cancelShifts).toEqual([
      { shift: { status: 'CANCELED', cancelReason: 'Rain' }, error: null },
      { shift: null, error: { code: 'CONFLICT' } },
      { shift: null, error: { code: 'NOT_FOUND' } },
    ]);
    const tooMany = { shift_uuids: Array.from({ length: 101 }, () => one.uuid) };
    expect((await post('/v1/work_shifts/batch/cancel', tooMany)).status).toBe(422);
  });
});

describe('several drafts', () => {
  test('are published in one call: each one is checked, and has a result of its own', async () => {
    const { business } = tenant;
    const [draft, other] = [
      await service.createEvent(business, { status: 'draft' }),
      await service.createEvent(business, { status: 'draft' }),
    ];
    const { data } = await mutate(
      `($inputs: [ChangeEventInput!]!) { updateEvents(inputs: $inputs) { event { uuid status } clashes { kind } error { code } } }`,
      {
        inputs: [
          { eventId: draft.uuid, version: 1, status: 'ACTIVE' },
          { eventId: other.uuid, version: 5, status: 'ACTIVE' },
        ],
      },
    );
    expect(data.updateEvents).toEqual([
      { event: { uuid: draft.uuid, status: 'ACTIVE' }, clashes: [], error: null },
      { event: null, clashes: [], error: { code: 'PRECONDITION_FAILED' } },
    ]);
    const { status, body } = await service.call('POST', '/v1/events/batch/update', {
      as: tenant.as.admin,
      body: {
        inputs: [
          { event_uuid: other.uuid, status: 'active' },
          { event_uuid: draft.uuid, start_time: 'soon' },
          { event_uuid: crypto.randomUUID() },
          'all',
        ],
      },
    });
    expect([status, body.data]).toMatchObject([
      200,
      [
        { event: { uuid: other.uuid, status: 'active' }, error: null },
        { event: null, error: { code: 'VALIDATION_FAILED', errors: { start_time: [expect.any(String)] } } },
        { event: null, error: { code: 'NOT_FOUND' } },
        { event: null, error: { code: 'VALIDATION_FAILED' } },
      ],
    ]);
  });

  test('that would book somebody twice say so, and are published with a reason', async () => {
    const draft = await service.createEvent(tenant.business, { status: 'canceled' });
    await service.createShift(draft, ann, early);
    await shiftAt(first, ann);
    const publish = async (more: object) => {
      const body = { inputs: [{ event_uuid: draft.uuid, status: 'active', ...more }] };
      return (await service.call('POST', '/v1/events/batch/update', { as: tenant.as.admin, body })).body.data[0];
    };
    expect(await publish({})).toMatchObject({ event: null, error: { code: 'CLASH', clashes: [{ kind: 'OVERLAP' }] } });
    expect(await publish({ override_reason: 'Agreed' })).toMatchObject({ event: { status: 'active' }, error: null });
  });
});

describe('a dry run', () => {
  let before: unknown;
  const everything = async () => [
    await service.prisma.workShift.findMany({ where: { businessId: tenant.business.id }, orderBy: { id: 'asc' } }),
    await service.prisma.event.findMany({ where: { businessId: tenant.business.id }, orderBy: { id: 'asc' } }),
    await service.prisma.callTime.findMany({ where: { businessId: tenant.business.id }, orderBy: { id: 'asc' } }),
    await service.prisma.rowChange.count({ where: { businessId: tenant.business.id } }),
    await service.prisma.idempotencyKey.count({ where: { businessId: tenant.business.id } }),
  ];
  beforeEach(async () => void (before = await everything()));

  test('of the move of an event says what would move along and what clashes, and stores nothing', async () => {
    await shiftAt(first, ann, confirmed);
    await service.createShift(elsewhere, ann, late);
    before = await everything();
    const times = { start_time: day('23:00:00'), end_time: '2026-12-06 04:00:00' };
    const put = (more = {}) =>
      service.call('PUT', `/v1/events/${event.uuid}?dry_run=true`, {
        as: tenant.as.admin,
        body: { ...times, ...more },
      });
    const refused = await put();
    expect([refused.status, refused.body.code, refused.body.errors.start_time]).toMatchObject([
      409,
      'CLASH',
      [expect.stringContaining(`book user ${ann.id} twice`)],
    ]);
    const shown = await put({ override_reason: 'To see what moves' });
    expect([shown.status, shown.body.data]).toMatchObject([
      200,
      { start_time: times.start_time, moved: { call_times: 2, work_shifts: 1 } },
    ]);
    expect(shown.headers).toMatchObject({ 'callboard-dry-run': 'true' });
    expect(shown.headers['etag']).toBeUndefined();
    const { data } = await mutate(
      `($id: ID!, $input: UpdateEventInput!, $forced: UpdateEventInput!) {
         it: updateEvent(id: $id, dryRun: true, input: $input) { clashes { kind } }
         forced: updateEvent(id: $id, dryRun: true, input: $forced) { moved { callTimes workShifts } } }`,
      {
        id: event.uuid,
        input: { startTime: times.start_time, endTime: times.end_time },
        forced: { startTime: times.start_time, endTime: times.end_time, override: { reason: 'Look' } },
      },
    );
    expect(data).toEqual({
      it: { clashes: [{ kind: 'OVERLAP' }] },
      forced: { moved: { callTimes: 2, workShifts: 1 } },
    });
    expect(await everything()).toEqual(before);
  });

  test('of assignments, moves and exchanges answers as if they were made', async () => {
    const [one, other] = [await shiftAt(first, ann), await shiftAt(second, ben)];
    before = await everything();
    const assigned = await post(
      '/v1/work_shifts?dry_run=true',
      { call_time_uuid: away.uuid, user_id: ben.id },
      { 'idempotency-key': 'a-key' },
    );
    expect([assigned.status, assigned.body.data]).toMatchObject([
      200,
      { call_time_uuid: away.uuid, first_name: 'Ben' },
    ]);
    expect(assigned.headers['location']).toBeUndefined();
    expect((await moveTo(one.uuid, away, {}, '?dry_run=true')).body.data).toMatchObject({ event_uuid: elsewhere.uuid });
    expect((await moveTo(one.uuid, second, {}, '?dry_run=true')).body.code).toBe('CLASH');
    const { data } = await mutate(
      `($id: ID!, $other: ID!, $away: ID!) {
         exchangeShifts(id: $id, dryRun: true, input: { otherShiftId: $other }) { shifts { uuid firstName } }
         moveShift(id: $id, dryRun: true, input: { callTimeId: $away }) { shift { callTime { uuid } } } }`,
      { id: one.uuid, other: other.uuid, away: away.uuid },
    );
    expect(data).toMatchObject({
      exchangeShifts: {
        shifts: [
          { uuid: one.uuid, firstName: 'Ben' },
          { uuid: other.uuid, firstName: 'Ann' },
        ],
      },
      moveShift: { shift: { callTime: { uuid: away.uuid } } },
    });
    expect(await everything()).toEqual(before);
  });

  test('is asked for by true or false, where a route has it', async () => {
    const { uuid } = await shiftAt(first, ann);
    expect((await moveTo(uuid, second, {}, '?dry_run=maybe')).body.errors).toEqual({ dry_run: [expect.any(String)] });
    expect((await post(`/v1/work_shifts/${uuid}/actions/confirm?dry_run=true`, {})).status).toBe(422);
    expect((await moveTo(uuid, second, {}, '?dry_run=false')).body.data).toMatchObject({ call_time_uuid: second.uuid });
    expect(await stored(uuid)).toMatchObject({ callTimeId: second.id });
  });
});

test('one query tells an admin what has changed since an instant, and who did it, in words', async () => {
  const { uuid } = await shiftAt(first, ann);
  const other = await shiftAt(second, ben);
  const since = new Date();
  await post(`/v1/work_shifts/${uuid}/actions/exchange`, { other_shift_uuid: other.uuid, reason: 'Both asked' });
  const text = `query ($since: DateTimeISO!) { history(first: 50, filter: { from: $since }) {
    nodes { actorName operation change kind rowName event { title } fields { name beforeName afterName after } } } }`;
  const ask = async (as: string) => (await service.graphql(text, { as, variables: { since } })).body;
  // The rows of the test itself are written within the same millisecond on a fast machine; they have no actor.
  const all = (await ask(tenant.as.admin)).data.history.nodes as {
    actorName: string | null;
    rowName: string;
    fields: object[];
  }[];
  const nodes = all.filter(({ actorName }) => actorName !== null);
  expect(nodes).toHaveLength(2);
  for (const [person, before] of [
    ['Ben', 'Ann'],
    ['Ann', 'Ben'],
  ]) {
    const entry = nodes.find(({ rowName }) => rowName.startsWith(person!))!;
    expect(entry).toMatchObject({
      actorName: tenant.admin.name,
      operation: 'workShifts.exchange',
      change: 'UPDATED',
      kind: 'WORK_SHIFT',
      event: { title: event.title },
    });
    expect(entry.fields).toContainEqual({
      name: 'userId',
      beforeName: expect.stringContaining(before!),
      afterName: expect.stringContaining(person!),
      after: expect.any(Number),
    });
  }
  expect((await ask(tenant.as.staff)).data).toEqual({ history: null });
});

describe('the phone number of an assigned person', () => {
  let shift: { uuid: string };
  let client: User;
  beforeAll(async () => void (client = await service.createUser(tenant.business, 'client')));
  beforeEach(async () => {
    await service.prisma.user.updateMany({ where: { id: ann.id }, data: { phone: '+1 212 555-0142' } });
    await service.prisma.event.updateMany({ where: { id: event.id }, data: { clientId: client.id } });
    shift = await shiftAt(first, ann);
    await shiftAt(first, ben);
  });

  test('is shown to admins beside the shift, and to no client or colleague', async () => {
    const read = async (as: string) => {
      const { body } = await service.graphql(
        `{ workShifts(first: 50, filter: { eventId: "${event.uuid}" }) { nodes { uuid user { phone } } } }`,
        { as },
      );
      return body.data?.workShifts?.nodes ?? [];
    };
    expect(await read(tenant.as.admin)).toContainEqual({ uuid: shift.uuid, user: { phone: '+1 212 555-0142' } });
    for (const other of [client, ben]) {
      const text = JSON.stringify(await read(await service.tokenOf(other)));
      expect(text).toContain('"user":');
      expect(text).not.toContain('555-0142');
    }
  });
});
