import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { CallTime, Event, User } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { usePair } from './support/pair.ts';
import { staffing, type MutationOutcome } from './support/staffing.ts';

/* Races: two processes of the service on one database, and a bystander who holds rows until the requests clash. */
const [service, second] = usePair();
let bystander: pg.Client;
let tenant: Tenant;
let event: Event;
let callTime: CallTime;
let positionId: number;
const one = staffing(() => service);
const other = staffing(() => second);
const turn = (index: number) => (index % 2 ? one : other);

beforeAll(async () => {
  bystander = new pg.Client(service.database.config().db.url!);
  await bystander.connect();
  tenant = await service.createTenant();
  positionId = (await service.createPosition(tenant.business)).id;
});

beforeEach(async () => {
  event = await service.createEvent(tenant.business);
  callTime = await service.createCallTime(event, { staffNeeded: 1, positionId });
});

afterAll(async () => {
  await bystander.end();
});

const newStaff = (count: number): Promise<User[]> =>
  Promise.all(Array.from({ length: count }, () => service.createUser(tenant.business, 'staff')));

const hold = (table: 'events' | 'users', id: number) =>
  bystander.query(`SELECT 1 FROM ${table} WHERE business_id = $1 AND id = $2 FOR UPDATE`, [tenant.business.id, id]);

/** Makes the calls while a row is held, and lets go once all of them wait: then they stand before the same rule. */
async function clash(
  table: 'events' | 'users',
  id: number,
  calls: () => Promise<MutationOutcome>[],
): Promise<MutationOutcome[]> {
  const observer = new pg.Client(service.database.config().db.url!);
  await observer.connect();
  try {
    await bystander.query('BEGIN');
    await hold(table, id);
    const answers = calls();
    for (let waiting = 0; waiting < answers.length; await wait(10)) {
      const { rows } = await observer.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      waiting = rows[0].waiting;
    }
    await bystander.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    await observer.end();
  }
}

const codesOf = (outcomes: MutationOutcome[]) => outcomes.map(({ code }) => code).sort();
const oneOf = (count: number) => [...Array<string>(count - 1).fill('CLASH'), 'OK'];
const activeShifts = (where: object) =>
  service.prisma.workShift.findMany({ where: { businessId: tenant.business.id, status: 'active', ...where } });

