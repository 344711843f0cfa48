import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { settleDueOffers } from '../src/bin/due-work.ts';
import type { Event, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer, offersOf, type AskedPerson } from './support/offers.ts';
import { swapsOf } from './support/swaps.ts';

/** Nine days before the events of the tests. */
let now = new Date('2026-11-26T15:00:00Z');
const service = useService({ clock: () => now });
const tenant = useOneTenant(service);
const swaps = () => swapsOf(service, tenant);
let positionId: number;
let event: Event;
let shift: WorkShift;
let [ann, ben, cid]: AskedPerson[] = [];

beforeEach(async () => {
  now = new Date('2026-11-26T15:00:00Z');
  positionId = (await service.createPosition(tenant.business)).id;
  [ann, ben, cid] = await offersOf(service, tenant).newPeople(3);
  event = await service.createEvent(tenant.business);
  shift = await service.createShift(event, ann!, { positionId, payRate: '31.00', payUnit: 'hour' });
  await swaps().set({ approves_swaps: false, rest_hours: null });
});

const newShift = async (person: AskedPerson, more: Parameters<typeof service.createShift>[2] = {}) =>
  service.createShift(await service.createEvent(tenant.business), person, { positionId, ...more });
const nextDay = { start: '2026-12-06 16:00:00', end: '2026-12-06 23:30:00' };
const stored = ({ id }: WorkShift) => service.prisma.workShift.findFirstOrThrow({ where: { id } });
const openTo = async (as: string) =>
  expectAnswer(await service.call('GET', '/v1/open_swaps', { as }), 200).data.map(({ uuid }: { uuid: string }) => uuid);

