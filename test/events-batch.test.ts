import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits, requestPointsMax } from '../src/config/limits.ts';
import type { Position, User } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import type { Tenant } from './support/factories.ts';

/* New events with their call times and people, one or many at a time. */

const service = useService();
const mutate = asker(() => service, 'mutation');

let tenant: Tenant;
let position: Position;

beforeEach(async () => {
  tenant = await service.createTenant();
  position = await service.createPosition(tenant.business);
});

const send = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object, as = tenant.as.admin) =>
  service.call(method, url, { as, ...(body && { body }) });

const fields = { title: 'Gala', start_time: '2027-05-01 18:00:00', end_time: '2027-05-01 23:00:00', timezone: 'UTC' };
const callTimeOf = (people: readonly (User | number)[] = [], more: object = {}) => ({
  position_id: position.id,
  staff_needed: Math.max(1, people.length),
  start_time: '2027-05-01 17:00:00',
  end_time: '2027-05-01 23:00:00',
  people: people.map((person) => ({ user_id: typeof person === 'number' ? person : person.id })),
  ...more,
});
const eventWith = (callTimes: readonly object[], more: object = {}) => ({ ...fields, call_times: callTimes, ...more });

const countRows = async () => {
  const where = { where: { businessId: tenant.business.id } };
  const { event, callTime, workShift } = service.prisma;
  return [await event.count(where), await callTime.count(where), await workShift.count(where)];
};

const pointsOf = async (run: () => Promise<{ headers: Record<string, unknown> }>) => {
  const left = ({ headers }: { headers: Record<string, unknown> }) => Number(headers['x-ratelimit-remaining']);
  const before = left(await send('GET', '/v1/rate_limit'));
  return before - left(await run());
};