describe('at the same moment', () => {
  test('many people are assigned to a call time that needs one: exactly one succeeds', async () => {
    const people = await newStaff(8);
    const outcomes = await clash('events', event.id, () =>
      people.map(({ id: userId }, index) => turn(index).assign(tenant.as.admin, { callTimeId: callTime.uuid, userId })),
    );
    expect(codesOf(outcomes)).toEqual(oneOf(8));
    expect(await activeShifts({ callTimeId: callTime.id })).toHaveLength(1);
    for (const { code, clashes } of outcomes)
      if (code === 'CLASH') expect(clashes).toMatchObject([{ kind: 'OVERFILLED', needed: 1, assigned: 1 }]);
  });

  test('one person is assigned to many events at the same time: exactly one succeeds', async () => {
    const [person] = await newStaff(1);
    const events = await Promise.all(Array.from({ length: 6 }, () => service.createEvent(tenant.business)));
    const outcomes = await clash('users', person!.id, () =>
      events.map(({ uuid }, index) =>
        turn(index).assign(tenant.as.admin, {
          eventId: uuid,
          positionId,
          userId: person!.id,
          startTime: index % 3 ? '2026-12-05 18:00:00' : null,
          endTime: '2026-12-05 20:00:00',
        }),
      ),
    );
    expect(codesOf(outcomes)).toEqual(oneOf(6));
    expect(await activeShifts({ userId: person!.id })).toHaveLength(1);
  });

  test('one shift is moved to two other events: exactly one move is made', async () => {
    const [person] = await newStaff(1);
    const { uuid } = await service.createShift(event, person!, { callTimeId: callTime.id, positionId });
    const targets = await Promise.all(
      [1, 2].map(async () => service.createCallTime(await service.createEvent(tenant.business), { positionId })),
    );
    const outcomes = await clash('events', event.id, () =>
      targets.map((target, index) => turn(index).moveTo(tenant.as.admin, uuid, { callTimeId: target.uuid })),
    );
    expect(codesOf(outcomes)).toEqual(['CONFLICT', 'OK']);
    expect(await activeShifts({ userId: person!.id })).toHaveLength(1);
  });

  test('two people are moved into the last place: exactly one gets it', async () => {
    const other = await service.createEvent(tenant.business);
    const shifts = await Promise.all(
      (await newStaff(2)).map((person) => service.createShift(other, person, { positionId })),
    );
    const outcomes = await clash('events', event.id, () =>
      shifts.map(({ uuid }, index) => turn(index).moveTo(tenant.as.admin, uuid, { callTimeId: callTime.uuid })),
    );
    expect(codesOf(outcomes)).toEqual(oneOf(2));
    expect(await activeShifts({ callTimeId: callTime.id })).toHaveLength(1);
    expect(await activeShifts({ eventId: other.id })).toHaveLength(1);
  });

  test('two shifts are exchanged in both orders: both exchanges are made, and undo each other', async () => {
    const [ann, ben] = await newStaff(2);
    const other = await service.createEvent(tenant.business);
    const a = await service.createShift(event, ann!, { positionId });
    const b = await service.createShift(other, ben!, { positionId });
    const outcomes = await clash('events', event.id, () => [
      one.exchange(tenant.as.admin, a.uuid, { otherShiftId: b.uuid }),
      turn(1).exchange(tenant.as.admin, b.uuid, { otherShiftId: a.uuid }),
    ]);
    expect(codesOf(outcomes)).toEqual(['OK', 'OK']);
    expect(await activeShifts({ eventId: event.id })).toMatchObject([{ userId: ann!.id, version: 3 }]);
    expect(await activeShifts({ eventId: other.id })).toMatchObject([{ userId: ben!.id, version: 3 }]);
  });

  test('one person is assigned, moved and restored to the same time: exactly one succeeds', async () => {
    const [person, stand] = await newStaff(2);
    const events = await Promise.all([1, 2, 3].map(() => service.createEvent(tenant.business)));
    const [first, next, last] = events as [Event, Event, Event];
    const early = await service.createShift(first, person!, {
      start: '2026-12-05 08:00:00',
      end: '2026-12-05 09:00:00',
    });
    const gone = await service.createShift(next, person!, { status: 'canceled' });
    const theirs = await service.createShift(last, stand!);
    const outcomes = await clash('users', person!.id, () => [
      one.assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: person!.id }),
      other.updateShift(tenant.as.admin, early.uuid, { endTime: '2026-12-05 17:00:00' }),
      one.updateShift(tenant.as.admin, gone.uuid, { status: 'ACTIVE' }),
      other.updateShift(tenant.as.admin, theirs.uuid, { userId: person!.id }),
    ]);
    expect(codesOf(outcomes)).toEqual(oneOf(4));
  });

  test('places of a call time are filled and reduced: it never has more shifts than places', async () => {
    await service.prisma.callTime.updateMany({ where: { id: callTime.id }, data: { staffNeeded: 2 } });
    const [has, wants] = await newStaff(2);
    await service.createShift(event, has!, { callTimeId: callTime.id });
    const outcomes = await clash('events', event.id, () => [
      one.assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: wants!.id }),
      other.updateCallTime(tenant.as.admin, callTime.uuid, { staffNeeded: 1 }),
    ]);
    expect(codesOf(outcomes)).toEqual(oneOf(2));
    const { staffNeeded } = (await service.prisma.callTime.findFirst({ where: { id: callTime.id } }))!;
    expect((await activeShifts({ callTimeId: callTime.id })).length).toBe(staffNeeded);
  });

  test('a call time is deleted and filled: it is either deleted empty or kept', async () => {
    const [person] = await newStaff(1);
    const [removed, assigned] = await clash('events', event.id, () => [
      one.deleteCallTime(tenant.as.admin, callTime.uuid),
      other.assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: person!.id }),
    ]);
    expect([
      ['OK', 'NOT_FOUND'],
      ['CONFLICT', 'OK'],
    ]).toContainEqual([removed!.code, assigned!.code]);
  });

  test('an event changes its zone and gets a shift: the instants follow the new zone', async () => {
    const [person] = await newStaff(1);
    const move = async (): Promise<MutationOutcome> => {
      const { body } = await service.call('PUT', `/v1/events/${event.uuid}`, {
        as: tenant.as.admin,
        body: { timezone: 'Europe/Berlin' },
      });
      return { code: body.success ? 'OK' : body.code, message: '', errors: {}, clashes: [], row: null };
    };
    const outcomes = await clash('events', event.id, () => [
      move(),
      other.assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: person!.id }),
    ]);
    expect(codesOf(outcomes)).toEqual(['OK', 'OK']);
    const [shift] = await activeShifts({ callTimeId: callTime.id });
    expect(shift!.startsAt).toEqual(new Date('2026-12-05T15:00:00Z'));
  });

  test('a person is deleted and assigned: nobody is assigned after their deletion', async () => {
    const [person] = await newStaff(1);
    const remove = async (): Promise<MutationOutcome> => {
      const { status } = await service.call('DELETE', `/api/v1/users/${person!.id}`, { as: tenant.as.admin });
      return { code: String(status), message: '', errors: {}, clashes: [], row: null };
    };
    const [removed, assigned] = await clash('users', person!.id, () => [
      remove(),
      other.assign(tenant.as.admin, { callTimeId: callTime.uuid, userId: person!.id }),
    ]);
    // Whoever comes first: a person with a shift to come is not deleted unasked.
    expect(['200 VALIDATION_FAILED', '409 OK']).toContain(`${removed!.code} ${assigned!.code}`);
    expect(await activeShifts({ userId: person!.id })).toHaveLength(assigned!.code === 'OK' ? 1 : 0);
  });
});

