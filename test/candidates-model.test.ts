import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../src/bin/seed/random.ts';
import type { CallTime, Event, Prisma } from '../src/generated/prisma/client.ts';
import { emailColumns, splitName } from '../src/services/users.ts';
import { useOneTenant, useService } from './support/app.ts';
import {
  countPlainly,
  judgePlainly,
  type PlainCertificate,
  type PlainException,
  type PlainNote,
  type PlainPattern,
  type PlainPerson,
  type PlainRules,
  type PlainShift,
} from './support/plain-candidates.ts';
import { isNightly, seedOf } from './support/share.mjs';

/* The verdicts of random people, patterns and shifts agree with a slow, plain model. */

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

const seed = isNightly ? seedOf('candidates') : 20_270_314;
const { whole, chance, pick } = seededRandom(seed);

const zone = 'America/New_York';
const zones = [zone, 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const people = 200;

/** Call times in New York, with both changes of the clocks, midnight, and open times. */
const calls: readonly [start: string, end: string, open?: 'start' | 'end' | 'both'][] = [
  ['2027-03-13 18:00:00', '2027-03-13 23:00:00'],
  ['2027-03-13 22:00:00', '2027-03-14 06:00:00'],
  ['2027-03-14 03:00:00', '2027-03-14 12:00:00'],
  ['2027-03-16 20:00:00', '2027-03-17 00:00:00'],
  ['2027-03-17 00:00:00', '2027-03-17 05:30:00'],
  ['2027-11-06 21:00:00', '2027-11-07 04:00:00'],
  ['2027-11-07 00:15:00', '2027-11-07 09:45:00'],
  ['2027-03-15 10:00:00', '2027-03-15 18:00:00', 'start'],
  ['2027-03-15 10:00:00', '2027-03-15 18:00:00', 'end'],
  ['2027-11-05 10:00:00', '2027-11-05 18:00:00', 'both'],
];

const now = new Date();
const quarterMs = 900_000;
const hourMs = 3_600_000;
const time = (quarters: number) => new Date(quarters * quarterMs).toISOString().slice(11, 16);
const dayNear = (at: Date) => new Date(at.getTime() + whole(-2, 2) * 86_400_000).toISOString().slice(0, 10);

let callTimes: { call: CallTime; event: Event; wanted: PlainShift }[];
let persons: Map<number, PlainPerson>;
let qualificationIds: number[];
const rules: Omit<PlainRules, 'requirements'> = { restHours: 11, weeklyHours: 20, timezone: 'Europe/Berlin' };
let requirements: PlainRules['requirements'];

beforeAll(async () => {
  const { prisma } = service;
  const { id: businessId } = tenant.business;
  const { restHours, weeklyHours, timezone } = rules;
  await prisma.business.update({ where: { id: businessId }, data: { restHours, weeklyHours, timezone } });
  const position = await service.createPosition(tenant.business);
  qualificationIds = [];
  for (const name of ['Forklift', 'First aid'])
    qualificationIds.push((await prisma.qualification.create({ data: { businessId, name } })).id);
  requirements = [
    { qualificationId: qualificationIds[0]!, minLevel: null },
    { qualificationId: qualificationIds[1]!, minLevel: 3 },
  ];
  await prisma.requirement.createMany({
    data: requirements.map((each) => ({ ...each, businessId, positionId: position.id })),
  });
  callTimes = [];
  for (const [start, end, open] of calls) {
    const event = await service.createEvent(tenant.business, { timezone: zone, start, end });
    const startTbd = open === 'start' || open === 'both';
    const endTbd = open === 'end' || open === 'both';
    const call = await service.createCallTime(event, { start, end, positionId: position.id, startTbd, endTbd });
    const wanted = { event, startsAt: startTbd ? null : call.startsAt, endsAt: endTbd ? null : call.endsAt };
    callTimes.push({ call, event, wanted });
  }
  const users = await prisma.user.createManyAndReturn({
    data: Array.from({ length: people }, (_, index) => ({
      businessId,
      role: 'staff' as const,
      ...splitName(`Person ${index}`),
      ...emailColumns(`person${index}-${businessId}@example.com`),
    })),
  });
  const rows = {
    patterns: [] as Prisma.AvailabilityPatternCreateManyInput[],
    exceptions: [] as Prisma.AvailabilityExceptionCreateManyInput[],
    certificates: [] as Prisma.UserQualificationCreateManyInput[],
    shifts: [] as Prisma.WorkShiftCreateManyInput[],
    noted: [] as Prisma.WorkShiftCreateManyInput[],
  };
  const notes = new Map<string, PlainNote>();
  persons = new Map();
  for (const { id: userId } of users) {
    const own = { businessId, userId };
    const person: PlainPerson = {
      patterns: chance(0.75) ? Array.from({ length: whole(1, 9) }, randomPattern) : [],
      exceptions: chance(0.3) ? Array.from({ length: whole(1, 2) }, randomException) : [],
      shifts: Array.from({ length: whole(0, 4) }, randomShift),
      notes: Array.from({ length: chance(0.5) ? whole(1, 4) : 0 }, randomNote),
      certificates: qualificationIds.flatMap((id) =>
        chance(0.85) ? Array.from({ length: whole(1, 2) }, () => randomCertificate(id)) : [],
      ),
    };
    persons.set(userId, person);
    const date = (day: string | null) => day && new Date(`${day}T00:00:00Z`);
    for (const { weekday, validFrom, validUntil, ...pattern } of person.patterns)
      rows.patterns.push({
        ...own,
        ...pattern,
        weekday: weekdays[weekday]!,
        validFrom: date(validFrom),
        validUntil: date(validUntil),
      });
    for (const exception of person.exceptions) rows.exceptions.push({ ...own, ...exception });
    for (const { validFrom, validUntil, ...held } of person.certificates)
      rows.certificates.push({ ...own, ...held, validFrom: date(validFrom), validUntil: date(validUntil) });
    for (const note of person.notes) {
      const uuid = randomUUID();
      notes.set(uuid, note);
      const { startsAt, at } = note;
      const times = { startsAt, endsAt: new Date(startsAt.getTime() + hourMs) };
      rows.noted.push({
        ...{ ...own, uuid, eventId: callTimes[0]!.event.id, positionId: position.id, ...times },
        ...{ startLocal: times.startsAt, endLocal: times.endsAt },
        ...(note.what === 'declined' && { status: 'canceled' as const, declinedAt: at }),
      });
    }
    for (const { event, startsAt, endsAt } of person.shifts) {
      const wall = (at: Date | null) => at && new Date(at.getTime() - 5 * hourMs);
      rows.shifts.push({
        ...own,
        eventId: (event as Event).id,
        positionId: position.id,
        startsAt,
        endsAt,
        startLocal: wall(startsAt),
        endLocal: wall(endsAt),
      });
    }
  }
  await prisma.availabilityPattern.createMany({ data: rows.patterns });
  await prisma.availabilityException.createMany({ data: rows.exceptions });
  await prisma.userQualification.createMany({ data: rows.certificates });
  await prisma.workShift.createMany({ data: rows.shifts });
  const noted = await prisma.workShift.createManyAndReturn({ data: rows.noted });
  await prisma.attendance.createMany({
    data: noted.flatMap(({ id, uuid, eventId }): Prisma.AttendanceCreateManyInput[] => {
      const { what, startsAt, at } = notes.get(uuid)!;
      const row = { ...{ businessId, id, uuid, eventId }, createdAt: at };
      if (what === 'noShow') return [{ ...row, noShow: true }];
      const late = at.getTime() - startsAt.getTime() > 5 * 60_000;
      return what === 'came' ? [{ ...row, checkedInAt: at, source: 'admin' as const, late }] : [];
    }),
  });
});

function randomPattern(): PlainPattern {
  const start = whole(0, 95);
  const day = pick(callTimes).event.startsAt;
  return {
    rule: pick(['available', 'available', 'available', 'preferred', 'unavailable']),
    weekday: whole(0, 6),
    startTime: time(start),
    endTime: chance(0.4) ? time(start) : time(whole(0, 95)),
    timezone: pick(zones),
    validFrom: chance(0.2) ? dayNear(day) : null,
    validUntil: null,
    ...(chance(0.2) && { validFrom: null, validUntil: dayNear(day) }),
  };
}

function randomException(): PlainException {
  const { call } = pick(callTimes);
  const startsAt = new Date(call.startsAt.getTime() + whole(-40, 20) * quarterMs);
  const endsAt = new Date(startsAt.getTime() + whole(1, 80) * quarterMs);
  return { rule: pick(['available', 'preferred', 'unavailable']), startsAt, endsAt };
}

/** Noted in the last half-year, and some minutes to hours beside the start. */
function randomNote(): PlainNote {
  const at = new Date(now.getTime() - whole(1, 180) * 86_400_000 - hourMs);
  const what = pick(['noShow', 'came', 'came', 'declined'] as const);
  const minutes = what === 'came' ? whole(-20, 30) : whole(-60, 60) * 60;
  return { what, at, startsAt: new Date(at.getTime() - minutes * 60_000) };
}

function randomShift(): PlainShift {
  const { event } = pick(callTimes);
  const startsAt = new Date(event.startsAt.getTime() + whole(-200, 200) * quarterMs);
  const endsAt = new Date(startsAt.getTime() + whole(1, 48) * quarterMs);
  return { event, startsAt: chance(0.1) ? null : startsAt, endsAt: chance(0.1) ? null : endsAt };
}

const randomCertificate = (qualificationId: number): PlainCertificate => {
  const day = pick(callTimes).event.startsAt;
  const [first, last] = [dayNear(day), dayNear(day)].sort();
  return {
    qualificationId,
    level: chance(0.2) ? null : whole(1, 5),
    validFrom: chance(0.3) ? first! : null,
    validUntil: chance(0.4) ? last! : null,
  };
};

interface Listed {
  readonly user_id: number;
  readonly verdict: string;
  readonly reasons: { code: string; severity: string }[];
  readonly reliability: object;
  readonly score_parts: { reliability: number };
}

async function listAll(uuid: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page++) {
    const { body } = await service.call('GET', `/v1/call_times/${uuid}/candidates?per_page=100&page=${page}`, {
      as: tenant.as.admin,
    });
    all.push(...body.data.data);
    if (page >= body.data.last_page) return all;
  }
}

