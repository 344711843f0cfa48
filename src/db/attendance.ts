import { limits } from '../config/limits.ts';
import { attendanceFields, type AttendanceRow } from '../fields/attendance.ts';
import type { attendanceStates } from '../fields/codes.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import { actualMinutes, actualPay, joinAttendance as joinNoted, plannedMinutes } from './actual-hours.ts';
import { openBusinesses } from './businesses.ts';
import type { Overlap } from './clashes.ts';
import { andEqual, firstOfParents } from './by-parent.ts';
import { directionOf } from './direction.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { columnsOf } from './fields.ts';
import { checkInSpan, joinCallTimeOfShift, shiftTimes } from './place-times.ts';
import { isSameFolded } from './searched-text.ts';
import { lockRows, rowsOfBusiness, updateRows, visibleShifts } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

const sortedAt = shiftTimes.startsAt;

/** Joins what the columns need beside a shift: `lately` has when somebody was last noted in the business. */
const joinAttendance = (db: TenantDb) => Prisma.sql`${joinNoted(db)} ${joinCallTimeOfShift(db)}
  CROSS JOIN (SELECT max(n.modified_at) AS noted_at FROM ${rowsOfBusiness(db, 'attendance', 'n')}
               WHERE n.checked_in_at IS NOT NULL OR n.no_show) AS lately`;

/** When the person of a shift `s` is late: at its start; null where the business tells nobody that they are late. */
const lateFrom = `(CASE
  WHEN e.status = 'active' AND (b.always_tells_late OR lately.noted_at > s.starts_at - interval '${limits.notedWithinDays} days')
  THEN s.starts_at END)`;

/** A shift without a row shows as one of which nothing is noted. */
const columns = columnsOf(attendanceFields, 'a', {
  id: 's.id',
  uuid: 's.uuid',
  eventId: 's.event_id',
  eventUuid: 'e.uuid',
  eventTitle: 'e.title',
  eventStatus: 'e.status',
  userId: 's.user_id',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  positionId: 'p.id',
  position: 'p.title',
  sortedAt,
  startTime: 's.start_local',
  startsAt: 's.starts_at',
  endTime: 's.end_local',
  endsAt: 's.ends_at',
  timezone: 'e.timezone',
  checkInFrom: checkInSpan.from,
  checkInUntil: checkInSpan.until,
  lateFrom,
  plannedMinutes: plannedMinutes.sql,
  actualMinutes: actualMinutes.sql,
  breakMinutes: 'coalesce(a.break_minutes, 0)',
  paidEarly: 'coalesce(a.paid_early, FALSE)',
  autoClosed: 'coalesce(a.auto_closed, FALSE)',
  noShow: 'coalesce(a.no_show, FALSE)',
  late: 'coalesce(a.late, FALSE)',
  createdAt: 'coalesce(a.created_at, s.created_at)',
  modifiedAt: 'coalesce(a.modified_at, s.modified_at)',
  version: 'coalesce(a.version, 0)',
});

/** Staff see the attendance of their own shifts, and clients and screens none. */
const selectAttendance = (db: TenantDb) => Prisma.sql`
  SELECT ${columns(db)} FROM ${visibleShifts(db)} ${joinAttendance(db)}
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
    JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id`;

export function readAttendance(
  db: TenantDb,
  by: { readonly uuids: readonly string[] } | { readonly ids: readonly number[] },
): Promise<AttendanceRow[]> {
  const named = 'ids' in by ? Prisma.sql`s.id = ANY(${by.ids}::int[])` : Prisma.sql`s.uuid = ANY(${by.uuids}::uuid[])`;
  return rawOf(db).$queryRaw<AttendanceRow[]>(Prisma.sql`${selectAttendance(db)} WHERE ${named}`);
}

/** Reads what became of the active shifts of many events, by start, at most so many of each. */
export function readAttendanceOfEvents(
  db: TenantDb,
  eventIds: readonly number[],
  atMostEach: number,
): Promise<AttendanceRow[]> {
  const of = { parent: 's.event_id', from: visibleShifts(db), where: Prisma.sql`s.status = 'active'` };
  return rawOf(db).$queryRaw<AttendanceRow[]>(Prisma.sql`
    ${selectAttendance(db)} WHERE ${firstOfParents('s', of, eventIds, atMostEach)} ORDER BY ${Prisma.raw(sortedAt)}, s.id`);
}

type AttendanceState = keyof typeof attendanceStates;

interface AttendanceFilter {
  readonly eventId?: number | undefined;
  readonly userId?: number | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly states?: readonly AttendanceState[] | undefined;
}