describe('a handover', () => {
  test('to anybody is seen by those who can work then, and belongs to the first who takes it', async () => {
    const asked = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid, message: 'Exam <week>' }), 201);
    expect(asked).toMatchObject({
      state: 'requested',
      work_shift_uuid: shift.uuid,
      other_shift_uuid: null,
      from_user_id: ann!.id,
      to_user_id: null,
      message: 'Exam <week>',
      event_title: event.title,
      start_time: '2026-12-05 16:00:00',
      expires_at: '2026-12-05 21:00:00',
    });
    // Somebody who is booked in another position, and then has worked there.
    const elsewhere = { start: '2026-11-20 16:00:00', end: '2026-11-20 23:30:00' };
    await newShift(cid!, { ...nextDay, positionId: (await service.createPosition(tenant.business)).id });
    expect(await openTo(cid!.token)).toContain(asked.uuid);
    await newShift(cid!, { ...elsewhere, positionId: (await service.createPosition(tenant.business)).id });
    expect(await openTo(ben!.token)).toContain(asked.uuid);
    expect(await openTo(ann!.token)).not.toContain(asked.uuid);
    expect(await openTo(cid!.token)).not.toContain(asked.uuid);
    expectAnswer(await swaps().act(cid!.token, asked, 'take'), 404, 'NOT_FOUND');
    expectAnswer(await service.call('GET', `/v1/shift_swaps/${asked.uuid}`, { as: ben!.token }), 404, 'NOT_FOUND');
    expectAnswer(await swaps().act(ben!.token, asked, 'cancel'), 403, 'FORBIDDEN');
    const done = expectAnswer(await swaps().act(ben!.token, asked, 'take'), 200);
    expect(done).toMatchObject({ uuid: asked.uuid, state: 'done', to_user_id: ben!.id });
    expect(await stored(shift)).toMatchObject({
      ...{ uuid: shift.uuid, userId: ben!.id, confirmed: true, confirmedAt: now },
      ...{ payRate: null, payUnit: null, overrideReason: null, status: 'active' },
    });
    // Twice is once.
    expect(expectAnswer(await swaps().act(ben!.token, asked, 'take'), 200)).toEqual(done);
    expect(expectAnswer(await service.call('GET', '/v1/shift_swaps', { as: ann!.token }), 200).data).toEqual([done]);
  });

  test('waits for an admin where the business wants it, and is judged again then', async () => {
    await swaps().set({ approves_swaps: true, rest_hours: 10 });
    const asked = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid, to_user_id: ben!.id }), 201);
    expectAnswer(await swaps().act(cid!.token, asked, 'take'), 404, 'NOT_FOUND');
    expect(expectAnswer(await swaps().act(ben!.token, asked, 'take'), 200)).toMatchObject({ state: 'taken' });
    expect((await stored(shift)).userId).toBe(ann!.id);
    // Ben is booked too near meanwhile.
    await newShift(ben!, { start: '2026-12-06 03:00:00', end: '2026-12-06 07:00:00' });
    expectAnswer(await swaps().act(tenant.as.admin, asked, 'approve'), 409, 'CLASH');
    expectAnswer(await swaps().act(ben!.token, asked, 'approve'), 403, 'FORBIDDEN');
    const body = { override_reason: 'Asked for' };
    expect(expectAnswer(await swaps().act(tenant.as.admin, asked, 'approve', body), 200)).toMatchObject({
      state: 'done',
    });
    expect(await stored(shift)).toMatchObject({ userId: ben!.id, overrideReason: 'Asked for' });
  });

  test('of a shift whose person has come is neither asked for nor seen, taken or approved, in both dialects', async () => {
    await swaps().set({ approves_swaps: true });
    const toAnybody = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid }), 201);
    const second = await newShift(ann!, nextDay);
    const taken = expectAnswer(await swaps().request(ann!, { shift_uuid: second.uuid, to_user_id: ben!.id }), 201);
    expectAnswer(await swaps().act(ben!.token, taken, 'take'), 200);
    const third = await newShift(ann!, { start: '2026-12-07 16:00:00', end: '2026-12-07 23:30:00' });
    const toBen = expectAnswer(await swaps().request(ann!, { shift_uuid: third.uuid, to_user_id: ben!.id }), 201);
    expect(await openTo(ben!.token)).toEqual(expect.arrayContaining([toAnybody.uuid, toBen.uuid]));
    for (const each of [shift, second, third]) await service.createAttendance(each, { checkedInAt: now });
    const why = { message: 'Attendance of the shift is noted: it stays with its person.' };
    expect(await openTo(ben!.token)).toEqual([]);
    expectAnswer(await swaps().act(cid!.token, toAnybody, 'take'), 404, 'NOT_FOUND');
    for (const refused of [
      await swaps().act(ben!.token, toBen, 'take'),
      await swaps().act(tenant.as.admin, taken, 'approve'),
    ])
      expect([refused.status, refused.body]).toMatchObject([409, { code: 'CONFLICT', ...why }]);
    const { body } = await service.graphql(`mutation { takeSwap(id: "${toBen.uuid}") { uuid } }`, { as: ben!.token });
    expect(body.errors).toMatchObject([{ extensions: { code: 'CONFLICT' }, ...why }]);
    expectAnswer(await swaps().act(ann!.token, toBen, 'cancel'), 200);
    const again = await swaps().request(ann!, { shift_uuid: third.uuid, to_user_id: ben!.id });
    expect(again.body).toMatchObject({ code: 'CONFLICT', ...why });
    expect((await stored(third)).userId).toBe(ann!.id);
  });

  test('tells nothing of what its event becomes as a draft', async () => {
    const body = { shift_uuid: shift.uuid, to_user_id: ben!.id };
    const { uuid } = expectAnswer(await swaps().request(ann!, body), 201);
    const draft = { status: 'draft', title: 'Secret plan', venue_name: 'Secret hall' };
    await service.call('PUT', `/v1/events/${event.uuid}`, { as: tenant.as.admin, body: draft });
    const read = async (as: string) => expectAnswer(await service.call('GET', `/v1/shift_swaps/${uuid}`, { as }), 200);
    for (const { token } of [ann!, ben!])
      expect(await read(token)).toMatchObject({ state: 'void', event_title: '', venue_name: '' });
    expect(await read(tenant.as.admin)).toMatchObject({ event_title: 'Secret plan' });
  });

  test('is refused to whom a rule is against, and a person cannot override it', async () => {
    await newShift(ben!);
    const asked = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid }), 201);
    const clash = await swaps().act(ben!.token, asked, 'take');
    expectAnswer(clash, 409, 'CLASH');
    expect(clash.body.clashes).toMatchObject([{ kind: 'OVERLAP' }]);
    expect(await swaps().stateOf(asked)).toBe('requested');
  });

  test('can be refused by who is asked, and taken back by who asks', async () => {
    const one = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid, to_user_id: ben!.id }), 201);
    expectAnswer(await swaps().act(ann!.token, one, 'refuse'), 403, 'FORBIDDEN');
    expectAnswer(await swaps().act(ann!.token, one, 'take'), 409, 'CONFLICT');
    expect(expectAnswer(await swaps().act(ben!.token, one, 'refuse', { reason: 'Busy' }), 200)).toMatchObject({
      state: 'refused',
      reason: 'Busy',
    });
    expectAnswer(await swaps().act(ben!.token, one, 'take'), 409, 'OFFER_CLOSED');
    const two = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid }), 201);
    expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid }), 409, 'CONFLICT');
    expect(expectAnswer(await swaps().act(ann!.token, two, 'cancel'), 200)).toMatchObject({ state: 'canceled' });
    expectAnswer(await swaps().act(ben!.token, two, 'take'), 404, 'NOT_FOUND');
  });
});