describe('an event with call times and people', () => {
  test('is stored with all of them, in REST and GraphQL alike', async () => {
    const { business, staff } = tenant;
    const second = await service.createUser(business, 'staff');
    const created = await send(
      'POST',
      '/v1/events',
      eventWith([callTimeOf([staff]), callTimeOf([second], { staff_needed: 3, start_time: '2027-05-01 20:00:00' })]),
    );
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      title: 'Gala',
      call_times: [{ staff_needed_count: 1 }, { staff_needed_count: 3 }],
      work_shifts: [{ start_time: '2027-05-01 17:00:00' }, { start_time: '2027-05-01 20:00:00' }],
    });
    const input = {
      title: 'Gala',
      startTime: '2027-06-01 18:00:00',
      endTime: '2027-06-01 23:00:00',
      timezone: 'UTC',
      callTimes: [
        {
          positionId: position.id,
          staffNeeded: 1,
          startTime: '2027-06-01 17:00:00',
          endTime: '2027-06-01 23:00:00',
          people: [{ userId: staff.id, startTime: null, payRate: '31' }],
        },
      ],
    };
    const { it } = await mutate(
      tenant.as.admin,
      '($input: CreateEventInput!) { it: createEvent(input: $input) { title workShifts { startTime endTime payRate callTime { staffNeeded } } } }',
      { input },
    );
    expect(it).toEqual({
      title: 'Gala',
      workShifts: [{ startTime: null, endTime: '2027-06-01 23:00:00', payRate: '31.00', callTime: { staffNeeded: 1 } }],
    });
    expect(await countRows()).toEqual([2, 3, 3]);
    const { body } = await send('GET', '/v1/history');
    const kinds = body.data.data
      .map(({ kind }: { kind: string }) => kind)
      .filter((kind: string) => !['position', 'user'].includes(kind))
      .sort();
    expect(kinds).toEqual([...Array(3).fill('callTime'), ...Array(2).fill('event'), ...Array(3).fill('workShift')]);
  });

  test('is not stored at all where one of them is wrong, and every fault has its path', async () => {
    const refused = await send(
      'POST',
      '/v1/events',
      eventWith([
        callTimeOf([tenant.staff], { end_time: '2027-05-01 16:00:00' }),
        callTimeOf([tenant.client], { position_id: 2_000_000_000, skill_level_id: 2_000_000_000 }),
      ]),
    );
    expect([refused.status, Object.keys(refused.body.errors).sort()]).toEqual([
      422,
      ['call_times.0.end_time', 'call_times.1.position_id', 'call_times.1.skill_level_id'],
    ]);
    const wrongPerson = await send('POST', '/v1/events', eventWith([callTimeOf([tenant.staff, tenant.client])]));
    expect(wrongPerson.body.errors).toEqual({
      'call_times.0.people.1.user_id': ['must be the id of a staff member of this business'],
    });
    const malformed = await send(
      'POST',
      '/v1/events',
      eventWith([callTimeOf([], { people: [{ user: 1 }] })], { title: '' }),
    );
    expect(Object.keys(malformed.body.errors).sort()).toEqual([
      'call_times.0.people.0.user',
      'call_times.0.people.0.user_id',
      'title',
    ]);
    expect(await countRows()).toEqual([0, 0, 0]);
  });

  test('needs an override where it breaks a rule of assignments, and keeps its reason where it was needed', async () => {
    const { business, staff } = tenant;
    const second = await service.createUser(business, 'staff');
    const third = await service.createUser(business, 'staff');
    const earlier = await service.createEvent(business, { timezone: 'UTC' });
    await service.createShift(earlier, staff, { start: '2027-05-01 22:00:00', end: '2027-05-02 02:00:00' });
    const body = eventWith([callTimeOf([staff, second, third], { staff_needed: 2 })]);
    const refused = await send('POST', '/v1/events', body);
    expect([refused.status, refused.body.code, Object.keys(refused.body.errors)]).toEqual([
      409,
      'CLASH',
      ['call_times.0.people.0.user_id', 'call_times.0.people.2.user_id'],
    ]);
    expect((await countRows())[1]).toBe(0);
    expect((await send('POST', '/v1/events', { ...body, override_reason: 'Training' })).status).toBe(201);
    const shifts = await service.prisma.workShift.findMany({
      where: { businessId: business.id, callTimeId: { not: null } },
      orderBy: { userId: 'asc' },
    });
    expect(shifts.map(({ overrideReason }) => overrideReason)).toEqual(['Training', null, 'Training']);
  });

  test('refuses a person who is on two of its own call times at the same time', async () => {
    const { staff } = tenant;
    const twice = [callTimeOf([staff]), callTimeOf([staff], { start_time: '2027-05-01 22:00:00' })];
    const refused = await send('POST', '/v1/events', eventWith(twice));
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([409, ['call_times.1.people.0.user_id']]);
    const apart = [
      callTimeOf([staff], { end_time: '2027-05-01 22:00:00' }),
      callTimeOf([staff], { start_time: '2027-05-01 22:00:00' }),
    ];
    expect((await send('POST', '/v1/events', eventWith(apart))).status).toBe(201);
  });

  test('needs an override for a call time that does not touch it, and keeps the reason', async () => {
    const early = callTimeOf([], { start_time: '2027-04-20 10:00:00', end_time: '2027-04-20 12:00:00' });
    const refused = await send('POST', '/v1/events', eventWith([callTimeOf(), early]));
    expect([refused.status, refused.body.code, Object.keys(refused.body.errors)]).toEqual([
      409,
      'CLASH',
      ['call_times.1.start_time'],
    ]);
    const allowed = await send('POST', '/v1/events', eventWith([callTimeOf(), early], { override_reason: 'Building' }));
    expect(allowed.status).toBe(201);
    const stored = await service.prisma.callTime.findMany({
      where: { businessId: tenant.business.id },
      orderBy: { startsAt: 'asc' },
    });
    expect(stored.map(({ overrideReason }) => overrideReason)).toEqual(['Building', null]);
  });

  test('has a bound on call times and people', async () => {
    const { eventCallTimesMax, eventPeopleMax } = limits;
    const callTimes = (count: number, people: number) =>
      Array.from({ length: count }, () => callTimeOf(Array<number>(people).fill(tenant.staff.id)));
    const tooMany = await send('POST', '/v1/events', eventWith(callTimes(eventCallTimesMax + 1, 0)));
    expect(tooMany.body.errors).toEqual({ call_times: [`must have at most ${eventCallTimesMax} items`] });
    const tooCrowded = await send('POST', '/v1/events', eventWith(callTimes(2, eventPeopleMax / 2 + 1)));
    expect(tooCrowded.body.errors).toEqual({ call_times: [`must have at most ${eventPeopleMax} people together`] });
    const full = callTimes(eventCallTimesMax, eventPeopleMax / eventCallTimesMax);
    expect((await send('POST', '/v1/events', eventWith(full, { override_reason: 'Rehearsal' }))).status).toBe(201);
    expect(await countRows()).toEqual([1, eventCallTimesMax, eventPeopleMax]);
  });

  test.each([
    ['POST', '/v1/events', (event: object) => event],
    ['POST', '/v1/events/batch', (event: object) => ({ inputs: [{ ...fields }, event] })],
    ['PUT', '/v1/events/by_resource_id/A-1', (event: object) => event],
  ] as const)(
    'by %s %s needs the scope of staffing for people, before anything is stored',
    async (method, url, bodyOf) => {
      await service.prisma.business.update({ where: { id: tenant.business.id }, data: { uniqueResourceIds: true } });
      const narrow = await service.createKey(tenant.business, { scopes: ['events:write'] });
      const refused = await send(method, url, bodyOf(eventWith([callTimeOf([tenant.staff])])), narrow.key);
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('staffing:write')]);
      expect(await countRows()).toEqual([0, 0, 0]);
      const allowed = await send(method, url, bodyOf(eventWith([callTimeOf()])), narrow.key);
      expect(allowed.status).toBe(201);
    },
  );
});

