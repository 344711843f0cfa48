import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/* A change of an event asks about the double bookings that it would make. */

interface Outcome {
  /** `OK`, or the code of the failure. */
  readonly code: string;
  readonly message: string;
  readonly errors: Record<string, string[]>;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly clashes: any[] | undefined;
}

type Change = (event: Event, changes: Record<string, string>, reason?: string) => Promise<Outcome>;

let tenant: Tenant;
let person: User;
let positionId: number;

const service = useService();

beforeEach(async () => {
  tenant = await service.createTenant();
  person = await service.createUser(tenant.business, 'staff');
  positionId = (await service.createPosition(tenant.business)).id;
});

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const dialects: Record<string, Change> = {
  REST: async ({ uuid }, changes, reason) => {
    const renamed = Object.entries(changes).map(([name, value]) => [snakeCase(name), value]);
    const { status, body } = await service.call('PUT', `/v1/events/${uuid}`, {
      as: tenant.as.admin,
      body: { ...Object.fromEntries(renamed), ...(reason !== undefined && { override_reason: reason }) },
    });
    const code = status === 200 ? 'OK' : body.code;
    expect([code, status]).toEqual([code, { OK: 200, CLASH: 409, VALIDATION_FAILED: 422 }[code as string]]);
    return { code, message: body.message, errors: body.errors ?? {}, clashes: body.clashes };
  },
  GraphQL: async ({ uuid }, { status, ...changes }, reason) => {
    const input = {
      ...changes,
      ...(status && { status: status.toUpperCase() }),
      ...(reason !== undefined && { override: { reason } }),
    };
    const { body } = await service.graphql(
      'mutation ($uuid: ID!, $input: UpdateEventInput!) { updateEvent(id: $uuid, input: $input) { event { uuid } } }',
      { as: tenant.as.admin, variables: { uuid, input } },
    );
    const [error] = body.errors ?? [];
    const { code = 'OK', errors = {}, clashes } = error?.extensions ?? {};
    return { code, message: error?.message ?? '', errors, clashes };
  },
};

/** An event from 18:00 to 23:00 in New York, with a shift of the person. */
async function eventWith(period: { start?: string | null; end?: string | null } = {}, more: object = {}, who = person) {
  const event = await service.createEvent(tenant.business, more);
  return { event, shift: await service.createShift(event, who, { positionId, ...period }) };
}
const at = (clock: string) => `2026-12-05 ${clock}:00`;
const period = (start: string | null, end: string | null) => ({ start: start && at(start), end: end && at(end) });
const stored = (event: Event) =>
  service.prisma.event.findFirstOrThrow({ where: { id: event.id, businessId: tenant.business.id } });
const reasonsAt = async ({ id: eventId, businessId }: Event) =>
  (await service.prisma.workShift.findMany({ where: { eventId, businessId }, orderBy: { id: 'asc' } })).map(
    ({ overrideReason }) => overrideReason,
  );
const countConflicts = async () => {
  const { body } = await service.graphql(
    '{ conflicts(from: "2026-12-01T00:00:00Z", to: "2026-12-12T00:00:00Z") { totalCount } }',
    { as: tenant.as.admin },
  );
  return body.data.conflicts.totalCount;
};

