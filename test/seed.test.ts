import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoPassword } from '../src/access/demo.ts';
import { seedBulk, type BulkResult } from '../src/bin/seed/bulk.ts';
import { draftDemo, seedDemo } from '../src/bin/seed/demo.ts';
import { addDays, nearestClockChange } from '../src/bin/seed/moments.ts';
import type { PrismaClient } from '../src/generated/prisma/client.ts';
import { formatUtc, resolveWallTime } from '../src/time/wall-clock.ts';
import { openTestDatabase } from './support/database.ts';

const today = new Date('2026-11-20T15:30:00Z');
const dayMs = 86_400_000;

interface Span {
  startsAt: Date | null;
  endsAt: Date | null;
}

const overlap = (a: Span, b: Span) =>
  a.startsAt !== null &&
  a.endsAt !== null &&
  b.startsAt !== null &&
  b.endsAt !== null &&
  a.startsAt < b.endsAt &&
  b.startsAt < a.endsAt;

const pairs = <T>(list: T[]): [T, T][] => list.flatMap((a, index) => list.slice(index + 1).map((b): [T, T] => [a, b]));

const instantOf = (local: Date, timezone: string) => resolveWallTime(formatUtc(local), timezone);

/** Every event of the business with all that hangs on it. */
const eventsOf = (prisma: PrismaClient, businessId: number) =>
  prisma.event.findMany({
    where: { businessId },
    orderBy: { id: 'asc' },
    include: {
      client: true,
      callTimes: { orderBy: { id: 'asc' } },
      workShifts: { orderBy: { id: 'asc' }, include: { user: true } },
      customValues: { include: { customField: true } },
    },
  });

type Events = Awaited<ReturnType<typeof eventsOf>>;

function expectInstantsToFollowWallTimes(events: Events) {
  for (const event of events)
    for (const row of [event, ...event.callTimes, ...event.workShifts]) {
      if (row.startLocal) expect(instantOf(row.startLocal, event.timezone)).toEqual({ at: row.startsAt });
      if (row.endLocal) expect(instantOf(row.endLocal, event.timezone)).toEqual({ at: row.endsAt });
      if (row.startsAt && row.endsAt) expect(row.endsAt.getTime()).toBeGreaterThan(row.startsAt.getTime());
    }
}

function expectShiftsToFitTheirCallTimes(events: Events) {
  for (const { callTimes, workShifts } of events)
    for (const shift of workShifts.filter(({ callTimeId }) => callTimeId !== null)) {
      const callTime = callTimes.find(({ id }) => id === shift.callTimeId)!;
      expect(shift.positionId).toBe(callTime.positionId);
      if (shift.startsAt) expect(shift.startsAt.getTime()).toBeGreaterThanOrEqual(callTime.startsAt.getTime());
      if (shift.endsAt) expect(shift.endsAt.getTime()).toBeLessThanOrEqual(callTime.endsAt.getTime());
    }
}

let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

