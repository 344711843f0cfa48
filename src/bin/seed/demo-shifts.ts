import type { Prisma, ShiftStatus } from '../../generated/prisma/client.ts';
import { raised, type CallTimeDraft, type EventDraft } from './demo-events.ts';
import { dayMs, later } from './moments.ts';
import type { BusinessProfile } from './profiles.ts';
import type { Random } from './random.ts';

export interface ShiftDraft {
  readonly row: Omit<
    Prisma.WorkShiftCreateManyInput,
    'businessId' | 'eventId' | 'callTimeId' | 'positionId' | 'userId'
  >;
  readonly event: EventDraft;
  /** Null for a shift outside any call time, such as a runner's. */
  readonly callTime: CallTimeDraft | null;
  readonly position: string;
  /** Index into the business's staff. */
  readonly staff: number;
}

interface Span {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const overlap = (a: Span, b: Span) => a.startsAt < b.endsAt && b.startsAt < a.endsAt;

/** Staffs the events: nobody works twice at the same time, except in the profile's number of deliberate conflicts. */
export function draftShifts(
  profile: BusinessProfile,
  events: readonly EventDraft[],
  today: Date,
  random: Random,
): ShiftDraft[] {
  const shifts: ShiftDraft[] = [];
  const bookings = Array.from({ length: profile.staffCount }, (): Span[] => []);
  const everyone = [...bookings.keys()];
  const freeStaff = (span: Span) =>
    random.shuffled(everyone).filter((staff) => !bookings[staff]!.some((booking) => overlap(booking, span)));

  const add = (
    event: EventDraft,
    callTime: CallTimeDraft | null,
    staff: number,
    status: ShiftStatus,
    overrideReason: string | null = null,
  ) => {
    const shift = draftShift(profile, event, callTime, staff, status, today, random);
    shifts.push({ ...shift, row: { ...shift.row, overrideReason } });
    if (status === 'active') bookings[staff]!.push(callTime?.row ?? event.row);
  };

  // The person whose log-in the demo has works today, tomorrow and next week.
  const wishes = [
    [0, 0],
    [1, 1],
    [7, 13],
  ] as const;
  const granted = new Set<readonly [number, number]>();
  const findWish = ({ row }: EventDraft) => {
    const days = Math.floor((row.startLocal.getTime() - today.getTime()) / dayMs);
    const isSure = row.status === 'active' && !row.startTbd && !row.endTbd;
    return isSure ? wishes.find((wish) => days >= wish[0] && days <= wish[1] && !granted.has(wish)) : undefined;
  };

  let overfilled = 0;
  for (const event of events) {
    const isActive = event.row.status === 'active';
    for (const callTime of event.callTimes) {
      const { staffNeeded } = callTime.row;
      const tooMany = isActive && event.row.startsAt > today && overfilled < profile.overfilled && staffNeeded > 1;
      if (tooMany) overfilled++;
      const drawn = tooMany ? staffNeeded + 1 : wantedFor(event, callTime, events, random);
      const drawnStaff = freeStaff(callTime.row);
      const wish = drawnStaff.includes(0) ? findWish(event) : undefined;
      if (wish) granted.add(wish);
      const wanted = wish ? Math.max(1, drawn) : drawn;
      const free = wish ? [0, ...drawnStaff.filter((staff) => staff !== 0)] : drawnStaff;
      for (const [index, staff] of free.splice(0, wanted).entries())
        add(
          event,
          callTime,
          staff,
          statusIn(event, random),
          index >= staffNeeded ? 'One more, as somebody may be late' : null,
        );
      const dropOut = free[0];
      if (dropOut !== undefined && isActive && random.chance(0.2))
        add(event, callTime, dropOut, random.chance(0.6) ? 'canceled' : 'deleted');
    }
    const runner = isActive && !event.row.endTbd && random.chance(0.12) ? freeStaff(event.row)[0] : undefined;
    if (runner !== undefined) add(event, null, runner, 'active');
  }

  for (const { event, callTime, staff } of conflicts(profile, events, shifts, bookings, today))
    add(event, callTime, staff, 'active', 'Agreed with both clients');
  return shifts;
}

/**
 * Returns how many people are assigned: all that are needed, or too few. Of two events that start together, one always
 * lacks somebody.
 */
function wantedFor(event: EventDraft, { row }: CallTimeDraft, events: readonly EventDraft[], random: Random): number {
  if (event.row.status !== 'active') return random.whole(0, row.staffNeeded);
  const startsWithAnother = events.some(
    (other) => other !== event && other.row.startsAt.getTime() === event.row.startsAt.getTime(),
  );
  if (startsWithAnother) return Math.max(1, row.staffNeeded - 1);
  return random.chance(0.6) ? row.staffNeeded : random.whole(0, row.staffNeeded - 1);
}

function statusIn({ row }: EventDraft, random: Random): ShiftStatus {
  if (row.status === 'canceled') return 'canceled';
  if (row.status === 'deleted') return random.chance(0.5) ? 'deleted' : 'canceled';
  return 'active';
}

interface Booking {
  readonly event: EventDraft;
  readonly callTime: CallTimeDraft;
  readonly staff: number;
}

/** Drafts the conflicting bookings: each for a different person, and overlapping exactly one of their shifts. */
// prettier-ignore
function conflicts(profile: BusinessProfile, events: readonly EventDraft[], shifts: readonly ShiftDraft[], spans: readonly Span[][], today: Date): Booking[] {
  const calls = events
    .filter(({ row }) => row.status === 'active' && row.startsAt > today)
    .flatMap((event) => event.callTimes.filter(({ row }) => !row.startTbd && !row.endTbd).map((callTime) => ({ event, callTime })));
  const staffOf = (callTime: CallTimeDraft) =>
    shifts.filter((shift) => shift.callTime === callTime && shift.row.status === 'active').map(({ staff }) => staff);
  const clashes = (staff: number, span: Span) => spans[staff]!.filter((booked) => overlap(booked, span)).length;

  const found: Booking[] = [];
  for (const { event, callTime } of calls) {
    if (found.length === profile.conflicts) return found;
    if (found.some((booking) => booking.event === event) || staffOf(callTime).length >= callTime.row.staffNeeded) continue;
    const staff = calls
      .filter((other) => other.event !== event && overlap(other.callTime.row, callTime.row))
      .flatMap((other) => staffOf(other.callTime))
      .find((person) => clashes(person, callTime.row) === 1 && !found.some((booking) => booking.staff === person));
    if (staff !== undefined) found.push({ event, callTime, staff });
  }
  if (found.length < profile.conflicts) throw new Error(`${profile.name} has no room for its conflicts.`);
  return found;
}

// prettier-ignore
function draftShift(
  profile: BusinessProfile, event: EventDraft, callTime: CallTimeDraft | null, staff: number, status: ShiftStatus, today: Date, random: Random,
): ShiftDraft {
  const place = callTime ?? event;
  const position = callTime?.position ?? profile.positions[profile.positions.length - 1]!.title;
  const zone = event.row.timezone;
  const asCalled = random.chance(0.85);
  const arrival = asCalled || random.chance(0.5) ? 0 : 30;
  const start = place.row.startTbd ? null : later(place.row.startLocal, arrival, zone);
  const end = place.row.endTbd ? null : later(place.row.endLocal, asCalled || arrival ? 0 : -30, zone);

  const daysAhead = (event.row.startsAt.getTime() - today.getTime()) / dayMs;
  const likelyConfirmed = daysAhead < 0 ? 0.95 : daysAhead < 14 ? 0.7 : 0.3;
  const { defaultPayRate, payUnit } = profile.positions.find(({ title }) => title === position)!;
  // Nobody is assigned, confirms or cancels once the event has begun.
  const until = new Date(Math.min(today.getTime(), event.row.startsAt.getTime(), place.row.startsAt.getTime()));
  const createdAt = between(event.row.createdAt, until, random);
  const uuid = random.uuid();
  const isConfirmed = event.row.status !== 'draft' && random.chance(likelyConfirmed) && status === 'active';
  const payRate = random.chance(0.45) ? null : (callTime?.row.payRate ?? raised(defaultPayRate, random));
  const modifiedAt = between(createdAt, until, random);
  // About half of the shifts that were canceled without their event were declined.
  const isDeclined = status === 'canceled' && event.row.status === 'active' && createdAt.getTime() % 2000 < 1000;

  return {
    event, callTime, position, staff,
    row: {
      uuid,
      status,
      confirmed: isConfirmed,
      confirmedAt: isConfirmed ? modifiedAt : null,
      declinedAt: isDeclined ? modifiedAt : null,
      canceledAt: status === 'canceled' ? modifiedAt : null,
      startLocal: start?.local ?? null, startsAt: start?.at ?? null,
      endLocal: end?.local ?? null, endsAt: end?.at ?? null,
      payRate,
      payUnit: payRate === null ? null : payUnit,
      createdAt,
      modifiedAt,
    },
  };
}

const between = (from: Date, to: Date, random: Random): Date =>
  new Date(from.getTime() + Math.floor(((to.getTime() - from.getTime()) * random.whole(0, 1000)) / 1000));
