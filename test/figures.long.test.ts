import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Position, User } from '../src/generated/prisma/client.ts';
import { useService, type TestApp } from './support/app.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';
import { isNightly, seedOf } from './support/share.mjs';

/*
 * The same question has the same answer wherever it is asked: random businesses, whose figures are compared between lists, reports,
 * events, the payroll, CSV and GraphQL.
 */

const businesses = Number(process.env['TEST_BUSINESSES'] ?? (isNightly ? 6 : 1));
const seed = seedOf('figures');
const now = new Date('2026-11-20T12:00:00Z');

/** Reports are limited by the minute, so each takes some seconds. */
let asked = 0;
const service = useService({
  clock: () => new Date(now.getTime() + asked * 5000),
  env: { CALLBOARD_ANSWER_CACHE: '0' },
});

const zones = [
  'UTC',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const;
const zone = fc.constantFrom(...zones);
const money = fc.constantFrom('10.00', '10.01', '17.33', '0.01', '250.00');
const unit = fc.constantFrom('hour' as const, 'hour' as const, 'day' as const, 'flat' as const);
const maybe = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { freq: 3 });
const sometimes = fc.integer({ min: 0, max: 5 }).map((number) => number === 0);

/** Minutes from Saturday, 31 October 2026, 12:00 on the clocks of the event: clocks change that night in New York. */
const times = fc.record({
  start: fc.integer({ min: 0, max: 5 * 288 }).map((five) => five * 5),
  length: fc.integer({ min: 1, max: 1800 }),
});

const shiftArb = fc.record({
  ...{
    person: fc.nat(5),
    position: fc.nat(2),
    call: maybe(fc.nat(2)),
    shifted: fc.integer({ min: -90, max: 90 }),
    own: times,
  },
  ...{ startTbd: sometimes, endTbd: sometimes, rate: fc.option(money, { freq: 1 }), unit, confirmed: fc.boolean() },
  status: fc.constantFrom(
    'active' as const,
    'active' as const,
    'active' as const,
    'canceled' as const,
    'declined' as const,
  ),
  outcome: fc.constantFrom('worked', 'worked', 'came', 'no_show', 'nothing'),
  ...{ came: fc.integer({ min: -60, max: 60 }), stayed: fc.integer({ min: 1, max: 1000 }), seconds: fc.nat(59) },
  ...{ breaks: fc.constantFrom(0, 0, 15), paidEarly: fc.boolean(), approves: fc.boolean() },
});
const eventArb = fc.record({
  ...{
    zone,
    times,
    status: fc.constantFrom('active' as const, 'active' as const, 'draft' as const, 'canceled' as const),
  },
  ...{ hasClient: fc.boolean(), venue: maybe(fc.constantFrom('Barn', 'BARN', 'Pier')) },
  calls: fc.array(
    fc.record({
      position: fc.nat(2),
      times,
      needed: fc.integer({ min: 1, max: 4 }),
      startTbd: sometimes,
      endTbd: sometimes,
      rate: maybe(money),
      unit,
      bill: maybe(money),
      billUnit: unit,
    }),
    { maxLength: 3 },
  ),
  shifts: fc.array(shiftArb, { maxLength: 8 }),
});
const businessArb = fc.record({
  ...{ zone, weekStart: fc.constantFrom('monday' as const, 'sunday' as const, 'wednesday' as const) },
  ...{
    rounding: fc.option(fc.constantFrom(5, 6, 10, 15)),
    inFavour: fc.boolean(),
    overtime: fc.option(fc.constantFrom(0, 5, 20)),
  },
  positions: fc.array(
    fc.record({
      rate: maybe(money),
      unit,
      bill: maybe(money),
      billUnit: unit,
      former: maybe(fc.record({ rate: money, unit })),
    }),
    { minLength: 3, maxLength: 3 },
  ),
  events: fc.array(eventArb, { minLength: 2, maxLength: 7 }),
});
type Drawn = typeof businessArb extends fc.Arbitrary<infer T> ? T : never;

const wall = (minutes: number) =>
  new Date(Date.parse('2026-10-31T12:00:00Z') + minutes * 60_000).toISOString().replace('T', ' ').slice(0, 19);

