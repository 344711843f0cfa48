import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { possibleEnd } from './clashes.ts';
import {
  lockRows,
  lockVisibleEvents,
  rowsOfBusiness,
  visibleCallTimes,
  visibleEvents,
  visibleRecipients,
  visibleShifts,
  visibleUsers,
} from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';
import { eventsOfOpenParts } from './unsettled.ts';

/*
 * Locks of staffing, held to the end of the transaction. They are always taken in the same order, so that transactions
 * cannot deadlock. First comes the event: its call times and shifts are changed by one transaction at a time, and its
 * zone stays. Then come its people, by id: every other assignment of one of them in the business waits.
 */

export interface StaffedEvent {
  id: number;
  uuid: string;
  title: string;
  status: EventStatus;
  timezone: string;
  startsAt: Date;
  endsAt: Date;
  /** Days of the start and of the end on its own clocks, `YYYY-MM-DD`. */
  startDay: string;
  endDay: string;
}

/** The identification of an event: its own id or uuid, or the uuid of one of its call times, shifts or offer recipients. */
export type EventBy =
  | { readonly id: number }
  | { readonly event: string }
  | { readonly callTime: string }
  | { readonly shift: string }
  | { readonly recipient: string };

function idBy(db: TenantDb, by: EventBy): Prisma.Sql {
  if ('id' in by) return Prisma.sql`e.id = ${by.id}`;
  if ('event' in by) return Prisma.sql`e.uuid = ${by.event}::uuid`;
  const id =
    'callTime' in by
      ? Prisma.sql`SELECT c.event_id FROM ${visibleCallTimes(db)} WHERE c.uuid = ${by.callTime}::uuid`
      : 'shift' in by
        ? Prisma.sql`SELECT s.event_id FROM ${visibleShifts(db)} WHERE s.uuid = ${by.shift}::uuid`
        : Prisma.sql`SELECT r.event_id FROM ${visibleRecipients(db)} WHERE r.uuid = ${by.recipient}::uuid`;
  return Prisma.sql`e.id = (${id})`;
}

/** Locks an event that the caller may see. */
export async function lockEvent(tx: TenantDb, by: EventBy): Promise<StaffedEvent | null> {
  const [event] = await lockEventsWhere(tx, idBy(tx, by));
  return event ?? null;
}

/** Locks events that the caller may see, by their own uuids or by those of their call times or shifts, in one statement. */
export function lockEvents(
  tx: TenantDb,
  eventUuids: readonly string[],
  callTimeUuids: readonly string[],
  shiftUuids: readonly string[] = [],
): Promise<StaffedEvent[]> {
  return lockEventsWhere(
    tx,
    Prisma.sql`e.id = ANY(ARRAY(
      SELECT e.id FROM ${visibleEvents(tx)} WHERE e.uuid = ANY(${eventUuids}::uuid[])
       UNION ALL
      SELECT c.event_id FROM ${visibleCallTimes(tx)} WHERE c.uuid = ANY(${callTimeUuids}::uuid[])
       UNION ALL
      SELECT s.event_id FROM ${visibleShifts(tx)} WHERE s.uuid = ANY(${shiftUuids}::uuid[])))`,
  );
}

function lockEventsWhere(tx: TenantDb, where: Prisma.Sql): Promise<StaffedEvent[]> {
  return rawOf(tx).$queryRaw<StaffedEvent[]>(
    lockVisibleEvents(tx, {
      columns: Prisma.sql`e.id, e.uuid, e.title, e.status, e.timezone, e.starts_at AS "startsAt", e.ends_at AS "endsAt",
             e.start_local::date::text AS "startDay", e.end_local::date::text AS "endDay"`,
      where,
      lock: 'for no key update',
    }),
  );
}

const areStaff = (userIds: readonly number[]) =>
  Prisma.sql`u.id = ANY(${userIds}::int[]) AND u.role = 'staff' AND u.deleted_at IS NULL`;

/** Returns the ids of those users who are staff and not deleted. */
export async function findStaff(db: TenantDb, userIds: readonly number[]): Promise<Set<number>> {
  const staff = await rawOf(db).$queryRaw<{ id: number }[]>(
    Prisma.sql`SELECT u.id FROM ${visibleUsers(db)} WHERE ${areStaff(userIds)}`,
  );
  return new Set(staff.map(({ id }) => id));
}

/** Locks those users who are staff and not deleted, and returns their ids. */
export async function lockStaff(tx: TenantDb, userIds: readonly number[]): Promise<Set<number>> {
  const staff = await rawOf(tx).$queryRaw<{ id: number }[]>(
    lockRows(tx, 'users', 'u', {
      columns: Prisma.sql`u.id`,
      where: areStaff(userIds),
      lock: 'for no key update',
    }),
  );
  return new Set(staff.map(({ id }) => id));
}

/**
 * Locks everybody who has an active shift at the event, whatever their role, or only those with a time that is to be
 * determined. Returns whether there is anybody.
 */
export async function lockPeopleAt(tx: TenantDb, eventId: number, shifts: 'all' | 'open'): Promise<boolean> {
  const open = shifts === 'open' ? Prisma.sql`AND num_nulls(s.starts_at, s.ends_at) > 0` : Prisma.empty;
  const people = await rawOf(tx).$queryRaw<{ id: number }[]>(
    lockRows(tx, 'users', 'u', {
      columns: Prisma.sql`u.id`,
      where: Prisma.sql`u.id IN (
        SELECT s.user_id FROM ${rowsOfBusiness(tx, 'work_shifts', 's')} WHERE s.event_id = ${eventId} AND s.status = 'active' ${open})`,
      lock: 'for no key update',
    }),
  );
  return people.length > 0;
}

const unfinishedShifts = (db: TenantDb, userId: number, at: Date, what: Prisma.Sql) => Prisma.sql`
  SELECT ${what} FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
    JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
   WHERE s.user_id = ${userId} AND s.status = 'active'
     AND ${possibleEnd(Prisma.sql`s`, Prisma.sql`e.ends_at`)} > ${at.toISOString()}::timestamptz`;

/**
 * Locks the events at which a person has active shifts that end after a time, or may, or is asked something, and returns their ids. Once
 * the person is locked too, nobody adds to them.
 */
export async function lockEventsOfPerson(tx: TenantDb, userId: number, at: Date): Promise<number[]> {
  const ids = Prisma.sql`${unfinishedShifts(tx, userId, at, Prisma.sql`s.event_id`)} UNION ALL ${eventsOfOpenParts(tx, userId)}`;
  return (await lockEventsWhere(tx, Prisma.sql`e.id = ANY(ARRAY(${ids}))`)).map(({ id }) => id);
}

/** Reads the active shifts of a person that end after a time, or may end after it, whatever became of their events. */
export function readUnfinishedShifts(
  db: TenantDb,
  userId: number,
  at: Date,
): Promise<{ readonly id: number; readonly eventId: number }[]> {
  return rawOf(db).$queryRaw(unfinishedShifts(db, userId, at, Prisma.sql`s.id, s.event_id AS "eventId"`));
}

/** Counts the active shifts of each call time, except the shifts with the given ids. A call time without any has no entry. */
export async function countActiveShifts(
  db: TenantDb,
  callTimeIds: readonly number[],
  exceptShiftIds: readonly number[] = [],
): Promise<Map<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT s.call_time_id AS id, count(*)::int AS total
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
     WHERE s.call_time_id = ANY(${callTimeIds}::int[]) AND s.status = 'active'
       AND s.id <> ALL(${exceptShiftIds}::int[])
     GROUP BY s.call_time_id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}