test('many parallel assignments do not deadlock, and every rule holds', async () => {
  const people = await newStaff(4);
  const events = await Promise.all([1, 2, 3].map(() => service.createEvent(tenant.business)));
  const callTimes = await Promise.all(
    events.map((each) => service.createCallTime(each, { staffNeeded: 2, positionId })),
  );
  const inputs = callTimes.flatMap(({ uuid }) => people.map(({ id }) => ({ callTimeId: uuid, userId: id })));
  const answers = await Promise.all([
    one.assignMany(tenant.as.admin, inputs),
    other.assignMany(tenant.as.admin, inputs.toReversed()),
    one.assignMany(
      tenant.as.admin,
      inputs.toSorted((a, b) => a.userId - b.userId),
    ),
  ]);
  const results: { error: { code: string } | null }[] = answers.flatMap(({ row }) => row);
  expect(new Set(results.map(({ error }) => error?.code ?? 'OK'))).toEqual(new Set(['OK', 'CLASH']));
  for (const { id } of people) expect(await activeShifts({ userId: id })).toHaveLength(1);
  for (const { id } of callTimes) expect((await activeShifts({ callTimeId: id })).length).toBeLessThanOrEqual(2);
});

test('lists that assign the same people at the same moment neither deadlock nor miss a clash', async () => {
  const people = await newStaff(12);
  const deadlocks = async () => {
    const { rows } = await bystander.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    return Number(rows[0].deadlocks);
  };
  const before = await deadlocks();
  for (let round = 0; round < 5; round++) {
    const events = await Promise.all([1, 2, 3, 4].map(() => service.createEvent(tenant.business)));
    const at = { positionId, startTime: `2027-01-0${round + 1} 10:00:00`, endTime: `2027-01-0${round + 1} 12:00:00` };
    // Each list goes through events and people in an order of its own, and each event takes some of the people.
    const list = (shift: number) =>
      people.map(({ id }, index) => ({ eventId: events[(index + shift) % 4]!.uuid, userId: id, ...at }));
    const single = (index: number) => ({ eventId: events[0]!.uuid, userId: people[index]!.id, ...at });
    const [held] = people;
    const outcomes = await clash('users', held!.id, () => [
      one.assignMany(tenant.as.admin, list(round)),
      other.assignMany(tenant.as.admin, list(round + 1).toReversed()),
      one.assign(tenant.as.admin, single(0)),
      other.assignMany(
        tenant.as.admin,
        list(round + 2).toSorted((a, b) => a.eventId.localeCompare(b.eventId)),
        `key ${round}`,
      ),
    ]);
    const codes = outcomes.flatMap(({ code, row }) =>
      Array.isArray(row) ? row.map(({ error }: { error: { code: string } | null }) => error?.code ?? 'OK') : [code],
    );
    const assigned = await activeShifts({ startsAt: new Date(`2027-01-0${round + 1}T15:00:00Z`) });
    expect(assigned.map(({ userId }) => userId).sort()).toEqual(people.map(({ id }) => id).sort());
    expect(codes.filter((code) => code === 'OK')).toHaveLength(people.length);
    expect(codes.filter((code) => code === 'CLASH')).toHaveLength(codes.length - people.length);
  }
  expect(await deadlocks()).toBe(before);
});