/** The wall time, or an hour later where the clocks skip it. */
async function tried<T>(make: (late: number) => Promise<T>): Promise<T> {
  return make(0).catch(() => make(60));
}

async function createScene(app: TestApp, tenant: Tenant, drawn: Drawn) {
  const { business } = tenant;
  const { prisma } = app;
  await prisma.business.update({
    where: { id: business.id },
    data: {
      timezone: drawn.zone,
      weekStart: drawn.weekStart,
      roundingMinutes: drawn.rounding,
      roundsInFavour: drawn.rounding !== null && drawn.inFavour,
      overtimeAfterHours: drawn.overtime,
    },
  });
  const positions: Position[] = [];
  for (const { rate, unit: payUnit, bill, billUnit, former } of drawn.positions) {
    const position = await app.createPosition(business, {
      defaultPayRate: former?.rate ?? rate ?? '0',
      payUnit: former?.unit ?? payUnit,
      billRate: bill,
      billUnit,
    });
    positions.push(position);
  }
  const people: User[] = [];
  for (let each = 0; each < 6; each++) people.push(await app.createUser(business, 'staff'));
  const approved: string[] = [];
  for (const event of drawn.events) {
    const venue = event.venue === null ? {} : { venueName: event.venue };
    const stored = await tried((late) =>
      app.createEvent(business, {
        start: wall(event.times.start + late),
        end: wall(event.times.start + event.times.length + late + 60),
        timezone: event.zone,
        status: event.status,
        ...(event.hasClient && { clientId: tenant.client.id }),
        ...venue,
      }),
    );
    const calls = [];
    for (const call of event.calls)
      calls.push(
        await tried((late) =>
          app.createCallTime(stored, {
            start: wall(call.times.start + late),
            end: wall(call.times.start + call.times.length + late + 60),
            positionId: positions[call.position]!.id,
            staffNeeded: call.needed,
            startTbd: call.startTbd,
            endTbd: call.endTbd,
            payRate: call.rate,
            ...(call.rate && { payUnit: call.unit }),
            billRate: call.bill,
            ...(call.bill && { billUnit: call.billUnit }),
          }),
        ),
      );
    for (const shift of event.shifts) {
      const call = shift.call === null ? undefined : calls[shift.call];
      const start = call ? event.calls[shift.call!]!.times.start + shift.shifted : shift.own.start;
      const made = await tried((late) =>
        app.createShift(stored, people[shift.person]!, {
          positionId: call?.positionId ?? positions[shift.position]!.id,
          ...(call && { callTimeId: call.id }),
          start: shift.startTbd ? null : wall(start + late),
          end: shift.endTbd ? null : wall(start + shift.own.length + late + 60),
          payRate: shift.rate,
          ...(shift.rate && { payUnit: shift.unit }),
          status: shift.status === 'active' ? 'active' : 'canceled',
          confirmed: shift.status === 'active' && shift.confirmed,
          ...(shift.status === 'declined' && { declinedAt: now }),
          ...(shift.status !== 'active' && { canceledAt: now }),
        }),
      );
      if (shift.status !== 'active' || shift.outcome === 'nothing') continue;
      const from = (made.startsAt ?? stored.startsAt).getTime() + shift.came * 60_000 + shift.seconds * 1000;
      const isHere = shift.outcome !== 'no_show';
      await app.createAttendance(made, {
        checkedInAt: isHere ? new Date(from) : null,
        source: isHere ? 'admin' : null,
        noShow: !isHere,
        checkedOutAt: shift.outcome === 'worked' ? new Date(from + shift.stayed * 60_000) : null,
        breakMinutes: isHere ? Math.min(shift.breaks, shift.stayed - 1) : 0,
        paidEarly: shift.paidEarly,
      });
      if (shift.approves) approved.push(made.uuid);
    }
  }
  for (const [index, { rate, unit: payUnit, former }] of drawn.positions.entries())
    if (former && rate)
      expect(
        (
          await app.call('PUT', `/v1/positions/${positions[index]!.id}`, {
            as: tenant.as.admin,
            body: { default_pay_rate: rate, pay_unit: payUnit },
          })
        ).status,
      ).toBe(200);
  for (const uuid of approved)
    await app.call('POST', '/v1/attendance/batch/approve', { as: tenant.as.admin, body: { shift_uuids: [uuid] } });
  // Rules that change leave what is approved.
  await prisma.business.update({
    where: { id: business.id },
    data: { roundingMinutes: drawn.rounding === 15 ? null : 15, roundsInFavour: false },
  });
}

