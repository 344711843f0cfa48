import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { storeApprovals } from '../src/db/attendance.ts';
import { readPayroll } from '../src/db/payroll.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { useOneTenant, useService } from './support/app.ts';
import { isNightly, seedOf } from './support/share.mjs';

/*
 * The payroll of random weeks, one of each person, against a plain model. Amounts are whole hundredths of cents or more in the
 * model, so that nothing of it is a rounded fraction.
 */

const people = isNightly ? 10_000 : 500;
const seed = seedOf('payroll of random weeks');

const service = useService({ clock: () => new Date('2027-01-10T00:00:00Z') });
const tenant = useOneTenant(service);

/** 30 November 2026, 00:00 in the zone of the business and of the event, which is UTC. */
const monday = Date.parse('2026-11-30T00:00:00Z');
const minuteMs = 60_000;

const shiftArb = fc.record({
  /** Minutes from the start of the week. */
  start: fc.option(fc.integer({ min: 0, max: 7 * 1440 - 1 }), { freq: 20 }),
  length: fc.integer({ min: 1, max: 900 }),
  endsTbd: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  cents: fc.constantFrom(1000, 1001, 1733, 2050, 1),
  unit: fc.constantFrom('hour', 'hour', 'hour', 'day', 'flat'),
  outcome: fc.constantFrom('worked', 'worked', 'worked', 'came', 'no_show', 'nothing'),
  early: fc.integer({ min: -30, max: 30 }),
  late: fc.integer({ min: -30, max: 60 }),
  secondsIn: fc.integer({ min: 0, max: 59 }),
  breaks: fc.constantFrom(0, 0, 15, 30),
  paidEarly: fc.boolean(),
  isApproved: fc.boolean(),
});
type Drawn = typeof shiftArb extends fc.Arbitrary<infer T> ? T : never;

const settings = [
  { roundingMinutes: null, roundsInFavour: false, overtimeAfterHours: 20 },
  { roundingMinutes: 15, roundsInFavour: false, overtimeAfterHours: 0 },
  { roundingMinutes: 6, roundsInFavour: true, overtimeAfterHours: null },
] as const;
type Rules = (typeof settings)[number];

/** When somebody came and left, in ms; those who would leave before they came stay a minute. */
function timesOf({ start, length, early, late, secondsIn }: Drawn) {
  const from = monday + (start ?? 0) * minuteMs;
  const came = from - early * minuteMs + secondsIn * 1000;
  return {
    from,
    to: from + length * minuteMs,
    came,
    left: Math.max(from + (length + late) * minuteMs, came + minuteMs),
  };
}

const floorTo = (value: number, step: number) => Math.floor(value / step) * step;
const ceilTo = (value: number, step: number) => Math.ceil(value / step) * step;
/** Half up; the arguments are whole numbers. */
const divided = (a: bigint, b: bigint) => (2n * a + b) / (2n * b);

function workedMinutes(shift: Drawn, { roundingMinutes: step, roundsInFavour }: Rules): number | null {
  if (shift.outcome === 'no_show') return 0;
  if (shift.outcome !== 'worked') return null;
  const { from, came, left } = timesOf(shift);
  const cut = (ms: number) => Math.floor(ms / minuteMs);
  const favour = step !== null && roundsInFavour;
  const first = favour ? floorTo(cut(came), step) : cut(came);
  const last = favour ? ceilTo(cut(left), step) : cut(left);
  const paidFrom = shift.start === null || shift.paidEarly ? first : Math.max(first, cut(from));
  const paid = Math.max(0, last - paidFrom - shift.breaks);
  return step === null || favour ? paid : floorTo(paid + step / 2, step);
}

const isTimed = ({ start, endsTbd }: Drawn) => start !== null && !endsTbd;

function plannedCents(shift: Drawn): bigint | null {
  if (shift.unit === 'flat') return BigInt(shift.cents);
  if (!isTimed(shift)) return null;
  return shift.unit === 'day' ? BigInt(shift.cents) : divided(BigInt(shift.cents) * BigInt(shift.length), 60n);
}

function actualCents(shift: Drawn, rules: Rules): bigint | null {
  if (shift.outcome === 'no_show') return 0n;
  if (shift.unit !== 'hour') return shift.outcome === 'nothing' ? null : plannedCents(shift);
  const minutes = workedMinutes(shift, rules);
  return minutes === null ? null : divided(BigInt(shift.cents) * BigInt(minutes), 60n);
}

const dollars = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