const hardOf = ({ reasons }: Listed) =>
  [...new Set(reasons.filter(({ severity }) => severity === 'HARD').map(({ code }) => code))].sort();

describe(`with the seed ${seed}`, () => {
  test(`${people * calls.length} verdicts are those of the model, and all occur`, async () => {
    const seen = new Map<string, number>();
    for (const { call, wanted } of callTimes) {
      const listed = (await listAll(call.uuid)).filter(({ user_id: id }) => persons.has(id));
      expect(listed).toHaveLength(people);
      for (const one of listed) {
        const expected = judgePlainly(persons.get(one.user_id)!, wanted, { ...rules, requirements });
        expect({ id: one.user_id, at: wanted, verdict: one.verdict, reasons: hardOf(one) }).toEqual({
          id: one.user_id,
          at: wanted,
          verdict: expected.verdict,
          reasons: expected.reasons,
        });
        const { counts, score } = countPlainly(persons.get(one.user_id)!, now);
        expect([one.reliability, one.score_parts.reliability]).toEqual([counts, expect.closeTo(score)]);
        expect(one.reasons.some(({ code }) => code === 'NOT_RELIABLE')).toBe(score < 1);
        for (const code of [one.verdict, ...expected.reasons]) seen.set(code, (seen.get(code) ?? 0) + 1);
      }
    }
    expect([...seen.keys()].sort()).toEqual(
      [
        ...['READY', 'ASK', 'BLOCKED', 'DOUBLE_BOOKED', 'UNAVAILABLE', 'SHORT_REST', 'OVER_WEEKLY_HOURS'],
        ...['MISSING_QUALIFICATION', 'EXPIRED_QUALIFICATION'],
      ].sort(),
    );
  });

  test('an assignment is refused for the hard reasons of the candidate, and for no others', async () => {
    for (const { call } of callTimes)
      for (const one of (await listAll(call.uuid)).filter((_, index) => index % 17 === 0)) {
        const { status, body } = await service.call('POST', '/v1/work_shifts?dry_run=true', {
          as: tenant.as.admin,
          body: { call_time_uuid: call.uuid, user_id: one.user_id },
        });
        const kinds = (body.clashes ?? []).map(({ kind }: { kind: string }) =>
          kind.endsWith('OVERLAP') ? 'DOUBLE_BOOKED' : kind,
        );
        expect([status, [...new Set(kinds)].sort()]).toEqual([one.verdict === 'BLOCKED' ? 409 : 200, hardOf(one)]);
      }
  });
});