// oxlint-disable-next-line no-explicit-any -- tests look into answers freely
type Answer = any;
type Row = Record<string, number | string | null>;
const cents = (amount: unknown) => Math.round(Number(amount) * 100);
const faults: string[] = [];
let scene = 0;
function same(what: string, a: unknown, b: unknown) {
  if (JSON.stringify(a) !== JSON.stringify(b))
    faults.push(`${scene}: ${what}: ${JSON.stringify(a)} / ${JSON.stringify(b)}`);
}
function sumOf(rows: readonly Row[], names: readonly string[]): Row {
  return Object.fromEntries(
    names.map((name) => [
      name,
      rows.some((row) => row[name] === null)
        ? null
        : rows.reduce((sum, row) => sum + (String(row[name]).includes('.') ? cents(row[name]) : Number(row[name])), 0),
    ]),
  );
}
const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(
    names.map((name) => [
      name,
      row[name] === null ? null : String(row[name]).includes('.') ? cents(row[name]) : Number(row[name]),
    ]),
  );
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const costNames = [
  'planned',
  'confirmed',
  'open',
  'actual',
  'without_actual',
  'planned_revenue',
  'confirmed_revenue',
  'actual_revenue',
  'planned_margin',
  'confirmed_margin',
  'actual_margin',
  'unbilled_shifts',
  'without_actual_revenue',
  'unpriced_shifts',
  'unpriced_open',
];
const coverNames = ['needed', 'assigned', 'confirmed', 'present', 'open'];
const workNames = [
  'shifts',
  'confirmed_shifts',
  'untimed_shifts',
  'planned_cost',
  'confirmed_cost',
  'unpriced_shifts',
  'canceled_shifts',
  'canceled_late_shifts',
];
const payNames = [
  'shifts',
  'planned_minutes',
  'planned_amount',
  'unplanned_shifts',
  'untimed_shifts',
  'actual_minutes',
  'actual_amount',
  'open_shifts',
  'without_actual_minutes',
  'approved_shifts',
  'approved_minutes',
  'approved_amount',
  'overtime_minutes',
];

const fromCsv = ({ header, rows }: { header: string[]; rows: string[][] }): Row[] =>
  rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] === '' ? null : row[index]!])));