function modelRows(shifts: readonly Drawn[], rules: Rules) {
  const rows = new Map<string, Record<string, number | bigint | null>>();
  const inOrder = shifts
    .map((shift, index) => ({ shift, index, at: shift.start ?? 600 }))
    .sort((a, b) => a.at - b.at || a.index - b.index);
  let reached = 0;
  const threshold = rules.overtimeAfterHours === null ? null : rules.overtimeAfterHours * 60;
  for (const { shift } of inOrder) {
    const minutes = workedMinutes(shift, rules);
    const [planned, actual] = [plannedCents(shift), actualCents(shift, rules)];
    const isApproved = shift.isApproved && minutes !== null && actual !== null;
    const before = reached;
    reached += minutes ?? 0;
    const key = `${shift.unit} ${dollars(BigInt(shift.cents))}`;
    const row = rows.get(key) ?? {};
    const add = (name: string, value: number | bigint) => {
      row[name] = typeof value === 'bigint' ? ((row[name] as bigint) ?? 0n) + value : Number(row[name] ?? 0) + value;
    };
    add('shifts', 1);
    add('plannedMinutes', isTimed(shift) ? shift.length : 0);
    add('plannedAmount', planned ?? 0n);
    add('unplannedShifts', planned === null ? 1 : 0);
    add('untimedShifts', isTimed(shift) ? 0 : 1);
    add('actualMinutes', minutes ?? 0);
    add('actualAmount', actual ?? 0n);
    add('openShifts', actual === null ? 1 : 0);
    add('withoutActualMinutes', minutes === null ? 1 : 0);
    add('approvedShifts', isApproved ? 1 : 0);
    add('approvedMinutes', isApproved ? (minutes ?? 0) : 0);
    add('approvedAmount', isApproved ? (actual ?? 0n) : 0n);
    if (threshold === null) row['overtimeMinutes'] = null;
    else add('overtimeMinutes', Math.max(0, reached - threshold) - Math.max(0, before - threshold));
    rows.set(key, row);
  }
  return new Map(
    [...rows].map(([key, row]) => [
      key,
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? dollars(value) : value]),
      ),
    ]),
  );
}

test('the payroll of random weeks is that of a plain model, and its total the sum of its rows', async () => {
  const { business } = tenant;
  const position = await service.createPosition(business);
  const event = await service.createEvent(business, {
    start: '2026-11-30 10:00:00',
    end: '2026-12-07 10:00:00',
    timezone: 'UTC',
  });
  const weeks = fc.sample(fc.array(shiftArb, { minLength: 1, maxLength: 6 }), { numRuns: people, seed });
  const { prisma } = service;
  const businessId = business.id;
  const users = await prisma.user.createManyAndReturn({
    data: weeks.map((_, index) => ({
      ...{ businessId, role: 'staff' as const, name: `P${index}`, firstName: `P${index}`, lastName: '' },
      ...{ email: `p${index}.${businessId}@example.com`, emailKey: `p${index}.${businessId}@example.com` },
    })),
    select: { id: true },
  });
  const drawn = weeks.flatMap((shifts, index) => shifts.map((shift) => ({ shift, userId: users[index]!.id })));
  const stored: { id: number; uuid: string }[] = [];
  for (let at = 0; at < drawn.length; at += 2000)
    stored.push(
      ...(await prisma.workShift.createManyAndReturn({
        data: drawn.slice(at, at + 2000).map(({ shift, userId }) => {
          const { from, to } = timesOf(shift);
          const [start, end] = [shift.start === null ? null : new Date(from), isTimed(shift) ? new Date(to) : null];
          const place = { businessId, eventId: event.id, positionId: position.id, userId };
          const times = { startLocal: start, startsAt: start, endLocal: end, endsAt: end };
          return { ...place, ...times, payRate: dollars(BigInt(shift.cents)), payUnit: shift.unit as 'hour' };
        }),
        select: { id: true, uuid: true },
      })),
    );
  const noted = drawn.flatMap(({ shift }, index) => {
    if (shift.outcome === 'nothing') return [];
    const { came, left } = timesOf(shift);
    const isHere = shift.outcome !== 'no_show';
    return {
      ...{ businessId, ...stored[index]!, eventId: event.id, breakMinutes: shift.breaks, paidEarly: shift.paidEarly },
      checkedInAt: isHere ? new Date(came) : null,
      checkedOutAt: shift.outcome === 'worked' ? new Date(left) : null,
      source: isHere ? ('admin' as const) : null,
      noShow: !isHere,
    };
  });
  for (let at = 0; at < noted.length; at += 2000)
    await prisma.attendance.createMany({ data: noted.slice(at, at + 2000) });

  for (const rules of settings) {
    await prisma.business.update({
      where: { id: businessId },
      data: { ...rules, timezone: 'UTC', weekStart: 'monday' },
    });
    const cleared = {
      approvedAt: null,
      approvedRate: null,
      approvedUnit: null,
      approvedMinutes: null,
      approvedAmount: null,
    };
    await prisma.attendance.updateMany({ where: { businessId }, data: cleared });
    const ids = drawn.flatMap(({ shift }, index) =>
      shift.isApproved && workedMinutes(shift, rules) !== null ? [stored[index]!.id] : [],
    );
    await bindToBusiness(prisma, businessId).transact(
      (db) => storeApprovals(db, ids, { byId: null, now: new Date(), reason: null }),
      60_000,
    );
    const week = { from: '2026-11-30', to: '2026-12-06', offsets: { first: 0, changes: [] }, weekStart: 0 };
    const [total, ...rows] = await readPayroll(bindToBusiness(prisma, businessId).db, { ...week, ...rules }, 100_000);
    const seen = new Map<number, Map<string, unknown>>();
    let sum = 0n;
    for (const { userId, firstName: _first, lastName: _last, week, payRate, payUnit, ...row } of rows) {
      expect(week).toBe('2026-11-30');
      const own = seen.get(userId!) ?? new Map<string, unknown>();
      own.set(`${payUnit} ${payRate}`, row);
      seen.set(userId!, own);
      sum += BigInt(row.actualAmount.replace('.', ''));
    }
    expect(total).toMatchObject({ shifts: drawn.length, actualAmount: dollars(sum) });
    weeks.forEach((shifts, index) => {
      const expected = Object.fromEntries(modelRows(shifts, rules));
      expect({ seed, index, rows: Object.fromEntries(seen.get(users[index]!.id) ?? []) }).toEqual({
        seed,
        index,
        rows: expected,
      });
    });
  }
}, 600_000);