describe('the drafts of the demo', () => {
  it('are the same on the same day, whatever the hour', () => {
    expect(draftDemo(new Date('2026-11-20T00:00:00Z'))).toEqual(draftDemo(new Date('2026-11-20T23:59:59Z')));
  });

  it('have different uuids everywhere, all of version 4', () => {
    const uuids = draftDemo(today).flatMap(({ fields, events, shifts }) => [
      ...fields.map(({ uuid }) => uuid),
      ...events.flatMap(({ row, callTimes }) => [row.uuid, ...callTimes.map((callTime) => callTime.row.uuid)]),
      ...shifts.map(({ row }) => row.uuid),
    ]);
    expect(new Set(uuids).size).toBe(uuids.length);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it.each(['2024-02-29', '2026-03-08', '2026-03-29', '2026-07-04', '2026-10-25', '2026-11-01', '2027-01-01'])(
    'hold on %s too: an event spans each nearest clock change, and only the deliberate conflicts clash',
    (day) => {
      for (const { profile, events, shifts } of draftDemo(new Date(day))) {
        for (const zone of profile.clockChangeZones) {
          const eve = addDays(nearestClockChange(day, zone), -1);
          const overnight = events.find(
            ({ row }) => row.timezone === zone && formatUtc(row.startLocal).startsWith(eve),
          )!;
          const { startLocal, startsAt, endLocal, endsAt } = overnight.row;
          const hourMs = 3_600_000;
          expect(Math.abs(endsAt.getTime() - startsAt.getTime() - (endLocal.getTime() - startLocal.getTime()))).toBe(
            hourMs,
          );
        }
        for (const { row, event } of shifts) {
          const stamps = [event.row.createdAt, row.createdAt, row.modifiedAt, event.row.endsAt].map((at) => Number(at));
          expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
          expect(row.canceledAt).toEqual(row.status === 'canceled' ? row.modifiedAt : null);
        }
        const own = shifts.filter(({ row, staff }) => staff === 0 && row.status === 'active' && row.startLocal);
        const daysOf = own.map(({ event }) => Math.floor((event.row.startLocal.getTime() - Date.parse(day)) / dayMs));
        expect(daysOf).toEqual(expect.arrayContaining([0, 1]));
        expect(daysOf.some((days) => days >= 7 && days <= 13)).toBe(true);
        const active = shifts.filter(({ row }) => row.status === 'active');
        const clashes = pairs(active).filter(([a, b]) => a.staff === b.staff && overlap(a.row as Span, b.row as Span));
        expect(clashes).toHaveLength(profile.conflicts);
      }
    },
  );
});

describe('the stored demo', () => {
  let hashed: string[];
  let seeded: Awaited<ReturnType<typeof seedDemo>>;
  let events: Events;
  const seed = () =>
    seedDemo(database.prisma, today, async (password) => {
      hashed.push(password);
      return '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g';
    });

  beforeAll(async () => {
    hashed = [];
    seeded = await seed();
    const businesses = await database.prisma.business.findMany({ where: { isDemo: true }, orderBy: { id: 'asc' } });
    events = (await Promise.all(businesses.map(({ id }) => eventsOf(database.prisma, id)))).flat();
  });

  it('is two businesses on different plans, with one password that is hashed once', async () => {
    expect(seeded).toEqual({
      password: demoPassword,
      businesses: [
        { name: 'Aurora Events', plan: 'enterprise', adminEmail: 'admin@aurora.example' },
        { name: 'Harbor & Main Catering', plan: 'basic', adminEmail: 'admin@harbor.example' },
      ],
    });
    expect(hashed).toEqual([demoPassword]);
    const logins = await database.prisma.user.findMany({
      where: { passwordHash: { not: null } },
      orderBy: { email: 'asc' },
    });
    expect(logins.map(({ email, role }) => [email, role])).toEqual(
      ['admin', 'client', 'staff'].flatMap((role) =>
        [`${role}@aurora.example`, `${role}@harbor.example`].map((email) => [email, role]),
      ),
    );
  });

  it('has 60 or more events around today, in several zones and all four statuses, some at the same time', () => {
    const daysAhead = events.map(({ startsAt }) => (startsAt.getTime() - today.getTime()) / dayMs);
    expect(events.length).toBeGreaterThanOrEqual(60);
    expect(daysAhead.filter((days) => days > -1 && days < 7).length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...daysAhead)).toBeLessThan(-40);
    expect(Math.max(...daysAhead)).toBeGreaterThan(50);
    expect(new Set(events.map(({ timezone }) => timezone)).size).toBeGreaterThanOrEqual(6);
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['active', 'draft', 'canceled', 'deleted']));
    expect(new Set(events.map(({ startsAt }) => startsAt.getTime())).size).toBeLessThan(events.length);
    expect(events.some(({ startTbd, endTbd }) => startTbd && endTbd)).toBe(true);
    expect(events.some(({ startLocal, endLocal }) => endLocal.getUTCDate() !== startLocal.getUTCDate())).toBe(true);
  });

  it('has 80 or more staff, and clients only where clients belong', async () => {
    const staff = await database.prisma.user.count({ where: { role: 'staff', business: { isDemo: true } } });
    expect(staff).toBeGreaterThanOrEqual(80);
    for (const { client, workShifts } of events) {
      if (client) expect(client.role).toBe('client');
      for (const { user } of workShifts) expect(user.role).toBe('staff');
    }
  });

  it('has call times of every kind of coverage, and some to be determined', () => {
    const callTimes = events.flatMap(({ status, callTimes, workShifts }) =>
      callTimes.map((callTime) => {
        const filled = workShifts.filter(
          (shift) => shift.callTimeId === callTime.id && shift.status === 'active',
        ).length;
        return { ...callTime, isActive: status === 'active', missing: callTime.staffNeeded - filled };
      }),
    );
    const active = callTimes.filter(({ isActive }) => isActive);
    expect(active.filter(({ missing }) => missing > 0).length).toBeGreaterThan(20);
    expect(active.filter(({ missing }) => missing === 0).length).toBeGreaterThan(20);
    expect(active.filter(({ missing }) => missing < 0)).toHaveLength(1);
    for (const kind of ['startTbd', 'endTbd'] as const) expect(callTimes.some((callTime) => callTime[kind])).toBe(true);
    expect(new Set(callTimes.map(({ payRate }) => payRate === null))).toEqual(new Set([true, false]));
    expect(new Set(callTimes.map(({ skillLevelId }) => skillLevelId === null))).toEqual(new Set([true, false]));
  });

  it('has shifts in every status, confirmed and not, with and without a rate, a call time and times', () => {
    const shifts = events.flatMap(({ workShifts }) => workShifts);
    expect(new Set(shifts.map(({ status }) => status))).toEqual(new Set(['active', 'canceled', 'deleted']));
    expect(new Set(shifts.map(({ confirmed }) => confirmed))).toEqual(new Set([true, false]));
    for (const optional of ['payRate', 'callTimeId', 'startsAt', 'endsAt'] as const)
      expect(new Set(shifts.map((shift) => shift[optional] === null))).toEqual(new Set([true, false]));
  });

  it('has custom values of all three types, and selects hold one of their options', () => {
    const values = events.flatMap(({ customValues }) => customValues);
    expect(new Set(values.map(({ customField }) => customField.type))).toEqual(
      new Set(['text', 'multiline', 'select']),
    );
    for (const { value, customField } of values) {
      if (customField.type === 'select') expect(customField.options).toContain(value);
      if (customField.type === 'text') expect(value).not.toContain('\n');
    }
  });

  it('keeps instants and wall-clock times together, and shifts within their call times', () => {
    expectInstantsToFollowWallTimes(events);
    expectShiftsToFitTheirCallTimes(events);
  });

  it('books nobody twice at the same time, except for the three deliberate conflicts', () => {
    const active = events.flatMap(({ workShifts }) => workShifts).filter(({ status }) => status === 'active');
    expect(pairs(active).filter(([a, b]) => a.userId === b.userId && overlap(a, b))).toHaveLength(3);
  });

  it('cannot be stored twice; the second attempt stores nothing', async () => {
    await expect(seed()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await database.prisma.business.count({ where: { isDemo: true } })).toBe(2);
  });
});