const before = (column: string, now: Date, ms: number) =>
  Prisma.sql`${Prisma.raw(column)} <= ${new Date(now.getTime() - ms).toISOString()}::timestamptz`;

/** When the paid time of a shift starts, as in actual-hours.ts without the rounding. */
const countedFrom = (noted: string, shift: string) =>
  `greatest(${noted}.checked_in_at, CASE WHEN NOT ${noted}.paid_early THEN ${shift}.starts_at END)`;

/** The time that is noted both of a shift `s` and of another one `o`, if there is some. */
const sharedTime = Prisma.raw(
  `(least(a.checked_out_at, n.checked_out_at) - greatest(${countedFrom('a', 's')}, ${countedFrom('n', 'o')}))`,
);

/** Other shifts `o` with what is noted of them, `n`. */
const others = (db: TenantDb) => Prisma.sql`
  ${rowsOfBusiness(db, 'work_shifts', 'o')} JOIN ${rowsOfBusiness(db, 'attendance', 'n')} ON n.id = o.id`;

/** Whether the same person has worked both at the same time, for a minute at least. */
const isAtOnce = Prisma.sql`
  o.user_id = s.user_id AND o.id <> s.id AND o.status = 'active' AND ${sharedTime} >= interval '1 minute'`;

/** Conditions on shifts `s` with their attendance `a`. */
const stateConditions: Readonly<Record<AttendanceState, (now: Date, db: TenantDb) => Prisma.Sql>> = {
  late: (now) => Prisma.sql`${nobodyCame} AND ${before(lateFrom, now, 0)} AND NOT ${isMissingAt(now)}`,
  missing: (now) => Prisma.sql`${nobodyCame} AND ${isMissingAt(now)}
    AND NOT ${before(lateFrom, now, limits.missingDays * 86_400_000)}`,
  present: () => Prisma.sql`a.checked_in_at IS NOT NULL AND a.checked_out_at IS NULL`,
  not_checked_out: (now) =>
    Prisma.sql`a.checked_in_at IS NOT NULL AND a.checked_out_at IS NULL AND ${before('s.ends_at', now, 0)}`,
  to_approve: () => Prisma.sql`(a.no_show OR a.checked_out_at IS NOT NULL) AND a.approved_at IS NULL`,
  approved: () => Prisma.sql`a.approved_at IS NOT NULL`,
  no_show: () => Prisma.sql`a.no_show`,
  overlapping: (_now, db) => Prisma.sql`EXISTS (SELECT 1 FROM ${others(db)} WHERE ${isAtOnce})`,
};
const nobodyCame = Prisma.sql`a.checked_in_at IS NULL AND a.no_show IS NOT TRUE`;
const isMissingAt = (now: Date) => before(lateFrom, now, limits.missingAfterMin * 60_000);

/** Whoever came is paid, and so listed, also after the event was deleted. */
function attendedLike(db: TenantDb, { eventId, userId, from, to, states }: AttendanceFilter, now: Date): Prisma.Sql {
  const at = Prisma.raw(sortedAt);
  const conditions = states?.map((state) => Prisma.sql`(${stateConditions[state](now, db)})`);
  return Prisma.sql`
    s.status = 'active' AND (e.status <> 'deleted' OR a.checked_in_at IS NOT NULL) ${andEqual(Prisma.sql`s.event_id`, eventId)}
    ${andEqual(Prisma.sql`s.user_id`, userId)}
    ${from ? Prisma.sql`AND ${at} >= ${from.toISOString()}::timestamptz` : Prisma.empty}
    ${to ? Prisma.sql`AND ${at} < ${to.toISOString()}::timestamptz` : Prisma.empty}
    ${conditions ? Prisma.sql`AND (${conditions.length > 0 ? Prisma.join(conditions, ' OR ') : Prisma.sql`FALSE`})` : Prisma.empty}`;
}

export const attendanceOrder: CursorOrder<AttendanceRow> = {
  by: 'start',
  direction: 'asc',
  positionOf: ({ sortedAt: at, id }) => ({ value: at.toISOString(), id }),
  isValue: isInstant,
};

export function readAttendancePage(
  db: TenantDb,
  filter: AttendanceFilter,
  now: Date,
  window: PageWindow,
): Promise<AttendanceRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'asc');
  const at = Prisma.raw(sortedAt);
  const behind = after
    ? Prisma.sql`AND (${at}, s.id) ${beyond} (${after.value}::timestamptz, ${after.id}::int)`
    : Prisma.empty;
  return rawOf(db).$queryRaw<AttendanceRow[]>(
    plannedForItsValues(Prisma.sql`
    ${selectAttendance(db)} WHERE ${attendedLike(db, filter, now)} ${behind}
     ORDER BY ${at} ${direction}, s.id ${direction} LIMIT ${limit} OFFSET ${offset}`),
  );
}

