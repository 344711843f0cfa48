import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { readSaidOfMany } from '../src/db/availability.ts';
import { askAvailability } from '../src/services/availability-answer.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* What people say of when they can work, over REST and GraphQL. */

let tenant: Tenant;

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
});

const week = {
  rule: 'available',
  weekday: 'saturday',
  start_time: '16:00',
  end_time: '02:00',
  timezone: 'Europe/Berlin',
};
const days = { rule: 'unavailable', starts_at: '2031-07-01T00:00:00Z', ends_at: '2031-07-08T00:00:00Z' };

const url = (userId = tenant.staff.id) => `/v1/users/${userId}/availability`;
const addPattern = (body: object, as = tenant.as.admin, userId?: number) =>
  service.call('POST', `${url(userId)}/patterns`, { as, body: { ...week, ...body } });
const addException = (body: object, as = tenant.as.admin, userId?: number) =>
  service.call('POST', `${url(userId)}/exceptions`, { as, body: { ...days, ...body } });

/** Errors of a refused body, by field. */
const faultsOf = async (answer: ReturnType<typeof addPattern>) => {
  const { status, body } = await answer;
  return [status, body.errors];
};

test('staff say when they can work, and an admin reads the same in both dialects', async () => {
  const { as, staff } = tenant;
  const pattern = await addPattern({ valid_from: '2031-01-01' }, as.staff);
  expect(pattern.status).toBe(201);
  const { uuid } = pattern.body.data;
  expect(pattern.headers['location']).toBe(`/v1/availability/patterns/${uuid}`);
  expect(pattern.body.data).toEqual({
    ...{ uuid, user_id: staff.id, ...week, valid_from: '2031-01-01', valid_until: null, version: 1 },
    contradicted_shifts: [],
  });
  const exception = await addException({ note: 'Holiday', starts_at: '2031-07-01T02:00:00.900+02:00' }, as.staff);
  expect(exception.body.data).toMatchObject({ starts_at: '2031-07-01T00:00:00.000Z', note: 'Holiday', version: 1 });
  const read = await service.call('GET', url(), { as: as.admin });
  expect(read.body.data).toMatchObject({ patterns: [{ uuid }], exceptions: [{ uuid: exception.body.data.uuid }] });
  const { body } = await service.graphql(
    `{ availability(staffId: ${staff.id}) { patterns { uuid rule weekday startTime endTime timezone validFrom validUntil user { name } }
       exceptions { startsAt endsAt note } contradictedShifts { uuid } }
       user(id: ${staff.id}) { availability { patterns { uuid } } } }`,
    { as: as.admin },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.availability.patterns).toEqual([
    {
      ...{ uuid, rule: 'AVAILABLE', weekday: 'SATURDAY', startTime: '16:00', endTime: '02:00' },
      ...{ timezone: 'Europe/Berlin', validFrom: '2031-01-01', validUntil: null, user: { name: staff.name } },
    },
  ]);
  expect(body.data.user.availability.patterns).toEqual([{ uuid }]);
  const changed = await service.call('PUT', `/v1/availability/patterns/${uuid}`, {
    as: as.staff,
    body: { end_time: '03:00', valid_until: '2031-12-31' },
    headers: { 'if-match': '"1"' },
  });
  expect(changed.body.data).toMatchObject({
    start_time: '16:00',
    end_time: '03:00',
    valid_until: '2031-12-31',
    version: 2,
  });
  const late = { as: as.staff, body: { rule: 'preferred' }, headers: { 'if-match': '"1"' } };
  expect((await service.call('PUT', `/v1/availability/patterns/${uuid}`, late)).status).toBe(412);
  const gone = await service.call('DELETE', `/v1/availability/patterns/${uuid}`, { as: as.staff });
  expect(gone.body.data).toMatchObject({ uuid, version: 2 });
  expect((await service.call('GET', `/v1/availability/patterns/${uuid}`, { as: as.admin })).status).toBe(404);
});

