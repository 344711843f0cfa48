import type { KnownActor } from '../access/actor.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readSaidOfMany } from '../db/availability.ts';
import {
  findOverlapping,
  findOverlaps,
  possiblePeriod,
  wantedShifts,
  type ClashRow,
  type JudgedShift,
  type RuleBreach,
  type ShiftsAfter,
} from '../db/clashes.ts';
import { readBooked, type BookedShift } from '../db/staff-facts.ts';
import type { SaidAvailability } from '../fields/availability.ts';
import { Weekday } from '../generated/prisma/enums.ts';
import { groupBy } from '../paging/group-by.ts';
import { offsetAt } from '../time/offsets.ts';
import { formatUtc, resolveWallTime } from '../time/wall-clock.ts';
import { askAvailability, type AvailabilityAnswer } from './availability-answer.ts';
import { openQualifications, type QualificationGap, type WorkDays } from './qualification-gaps.ts';

/*
 * The rules of who can work. They judge a shift of a person by what is known of the person, for every way in which somebody is
 * booked and for the candidates of a call time. What is to be determined breaks no rule of times.
 */

/** Settings of the business that rules depend on. Null means not checked. */
export type RuleSettings = Pick<KnownActor, 'restHours' | 'weeklyHours' | 'timezone' | 'weekStart'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A week, with the hour by which it can be longer. */
export const weekMs = 7 * dayMs + hourMs;

/** What is known of one person. */
interface PersonFacts {
  readonly booked: readonly BookedShift[];
  readonly said: SaidAvailability;
}

export const nothingSaid: SaidAvailability = { patterns: [], exceptions: [] };

export interface Judged {
  readonly breaches: RuleBreach[];
  readonly availability: AvailabilityAnswer;
}

export function toBooked(shift: JudgedShift): BookedShift {
  const { start: begins, end: ends } = possiblePeriod(shift);
  const { uuid = null, userId, positionId, callTimeId, startsAt, endsAt, event } = shift;
  const [start, end] = [startsAt?.getTime() ?? null, endsAt?.getTime() ?? null];
  return {
    id: null,
    uuid,
    userId,
    positionId,
    callTimeId,
    start,
    end,
    begins,
    ends,
    eventUuid: event.uuid ?? null,
    eventTitle: event.title ?? '',
    timezone: event.timezone,
  };
}

/** Finds what a person lacks for a job on some days. */
type FindGaps = Awaited<ReturnType<typeof openQualifications>>;

/** Makes the function that finds the rules which a shift of a person breaks. */
export function createStaffRules(
  settings: RuleSettings,
  findGaps: FindGaps,
): (own: BookedShift, facts: PersonFacts) => Judged {
  const weekOf = createWeeks(settings);
  const timeOf = createTimes();
  return (own, { booked, said }) => {
    const others = booked.filter(({ uuid }) => uuid === null || uuid !== own.uuid);
    const { ask, days } = timeOf(own);
    const availability = ask(said);
    return {
      availability,
      breaches: [
        ...(availability === 'UNAVAILABLE' ? [unavailable(own.userId)] : []),
        ...findShortRests(own, others, settings.restHours),
        ...findOverHours(own, others, settings, weekOf),
        ...findGaps(own.userId, own, days).map((gap) => lacking(own.userId, gap)),
      ],
    };
  };
}

/** Prepares what is asked of a time once for each time that is asked about. */
function createTimes() {
  const times = new Map<string, { ask: ReturnType<typeof askAvailability>; days: WorkDays }>();
  return (own: BookedShift) => {
    const { start, end, begins, ends, timezone } = own;
    const key = `${start} ${end} ${begins} ${ends} ${timezone}`;
    let time = times.get(key);
    if (!time) {
      const span = start === null || end === null ? null : { startsAt: new Date(start), endsAt: new Date(end) };
      times.set(key, (time = { ask: askAvailability(span), days: daysOf(own) }));
    }
    return time;
  };
}

const unavailable = (userId: number): RuleBreach => ({
  ...breach('UNAVAILABLE', userId),
  text: 'Not available at that time',
});

/** Both days of a shift by the clocks of its event; what ends at midnight does not need the day that begins then. */
function daysOf({ begins, ends, timezone }: BookedShift): WorkDays {
  const dayAt = (at: number) => formatUtc(new Date(dayIn(timezone, at) * dayMs)).slice(0, 10);
  return { firstDay: dayAt(begins), lastDay: dayAt(Math.max(begins, ends - 1000)) };
}

function lacking(userId: number, { code, name, minLevel, until, from }: QualificationGap): RuleBreach {
  const level = minLevel === null ? '' : ` of level ${minLevel} or higher`;
  const when = until === null ? `begins on ${from}` : `ends on ${until}`;
  return {
    ...breach(code, userId),
    text: code === 'MISSING_QUALIFICATION' ? `Lacks “${name}”${level}` : `“${name}” ${when}`,
  };
}