describe('the ways to give a shift away', () => {
  const optionsOf = async (as: string, query = '') =>
    (await service.call('GET', `/v1/work_shifts/${shift.uuid}/swap_options${query}`, { as })).body.data.data.filter(
      ({ id }: { id: number }) => [ben!.id, cid!.id].includes(id),
    );

  test('are the colleagues who can work in its position, and their shifts to come', async () => {
    const other = await newShift(ben!, nextDay);
    await newShift(ben!, { start: '2026-11-20 16:00:00', end: '2026-11-20 23:30:00' });
    await newShift(ben!, { ...nextDay, positionId: (await service.createPosition(tenant.business)).id });
    await newShift(cid!, { ...nextDay, positionId: (await service.createPosition(tenant.business)).id });
    const { title } = await service.prisma.event.findFirstOrThrow({ where: { id: other.eventId } });
    const names = { first_name: ben!.firstName, last_name: ben!.lastName };
    expect(await optionsOf(ann!.token)).toMatchObject([
      { id: ben!.id, ...names, work_shift_uuid: null, event_title: '' },
      { ...names, work_shift_uuid: other.uuid, event_title: title, start_time: '2026-12-06 16:00:00' },
    ]);
    expect(await optionsOf(ann!.token, `?search=${encodeURIComponent(ben!.name)}`)).toHaveLength(2);
    expect(await optionsOf(ann!.token, '?search=nobody')).toEqual([]);
    const { body } = await service.graphql(
      `{ swapOptions(shiftId: "${shift.uuid}", search: "${ben!.name}") { nodes { databaseId workShiftUuid eventTitle } } }`,
      { as: ann!.token },
    );
    expect(body.data.swapOptions.nodes).toEqual([
      { databaseId: ben!.id, workShiftUuid: null, eventTitle: null },
      { databaseId: ben!.id, workShiftUuid: other.uuid, eventTitle: title },
    ]);
    const foreign = await service.call('GET', `/v1/work_shifts/${shift.uuid}/swap_options`, { as: ben!.token });
    expectAnswer(foreign, 404, 'NOT_FOUND');
  });

  test('leave out shifts of the same call time', async () => {
    const { id: callTimeId } = await service.createCallTime(event, { positionId, staffNeeded: 2 });
    await service.createShift(event, ben!, { positionId, callTimeId });
    await service.prisma.workShift.updateMany({ where: { id: shift.id }, data: { callTimeId } });
    expect(await optionsOf(ann!.token)).toMatchObject([{ id: cid!.id, work_shift_uuid: null }]);
  });

  test('leave out that by which somebody would work twice at once', async () => {
    const sameTime = await newShift(ben!);
    const other = await newShift(cid!, nextDay);
    await newShift(ann!, nextDay);
    expect(await optionsOf(ann!.token)).toMatchObject([
      { id: ben!.id, work_shift_uuid: sameTime.uuid },
      { id: cid!.id, work_shift_uuid: null },
    ]);
    expect(other.userId).toBe(cid!.id);
  });
});