test('assignments of other people at other events do not wait', async () => {
  const [person, free] = await newStaff(2);
  const elsewhere = await service.createCallTime(await service.createEvent(tenant.business), { positionId });
  await bystander.query('BEGIN');
  await hold('events', event.id);
  await hold('users', person!.id);
  const { row } = await one.assign(tenant.as.admin, { callTimeId: elsewhere.uuid, userId: free!.id });
  await bystander.query('COMMIT');
  expect(row.userId).toBe(free!.id);
});

describe('when the database stops answering', () => {
  let hasty: TestApp;

  beforeAll(async () => {
    // Long enough for every statement that waits for nobody, also on a busy machine.
    hasty = await startApp({ beside: service, env: { CALLBOARD_DB_STATEMENT_TIMEOUT: '3000' } });
  });
  afterAll(() => hasty.close());

  test('the remaining assignments of a list are refused without being tried', async () => {
    const [first, next, last] = await newStaff(3);
    const events = await Promise.all([1, 2].map(() => service.createEvent(tenant.business)));
    const [before, after] = await Promise.all(events.map((each) => service.createCallTime(each, { positionId })));
    await bystander.query('BEGIN');
    await hold('events', event.id);
    const { row } = await staffing(() => hasty).assignMany(tenant.as.admin, [
      { callTimeId: before!.uuid, userId: first!.id },
      { callTimeId: callTime.uuid, userId: next!.id },
      { callTimeId: after!.uuid, userId: last!.id },
    ]);
    await bystander.query('COMMIT');
    const codes = row.map(({ error }: { error: { code: string } | null }) => error?.code ?? 'OK');
    expect(codes).toEqual(['OK', 'UNAVAILABLE', 'UNAVAILABLE']);
    expect(await activeShifts({ userId: { in: [next!.id, last!.id] } })).toEqual([]);
  });

  test('a list under an idempotency key fails as a whole', async () => {
    const [first, next] = await newStaff(2);
    const before = await service.createCallTime(await service.createEvent(tenant.business), { positionId });
    await bystander.query('BEGIN');
    await hold('events', event.id);
    const inputs = [
      { callTimeId: before.uuid, userId: first!.id },
      { callTimeId: callTime.uuid, userId: next!.id },
    ];
    const { code } = await staffing(() => hasty).assignMany(tenant.as.admin, inputs, 'one key');
    await bystander.query('COMMIT');
    expect(code).toBe('UNAVAILABLE');
    expect(await activeShifts({ userId: { in: [first!.id, next!.id] } })).toEqual([]);
  });
});