describe('a batch of events', () => {
  test('gives each its own result in order, and a refused one leaves no trace', async () => {
    const { staff } = tenant;
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { uniqueResourceIds: true } });
    const busy = [callTimeOf([staff])];
    const { body: begin } = await send('GET', '/v1/changes');
    const inputs = [
      eventWith(busy, { title: 'First', resource_id: 'A-1' }),
      eventWith(busy, { title: 'Clashes', resource_id: 'A-2' }),
      { ...fields, title: 'Same id', resource_id: 'A-1' },
      { ...fields, title: 'Id of the refused one', resource_id: 'A-2' },
      { ...fields, title: 'Wrong', end_time: 'soon' },
      7,
      eventWith(busy, { title: 'Allowed', override_reason: 'Training' }),
    ];
    const { status, body } = await send('POST', '/v1/events/batch', { inputs });
    expect(status).toBe(201);
    expect(body.data).toMatchObject([
      { event: { title: 'First', work_shifts: [{}] }, error: null },
      {
        event: null,
        error: {
          code: 'CLASH',
          errors: { 'call_times.0.people.0.user_id': [expect.any(String)] },
          clashes: [{ kind: 'OVERLAP', user_id: staff.id, event_title: 'First' }],
        },
      },
      { event: null, error: { code: 'CONFLICT', errors: { resource_id: ['is taken'] } } },
      { event: { title: 'Id of the refused one', call_times: [] }, error: null },
      { event: null, error: { code: 'VALIDATION_FAILED', errors: { end_time: [expect.any(String)] } } },
      { event: null, error: { code: 'VALIDATION_FAILED' } },
      { event: { title: 'Allowed' }, error: null },
    ]);
    expect(body.data[1].error.clashes[0].event_uuid).toBe(body.data[0].event.uuid);
    expect(await countRows()).toEqual([3, 2, 2]);
    const { body: history } = await send('GET', '/v1/history');
    const made = history.data.data.map(({ kind }: { kind: string }) => kind);
    expect(made.filter((kind: string) => ['event', 'callTime', 'workShift'].includes(kind))).toHaveLength(7);
    const { body: feed } = await send('GET', `/v1/changes?after=${begin.data.next_cursor}`);
    expect(feed.data.changes).toHaveLength(7);
  });

  test('says the same in GraphQL', async () => {
    const one = { title: 'Gala', startTime: fields.start_time, endTime: fields.end_time, timezone: 'UTC' };
    const callTimes = [
      {
        positionId: position.id,
        staffNeeded: 1,
        startTime: '2027-05-01 17:00:00',
        endTime: '2027-05-01 23:00:00',
        people: [{ userId: tenant.staff.id }],
      },
    ];
    const { it } = await mutate(
      tenant.as.admin,
      `($inputs: [CreateEventInput!]!) { it: createEvents(inputs: $inputs)
        { event { title } clashes { kind user { databaseId } } error { code errors { field messages } } } }`,
      {
        inputs: [
          { ...one, callTimes },
          { ...one, callTimes },
          { ...one, endTime: 'soon' },
        ],
      },
    );
    expect(it).toMatchObject([
      { event: { title: 'Gala' }, clashes: [], error: null },
      {
        event: null,
        clashes: [{ kind: 'OVERLAP', user: { databaseId: tenant.staff.id } }],
        error: { code: 'CLASH', errors: [{ field: 'callTimes.0.people.0.userId' }] },
      },
      { event: null, error: { code: 'VALIDATION_FAILED', errors: [{ field: 'endTime' }] } },
    ]);
  });

  test('is refused beyond its size', async () => {
    const inputs = Array.from({ length: limits.namedItemsMax + 1 }, () => fields);
    for (const url of ['/v1/events/batch', '/api/v1/users/batch'])
      expect((await send('POST', url, { inputs })).body.errors).toEqual({ inputs: ['must have at most 100 items'] });
  });
});