describe('a business filled in bulk', () => {
  const progress: [number, number][] = [];
  let added: BulkResult;
  let events: Events;

  beforeAll(async () => {
    added = await seedBulk(database.prisma, {
      name: 'Two Hundred',
      plan: 'professional',
      events: 200,
      withChildren: 150,
      today,
      onProgress: (done, total) => progress.push([done, total]),
    });
    events = await eventsOf(database.prisma, added.businessId);
  });

  it('has the rows that it reports and is not a demo', async () => {
    expect(added).toEqual({
      businessId: added.businessId,
      events: 200,
      callTimes: 750,
      workShifts: 3000,
      customValues: 600,
    });
    expect(await database.prisma.business.findUnique({ where: { id: added.businessId } })).toMatchObject({
      name: 'Two Hundred',
      plan: 'professional',
      isDemo: false,
    });
    expect(progress).toEqual([
      [0, 200],
      [200, 200],
    ]);
    expect(events).toHaveLength(200);
  });

  it('gives its earliest events 5 call times, 20 shifts and 4 custom values each, and the others none', () => {
    const sizes = events
      .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.id - b.id)
      .map(({ callTimes, workShifts, customValues }) =>
        [callTimes.length, workShifts.length, customValues.length].join('-'),
      );
    expect(sizes).toEqual([...Array<string>(150).fill('5-20-4'), ...Array<string>(50).fill('0-0-0')]);
  });

  it('keeps instants and wall-clock times together, and shifts within their call times', () => {
    expectInstantsToFollowWallTimes(events);
    expectShiftsToFitTheirCallTimes(events);
    for (const { client, workShifts } of events) {
      expect(client!.role).toBe('client');
      expect(new Set(workShifts.map(({ user }) => user.role)).size).toBeLessThanOrEqual(1);
      expect(new Set(workShifts.map(({ userId }) => userId)).size).toBe(workShifts.length);
    }
  });

  it('spreads over years and zones around today', () => {
    const years = new Set(events.map(({ startLocal }) => startLocal.getUTCFullYear()));
    expect(years).toEqual(new Set([2024, 2025, 2026, 2027, 2028, 2029]));
    expect(new Set(events.map(({ timezone }) => timezone)).size).toBeGreaterThanOrEqual(6);
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['active', 'draft', 'canceled', 'deleted']));
  });

  it('can be created again beside the first, with other people', async () => {
    const second = await seedBulk(database.prisma, { events: 5, today, onProgress: () => {} });
    expect(second).toMatchObject({ events: 5, callTimes: 25, workShifts: 100, customValues: 20 });
    expect(second.businessId).not.toBe(added.businessId);
  });
});