/**
 * Rest is the time between the known end of one shift and the known start of another. Shifts of one event that leave the rest
 * within 24 hours of the first start are one working day.
 */
function findShortRests(own: BookedShift, others: readonly BookedShift[], restHours: number | null): RuleBreach[] {
  if (restHours === null) return [];
  const restMs = restHours * hourMs;
  return others.flatMap((other) => {
    const [first, last] = other.begins < own.begins ? [other, own] : [own, other];
    if (first.end === null || last.start === null) return [];
    const gapMs = last.start - first.end;
    const isOneDay =
      own.eventUuid !== null && own.eventUuid === other.eventUuid && last.ends - first.begins <= dayMs - restMs;
    if (gapMs < 0 || gapMs >= restMs || isOneDay) return [];
    const side = first === other ? 'after' : 'before';
    return {
      ...breach('SHORT_REST', own.userId),
      text: `Only ${describeHours(gapMs)} of rest ${side} “${other.eventTitle}”, where ${restHours} h are asked for`,
      shiftUuid: other.uuid,
      eventUuid: other.eventUuid,
      eventTitle: other.eventTitle,
      startsAt: toDate(other.start),
      endsAt: toDate(other.end),
      minutes: Math.floor(gapMs / 60_000),
      until: first === other ? new Date(first.end + restMs) : null,
    };
  });
}

/** A shift belongs to the week of the business in which it starts. One whose times are open adds nothing. */
function findOverHours(
  own: BookedShift,
  others: readonly BookedShift[],
  { weeklyHours }: RuleSettings,
  weekOf: (at: number) => Week,
): RuleBreach[] {
  if (weeklyHours === null || own.start === null || own.end === null) return [];
  const week = weekOf(own.start);
  const sumMs = sumWeek([own, ...others], week);
  if (sumMs <= weeklyHours * hourMs) return [];
  return [
    {
      ...breach('OVER_WEEKLY_HOURS', own.userId),
      text: `${describeHours(sumMs)} in the week with this shift, where ${weeklyHours} h are allowed`,
      minutes: Math.ceil(sumMs / 60_000),
      until: new Date(week.to),
    },
  ];
}

/** Sums the shifts that start in a week and whose times are known, in milliseconds. */
export function sumWeek(shifts: readonly BookedShift[], { from, to }: Week): number {
  return shifts.reduce(
    (sum, { start, end }) => (start !== null && end !== null && start >= from && start < to ? sum + end - start : sum),
    0,
  );
}

const breach = <K extends RuleBreach['kind']>(kind: K, userId: number) => ({
  kind,
  userId,
  shiftUuid: null,
  eventUuid: null,
  eventTitle: null,
  startsAt: null,
  endsAt: null,
  minutes: null,
  until: null,
});

/** The shifts at the time of another one of the same person, as reasons against a candidate. */
export function findBookings(own: BookedShift, booked: readonly BookedShift[]) {
  const isKnown = ({ start, end }: BookedShift) => start !== null && end !== null;
  return booked.flatMap((other) => {
    if (other.begins >= own.ends || other.ends <= own.begins) return [];
    const isCertain = isKnown(own) && isKnown(other);
    const where = other.eventUuid === own.eventUuid ? 'this event' : `“${other.eventTitle}”`;
    const text = isCertain
      ? `Works at ${where} at the same time`
      : `May work at ${where} at the same time, as a time is open`;
    return { kind: 'DOUBLE_BOOKED' as const, text, until: toDate(other.end) };
  });
}

const toDate = (at: number | null) => (at === null ? null : new Date(at));

/** Such as `7.5 h`, rounded down to a tenth. */
const describeHours = (spanMs: number) => `${Math.floor(spanMs / (hourMs / 10)) / 10} h`;

/** A week of the business, in milliseconds. */
export interface Week {
  readonly from: number;
  readonly to: number;
}

/** Makes the function that finds the week of an instant, by the clocks of the business. */
export function createWeeks({
  timezone,
  weekStart,
}: Pick<RuleSettings, 'timezone' | 'weekStart'>): (at: number) => Week {
  const first = Object.values(Weekday).indexOf(weekStart);
  const weeks = new Map<number, Week>();
  const startOf = (day: number) => {
    const midnight = resolveWallTime(formatUtc(new Date(day * dayMs)), timezone);
    if ('at' in midnight) return midnight.at.getTime();
    const after = resolveWallTime(midnight.skippedUntil, timezone);
    return 'at' in after ? after.at.getTime() : NaN;
  };
  return (at) => {
    const day = dayIn(timezone, at);
    // Day 0 was a Thursday.
    const monday = day - ((((day + 3 - first) % 7) + 7) % 7);
    const known = weeks.get(monday) ?? { from: startOf(monday), to: startOf(monday + 7) };
    weeks.set(monday, known);
    return known;
  };
}