describe.each(Object.keys(dialects))('a change of an event in %s', (name) => {
  const change = dialects[name]!;
  /** Field names of errors are those of the dialect. */
  const spell = (field: string) => (name === 'REST' ? snakeCase(field) : field);

  /** Expects that the change is refused with one clash and changes nothing, and that a reason allows it. */
  async function expectAsked(event: Event, changes: Record<string, string>, other: { uuid: string }, by: string) {
    const before = [await stored(event), await reasonsAt(event), await countConflicts()];
    const { code, message, errors, clashes } = await change(event, changes);
    expect(code).toBe('CLASH');
    expect(message).toMatch(/override/);
    expect(errors).toEqual({ [spell(by)]: [expect.stringContaining(`user ${person.id} twice: shift ${other.uuid}`)] });
    if (name === 'GraphQL') expect(clashes).toMatchObject([{ user: { databaseId: person.id }, shiftUuid: other.uuid }]);
    expect([await stored(event), await reasonsAt(event), await countConflicts()]).toEqual(before);
    expect((await change(event, changes, 'They agreed')).code).toBe('OK');
    expect(await countConflicts()).toBe((before[2] as number) + 1);
  }

  test.each([
    ['canceled', 'active'],
    ['canceled', 'draft'],
    ['deleted', 'active'],
    ['deleted', 'draft'],
  ])('that brings it back from %s to %s asks about people who are booked elsewhere by now', async (from, to) => {
    const { event } = await eventWith({}, { status: from });
    const free = await service.createUser(tenant.business, 'staff');
    await service.createShift(event, free, { positionId });
    const { shift } = await eventWith(period('20:00', '21:00'));
    await expectAsked(event, { status: to }, shift, 'status');
    expect(await reasonsAt(event)).toEqual(['They agreed', null]);
  });

  test('asks where a time is to be determined, as an assignment does', async () => {
    const { event } = await eventWith(period(null, null), { status: 'canceled' });
    const { shift } = await eventWith(period('22:00', null));
    await expectAsked(event, { status: 'active' }, shift, 'status');
  });

  test('of its zone asks about shifts that would overlap', async () => {
    const { event } = await eventWith(period('18:00', '20:00'));
    const { shift } = await eventWith(period('12:00', '14:00'));
    await expectAsked(event, { timezone: 'Europe/Berlin' }, shift, 'timezone');
    expect(await stored(event)).toMatchObject({ timezone: 'Europe/Berlin', version: 2 });
  });

  test('of its times asks about shifts whose times are open', async () => {
    const early = await eventWith(period(null, '19:00'));
    const before = await eventWith(period('16:00', '17:00'));
    await expectAsked(early.event, { startTime: at('15:00') }, before.shift, 'startTime');
    const late = await eventWith(period('22:00', null));
    const behind = await eventWith({ start: at('23:30'), end: '2026-12-06 01:00:00' });
    await expectAsked(late.event, { endTime: '2026-12-06 00:00:00' }, behind.shift, 'endTime');
  });

  test('of its times asks nothing about shifts with times of their own', async () => {
    const { event } = await eventWith(period('18:00', '20:00'));
    await eventWith(period('12:00', '14:00'));
    expect((await change(event, { startTime: at('12:00'), endTime: at('14:00') })).code).toBe('OK');
  });

  test('asks about overlaps within the event, and names both shifts', async () => {
    const { event, shift } = await eventWith(period('16:00', '20:00'), { status: 'canceled' });
    const second = await service.createShift(event, person, { positionId, ...period('19:00', '21:00') });
    const { errors } = await change(event, { status: 'active' });
    expect(errors['status']).toEqual([
      expect.stringContaining(`shift ${shift.uuid} at "${event.title}"`),
      expect.stringContaining(`shift ${second.uuid} at "${event.title}"`),
    ]);
    expect((await change(event, { status: 'active' }, 'Two jobs')).code).toBe('OK');
    expect(await reasonsAt(event)).toEqual(['Two jobs', 'Two jobs']);
  });

  test('asks nothing about overlaps that are there already, nor if it makes fewer', async () => {
    const { event } = await eventWith(period('18:00', '20:00'), { status: 'draft' });
    await eventWith(period('17:00', '21:00'));
    for (const changes of [
      { status: 'active' },
      { title: 'Another title' },
      { timezone: 'America/Toronto' },
      { startTime: at('17:00') },
      { timezone: 'Europe/Berlin' },
      { status: 'canceled' },
    ])
      expect({ changes, ...(await change(event, changes)) }).toMatchObject({ changes, code: 'OK' });
    expect(await reasonsAt(event)).toEqual([null]);
    // While it does not take place, its zone can change, whoever works there.
    expect((await change(event, { timezone: 'America/New_York' })).code).toBe('OK');
  });

  test('asks again where an overlap becomes longer', async () => {
    const { event } = await eventWith(period('18:00', '20:00'));
    await eventWith(period('19:45', '22:00'));
    expect((await change(event, { timezone: 'America/Chicago' })).code).toBe('CLASH');
    expect((await change(event, { timezone: 'America/Halifax' })).code).toBe('OK');
  });

  test('does not store a reason that was not needed', async () => {
    const { event } = await eventWith({}, { status: 'canceled' });
    expect((await change(event, { status: 'active' }, 'Just in case')).code).toBe('OK');
    expect(await reasonsAt(event)).toEqual([null]);
    expect((await change(event, {}, 'Nothing else')).code).toBe('OK');
    expect(await stored(event)).toMatchObject({ version: 2 });
  });

  test.each(['', ' ', 'x'.repeat(limits.remarkChars + 1)])('refuses the reason %j, and names it', async (reason) => {
    const { event } = await eventWith({}, { status: 'canceled' });
    const { code, errors } = await change(event, { status: 'active' }, reason);
    expect({ code, fields: Object.keys(errors) }).toEqual({
      code: 'VALIDATION_FAILED',
      fields: [name === 'REST' ? 'override_reason' : 'override.reason'],
    });
  });

  test('lists a bounded number of clashes, and stores the reason on every shift that needed it', async () => {
    const { event } = await eventWith({}, { status: 'canceled' });
    const people = [person, ...(await Promise.all([1, 2].map(() => service.createUser(tenant.business, 'staff'))))];
    const { event: other } = await eventWith({}, {}, people[2]);
    await service.prisma.workShift.deleteMany({ where: { eventId: { in: [event.id, other.id] } } });
    const shiftsAt = (eventId: number, users: User[], count: number) =>
      service.prisma.workShift.createMany({
        data: users.flatMap(({ id: userId }) =>
          Array.from({ length: count }, () => ({ businessId: tenant.business.id, eventId, userId, positionId })),
        ),
      });
    await shiftsAt(event.id, people, 1);
    await shiftsAt(other.id, people.slice(0, 2), limits.listedMax);
    const { errors, clashes } = await change(event, { status: 'active' });
    expect(errors['status']).toHaveLength(limits.listedMax);
    if (name === 'GraphQL') expect(clashes).toHaveLength(limits.listedMax);
    expect((await change(event, { status: 'active' }, 'Many')).code).toBe('OK');
    expect(await reasonsAt(event)).toEqual(['Many', 'Many', null]);
  });

  test('of neither status, zone nor times costs as many SQL statements as for an event without shifts', async () => {
    const { event } = await eventWith();
    await eventWith();
    const empty = await service.createEvent(tenant.business);
    const costs = [];
    for (const one of [empty, event]) {
      const before = sqlCount();
      expect((await change(one, { description: 'Bring a torch', dressCode: 'Black' })).code).toBe('OK');
      costs.push(statementsSince(before));
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]!.filter((sql) => /FROM users u|work_shifts/.test(sql)).length).toBe(0);
  });
});

test('PUT with null as the reason asks as without one', async () => {
  const { event } = await eventWith({}, { status: 'canceled' });
  await eventWith();
  const { status } = await service.call('PUT', `/v1/events/${event.uuid}`, {
    as: tenant.as.admin,
    body: { status: 'active', override_reason: null },
  });
  expect(status).toBe(409);
});