async function compare(tenant: Tenant) {
  const as = tenant.as.admin;
  const get = async (url: string) => {
    asked++;
    const { status, body } = await service.call('GET', url, { as });
    if (status !== 200) throw new Error(`${url}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const csv = async (url: string) => {
    asked++;
    const found = await askCsv(service, url, { as });
    if (found.status !== 200 || found.header.length === 0)
      throw new Error(`${url} ${found.status} ${found.text.slice(0, 300)}`);
    return fromCsv(found);
  };
  const span = 'from=2026-10-01T00:00:00Z&to=2027-01-01T00:00:00Z';
  const all = '&status=active&status=draft&status=canceled';

  const attendance: Row[] = [];
  // The unit that holds says whether coming is enough.
  const { body: priced } = await service.graphql(
    '{ workShifts(first: 100) { nodes { uuid payUnit startTime endTime } } }',
    { as },
  );
  const unitOf = new Map<string, Answer>(priced.data.workShifts.nodes.map((node: Answer) => [node.uuid, node]));
  const isWorked = (row: Row) => {
    const { payUnit, startTime, endTime } = unitOf.get(row['uuid'] as string);
    if (row['no_show'] || row['approved_at']) return true;
    if (payUnit === 'HOUR') return row['checked_out_at'] !== null;
    return row['checked_in_at'] !== null && (payUnit === 'FLAT' || (startTime !== null && endTime !== null));
  };
  for (let after = ''; ;) {
    const page = await get(`/v1/attendance?per_page=100${after}`);
    attendance.push(...page.data);
    if (!page.next_cursor) break;
    after = `&after=${page.next_cursor}`;
  }
  const { body } = await service.graphql(
    `{ events(first: 100) { nodes { uuid status
         labourCost { ${costNames.map((name) => name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase())).join(' ')} }
         coverage { ${coverNames.join(' ')} }
         callTimes { coverage { ${coverNames.join(' ')} } labourCost { planned actual open } workShifts { uuid } }
         workShifts { uuid confirmed durationMinutes callTime { uuid } } } } }`,
    { as },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  const events = body.data.events.nodes as Answer[];
  const snaked = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [snake(name), value]));
  for (const [label, statuses, query] of [
    ['all', ['ACTIVE', 'DRAFT', 'CANCELED'], all],
    ['default', ['ACTIVE', 'DRAFT'], ''],
    ['active', ['ACTIVE'], '&status=active'],
  ] as const) {
    const mine = events.filter(({ status }) => (statuses as readonly string[]).includes(status));
    const uuids = new Set(mine.map(({ uuid }) => uuid));
    const ofThese = attendance.filter((row) => uuids.has(row['event_uuid'] as string));
    const shifts = mine.flatMap(({ workShifts }) => workShifts);
    const inCall = new Set(shifts.filter(({ callTime }) => callTime).map(({ uuid }) => uuid));
    const costs = mine.map(({ labourCost }) => snaked(labourCost));
    const covers = mine.map(({ coverage }) => coverage);
    for (const [group, clock] of [
      ['event', ''],
      ['day', '&zone=business'],
      ['week&group_by=position', ''],
      ['month', ''],
      ['client', ''],
      ['venue', ''],
      ['staff', ''],
      ['staff&group_by=week', '&zone=business'],
      ['position', ''],
    ] as const) {
      const isCsv = label === 'default' && ['event', 'staff'].includes(group);
      const cost = await get(`/v1/labour_cost?${span}${query}&group_by=${group}${clock}`);
      same(`labour_cost(${label}) total = events`, pick(cost.total, costNames), sumOf(costs, costNames));
      same(
        `labour_cost(${label}) total = groups by ${group}`,
        pick(cost.total, costNames),
        sumOf(
          cost.groups.map((each: Answer) => each.labour_cost),
          costNames,
        ),
      );
      if (isCsv)
        same(
          'labour_cost csv',
          sumOf(await csv(`/v1/labour_cost?${span}${query}&group_by=${group}${clock}`), costNames),
          pick(cost.total, costNames),
        );
      const work = await get(`/v1/work?${span}${query}&group_by=${group}${clock}`);
      same(
        `work(${label}) total = groups`,
        pick(work.total, workNames),
        sumOf(
          work.groups.map((each: Answer) => each.work),
          workNames,
        ),
      );
      same(
        `work(${label}) cost = labour_cost`,
        [work.total.planned_cost, work.total.confirmed_cost, work.total.unpriced_shifts],
        [cost.total.planned, cost.total.confirmed, cost.total.unpriced_shifts],
      );
      same(
        `work(${label}) shifts`,
        [work.total.shifts, work.total.confirmed_shifts, work.total.untimed_shifts],
        [
          shifts.length,
          shifts.filter(({ confirmed }) => confirmed).length,
          shifts.filter(({ durationMinutes }) => durationMinutes === null).length,
        ],
      );
      same(
        `work(${label}) hours`,
        work.total.planned_hours,
        Number((shifts.reduce((sum, { durationMinutes }) => sum + (durationMinutes ?? 0), 0) / 60).toFixed(2)),
      );
      if (group.includes('staff')) continue;
      const cover = await get(`/v1/coverage?${span}${query}&group_by=${group}${clock}`);
      same(
        `coverage(${label}) total = groups`,
        pick(cover.total, coverNames),
        sumOf(
          cover.groups.map((each: Answer) => each.coverage),
          coverNames,
        ),
      );
      same(`coverage(${label}) total = events`, pick(cover.total, coverNames), sumOf(covers, coverNames));
      same(
        `coverage(${label}) total = call times`,
        pick(cover.total, coverNames),
        sumOf(
          mine.flatMap(({ callTimes }) => callTimes.map(({ coverage }: Answer) => coverage)),
          coverNames,
        ),
      );
      same(
        `coverage(${label}) present = attendance`,
        cover.total.present,
        ofThese.filter((row) => row['checked_in_at'] && inCall.has(row['uuid'])).length,
      );
      same(
        `work(${label}) needed = coverage`,
        [work.total.needed, work.total.open],
        [cover.total.needed, cover.total.open],
      );
    }
    same(
      `without_actual(${label})`,
      sumOf(costs, ['without_actual'])['without_actual'],
      shifts.length - ofThese.filter((row) => isWorked(row)).length,
    );
  }
  const sheet = await get('/v1/payroll?from=2026-10-01&to=2026-12-31');
  same(
    'payroll total = rows',
    pick(sheet.total, payNames),
    sumOf(sheet.rows, payNames)['shifts'] === 0 ? pick(sheet.total, payNames) : sumOf(sheet.rows, payNames),
  );
  same(
    'payroll csv = rows',
    sumOf(await csv('/v1/payroll?from=2026-10-01&to=2026-12-31'), payNames),
    sumOf(sheet.rows, payNames),
  );
  const activeUuids = new Set(events.filter(({ status }) => status === 'ACTIVE').map(({ uuid }) => uuid));
  const paid = attendance.filter((row) => activeUuids.has(row['event_uuid'] as string) || row['checked_in_at']);
  same(
    'payroll shifts = attendance',
    [
      sheet.total.shifts,
      sheet.total.untimed_shifts,
      sheet.total.without_actual_minutes,
      sheet.total.actual_minutes,
      sheet.total.planned_minutes,
      sheet.total.approved_shifts,
      sheet.total.approved_minutes,
      cents(sheet.total.approved_amount),
    ],
    [
      paid.length,
      ...['planned_minutes', 'actual_minutes'].map((name) => paid.filter((row) => row[name] === null).length),
      ...['actual_minutes', 'planned_minutes'].map((name) =>
        paid.reduce((sum, row) => sum + Number(row[name] ?? 0), 0),
      ),
      paid.filter((row) => row['approved_at']).length,
      ...['approved_minutes'].map((name) => paid.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)),
      paid.reduce((sum, row) => sum + cents(row['approved_amount'] ?? 0), 0),
    ],
  );
  // What is paid is what was worked at all events; the plan counts at events that take place.
  const worked = await get(`/v1/labour_cost?${span}${all}&group_by=staff`);
  const planned = await get(`/v1/labour_cost?${span}&status=active&group_by=staff`);
  same('payroll actual = labour_cost', sheet.total.actual_amount, worked.total.actual);
  if (paid.every((row) => activeUuids.has(row['event_uuid'] as string)))
    same(
      'payroll planned = labour_cost',
      [sheet.total.planned_amount, sheet.total.unplanned_shifts, sheet.total.open_shifts],
      [planned.total.planned, planned.total.unpriced_shifts, planned.total.without_actual],
    );
  // Day by day, and week by week, in pieces that touch.
  const pieces: Row[] = [];
  for (let day = Date.parse('2026-10-28'); day <= Date.parse('2026-11-12'); day += 3 * 86_400_000) {
    const [from, to] = [day, day + 2 * 86_400_000].map((ms) => new Date(ms).toISOString().slice(0, 10));
    pieces.push((await get(`/v1/payroll?from=${from}&to=${to}`)).total);
  }
  same('payroll = its days', sumOf(pieces, payNames), pick(sheet.total, payNames));
  const count = async (state: string) => (await get(`/v1/attendance?state=${state}&per_page=100`)).data.length;
  const [present, noShow] = [await count('present'), await count('no_show')];
  same('present list', present, attendance.filter((row) => row['checked_in_at'] && !row['checked_out_at']).length);
  same('no-show list', noShow, attendance.filter((row) => row['no_show']).length);
}

test('the same question has the same answer everywhere', async () => {
  const scenes = fc.sample(businessArb, { numRuns: businesses, seed });
  for (const drawn of scenes) {
    scene++;
    const tenant = await service.createTenant();
    await createScene(service, tenant, drawn);
    await compare(tenant);
  }
  expect({ seed, faults: faults.slice(0, 20) }).toEqual({ seed, faults: [] });
}, 900_000);