/** The day of an instant on the clocks of a zone, counted from 1970-01-01. */
const dayIn = (timezone: string, at: number) => Math.floor((at + offsetAt(new Date(at), timezone)) / dayMs);

/** Judges shifts that are booked one after the other by what is known of their people. */
export async function openRules(
  { db, actor }: Pick<Scope, 'db'> & { readonly actor: RuleSettings },
  shifts: readonly JudgedShift[],
  areStored = false,
) {
  const userIds = [...new Set(shifts.map(({ userId }) => userId))];
  const periods = shifts.map(toBooked);
  const [begin, end] = [Math.min(...periods.map(({ begins }) => begins)), Math.max(...periods.map(({ ends }) => ends))];
  const isAny = shifts.length > 0;
  const needsBooked = isAny && (areStored || actor.restHours !== null || actor.weeklyHours !== null);
  const stored = needsBooked
    ? await readBooked(db, userIds, { from: new Date(begin - weekMs), to: new Date(end + weekMs) })
    : [];
  const said = isAny
    ? await readSaidOfMany(db, { startsAt: new Date(begin), endsAt: new Date(end) }, userIds)
    : new Map<number, SaidAvailability>();
  const judge = createStaffRules(actor, await openQualifications(db, [...shifts, ...stored], userIds));
  const bookedOf = groupBy('userId', stored);
  const booked = new Map(userIds.map((id) => [id, bookedOf(id)]));
  return {
    stored,
    judge: (own: BookedShift): RuleBreach[] =>
      judge(own, { booked: booked.get(own.userId) ?? [], said: said.get(own.userId) ?? nothingSaid }).breaches,
    add: (shift: JudgedShift) => booked.set(shift.userId, [...(booked.get(shift.userId) ?? []), toBooked(shift)]),
    remove: (userId: number, uuid: string | null) =>
      booked.set(
        userId,
        (booked.get(userId) ?? []).filter((each) => each.uuid !== uuid),
      ),
  };
}

export interface ClashesAfter {
  /** What the change makes. */
  readonly added: ClashRow[];
  /** What was there before. */
  readonly kept: ClashRow[];
  /** The shifts with a clash, all of them, by uuid, and whether one of theirs is new. */
  readonly findClashing: () => Promise<ReadonlyMap<string, boolean>>;
}

/**
 * Finds the overlaps of changed shifts and the rules that they break, at most `limits.listedMax` of each. Call it before the change
 * is stored, because what is new is found by comparison with what is stored.
 */
export async function findClashesAfter(
  tx: Scope,
  shifts: readonly JudgedShift[],
  after: ShiftsAfter = wantedShifts(shifts),
): Promise<ClashesAfter> {
  const overlaps = await findOverlaps(tx.db, after);
  const rules = await openRules(tx, shifts, true);
  const changed = new Map(shifts.map((shift) => [shift.uuid, shift.userId]));
  const stays = rules.stored.filter(({ uuid, userId }) => uuid !== null && changed.get(uuid) === userId);
  const before = new Map(stays.map((was) => [was.uuid, { was, breaches: rules.judge(was) }]));
  for (const { uuid, userId } of rules.stored) if (uuid !== null && changed.has(uuid)) rules.remove(userId, uuid);
  for (const shift of shifts) rules.add(shift);
  const broken = shifts.flatMap((shift) => {
    const own = toBooked(shift);
    const { was, breaches = [] } = before.get(own.uuid) ?? {};
    const areSameTimes = was?.start === own.start && was.end === own.end;
    return rules.judge(own).map((found) => ({
      uuid: own.uuid ?? '',
      found,
      isNew: !breaches.some((one) => wasThere(one, found, areSameTimes)),
    }));
  });
  const breaches = (areNew: boolean) => broken.flatMap(({ found, isNew }) => (isNew === areNew ? found : []));
  return {
    added: [...overlaps.added, ...breaches(true)].slice(0, limits.listedMax),
    kept: [...overlaps.kept, ...breaches(false)].slice(0, limits.listedMax),
    findClashing: async () => {
      const hasOverlaps = overlaps.added.length + overlaps.kept.length > 0;
      const clashing = new Map(hasOverlaps ? await findOverlapping(tx.db, after) : []);
      for (const { uuid, isNew } of broken) clashing.set(uuid, isNew || clashing.get(uuid) === true);
      return clashing;
    },
  };
}

/** Whether a breach was there already, and as grave. */
function wasThere(was: RuleBreach, now: RuleBreach, areSameTimes: boolean): boolean {
  if (was.kind !== now.kind || was.shiftUuid !== now.shiftUuid) return false;
  const [before, after] = [was.minutes ?? 0, now.minutes ?? 0];
  if (now.kind === 'SHORT_REST') return before <= after;
  if (now.kind === 'OVER_WEEKLY_HOURS') return before >= after && Number(was.until) === Number(now.until);
  return now.kind === 'UNAVAILABLE' ? areSameTimes : was.text === now.text;
}