describe('a page of the ways', () => {
  test('counts colleagues, and holds the next shifts of each, in both dialects', async () => {
    const name = (index: number) => `Paged ${shift.uuid} ${index}`;
    const people = await Promise.all(
      [1, 2, 3].map((index) => service.createUser(tenant.business, 'staff', { name: name(index) })),
    );
    const busy = await service.createEvent(tenant.business);
    // More shifts than a colleague is listed with, each an hour of its own day, and one after the days that are looked at.
    const days = Array.from({ length: limits.swapShiftsMax + 1 }, (_, index) =>
      new Date(Date.UTC(2026, 11, 10 + index)).toISOString().slice(0, 10),
    );
    for (const day of [...days, '2028-05-05'])
      await service.createShift(busy, people[1]!, { positionId, start: `${day} 10:00:00`, end: `${day} 11:00:00` });
    const url = `/v1/work_shifts/${shift.uuid}/swap_options?search=${encodeURIComponent(`Paged ${shift.uuid}`)}`;
    const page = async (query: string) =>
      expectAnswer(await service.call('GET', `${url}&${query}`, { as: ann!.token }), 200);
    const first = await page('per_page=2');
    expect([first.total, first.last_page]).toEqual([3, 2]);
    const own = first.data.filter(({ id }: { id: number }) => id === people[1]!.id);
    expect(first.data).toHaveLength(2 + limits.swapShiftsMax);
    expect(own.map(({ start_time: at }: { start_time: string | null }) => at?.slice(0, 10) ?? null)).toEqual([
      ...[null, ...days.slice(0, -1)],
    ]);
    expect((await page('per_page=2&page=2')).data).toMatchObject([{ id: people[2]!.id, work_shift_uuid: null }]);
    const { body } = await service.graphql(
      `query ($id: ID!, $search: String!, $after: String) { swapOptions(shiftId: $id, search: $search, first: 1, after: $after) {
        totalCount pageInfo { endCursor hasNextPage } nodes { databaseId } } }`,
      { as: ann!.token, variables: { id: shift.uuid, search: `Paged ${shift.uuid}` } },
    );
    expect(body.data.swapOptions).toMatchObject({ totalCount: 3, nodes: [{ databaseId: people[0]!.id }] });
    const { endCursor } = body.data.swapOptions.pageInfo;
    const next = await service.graphql(
      `{ swapOptions(shiftId: "${shift.uuid}", search: "Paged ${shift.uuid}", first: 1, after: "${endCursor}") { nodes { databaseId } } }`,
      { as: ann!.token },
    );
    const ids = next.body.data.swapOptions.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
    expect([ids.length, ...new Set(ids)]).toEqual([1 + limits.swapShiftsMax, people[1]!.id]);
  });
});