describe('a batch of users', () => {
  test('gives each its own result in order', async () => {
    const user = (name: string, more: object = {}) => ({
      name,
      email: `${name.toLowerCase()}-${tenant.business.id}@example.com`,
      role: 'staff',
      password: 'enough of a password',
      ...more,
    });
    const inputs = [
      user('Kim'),
      user('Kim', { name: 'Second Kim' }),
      user('Pat', { email: tenant.staff.email }),
      user('Short', { password: 'x' }),
      user('Sam', { role: 'client' }),
    ];
    const { status, body } = await send('POST', '/api/v1/users/batch', { inputs });
    expect(status).toBe(201);
    expect(body.data).toMatchObject([
      { user: { name: 'Kim', role: 'staff' }, error: null },
      { user: null, error: { code: 'CONFLICT', errors: { email: ['is taken'] } } },
      { user: null, error: { code: 'CONFLICT', errors: { email: ['is taken'] } } },
      { user: null, error: { code: 'VALIDATION_FAILED', errors: { password: [expect.any(String)] } } },
      { user: { name: 'Sam', role: 'client' }, error: null },
    ]);
    const login = { email: inputs[0]!.email, password: 'enough of a password' };
    expect((await service.call('POST', '/v1/auth/login', { body: login })).status).toBe(200);
    const entries = await service.prisma.auditEntry.count({
      where: { businessId: tenant.business.id, action: 'users.createMany' as never },
    });
    expect(entries).toBe(2);
  });

  test('of an API key makes no admin, nor anybody beside one', async () => {
    const inputs = ['staff', 'admin'].map((role, at) => ({
      name: 'Kim',
      email: `kim-${at}-${tenant.business.id}@example.com`,
      role,
      password: 'enough of a password',
    }));
    expect((await send('POST', '/api/v1/users/batch', { inputs }, tenant.as.key)).status).toBe(403);
    expect(await service.prisma.user.count({ where: { businessId: tenant.business.id } })).toBe(3);
  });
});