export function countAttendance(db: TenantDb, filter: AttendanceFilter, now: Date): Promise<number> {
  return readTotal(
    db,
    plannedForItsValues(Prisma.sql`
    SELECT count(*)::int AS total FROM ${visibleShifts(db)} ${joinAttendance(db)} WHERE ${attendedLike(db, filter, now)}`),
  );
}

/** Locks shifts that the caller may see: their people, times and attendance stay. */
export async function lockShifts(tx: TenantDb, uuids: readonly string[]): Promise<void> {
  await rawOf(tx).$queryRaw(
    lockRows(tx, 'work_shifts', 's', {
      columns: Prisma.sql`s.id`,
      where: Prisma.sql`s.uuid = ANY(${uuids}::uuid[])`,
      lock: 'for no key update',
    }),
  );
}

/** A shift as its person checks in and out, with the event. */
export interface AttendedShift extends AttendanceRow {
  readonly shiftStatus: string;
  /** Day of the start on the clocks of the event, `YYYY-MM-DD`. */
  readonly day: string;
}

export async function readAttendedShift(db: TenantDb, uuid: string): Promise<AttendedShift | null> {
  const [row] = await rawOf(db).$queryRaw<AttendedShift[]>(Prisma.sql`
    SELECT ${columns(db)}, s.status::text AS "shiftStatus",
           ${Prisma.raw(shiftTimes.startLocal)}::date::text AS day
      FROM ${visibleShifts(db)} ${joinAttendance(db)}
      JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id
     WHERE s.uuid = ${uuid}::uuid`);
  return row ?? null;
}

/** A shift of somebody who names themselves on a screen, with the last digits of their phone. */
type NamedShift = Pick<
  AttendanceRow,
  'uuid' | 'userId' | 'checkedInAt' | 'checkedOutAt' | 'noShow' | 'sortedAt' | 'checkInFrom' | 'checkInUntil'
> & { readonly digits: string };

/** The active shifts of people with a name at an event, by start. */
export function readShiftsByName(db: TenantDb, eventId: number, name: string): Promise<NamedShift[]> {
  const at = Prisma.raw(sortedAt);
  return rawOf(db).$queryRaw(Prisma.sql`
    SELECT s.uuid, s.user_id AS "userId", right(regexp_replace(u.phone, '\\D', '', 'g'), 4) AS digits,
           a.checked_in_at AS "checkedInAt", a.checked_out_at AS "checkedOutAt", coalesce(a.no_show, FALSE) AS "noShow",
           ${at} AS "sortedAt", ${Prisma.raw(checkInSpan.from)} AS "checkInFrom", ${Prisma.raw(checkInSpan.until)} AS "checkInUntil"
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id ${joinCallTimeOfShift(db)}
      LEFT JOIN ${rowsOfBusiness(db, 'attendance', 'a')} ON a.id = s.id
     WHERE s.event_id = ${eventId} AND s.status = 'active' AND ${isSameFolded('u.name', name)}
     ORDER BY ${at}, s.id`);
}

/**
 * Counts a try to send a code, before it is judged, so that parallel tries count as well. Returns the tries of the person and those of
 * all people at the event. Whoever is locked already is not counted any further, so that nobody locks the event alone.
 */
export async function countTry(db: TenantDb, eventId: number, userId: number) {
  const own = { businessId: db.$businessId, eventId, userId };
  await db.attendanceAttempt.createMany({ data: [{ ...own, wrong: 0 }], skipDuplicates: true });
  const [tried] = await db.attendanceAttempt.updateManyAndReturn({
    where: { ...own, wrong: { lte: limits.wrongCodesOfPerson } },
    data: { wrong: { increment: 1 } },
  });
  const { _sum: all } = await db.attendanceAttempt.aggregate({ where: { eventId }, _sum: { wrong: true } });
  return { ofPerson: tried?.wrong ?? limits.wrongCodesOfPerson + 1, ofEvent: all.wrong ?? 0 };
}