describe('what the ways do not list', () => {
  test('cannot be asked for, and tells no names, in both dialects', async () => {
    const otherPosition = (await service.createPosition(tenant.business)).id;
    await newShift(cid!, { ...nextDay, positionId: otherPosition });
    await newShift(ben!);
    const hidden = await newShift(cid!, {
      start: '2026-12-08 16:00:00',
      end: '2026-12-08 20:00:00',
      positionId: otherPosition,
    });
    const refusalOf = async (input: object) => {
      const { status, body } = await swaps().request(ann!, { shift_uuid: shift.uuid, ...input });
      return { status, body };
    };
    const unknown = await refusalOf({ to_user_id: 999_999_999 });
    expect(unknown.status).toBe(422);
    // One works elsewhere, one works then, and one is no colleague.
    for (const id of [cid!.id, ben!.id, tenant.client.id, ann!.id])
      expect(await refusalOf({ to_user_id: id })).toEqual(unknown);
    const noShift = await refusalOf({ other_shift_uuid: crypto.randomUUID() });
    expect(noShift.status).toBe(422);
    expect(await refusalOf({ other_shift_uuid: hidden.uuid })).toEqual(noShift);
    const asked = await service.graphql(
      'mutation ($input: RequestSwapInput!) { requestSwap(input: $input) { toFirstName toLastName } }',
      { as: ann!.token, variables: { input: { shiftId: shift.uuid, toUserId: cid!.id } } },
    );
    expect(asked.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    expect(JSON.stringify(asked.body)).not.toContain(cid!.lastName);
    expect(await service.prisma.shiftSwap.count({ where: { workShiftId: shift.id } })).toBe(0);
  });
});

describe('a swap', () => {
  test('gives each the shift of the other, in both dialects', async () => {
    const other = await newShift(ben!, nextDay);
    const { body } = await service.graphql(
      `mutation ($input: RequestSwapInput!) { requestSwap(input: $input) {
        id state expiresAt otherEventTitle otherStartTime toFirstName shift { uuid } otherShift { uuid } from { databaseId } to { databaseId } } }`,
      { as: ann!.token, variables: { input: { shiftId: shift.uuid, otherShiftId: other.uuid } } },
    );
    const { id, ...asked } = body.data.requestSwap;
    expect(asked).toMatchObject({
      ...{ state: 'REQUESTED', expiresAt: '2026-12-05T21:00:00.000Z', toFirstName: ben!.firstName },
      ...{ otherStartTime: '2026-12-06 16:00:00', shift: { uuid: shift.uuid }, otherShift: null },
      ...{ from: { databaseId: ann!.id }, to: null },
    });
    const taken = await service.graphql(`mutation { takeSwap(id: "${id}") { state version } }`, { as: ben!.token });
    expect(taken.body.data).toEqual({ takeSwap: { state: 'DONE', version: 3 } });
    expect([(await stored(shift)).userId, (await stored(other)).userId]).toEqual([ben!.id, ann!.id]);
  });

  test('stands at its event, with the event and the position, and to staff only theirs', async () => {
    const asked = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid, to_user_id: ben!.id }), 201);
    await service.createShift(event, cid!, { positionId, ...nextDay });
    const read = async (as: string) =>
      (
        await service.graphql(
          `{ event(id: "${event.uuid}") { shiftSwaps { uuid event { uuid } fullPosition { databaseId } } } }`,
          { as },
        )
      ).body.data.event?.shiftSwaps;
    const seen = [{ uuid: asked.uuid, event: { uuid: event.uuid }, fullPosition: { databaseId: positionId } }];
    expect(await read(tenant.as.admin)).toEqual(seen);
    expect(await read(ann!.token)).toEqual(seen);
    expect(await read(cid!.token)).toEqual([]);
    expect(asked.position_id).toBe(positionId);
  });

  test('keeps its shifts from being dropped or declined', async () => {
    const other = await newShift(ben!, nextDay);
    await swaps().set({ approves_swaps: true });
    const input = { shift_uuid: shift.uuid, other_shift_uuid: other.uuid };
    const asked = expectAnswer(await swaps().request(ann!, input), 201);
    const shiftAct = (of: WorkShift, as: string, action: string) =>
      service.call('POST', `/v1/work_shifts/${of.uuid}/actions/${action}`, { as });
    for (const action of ['drop', 'decline']) expectAnswer(await shiftAct(shift, ann!.token, action), 409, 'CONFLICT');
    expectAnswer(await swaps().act(ben!.token, asked, 'take'), 200);
    expectAnswer(await shiftAct(other, ben!.token, 'drop'), 409, 'CONFLICT');
    expectAnswer(await swaps().act(tenant.as.key, asked, 'refuse'), 200);
    expectAnswer(await shiftAct(other, ben!.token, 'drop'), 200);
  });

  test.each<[string, (other: WorkShift) => Promise<unknown>]>([
    [
      'is canceled',
      ({ uuid }) => service.call('POST', `/v1/work_shifts/${uuid}/actions/cancel`, { as: tenant.as.admin }),
    ],
    ['is declined', ({ uuid }) => service.call('POST', `/v1/work_shifts/${uuid}/actions/decline`, { as: ben!.token })],
    [
      'gets other times',
      ({ uuid }) =>
        service.call('PUT', `/v1/work_shifts/${uuid}`, {
          as: tenant.as.admin,
          body: { start_time: '2026-12-06 17:00:00' },
        }),
    ],
    [
      'goes to somebody else',
      ({ uuid }) => service.call('PUT', `/v1/work_shifts/${uuid}`, { as: tenant.as.admin, body: { user_id: cid!.id } }),
    ],
    [
      'is at an event that is canceled',
      async ({ eventId }) => {
        const { uuid } = await service.prisma.event.findFirstOrThrow({ where: { id: eventId } });
        return service.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body: { status: 'canceled' } });
      },
    ],
    [
      'belongs to somebody who leaves',
      () => service.call('DELETE', `/api/v1/users/${ben!.id}?shifts=cancel`, { as: tenant.as.admin }),
    ],
  ])('is void when a shift of it %s', async (what, change) => {
    const other = await newShift(ben!, nextDay);
    const asked = expectAnswer(
      await swaps().request(ann!, { shift_uuid: shift.uuid, other_shift_uuid: other.uuid }),
      201,
    );
    expect(await change(other)).toMatchObject({ status: 200 });
    expect(await swaps().stateOf(asked)).toBe('void');
    const late = await swaps().act(ben!.token, asked, 'take');
    expectAnswer(
      late,
      what.endsWith('leaves') ? 401 : 409,
      what.endsWith('leaves') ? 'UNAUTHENTICATED' : 'OFFER_CLOSED',
    );
    expect((await stored(shift)).userId).toBe(ann!.id);
  });

  test('that takes place voids what others ask for the same shifts', async () => {
    const other = await newShift(ben!, nextDay);
    const third = await newShift(cid!, { start: '2026-12-07 16:00:00', end: '2026-12-07 23:30:00' });
    const input = { other_shift_uuid: other.uuid };
    const one = expectAnswer(await swaps().request(ann!, { ...input, shift_uuid: shift.uuid }), 201);
    const two = expectAnswer(await swaps().request(cid!, { ...input, shift_uuid: third.uuid }), 201);
    expectAnswer(await swaps().act(ben!.token, one, 'take'), 200);
    expect(await swaps().stateOf(two)).toBe('void');
  });

  test('ends at the earlier start, and a later answer is refused without the job', async () => {
    const soon = await newShift(ann!, { start: '2026-11-26 10:30:00', end: '2026-11-26 12:00:00' });
    const asked = expectAnswer(await swaps().request(ann!, { shift_uuid: soon.uuid, to_user_id: ben!.id }), 201);
    now = new Date('2026-11-26T15:30:00Z');
    expectAnswer(await swaps().act(ben!.token, asked, 'take'), 409, 'OFFER_CLOSED');
    expectAnswer(await swaps().act(ann!.token, asked, 'cancel'), 409, 'OFFER_CLOSED');
    await settleDueOffers(service.prisma, now);
    expect(await swaps().stateOf(asked)).toBe('expired');
    expectAnswer(await swaps().request(ann!, { shift_uuid: soon.uuid }), 409, 'CONFLICT');
  });

  test('ends what an offer gave, and stands in the history of the shift', async () => {
    const callTime = await service.createCallTime(event, { positionId, staffNeeded: 2 });
    const offers = offersOf(service, tenant);
    await offers.send(callTime, [cid!]);
    await offers.accept(callTime, cid!);
    const [given] = await offers.shiftsOn(callTime);
    const asked = expectAnswer(await swaps().request(cid!, { shift_uuid: given!.uuid }), 201);
    expectAnswer(await swaps().act(ben!.token, asked, 'take'), 200);
    expect(await offers.statesOf(callTime, [cid!])).toEqual(['ended']);
    const { body } = await service.call('GET', `/v1/history?event_uuid=${event.uuid}`, { as: tenant.as.admin });
    expect(body.data.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'shiftSwap', row_name: cid!.name, operation: 'swaps.take' }),
        expect.objectContaining({ kind: 'workShift', row_uuid: given!.uuid, operation: 'swaps.take' }),
      ]),
    );
  });

  test('takes the shift out of the sight of who had it, and tells both', async () => {
    const cursorOf = async (as: string) =>
      (await service.call('GET', '/v1/changes', { as })).body.data.next_cursor as string;
    const [before, of] = [await cursorOf(ann!.token), await cursorOf(ben!.token)];
    const asked = expectAnswer(await swaps().request(ann!, { shift_uuid: shift.uuid }), 201);
    expectAnswer(await swaps().act(ben!.token, asked, 'take'), 200);
    const told = async (as: string, after: string) => {
      const { body } = await service.call('GET', `/v1/changes?after=${encodeURIComponent(after)}`, { as });
      return body.data.changes.map(({ kind, op }: { kind: string; op: string }) => `${kind} ${op}`);
    };
    expect(await told(ann!.token, before)).toEqual(
      expect.arrayContaining(['shiftSwap changed', 'workShift left', 'event left']),
    );
    expect(await told(ben!.token, of)).toEqual(expect.arrayContaining(['shiftSwap changed', 'workShift changed']));
  });

  test.each<[string, (others: { own: WorkShift; past: WorkShift }) => object, string]>([
    ['of nobody', () => ({ other_shift_uuid: '00000000-0000-4000-8000-000000000000' }), 'other_shift_uuid'],
    ['of the same person', ({ own }) => ({ other_shift_uuid: own.uuid }), 'other_shift_uuid'],
    ['that has started', ({ past }) => ({ other_shift_uuid: past.uuid }), 'other_shift_uuid'],
    ['to the same person', () => ({ to_user_id: ann!.id }), 'to_user_id'],
    ['to an admin', () => ({ to_user_id: tenant.admin.id }), 'to_user_id'],
    ['with a shift and a person', ({ past }) => ({ other_shift_uuid: past.uuid, to_user_id: ben!.id }), 'to_user_id'],
  ])('%s is refused', async (_what, input, field) => {
    const own = await newShift(ann!, nextDay);
    const past = await newShift(ben!, { start: '2026-11-20 16:00:00', end: '2026-11-20 23:30:00' });
    const refused = await swaps().request(ann!, { shift_uuid: shift.uuid, ...input({ own, past }) });
    expectAnswer(refused, 422, 'VALIDATION_FAILED');
    expect(Object.keys(refused.body.errors)).toEqual([field]);
    expectAnswer(await swaps().request(ben!, { shift_uuid: shift.uuid }), 404, 'NOT_FOUND');
  });
});