describe('what it costs', () => {
  const plain = (count: number) => Array.from({ length: count }, () => fields);

  test('is 1, and 1 more for each 25 rows', async () => {
    const people = (count: number) => Array<number>(count).fill(tenant.staff.id);
    const batch = (inputs: object[]) => () => send('POST', '/v1/events/batch', { inputs });
    expect(await pointsOf(() => send('POST', '/v1/events', fields))).toBe(1);
    expect(await pointsOf(batch(plain(24)))).toBe(1);
    expect(await pointsOf(batch(plain(25)))).toBe(2);
    expect(await pointsOf(batch([eventWith([callTimeOf(people(24))], { override_reason: 'Test' })]))).toBe(2);
    expect(await pointsOf(batch(plain(100)))).toBe(5);
    const shifts = Array.from({ length: 50 }, () => ({ user_id: tenant.staff.id }));
    expect(await pointsOf(() => send('POST', '/v1/work_shifts/batch', { inputs: shifts }))).toBe(3);
    const users = Array.from({ length: 25 }, () => ({}));
    expect(await pointsOf(() => send('POST', '/api/v1/users/batch', { inputs: users }))).toBe(2);
    const graphql = () =>
      service.graphql('mutation ($inputs: [AssignShiftInput!]!) { assignShifts(inputs: $inputs) { error { code } } }', {
        as: tenant.as.admin,
        variables: { inputs: shifts.map(() => ({ userId: tenant.staff.id })) },
      });
    expect(await pointsOf(graphql)).toBe(3);
  });

  test('never exceeds a minute of the smallest plan: the refusal names the size that fits', async () => {
    const rowsMax = requestPointsMax * limits.rowsAPoint - 1;
    expect([requestPointsMax, rowsMax]).toEqual([60, 1499]);
    const callTimes = Array.from({ length: 14 }, () => callTimeOf());
    const inputs = Array.from({ length: 100 }, () => eventWith(callTimes));
    const refused = await send('POST', '/v1/events/batch', { inputs });
    expect([refused.status, refused.body.errors.inputs[0]]).toEqual([
      422,
      expect.stringMatching(/^has 1500 rows.* at most 1499 rows at a time$/),
    ]);
    expect(await countRows()).toEqual([0, 0, 0]);
    // Several batches in one request of GraphQL share the bound.
    const one = { title: 'Gala', startTime: fields.start_time, endTime: fields.end_time, timezone: 'UTC' };
    const callTime = {
      positionId: position.id,
      staffNeeded: 1,
      startTime: fields.start_time,
      endTime: fields.end_time,
    };
    const many = Array.from({ length: 100 }, () => ({ ...one, callTimes: Array.from({ length: 7 }, () => callTime) }));
    const { body, headers } = await service.graphql(
      `mutation ($inputs: [CreateEventInput!]!) {
        a: createEvents(inputs: $inputs) { error { code } } b: createEvents(inputs: $inputs) { error { code } } }`,
      { as: tenant.as.admin, variables: { inputs: many } },
    );
    expect(body.data.a).toHaveLength(100);
    expect(body.errors).toMatchObject([
      {
        path: ['b'],
        extensions: { code: 'VALIDATION_FAILED', errors: { inputs: [expect.stringContaining('at most 674 rows')] } },
      },
    ]);
    expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  });

  test('lets a season in with few requests and points', async () => {
    // A tenth of a season of 500 events with 1,000 call times and 4,000 shifts, which may take 25 requests and 300 points.
    const staff: User[] = [];
    for (let count = 0; count < 8; count++) staff.push(await service.createUser(tenant.business, 'staff'));
    const season = Array.from({ length: 50 }, (_, at) => {
      const day = new Date(Date.UTC(2027, 5, 1 + at)).toISOString().slice(0, 10);
      const at_ = { start_time: `${day} 10:00:00`, end_time: `${day} 18:00:00` };
      return eventWith([callTimeOf(staff.slice(0, 4), at_), callTimeOf(staff.slice(4), at_)], at_);
    });
    const requests: number[] = [];
    for (let from = 0; from < season.length; from += 25)
      requests.push(
        await pointsOf(async () => {
          const reply = await send('POST', '/v1/events/batch', { inputs: season.slice(from, from + 25) });
          expect(reply.body.data.every(({ error }: { error: unknown }) => error === null)).toBe(true);
          return reply;
        }),
      );
    expect(await countRows()).toEqual([50, 100, 400]);
    expect(requests.length).toBeLessThanOrEqual(25 / 10);
    expect(requests.reduce((sum, points) => sum + points, 0)).toBeLessThanOrEqual(300 / 10);
  });
});