test('a change names the bookings that it contradicts, and leaves them; a dry run stores nothing', async () => {
  const { business, staff, as } = await service.createTenant();
  const times = { start: '2031-03-07 18:00:00', end: '2031-03-07 23:00:00' };
  const event = await service.createEvent(business, { ...times, timezone: 'UTC', title: 'Gala' });
  const shift = await service.createShift(event, staff, times);
  await service.createShift(event, staff, { start: times.start, end: null });
  await service.createShift(event, staff, { ...times, status: 'canceled' });
  const friday = { ...week, weekday: 'friday', timezone: 'UTC' };
  // Fridays are the day of the event, and the window does not cover the evening.
  const body = { ...friday, start_time: '08:00', end_time: '20:00' };
  const to = `/v1/users/${staff.id}/availability/patterns`;
  const tried = await service.call('POST', `${to}?dry_run=true`, { as: as.staff, body });
  expect(tried.body.data.contradicted_shifts).toMatchObject([{ uuid: shift.uuid, event_name: 'Gala' }]);
  expect(await service.prisma.availabilityPattern.count({ where: { businessId: business.id } })).toBe(0);
  const { body: made } = await service.graphql(
    `mutation { createAvailabilityPattern(staffId: ${staff.id}, input: { rule: AVAILABLE, weekday: FRIDAY, timezone: "UTC",
       startTime: "08:00", endTime: "20:00" }) { availabilityPattern { uuid } contradictedShifts { uuid event { title } } } }`,
    { as: as.staff },
  );
  const { availabilityPattern, contradictedShifts } = made.data.createAvailabilityPattern;
  expect(contradictedShifts).toEqual([{ uuid: shift.uuid, event: { title: 'Gala' } }]);
  // A second one contradicts nothing that is not contradicted already, and a better one nothing at all.
  const again = await service.call('POST', to, { as: as.staff, body: { ...body, end_time: '21:00' } });
  expect(again.body.data.contradicted_shifts).toEqual([]);
  const read = async () =>
    (await service.call('GET', `/v1/users/${staff.id}/availability`, { as: as.admin })).body.data;
  expect((await read()).contradicted_shifts).toMatchObject([{ uuid: shift.uuid }]);
  await service.call('PUT', `/v1/availability/patterns/${availabilityPattern.uuid}`, {
    as: as.admin,
    body: { end_time: '00:00' },
  });
  expect((await read()).contradicted_shifts).toEqual([]);
  const stored = await service.prisma.workShift.findFirstOrThrow({ where: { uuid: shift.uuid } });
  expect([stored.status, stored.version]).toEqual(['active', shift.version]);
});