/** Finds the work that is approved, or would be with these shifts, and shares time with one of them. */
export function readOverlappingWork(
  db: TenantDb,
  ids: readonly number[],
  limit: number,
): Promise<(Overlap & { readonly ofShift: string })[]> {
  return rawOf(db).$queryRaw(Prisma.sql`
    SELECT 'OVERLAP' AS kind, s.uuid AS "ofShift", s.user_id AS "userId", o.uuid AS "shiftUuid", e.uuid AS "eventUuid", e.title AS "eventTitle",
           n.checked_in_at AS "startsAt", n.checked_out_at AS "endsAt", ceil(extract(epoch FROM ${sharedTime}) / 60)::int AS minutes
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')} JOIN ${rowsOfBusiness(db, 'attendance', 'a')} ON a.id = s.id
      JOIN (${others(db)}) ON ${isAtOnce} AND (n.approved_at IS NOT NULL OR o.id = ANY(${[...ids]}::int[]))
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = o.event_id
     WHERE s.id = ANY(${[...ids]}::int[]) ORDER BY s.id, o.id LIMIT ${limit}`);
}

interface Approval {
  readonly byId: number | null;
  readonly now: Date;
  /** Why work is approved that shares time with other work. */
  readonly reason: string | null;
}

/** Stores what approvals find of shifts, which are locked: rate, unit, minutes, amount and revenue. */
export async function storeApprovals(tx: TenantDb, ids: readonly number[], { byId, now, reason }: Approval) {
  const { joins, rate, unit, minutes, actualCents, actualRevenue } = actualPay(tx);
  await rawOf(tx).$executeRaw(
    updateRows(tx, 'attendance', 'target', {
      set: Prisma.sql`
        approved_at = ${now.toISOString()}::timestamptz, approved_by_id = ${byId}, approved_rate = found.rate, approved_unit = found.unit,
        approved_minutes = found.minutes, approved_amount = found.cents * 0.01, approved_revenue = found.revenue * 0.01, change_reason = ${reason}, modified_at = ${now.toISOString()}::timestamptz`,
      from: Prisma.sql`FROM (
        SELECT s.id, ${rate} AS rate, ${unit} AS unit, ${minutes} AS minutes, ${actualCents} AS cents, ${actualRevenue} AS revenue
          FROM ${rowsOfBusiness(tx, 'work_shifts', 's')}
          JOIN ${rowsOfBusiness(tx, 'events', 'e')} ON e.id = s.event_id
          JOIN ${rowsOfBusiness(tx, 'positions', 'p')} ON p.id = s.position_id ${joins}
         WHERE s.id = ANY(${ids}::int[])) AS found`,
      where: Prisma.sql`target.id = found.id AND found.cents IS NOT NULL`,
    }),
  );
}

/**
 * Check-outs `a` that are forgotten at shifts `s`: hours after the planned end, by which the stay is as long as an admin may say. What was
 * noted only now may be the first half of an import.
 */
const isForgotten = (now: Date) => Prisma.sql`
  a.checked_in_at IS NOT NULL AND a.checked_out_at IS NULL AND s.ends_at > a.checked_in_at
    AND s.ends_at - a.checked_in_at <= greatest(${Prisma.raw(`interval '${limits.stayHoursMax} hours'`)}, (s.ends_at - s.starts_at) * 1.5)
    AND ${before('greatest(s.ends_at, a.modified_at)', now, limits.checkInAfterH * 3_600_000)}`;

/** Finds businesses with people who have not checked out hours after the planned end. */
export async function findUnclosed(prisma: Pick<PrismaClient, '$queryRaw'>, now: Date): Promise<number[]> {
  const rows = await prisma.$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT DISTINCT a.business_id AS id FROM attendance a
      JOIN work_shifts s ON s.business_id = a.business_id AND s.id = a.id
      JOIN ${openBusinesses} AS b ON b.id = a.business_id
     WHERE ${isForgotten(now)}`);
  return rows.map(({ id }) => id);
}

/** Closes the forgotten check-outs of a business with the planned end. Other open ones are left to an admin. */
export async function closeForgotten(tx: TenantDb, now: Date): Promise<number> {
  return rawOf(tx).$executeRaw(
    updateRows(tx, 'attendance', 'a', {
      set: Prisma.sql`checked_out_at = s.ends_at, auto_closed = TRUE, modified_at = ${now.toISOString()}::timestamptz`,
      from: Prisma.sql`FROM ${rowsOfBusiness(tx, 'work_shifts', 's')}`,
      where: Prisma.sql`s.id = a.id AND ${isForgotten(now)}`,
    }),
  );
}

/** Deletes at most so many counts of wrong codes, of events that ended before a time. Returns how many. */
export function deleteTriesBefore(prisma: PrismaClient, endedBefore: Date, atMost: number): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    DELETE FROM attendance_attempts
     WHERE ctid = ANY(ARRAY(
       SELECT t.ctid FROM attendance_attempts t JOIN events e ON e.business_id = t.business_id AND e.id = t.event_id
        WHERE e.ends_at < ${endedBefore.toISOString()}::timestamptz LIMIT ${atMost} FOR UPDATE OF t SKIP LOCKED))`);
}