describe('bad input', () => {
  const time = 'must be a time of day as HH:MM, from 00:00 to 23:59; 00:00 as an end means midnight';

  test.each([
    [{ end_time: '24:00' }, { end_time: [time] }],
    [{ start_time: '9:00' }, { start_time: [time] }],
    [
      { start_time: '09:00:00', end_time: '٠٩:٠٠' },
      { start_time: [time], end_time: [time] },
    ],
    [{ timezone: 'Mars/Olympus' }, { timezone: ['must be an IANA time zone such as America/New_York'] }],
    [{ timezone: '+02:00' }, { timezone: ['must be an IANA time zone such as America/New_York'] }],
    [
      { valid_from: '2031-02-02', valid_until: '2031-02-01' },
      { valid_until: ['must be the same date as the first one, or later'] },
    ],
    [{ valid_from: '2031-02-29' }, { valid_from: [expect.stringContaining('must be a date that exists')] }],
    [{ weekday: 'samstag' }, { weekday: [expect.stringContaining('saturday')] }],
    [{ weekday: 'SATURDAY' }, { weekday: [expect.stringContaining('saturday')] }],
    [{ rule: 'maybe' }, { rule: [expect.stringContaining('preferred')] }],
  ])('%j is refused with the field and a message', async (change, errors) => {
    expect(await faultsOf(addPattern(change))).toEqual([422, errors]);
  });

  test('an exception that does not last is refused, also where only fractions of a second are left', async () => {
    const after = { ends_at: ['must be after the start'] };
    expect(await faultsOf(addException({ ends_at: days.starts_at }))).toEqual([422, after]);
    const short = { starts_at: '2031-07-01T00:00:00.100Z', ends_at: '2031-07-01T00:00:00.900Z' };
    expect(await faultsOf(addException(short))).toEqual([422, after]);
    const { uuid } = await service.createException(tenant.staff);
    const change = { as: tenant.as.admin, body: { ends_at: '2029-01-01T00:00:00Z' } };
    expect(await faultsOf(service.call('PUT', `/v1/availability/exceptions/${uuid}`, change))).toEqual([422, after]);
    expect(await faultsOf(addException({ note: ' ' }))).toEqual([422, { note: [expect.any(String)] }]);
  });

  test('only staff of the business have an availability: all others are unknown people', async () => {
    const other = await service.createTenant();
    const { client, admin } = tenant;
    const gone = await service.createUser(tenant.business, 'staff');
    await service.prisma.user.updateMany({ where: { id: gone.id }, data: { deletedAt: new Date(), emailKey: null } });
    const unknown = await addPattern({}, tenant.as.admin, limits.int4Max);
    expect(unknown.status).toBe(404);
    for (const { id } of [client, admin, gone, other.staff]) {
      const { status, body } = await addPattern({}, tenant.as.admin, id);
      expect([status, body]).toEqual([404, unknown.body]);
      expect((await service.call('GET', url(id), { as: tenant.as.admin })).body).toEqual(unknown.body);
    }
    const mate = await service.createUser(tenant.business, 'staff');
    expect((await addException({}, tenant.as.staff, mate.id)).body).toEqual(unknown.body);
    const { uuid } = await service.createPattern(mate);
    const { status } = await service.call('DELETE', `/v1/availability/patterns/${uuid}`, { as: tenant.as.staff });
    expect(status).toBe(404);
  });

  test('one more than a person may have is refused, whoever comes first', async () => {
    const mate = await service.createUser(tenant.business, 'staff');
    const row = { businessId: mate.businessId, userId: mate.id, rule: 'available' } as const;
    await service.prisma.availabilityPattern.createMany({
      data: Array.from({ length: limits.wholeListMax - 1 }, () => ({
        ...{ ...row, weekday: 'monday', startTime: '09:00', endTime: '10:00', timezone: 'UTC' },
      })),
    });
    const both = await Promise.all([
      addPattern({}, tenant.as.admin, mate.id),
      addPattern({}, tenant.as.admin, mate.id),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    await service.prisma.availabilityException.createMany({
      data: Array.from({ length: limits.wholeListMax }, () => ({
        ...{ ...row, startsAt: new Date('2031-01-01'), endsAt: new Date('2031-01-02') },
      })),
    });
    expect((await addException({}, tenant.as.admin, mate.id)).status).toBe(409);
  });
});

test('what somebody has said goes with them, and with their role', async () => {
  const { prisma } = service;
  const [one, two] = [
    await service.createUser(tenant.business, 'staff'),
    await service.createUser(tenant.business, 'staff'),
  ];
  for (const user of [one, two]) {
    await service.createPattern(user);
    await service.createException(user);
  }
  const as = tenant.as.admin;
  await service.call('DELETE', `/api/v1/users/${one.id}`, { as });
  await service.call('PUT', `/api/v1/users/${two.id}`, { as, body: { role: 'client' } });
  const where = { userId: { in: [one.id, two.id] } };
  expect([
    await prisma.availabilityPattern.count({ where }),
    await prisma.availabilityException.count({ where }),
  ]).toEqual([0, 0]);
});

test('the change feed tells staff of their own rows and of no others', async () => {
  const { as, staff, business } = await service.createTenant();
  const mate = await service.createUser(business, 'staff');
  const feed = async (credential: string, after: string) =>
    (await service.call('GET', `/v1/changes?after=${after}`, { as: credential })).body.data;
  const cursor = (await service.call('GET', '/v1/changes', { as: as.admin })).body.data.next_cursor;
  const [own, other] = [await service.createPattern(staff), await service.createPattern(mate)];
  const names = ({ changes }: { changes: { kind: string; op: string; uuid: string }[] }) =>
    changes.map(({ kind, op, uuid }) => `${kind} ${op} ${uuid}`).sort();
  const ofAdmin = [own, other].map(({ uuid }) => `availabilityPattern changed ${uuid}`).sort();
  expect(names(await feed(as.admin, cursor))).toEqual(ofAdmin);
  const page = await feed(as.staff, cursor);
  expect(names(page)).toEqual([`availabilityPattern changed ${own.uuid}`]);
  await service.prisma.availabilityPattern.deleteMany({ where: { businessId: business.id } });
  expect(names(await feed(as.staff, page.next_cursor))).toEqual([`availabilityPattern deleted ${own.uuid}`]);
  expect(names(await feed(as.client, cursor))).toEqual([]);
  const history = await service.call('GET', '/v1/history?kind=availabilityPattern', { as: as.admin });
  expect(history.body.data.data[0]).toMatchObject({ operation: null, row_uuid: expect.any(String) });
});

test('what many people have said of a span is read in one statement, with the same answers as by one', async () => {
  const { business, staff } = await service.createTenant();
  const others = [await service.createUser(business, 'staff'), await service.createUser(business, 'staff')];
  const [night, holiday] = others as [typeof staff, typeof staff];
  await service.createPattern(staff, { weekday: 'tuesday', timezone: 'UTC' });
  await service.createPattern(night, { weekday: 'sunday', startTime: '20:00', endTime: '20:00', timezone: 'UTC' });
  const dates = { startsAt: new Date('2031-03-03T00:00:00Z'), endsAt: new Date('2031-03-04T00:00:00Z') };
  await service.createException(holiday, { rule: 'preferred', ...dates });
  const { db } = bindToBusiness(service.prisma, business.id);
  // A Monday.
  const span = { startsAt: new Date('2031-03-03T09:00:00Z'), endsAt: new Date('2031-03-03T17:00:00Z') };
  const said = await readSaidOfMany(db, span, null);
  const ask = askAvailability(span);
  expect([staff, night, holiday].map(({ id }) => ask(said.get(id)!))).toEqual([
    'UNAVAILABLE',
    'AVAILABLE',
    'PREFERRED',
  ]);
  expect([...(await readSaidOfMany(db, span, [night.id])).keys()]).toEqual([night.id]);
  expect((await readSaidOfMany(db, span, [tenant.staff.id])).size).toBe(0);
});

describe('a batch', () => {
  const batch = (as: string, what: string, inputs: object[], headers = {}) =>
    service.call('POST', `/v1/availability/${what}/batch`, { as, body: { inputs }, headers });
  const results = ({ status, body }: Awaited<ReturnType<typeof batch>>, name: string) => [
    status,
    body.data.map((one: Record<string, { user_id: number } | null>) => one[name]?.user_id ?? one['error']),
  ];

  test('of many people stores each row by itself, and says which bookings contradict it', async () => {
    const { as, business, staff } = tenant;
    const other = await service.createUser(business, 'staff');
    const event = await service.createEvent(business);
    const shift = await service.createShift(event, other, { start: '2199-07-01 16:00:00', end: '2199-07-01 23:30:00' });
    const july = { rule: 'unavailable', starts_at: '2199-07-01T00:00:00Z', ends_at: '2199-07-08T00:00:00Z' };
    const [ends, noon] = [{ ends_at: ['must be after the start'] }, { start_time: [expect.any(String)] }];
    const spans = [
      { staff_id: other.id, ...july },
      { staff_id: other.id, ...july, ends_at: july.starts_at },
      { staff_id: staff.id, ...july },
      { staff_id: 0, ...july },
    ];
    const made = await batch(as.admin, 'exceptions', spans, { 'idempotency-key': 'spans' });
    expect(results(made, 'availability_exception')).toEqual([
      201,
      [
        other.id,
        expect.objectContaining({ code: 'VALIDATION_FAILED', errors: ends }),
        staff.id,
        expect.objectContaining({ code: 'NOT_FOUND', message: 'No such staff member.' }),
      ],
    ]);
    expect(made.body.data[0].availability_exception.contradicted_shifts).toMatchObject([{ uuid: shift.uuid }]);
    expect((await batch(as.admin, 'exceptions', spans, { 'idempotency-key': 'spans' })).body).toEqual(made.body);
    const windows = [
      { staff_id: staff.id, ...week },
      { staff_id: other.id, ...week },
      { staff_id: staff.id, ...week, start_time: 'noon' },
    ];
    expect(results(await batch(as.staff, 'patterns', windows), 'availability_pattern')).toEqual([
      201,
      [
        staff.id,
        expect.objectContaining({ code: 'NOT_FOUND', message: 'No such staff member.' }),
        expect.objectContaining({ errors: noon }),
      ],
    ]);
    expect((await batch(as.client, 'patterns', [])).status).toBe(403);
  });

  test('of GraphQL does the same', async () => {
    const { body } = await service.graphql(
      `mutation ($inputs: [CreatePersonPatternInput!]!) { createAvailabilityPatterns(inputs: $inputs) {
         change { availabilityPattern { weekday user { databaseId } } contradictedShifts { id } } error { code errors { field } } } }`,
      {
        as: tenant.as.admin,
        variables: {
          inputs: ['20:00', 'noon'].map((endTime) => ({
            ...{
              staffId: tenant.staff.id,
              rule: 'PREFERRED',
              weekday: 'MONDAY',
              startTime: '08:00',
              endTime,
              timezone: 'UTC',
            },
          })),
        },
      },
    );
    const user = { databaseId: tenant.staff.id };
    expect(body).toEqual({
      data: {
        createAvailabilityPatterns: [
          { change: { availabilityPattern: { weekday: 'MONDAY', user }, contradictedShifts: [] }, error: null },
          { change: null, error: { code: 'VALIDATION_FAILED', errors: [{ field: 'endTime' }] } },
        ],
      },
    });
  });
});

test('the bookings that a list judges count for the rate limit, and those of people who have said nothing are not read', async () => {
  const { business, as } = await service.createTenant('enterprise');
  const [speaking, silent] = [await service.createUser(business, 'staff'), await service.createUser(business, 'staff')];
  const event = await service.createEvent(business);
  for (const person of [speaking, silent]) {
    const times = { start: '2199-12-05 16:00:00', end: '2199-12-05 23:30:00' };
    const { id: _id, uuid: _uuid, ...columns } = await service.createShift(event, person, times);
    await service.prisma.workShift.createMany({ data: Array.from({ length: 500 }, () => columns) });
  }
  await addPattern({ weekday: 'sunday' }, as.admin, speaking.id);
  let left = Infinity;
  for (const [id, points] of [
    [silent.id, 24],
    [silent.id, 24],
    // 24 times 501 spans, and as many shifts, because none is on a Sunday.
    [speaking.id, 27],
  ] as const) {
    const fields = Array.from(
      { length: 24 },
      (_, index) => `a${index}: availability(staffId: ${id}) { patterns { id } }`,
    );
    const { headers, body } = await service.graphql(`{ ${fields.join(' ')} }`, { as: as.admin });
    expect(body.errors).toBeUndefined();
    const now = Number(headers['x-ratelimit-remaining']);
    if (left < Infinity) expect([id, left - now]).toEqual([id, points]);
    left = now;
  }
});
